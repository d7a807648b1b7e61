/** Columns of links that users propose for videos that are gone. */
import type { Db, Fragment } from '../../../core/database/database.ts'
import { jsonTimestamp } from '../../../core/database/json-timestamp.ts'

/** The columns of a proposal `l` of a report `r` except its time. */
export function proposalColumns(db: Db): Fragment {
  return db`r.id, l.source_url, l.title, l.facts ->> 'thumbnail_source_url' as thumbnail_url,
            (l.facts ->> 'duration')::int as duration, l.facts ->> 'uploader_name' as uploader_name`
}

/** The proposal of reports `r` as JSON; null for other reports, and after the replacement ended. */
export function proposalJson(db: Db): Fragment {
  return db`(select row_to_json(p) from (
    select ${proposalColumns(db)}, ${jsonTimestamp(db, db`r.created_at`)} as created_at
      from link_replacements l where l.report_id = r.id and r.report_type = 'replace_link') p)`
}
