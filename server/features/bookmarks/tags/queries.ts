import type { OwnTag, ownTagOrders } from '@reelmark/contract/tags.ts'
import type { Db, Fragment, Sql } from '../../../core/database/database.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { normaliseTag } from '../../../shared/tag-names.ts'
import { isListed, isNotTrashed, isPublic, isVisible, isVisibleTag } from '../../../shared/visibility.ts'

export interface CountedTag {
  id: number
  name: string
  uses_count: number
}

/**
 * Returns tags of visible bookmarks that start with `prefix`, the most used first, and their number (at most 10,000).
 * `sfwOnly` leaves out tags that only adult videos have.
 */
export async function listTags(
  db: Db,
  {
    prefix,
    sfwOnly,
    viewerId,
    skip,
    size,
  }: { prefix: string; sfwOnly: boolean; viewerId: number | null; skip: number; size: number },
): Promise<{ count: number; results: CountedTag[]; own: string[] | null }> {
  const start = prefix.toLowerCase().replace(/[\\%_]/g, '\\$&')
  const begins = start === '' ? db`true` : db`name like ${`${start}%`}`
  // Tags that were never counted are looked up.
  const fits = sfwOnly
    ? db`(sfw_uses_count > 0 or sfw_uses_count is null and exists (
           select from bookmarks b
            where ${isVisible(db)} and b.effective_orientation = 'sfw' and tags.name = any (b.tags)
              and b.search_vector @@ array_to_tsvector(array['tag:' || tags.name])::text::tsquery))`
    : db`true`
  const own = viewerId === null || start === '' ? db`null` : ownTags(db, viewerId, begins, sfwOnly)
  const rows = await db<(CountedTag & { count: number; own: string[] | null })[]>`
    select total.count, ${own} as own, t.*
      from (select count(*) from (
              select from tags where uses_count > 0 and ${begins} and ${fits} limit 10000) counted) total
      left join (select tag_id(name) as id, name, uses_count from tags where uses_count > 0 and ${begins} and ${fits}
                  order by uses_count desc, name limit ${size} offset ${skip}) t on true
     order by t.uses_count desc, t.name`
  return { ...splitCount(rows.map(({ own: _, ...row }) => row)), own: rows[0]?.own ?? null }
}

/** How many of the viewer's newest private bookmarks are searched for tags. */
const searchedOwn = 300

/** Selects an array of tags of the viewer's private bookmarks that no visible bookmark has. */
function ownTags(db: Db, viewerId: number, begins: Fragment, sfwOnly: boolean): Fragment {
  return db`coalesce((
    select array_agg(name order by name)
      from (select distinct name
              from (select b.tags from bookmarks b
                     where b.user_id = ${viewerId} and not ${isPublic(db)} and ${isNotTrashed(db)}
                       ${sfwOnly ? db`and b.effective_orientation = 'sfw'` : db``}
                     order by b.created_at desc, b.id desc limit ${searchedOwn}) b, unnest(b.tags) as used (name)
             where ${begins} and not exists (select from tags t where t.name = used.name and ${isVisibleTag(db)})
             order by name limit 10) found), '{}')`
}

/** Returns tags of a user's own bookmarks that contain `part`, and their number. */
export async function listOwnTags(
  db: Db,
  userId: number,
  {
    part,
    sort,
    skip,
    size,
  }: { part: string; sort: (typeof ownTagOrders)[number]; skip: number; size: number },
): Promise<{ count: number; results: OwnTag[] }> {
  const own = db`from user_tags where user_id = ${userId}
    ${part === '' ? db`` : db`and strpos(name, ${normaliseTag(part)}) > 0`}`
  const order = sort === 'most_used' ? db`bookmarks_count desc, name` : db`name`
  const rows = await db<(OwnTag & { id: string | null; count: number })[]>`
    select total.count, found.*
      from (select count(*) ${own}) total
      left join (select name as id, name, bookmarks_count ${own}
                  order by ${order} limit ${size} offset ${skip}) found on true
     order by ${order}`
  return splitCount(rows)
}

/**
 * Recounts for each tag its visible bookmarks that are sfw, and its listed ones. count_tags() maintains the first number; what
 * is saved while they are recounted is missing until the next time.
 */
export async function recountSfw(sql: Sql): Promise<void> {
  await sql.begin(async (db) => {
    await db`set local statement_timeout = '200s'`
    // Reads all visible bookmarks; on one processor, so that requests can use the others.
    await db`set local max_parallel_workers_per_gather = 0`
    // Locks only changed tags, by name like count_tags(), so that the two cannot deadlock.
    await db`
      with counted as (
        select name, count(*) filter (where b.effective_orientation = 'sfw')::integer as sfw,
               count(*) filter (where ${isListed(db)})::integer as listed
          from bookmarks b, unnest(b.tags) name
         where ${isVisible(db)} group by name),
      changed as (
        select name, coalesce(counted.sfw, 0) as sfw, coalesce(counted.listed, 0) as listed
          from tags left join counted using (name)
         where (sfw_uses_count, listed_uses_count)
               is distinct from (coalesce(counted.sfw, 0), coalesce(counted.listed, 0))
         order by name for no key update of tags)
      update tags set sfw_uses_count = changed.sfw, listed_uses_count = changed.listed
        from changed where tags.name = changed.name`
  })
}

/** The most used tags whose words stand in a text, at most 10: what a title suggests. */
export async function findPopularTags(db: Db, text: string): Promise<string[]> {
  const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 40)
  if (words.length === 0) return []
  // Tags of two words too: `stop motion` in 'A Stop Motion Film'.
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`)
  const rows = await db<{ name: string }[]>`
    select name from tags where name = any (${[...words, ...pairs]}) and uses_count > 0
     order by uses_count desc, name limit 10`
  return rows.map(({ name }) => name)
}
