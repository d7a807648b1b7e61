import type { Db, Sql } from '../../../core/database/database.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { isListed, isVisible } from '../visibility.ts'

export interface CountedTag {
  id: number
  name: string
  uses_count: number
}

/**
 * Tags in public use that start with `prefix`, the most used first. Tags of private bookmarks alone are not told.
 * `sfwOnly`: nor those that only adult videos bear.
 */
export async function listTags(
  db: Db,
  { prefix, sfwOnly, skip, size }: { prefix: string; sfwOnly: boolean; skip: number; size: number },
): Promise<{ count: number; results: CountedTag[] }> {
  const start = prefix.toLowerCase().replace(/[\\%_]/g, '\\$&')
  const begins = start === '' ? db`true` : db`name like ${`${start}%`}`
  // The few that came since the last count are looked up.
  const fits = sfwOnly
    ? db`(sfw_uses_count > 0 or sfw_uses_count is null and exists (
           select from bookmarks b
            where ${isVisible(db)} and b.effective_orientation = 'sfw' and tags.name = any (b.tags)
              and b.search_vector @@ array_to_tsvector(array['tag:' || tags.name])::text::tsquery))`
    : db`true`
  const rows = await db<(CountedTag & { count: number })[]>`
    select total.count, t.*
      from (select count(*) from (
              select from tags where uses_count > 0 and ${begins} and ${fits} limit 10000) counted) total
      left join (select id, name, uses_count from tags where uses_count > 0 and ${begins} and ${fits}
                  order by uses_count desc, name limit ${size} offset ${skip}) t on true
     order by t.uses_count desc, t.name`
  return splitCount(rows)
}

/** Counts for each tag the visible bookmarks with it that are sfw, and those that lead their video. */
export async function recountSfw(sql: Sql): Promise<void> {
  await sql.begin(async (db) => {
    await db`set local statement_timeout = '200s'`
    // It reads all visible bookmarks: on one processor, so that requests have the others.
    await db`set local max_parallel_workers_per_gather = 0`
    // Locked by name, as count_tags() does, and only what changes.
    await db`
      with counted as (
        select name, count(*) filter (where b.effective_orientation = 'sfw')::integer as sfw,
               count(*) filter (where ${isListed(db)})::integer as listed
          from bookmarks b, unnest(b.tags) name
         where ${isVisible(db)} group by name),
      changed as (
        select tags.id, coalesce(counted.sfw, 0) as sfw, coalesce(counted.listed, 0) as listed
          from tags left join counted using (name)
         where (sfw_uses_count, listed_uses_count)
               is distinct from (coalesce(counted.sfw, 0), coalesce(counted.listed, 0))
         order by name for no key update of tags)
      update tags set sfw_uses_count = changed.sfw, listed_uses_count = changed.listed
        from changed where tags.id = changed.id`
  })
}
