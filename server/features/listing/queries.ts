import type { ListingItem } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment, Sql } from '../../core/database/database.ts'
import type { Cursor } from '../../core/http/cursor.ts'
import type { PageRequest } from '../../core/http/cursor-paging.ts'
import { splitCount } from '../../core/http/paging.ts'
import { isListed, isVisible } from '../../shared/visibility.ts'
import { cardColumns } from './card-columns.ts'
import type { ListingScope, ListingSegment } from './listing-segments.ts'
import { readSlices } from './read-slices.ts'
import { hasKey, sampleKey } from './search-slices.ts'

/** A row of a page with its position in the listing, as in a cursor. */
type ListingRow = ListingItem & { segment: number; key: number | string }

export interface ListingRows {
  /** The rows of the page and one more, if there is one. */
  rows: ListingRow[]
  count: number
  /** Whether the count may be wrong although it is low. */
  isEstimate: boolean
}

export interface ListingRequest extends PageRequest<number | string> {
  scope: ListingScope
  segments: ListingSegment[]
  /** The count that a job maintains: of Explore by orientation ('all' for any) or of a tag; null for other listings. */
  counter: { orientation: string } | { tag: string } | null
  /** Whether the best plan depends on the words or values of a search, so that the statement is not prepared. */
  isPlannedEachTime: boolean
  /** The viewer, whose likes and other marks the cards show; null for a visitor. */
  viewerId: number | null
}

/**
 * Returns a page of a listing and its count, in one statement. The ids are selected first, if possible from an index alone,
 * and the cards are joined to those few. With a cursor nothing before it is read.
 * A search is planned for its words each time.
 */
export async function listVideos(db: Db, request: ListingRequest): Promise<ListingRows> {
  const statement = db<(ListingRow & { count: number; is_estimate: boolean })[]>`
    with page as (${pageIds(db, request)})
    select total.count, total.is_estimate, p.segment, p.key, ${cardColumns(db, request.viewerId)}
      from (${countListing(db, request)}) total
      left join (page p join bookmarks b on b.id = p.id join videos v on v.id = b.video_id
                 join users u on u.id = b.user_id) on true
     order by p.segment, p.position`
  const found = await (request.isPlannedEachTime ? statement.unprepared() : statement)
  const { count, results } = splitCount(found)
  const { segments } = request
  const rows = results.map((row) =>
    keyType(segments[row.segment]) === 'string' ? row : { ...row, key: Number(row.key) },
  )
  return { rows, count, isEstimate: found[0]?.is_estimate ?? false }
}

/** Selects `id`, `segment`, `key` (as text) and `position` of the rows of a page and of one more. */
function pageIds(db: Db, { segments, size, skip, cursor }: ListingRequest): Fragment {
  const backwards = cursor?.direction === 'before'
  const limitTo = (limit: number, offset = 0) =>
    db`limit ${inlineNumber(db, limit)} ${offset === 0 ? db`` : db`offset ${inlineNumber(db, offset)}`}`
  const rowCount = size + 1

  const parts = segments.flatMap((segment, index) => {
    if (cursor !== null && (backwards ? index > cursor.segment : index < cursor.segment)) return []
    const isOnly = segments.length === 1
    // A cursor of another order selects no rows.
    if (cursor?.segment === index && typeof cursor.key !== keyType(segment)) return []
    const position = cursor?.segment === index ? afterCursor(db, segment, cursor) : db``
    const order = orderBy(db, segment.isAscending !== backwards)
    const end = isOnly ? limitTo(rowCount, skip) : limitTo(rowCount + skip)
    const byTime = backwards ? db`b.created_at, b.id` : db`b.created_at desc, b.id desc`
    const newest = db`${order} ${limitTo(rowCount + skip)}`
    const slices = segment.slices?.(cursor?.segment === index ? cursor : null)
    const rows =
      slices !== undefined
        ? db`${readSlices(db, segment, slices, position, newest)} ${end}`
        : segment.follower !== null
          ? db`select id, key from (${mergeFollowed(db, segment, position, byTime, rowCount + skip)}) followed ${order} ${end}`
          : db`select ${segment.isSearch ? db`distinct` : db``} ${segment.id} as id, ${segment.key} as key
                 from ${segment.from} where ${segment.where} ${position} ${order} ${end}`
    return [
      db`(select id, ${db.unsafe(String(index))} as segment, (${segment.cursorKey.fromKey(db`key`)})::text as key,
                 row_number() over (${orderBy(db, segment.isAscending)}) as position
          from (${rows}) ordered)`,
    ]
  })
  // The segments are read one after the other, each only if those before it do not fill the page. A cursor of a
  // segment that does not exist (any more) selects no rows, but the count is still returned.
  const noRows = db`select 0 as id, 0 as segment, '' as key, 0 as position where false`
  const [first = noRows, ...further] = backwards ? parts.reverse() : parts
  if (further.length === 0) return first
  return db`${further.reduce((all, part) => db`${all} union all ${part}`, first)} ${limitTo(rowCount, skip)}`
}

function keyType(segment: ListingSegment | undefined): 'number' | 'string' {
  return segment?.cursorKey.type ?? 'number'
}

function orderBy(db: Db, isAscending: boolean): Fragment {
  return isAscending ? db`order by key, id` : db`order by key desc, id desc`
}

function afterCursor(db: Db, { key, id, isAscending, cursorKey }: ListingSegment, cursor: Cursor): Fragment {
  const at = cursorKey.toKey(cursor.key)
  // The key is also compared alone, so that the scan of an index without the bookmark's id can start there.
  return (cursor.direction === 'before') !== isAscending
    ? db`and ${key} >= ${at} and (${key}, ${id}) > (${at}, ${cursor.id}::bigint)`
    : db`and ${key} <= ${at} and (${key}, ${id}) < (${at}, ${cursor.id}::bigint)`
}

/** How many of the newest bookmarks of all users are searched for those of followed users. */
const recentMax = 3000
/** From this many on, followed users save a good part of the newest bookmarks. */
const manyFollowed = 300

/**
 * Reads the newest bookmarks of followed users. With few of them, the newest of each are merged, so that the cost does not
 * depend on how much they saved. With many, they are searched in the newest of all users first, and merged only if that
 * does not fill the page.
 */
function mergeFollowed(
  db: Db,
  { where, follower }: ListingSegment,
  position: Fragment,
  order: Fragment,
  rowCount: number,
): Fragment {
  const limit = db`limit ${inlineNumber(db, rowCount)}`
  return db`with recent as materialized (
      select b.id, b.created_at as key
        from (select b.id, b.user_id from bookmarks b
               where ${isVisible(db)} ${position}
                 and (select following_count from users where id = ${follower}) > ${inlineNumber(db, manyFollowed)}
               order by ${order} limit ${inlineNumber(db, recentMax)}) newest
        join follows f on f.follower_id = ${follower} and f.followee_id = newest.user_id
        join bookmarks b on b.id = newest.id
       where ${where} order by ${order} ${limit})
    select id, key from recent
    union all
    select merged.id, merged.key
      from follows f
      cross join lateral (select b.id, b.created_at as key from bookmarks b
                           where b.user_id = f.followee_id and ${where} ${position} order by ${order} ${limit}) merged
     where f.follower_id = ${follower} and (select count(*) from recent) < ${inlineNumber(db, rowCount)}
       and merged.id not in (select id from recent)`
}

/** Selects the count of a listing, exact up to 10,000 unless `is_estimate`. */
function countListing(db: Db, { scope, counter }: ListingRequest): Fragment {
  const counted = scope.isSearch ? countFound(db, scope) : countBookmarks(db, scope)
  if (scope.storedCount !== null) {
    return db`select coalesce(stored.count, ${counted}) as count, stored.count is not null as is_estimate
                from (select) one left join (${scope.storedCount}) stored on true`
  }
  if (counter === null) return db`select ${counted} as count, false as is_estimate`
  const stored =
    'tag' in counter
      ? db`select listed_uses_count as count from tags where name = ${counter.tag}`
      : db`select count from listing_counts where orientation = ${counter.orientation}`
  // Used only well above 10,000, because the stored count may be some minutes old.
  return db`
    select coalesce((select count from (${stored}) stored where count > 2 * ${inlineNumber(db, limits.exactCountMax)}),
                    ${counted}) as count, false as is_estimate`
}

/** Counts up to 10,000, and estimates above from the share of all bookmarks that the first 10,000 matches span. */
function countBookmarks(db: Db, { from, where }: ListingScope): Fragment {
  const max = inlineNumber(db, limits.exactCountMax)
  return db`(
    select case when count(*) <= ${max} then count(*)
                else greatest(count(*), (count(*) * ${shareOfAll(db)})::bigint) end
      from (select b.id from ${from} where ${where} limit ${max} + 1) matched)`
}

/**
 * Counts the videos that a search finds. The bookmarks of a video have the same position in the random order, so a part of that
 * order is a random sample of the videos. If so many match in a sample that there must be well over 10,000, the count is
 * estimated from it, otherwise it is exact: with 10,000 results, the samples contain 2, 20 and 156 on average.
 */
function countFound(db: Db, { from, where, id }: ListingScope): Fragment {
  const found = (condition: Fragment) =>
    db`select count(*) as videos
         from (select distinct id from (select ${id} as id from ${from} where ${where} ${condition} offset 0) matched) found`
  const estimate = (share: Parameters<typeof sampleKey>[0], min: number) =>
    db`(select videos * ${inlineNumber(db, share)} from (${found(db`and ${hasKey(db, sampleKey(share))}`)}) sample
         where videos >= ${inlineNumber(db, min)})`
  return db`coalesce(${estimate(4096, 60)}, ${estimate(512, 60)}, ${estimate(64, 240)}, (${found(db``)}))`
}

/** The ratio of all bookmarks to those between the first and the last match. */
function shareOfAll(db: Db): Fragment {
  return db`(select max(id)::float8 from bookmarks) / (max(id) - min(id) + 1)`
}

/** A number as part of the statement's text: with a parameter as LIMIT the planner would not know how few rows are needed. */
function inlineNumber(db: Db, value: number): Fragment {
  return db.unsafe(String(Math.trunc(value))) as Fragment
}

/** Recounts Explore by orientation and in total; long lists return these counts as estimates. */
export async function recountListing(sql: Sql): Promise<void> {
  await sql.begin(async (db) => {
    // With tens of millions of bookmarks this takes longer than a request may.
    await db`set local statement_timeout = '200s'`
    await db`
      insert into listing_counts (orientation, count, counted_at)
      select coalesce(b.effective_orientation, 'all'), count(*), now() from bookmarks b
       where ${isListed(db)} group by rollup (b.effective_orientation)
      on conflict (orientation) do update set count = excluded.count, counted_at = excluded.counted_at`
    await db`delete from listing_counts where counted_at < now()`
  })
}
