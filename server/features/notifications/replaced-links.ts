/** Parts of the queries for notifications about links that are replaced for everyone (docs/decisions/0090-replaced-links.md). */
import type { Db, Fragment } from '../../core/database/database.ts'
import { jsonTimestamp } from '../../core/database/json-timestamp.ts'
import { declineLinkUntil } from '../../shared/missing-videos.ts'
import { isNotTrashed, isShownVideo } from '../../shared/visibility.ts'

/** Returns a condition: the receiver's bookmark leads the video of `n`, and a link that is proposed for it is not decided about. */
export function isStillProposed(db: Db): Fragment {
  return db`exists (
    select from videos v
      join bookmarks lead on lead.id = v.lead_bookmark_id and lead.user_id = n.user_id
      join reports r on r.target_kind = 'video' and r.target_id = v.id and r.report_type = 'replace_link' and r.status = 'open'
     where v.id = n.video_id and ${isShownVideo(db)} and not is_blocked_between(r.reporter_id, n.user_id))`
}

/** Returns a condition: a bookmark of the receiver was moved to the video of `n` and is still there. */
export function isStillReplaced(db: Db): Fragment {
  return db`exists (
    select from bookmarks own join replaced_bookmarks replaced on replaced.bookmark_id = own.id
     where own.user_id = n.user_id and own.video_id = n.video_id and ${isNotTrashed(db, 'own')}
       and replaced.declined_at is null)`
}

/** Selects the bookmark of the receiver of entry `p` that was moved to another link. */
export function replacedLink(db: Db): Fragment {
  return db`case when p.kind = 'link_replaced' then (
    select json_build_object(
             'bookmark_id', own.id, 'title', own.title, 'before', missing.source_url, 'after', l.source_url,
             'until', ${jsonTimestamp(db, declineLinkUntil(db))})
      from notifications n
      join bookmarks own on own.user_id = n.user_id and own.video_id = n.video_id and ${isNotTrashed(db, 'own')}
      join replaced_bookmarks replaced on replaced.bookmark_id = own.id and replaced.declined_at is null
      join link_replacements l on l.id = replaced.replacement_id
      join videos missing on missing.id = l.video_id
     where n.id = p.event_ids[1]
     order by own.id limit 1) end`
}
