import type { ListingItem } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment, Sql } from '../../core/database/database.ts'
import type { Cursor } from '../../core/http/cursor.ts'
import type { PageRequest } from '../../core/http/cursor-paging.ts'
import { splitCount } from '../../core/http/paging.ts'
import { isListed } from '../../shared/visibility.ts'
import { cardColumns } from './card-columns.ts'
import type { ListingScope, ListingSegment } from './listing-segments.ts'

/** A row of a page, and where it stands in the listing. */
type ListingRow = ListingItem & { segment: number; key: number }

export interface ListingRows {
  /** The page and one row more. */
  rows: ListingRow[]
  count: number
}

export interface ListingRequest extends PageRequest {
  scope: ListingScope
  segments: ListingSegment[]
  /** What has been counted in the background: Explore by orientation ('all': any), and a tag; null: neither. */
  counter: { orientation: string } | { tag: string } | null
  /** The viewer, whose likes and other marks the cards show. */
  me: number | null
}

/**
 * Returns a page of a listing and its count, in one statement. The ids come first, from an index alone where it holds them
 * all; the cards are joined to those few. With a cursor nothing before it is read.
 */
export async function listVideos(db: Db, request: ListingRequest): Promise<ListingRows> {
  const found = await db<(ListingRow & { count: number })[]>`
    with page as (${pageIds(db, request)})
    select total.count, p.segment, p.key, ${cardColumns(db, request.me)}
      from (select ${countListing(db, request)} as count) total
      left join (page p join bookmarks b on b.id = p.id join videos v on v.id = b.video_id
                 join users u on u.id = b.user_id) on true
     order by p.segment, p.key desc, p.id desc`
  const { count, results } = splitCount(found)
  return { rows: results, count }
}

/** Selects `id`, `segment` and `key` of a page and of one row more. */
function pageIds(db: Db, { segments, size, skip, cursor }: ListingRequest): Fragment {
  const backwards = cursor?.direction === 'before'
  const tail = (limit: number, offset = 0) =>
    db`limit ${number(db, limit)} ${offset === 0 ? db`` : db`offset ${number(db, offset)}`}`
  const wanted = size + 1

  const parts = segments.flatMap((segment, index) => {
    if (cursor !== null && (backwards ? index > cursor.segment : index < cursor.segment)) return []
    const alone = segments.length === 1
    const position = cursor?.segment === index ? afterCursor(db, segment, cursor) : db``
    const order = backwards ? db`order by key, id` : db`order by key desc, id desc`
    const end = alone ? tail(wanted, skip) : tail(wanted + skip)
    const rows =
      segment.follower !== null
        ? mergeFollowed(db, segment, position, db`${order} ${tail(wanted + skip)}`)
        : db`select ${segment.isDistinct ? db`distinct` : db``} ${segment.id} as id, ${segment.key} as key
               from ${segment.from} where ${segment.where} ${position}`
    return [
      db`(select id, ${db.unsafe(String(index))} as segment, ${segment.keyNumber(db`key`)} as key
          from (${rows} ${order} ${end}) ordered)`,
    ]
  })
  // Read one after the other, and the later not at all where the earlier fill the page.
  // A cursor of a segment that is not (any more): nothing is there, but the count still is.
  const nothing = db`select 0 as id, 0 as segment, 0 as key where false`
  const [first = nothing, second] = backwards ? parts.reverse() : parts
  return second === undefined ? first : db`${first} union all ${second} ${tail(wanted, skip)}`
}

function afterCursor(db: Db, { key, id, keyOf }: ListingSegment, cursor: Cursor): Fragment {
  const at = keyOf(cursor.key)
  // The key is compared by itself as well: an index that holds it, but not the bookmark's id, then starts there.
  return cursor.direction === 'before'
    ? db`and ${key} >= ${at} and (${key}, ${id}) > (${at}, ${cursor.id}::bigint)`
    : db`and ${key} <= ${at} and (${key}, ${id}) < (${at}, ${cursor.id}::bigint)`
}

/** Merges the newest of each followed person: costs the same however much they saved. */
function mergeFollowed(
  db: Db,
  { where, follower }: ListingSegment,
  position: Fragment,
  end: Fragment,
): Fragment {
  return db`select newest.id, newest.key
      from follows f
      cross join lateral (select b.id, b.created_at as key from bookmarks b
                           where b.user_id = f.followee_id and ${where} ${position} ${end}) newest
     where f.follower_id = ${follower}`
}

/** The count of a listing: exact up to 10,000, and an estimate above. */
function countListing(db: Db, { scope: whole, counter }: ListingRequest): Fragment {
  const counted = whole.isDistinct ? countVideos(db, whole) : countBookmarks(db, whole)
  if (counter === null) return counted
  const known =
    'tag' in counter
      ? db`select listed_uses_count as count from tags where name = ${counter.tag}`
      : db`select count from listing_counts where orientation = ${counter.orientation}`
  // Well above 10,000, because the counter may be some minutes old.
  return db`coalesce((select count from (${known}) known where count > 2 * ${number(db, limits.exactCountMax)}), ${counted})`
}

/** Estimates from how far the first 10,000 reach among all bookmarks. */
function countBookmarks(db: Db, { from, where }: ListingScope): Fragment {
  const max = number(db, limits.exactCountMax)
  return db`(
    select case when count(*) <= ${max} then count(*)
                else greatest(count(*), (count(*) * ${shareOfAll(db)})::bigint) end
      from (select b.id from ${from} where ${where} limit ${max} + 1) matched)`
}

/**
 * Reads twice as many bookmarks as videos are counted exactly. Where that is all of them, the count is exact; where it is
 * enough videos, it is an estimate; only where many bookmarks are of few videos is everything read.
 */
function countVideos(db: Db, { from, where, id }: ListingScope): Fragment {
  const max = number(db, limits.exactCountMax)
  return db`(
    select case when bookmarks <= 2 * ${max} then videos
                when videos > ${max} then greatest(videos, (videos * share)::bigint)
                else (select count(*) from (select distinct ${id} from ${from} where ${where}) matched) end
      from (select count(*) as bookmarks, count(distinct lead_id) as videos, ${shareOfAll(db)} as share
              from (select b.id, ${id} as lead_id from ${from} where ${where} limit 2 * ${max} + 1) matched) counted)`
}

/** By how much all bookmarks are more than those between the first and last of the matches. */
function shareOfAll(db: Db): Fragment {
  return db`(select max(id)::float8 from bookmarks) / (max(id) - min(id) + 1)`
}

/** A number in the text of the statement: a bound LIMIT hides from the planner how few rows are needed. */
function number(db: Db, value: number): Fragment {
  return db.unsafe(String(Math.trunc(value))) as Fragment
}

/** Counts Explore anew, by orientation and in all: what long lists answer as an estimate. */
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
