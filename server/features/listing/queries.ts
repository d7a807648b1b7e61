import type { ListingItem } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, hiddenNumber, inlineNumber, type Sql } from '../../core/database/database.ts'
import type { Cursor } from '../../core/http/cursor.ts'
import type { PageRequest } from '../../core/http/cursor-paging.ts'
import { splitCount } from '../../core/http/paging.ts'
import { isListed, isNotTrashed, isVisible } from '../../shared/visibility.ts'
import { cardColumns } from './card-columns.ts'
import { otherSaversCount, readFeed } from './feed.ts'
import { countFound } from './found-samples.ts'
import type { ListingFilter } from './listing-filter.ts'
import type { ListingScope, ListingSegment } from './listing-segments.ts'
import { readSlices } from './read-slices.ts'
import { isVault } from './vault-source.ts'

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
  /** `, …`: further columns of each row. */
  extraColumns: Fragment
}

type CountedRow = ListingRow & { count: number; is_estimate: boolean }

/**
 * Returns a page of a listing and its count. The ids are selected first, if possible from an index alone, and the cards are joined to
 * those few. With a cursor nothing before it is read.
 */
export async function listVideos(db: Db, request: ListingRequest): Promise<ListingRows> {
  const { own } = request.scope
  const hasOtherPlan = own !== undefined && (own.estimate !== null || isPlannedNow(request))
  const found = await (hasOtherPlan ? readOwnRows(db, request) : readRows(db, request))
  const { count, results } = splitCount(found)
  const { segments } = request
  const rows = results.map((row) =>
    keyType(segments[row.segment]) === 'string' ? row : { ...row, key: Number(row.key) },
  )
  return { rows, count, isEstimate: found[0]?.is_estimate ?? false }
}

/** Reads the rows of a page and the count of its list in one statement. */
function readRows(db: Db, request: ListingRequest): Promise<CountedRow[]> {
  const statement = db<CountedRow[]>`
    with ${request.scope.named ?? db``} page as (${pageIds(db, request)})
    select total.count, total.is_estimate, p.segment, p.key, ${cardColumns(db, request.viewerId)} ${request.extraColumns}
           ${otherSaversColumn(db, request.scope)}
      from (${countListing(db, request)}) total left join (page p ${joinCards(db)}) on true
     order by p.segment, p.position`
  return isPlannedNow(request) ? statement.unprepared() : statement
}

/**
 * Does the same for own bookmarks whose lists have many plans, in two statements. Planning the one that reads the cards takes longer than
 * planning the list, but its plan is stored.
 */
async function readOwnRows(db: Db, request: ListingRequest): Promise<CountedRow[]> {
  const statement = db<Pick<CountedRow, 'id' | 'segment' | 'key' | 'count' | 'is_estimate'>[]>`
    with ${request.scope.named ?? db``} page as (${pageIds(db, request)})
    select total.count, total.is_estimate, p.id, p.segment, p.key
      from (${countListing(db, request)}) total left join page p on true
     order by p.segment, p.position`
  const found = await (isPlannedNow(request) ? statement.unprepared() : statement)
  const cards = await db<ListingItem[]>`
    select ${cardColumns(db, request.viewerId)} ${request.extraColumns}
      from unnest(${found.map(({ id }) => id)}::bigint[]) p (id) ${joinCards(db)}
     where b.user_id = ${request.viewerId}`
  const byId = new Map(cards.map((card) => [card.id, card]))
  // A bookmark that was deleted meanwhile has no card.
  return found.map((row) => ({ ...row, ...(byId.get(row.id) ?? { id: null }) }) as CountedRow)
}

/** Returns whether a statement is not prepared. Its text contains how many rows are read: those far from an anchor would each be stored. */
function isPlannedNow({ isPlannedEachTime, skip, segments }: ListingRequest): boolean {
  return isPlannedEachTime || (skip > limits.maxPageSize && !areInSlices(segments))
}

/** Returns whether a list is read in slices of an index of words, so that how many rows are skipped does not change the best plan. */
function areInSlices(segments: readonly ListingSegment[]): boolean {
  return segments.some(({ slices }) => slices !== null)
}

/** Joins the tables of the cards to the rows `p` of a page. */
function joinCards(db: Db): Fragment {
  return db`join bookmarks b on b.id = p.id join videos v on v.id = b.video_id join users u on u.id = b.user_id`
}

/** `, …`: how many other followed users saved the video `v` of a row of a feed. Empty for other listings. */
function otherSaversColumn(db: Db, { feed = null }: ListingScope): Fragment {
  return feed === null ? db`` : db`, ${otherSaversCount(db, feed)} as other_savers_count`
}

/** Selects `id`, `segment`, `key` (as text) and `position` of the rows of a page and of one more. */
export function pageIds(
  db: Db,
  { segments, size, skip, cursor }: Pick<ListingRequest, 'segments' | 'size' | 'skip' | 'cursor'>,
): Fragment {
  const backwards = cursor?.direction === 'before'
  // One statement is stored for all pages that are far from where the list begins.
  const isFar = skip > limits.maxPageSize && areInSlices(segments)
  const number = (value: number, isHidden: boolean) =>
    isFar ? db`${value}` : isHidden ? hiddenNumber(db, value) : inlineNumber(db, value)
  const limitTo = (limit: number, offset = 0, isHidden = false) =>
    db`limit ${number(limit, isHidden)} ${offset === 0 ? db`` : db`offset ${number(offset, isHidden)}`}`
  const rowCount = size + 1
  // The rows next to the cursor come first, because the limit of all segments keeps the first ones. Reading forwards, the
  // window function leaves them in that order.
  const nearestFirst = backwards ? db`order by position desc` : db``

  const isRead = (index: number) =>
    segments[index]?.isSkipped !== true &&
    (cursor === null || (backwards ? index <= cursor.segment : index >= cursor.segment))
  const isOnly = segments.filter((_, index) => isRead(index)).length === 1
  const parts = segments.flatMap((segment, index) => {
    if (!isRead(index)) return []
    // A cursor of another order selects no rows.
    if (cursor?.segment === index && typeof cursor.key !== keyType(segment)) return []
    const { afterEarlier = db``, without = db`` } = segment
    const position =
      cursor?.segment !== index
        ? db`${afterEarlier} ${without}`
        : db`${afterCursor(db, segment, cursor)} ${backwards ? afterEarlier : db``} ${without}`
    const order = orderBy(db, segment.isAscending !== backwards)
    const hides = segment.hidesLimit === true && skip > limits.maxPageSize
    const end = isOnly ? limitTo(rowCount, skip, hides) : limitTo(rowCount + skip, 0, hides)
    const newest = db`${order} ${limitTo(rowCount + skip)}`
    const own = cursor?.segment === index ? cursor : null
    const slices = segment.slices?.(own, rowCount + skip)
    const rows =
      slices !== undefined
        ? db`${readSlices(db, segment, slices, position, newest)} ${end}`
        : segment.follower !== null && segment.feed
          ? db`select id, key from (${readFeed(db, segment.feed, own, backwards, rowCount + skip)}) feed ${order} ${end}`
          : segment.few
            ? db`${readFewOrMany(db, segment, segment.few, position, newest)} ${order} ${end}`
            : db`select ${segment.isSearch ? db`distinct` : db``} ${segment.id} as id, ${segment.key} as key
                   from ${segment.from} where ${segment.where} ${position} ${order} ${end}`
    return [
      db`(select id, ${inlineNumber(db, index)} as segment, (${segment.cursorKey.fromKey(db`key`)})::text as key,
                 row_number() over (${orderBy(db, segment.isAscending)}) as position
          from (${rows}) ordered ${nearestFirst})`,
    ]
  })
  // The segments are read one after the other, each only if those before it do not fill the page. A cursor of a
  // segment that does not exist (any more) selects no rows, but the count is still returned.
  const noRows = db`select 0 as id, 0 as segment, '' as key, 0 as position where false`
  const [first = noRows, ...further] = backwards ? parts.reverse() : parts
  if (further.length === 0) return first
  return db`${further.reduce((all, part) => db`${all} union all ${part}`, first)} ${limitTo(rowCount, skip)}`
}

/**
 * Reads a segment in the order of an index if many rows match, because the index then fills the page soon. Few matches are
 * found first and then sorted. `offset 0` makes PostgreSQL find them first, even if it expects the order's index to be faster.
 */
function readFewOrMany(
  db: Db,
  { id, key, from, where }: ListingSegment,
  few: NonNullable<ListingSegment['few']>,
  position: Fragment,
  end: Fragment,
): Fragment {
  const columns = db`select ${id} as id, ${key} as key from ${from}`
  return db`select found.id, found.key
      from (select ${few.isFew} as is_few offset 0) matches
      cross join lateral (
        (${columns} where ${where} ${position} and not matches.is_few ${end})
        union all
        (select id, key from (
          select ${id} as id, ${key} as key from ${from} where ${few.where} ${position} and matches.is_few offset 0) few ${end})) found`
}

function keyType(segment: ListingSegment | undefined): 'number' | 'string' {
  return segment?.cursorKey.type ?? 'number'
}

function orderBy(db: Db, isAscending: boolean): Fragment {
  return isAscending ? db`order by key, id` : db`order by key desc, id desc`
}

function afterCursor(db: Db, { key, id, isAscending, cursorKey }: ListingSegment, cursor: Cursor): Fragment {
  // Subqueries: a plan for the values of one cursor is no better than the stored one, but PostgreSQL would expect it to be.
  const at = db`(select ${cursorKey.toKey(cursor.key)})`
  const isLater = (cursor.direction === 'before') !== isAscending
  // The key is also compared alone, so that the scan of an index without the bookmark's id can start there. With many equal
  // keys it would start at the first of them.
  const alone = cursorKey.hasTies ? db`` : db`and ${key} ${db.unsafe(isLater ? '>=' : '<=')} ${at}`
  return db`${alone} and (${key}, ${id}) ${db.unsafe(isLater ? '>' : '<')} (${at}, (select ${cursor.id}::bigint))`
}

/** Selects the count of a listing, exact up to 10,000 unless `is_estimate`. */
export function countListing(
  db: Db,
  { scope, counter }: Pick<ListingRequest, 'scope' | 'counter'>,
): Fragment {
  const counted =
    scope.exactCount ??
    (scope.own?.count ? scope.own.count : scope.isSearch ? countFound(db, scope) : countBookmarks(db, scope))
  if (scope.storedCount !== null) {
    return db`select coalesce(stored.count, ${counted}) as count, stored.count is not null as is_estimate
                from (select) one left join (${scope.storedCount}) stored on true`
  }
  if (counter === null) return db`select ${counted} as count, false as is_estimate`
  const stored =
    'tag' in counter
      ? db`select listed_uses_count as count from tags where name = ${counter.tag}`
      : db`select count from listing_counts where orientation = ${counter.orientation}`
  // Used only well above 10,000, because the stored count may be up to an hour old.
  return db`
    select coalesce((select count from (${stored}) stored where count > 2 * ${inlineNumber(db, limits.exactCountMax)}),
                    ${counted}) as count, false as is_estimate`
}

/** Counts up to 10,000, and estimates above from the share of all bookmarks that the first 10,000 matches span. */
function countBookmarks(db: Db, { from, where, id, feed = null }: ListingScope): Fragment {
  const max = inlineNumber(db, limits.exactCountMax)
  if (feed !== null) {
    return db`(
      select case when count(*) <= 2 * ${max} then count(distinct id)
                  else greatest(${max} + 1, (count(distinct id) * ${shareOfAll(db, db`row_id`)})::bigint) end
        from (select b.video_id as id, b.id as row_id from ${from} where ${where} limit 2 * ${max} + 1) matched)`
  }
  return db`(
    select case when count(*) <= ${max} then count(*)
                else greatest(count(*), (count(*) * ${shareOfAll(db)})::bigint) end
      from (select ${id} as id from ${from} where ${where} limit ${max} + 1) matched)`
}

/** The ratio of all bookmarks to those between the first and the last match. */
function shareOfAll(db: Db, id = db`id`): Fragment {
  return db`(select max(id)::float8 from bookmarks) / (max(${id}) - min(${id}) + 1)`
}

/**
 * Returns the time of the oldest bookmark that a search or filter can find, or an earlier one, in microseconds since 1970; null for
 * lists that are not read in slices.
 */
export async function readOldestTime(
  db: Db,
  filter: ListingFilter,
  viewer: Viewer | null,
): Promise<number | null> {
  const isOwn = isVault(filter, viewer)
  if (!isOwn && filter.search === null) return null
  const oldest = isOwn
    ? db`(select min(b.created_at) from bookmarks b where b.user_id = ${viewer.id} and ${isNotTrashed(db)})`
    : db`least((select min(b.lead_created_at) from bookmarks b where ${isVisible(db)}),
               (select min(b.created_at) from bookmarks b where ${isVisible(db)}))`
  const [row] = await db<[{ micros: number | null }]>`
    select (extract(epoch from ${oldest}) * 1000000)::float8 as micros`
  return row.micros ?? 0
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
