/** The play queue: the bookmarks of a list before and after one of them. */

import type { ListingItem, PlayQueue } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FilterTerm } from '@reelmark/contract/search-terms.ts'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import { cardColumns } from './card-columns.ts'
import { isPlannedEachTime, type ListingFilter } from './listing-filter.ts'
import { indexedOrders, isComputed, type ListingOrder, nameStoredOrder } from './listing-orders.ts'
import type { ListingSegment } from './listing-segments.ts'
import { type ListingPlan, planListing } from './plan-listing.ts'
import { countListing, type ListingRequest, pageIds } from './queries.ts'
import { isOfWatching } from './search-filters.ts'

interface QueueRow extends ListingItem {
  container: Pick<PlayQueue, 'collection' | 'channel' | 'user_username'> | null
  count: number
  is_estimate: boolean
  position: number | null
  segment: number
}

/** Where a bookmark is in a list. */
interface Around {
  /** The start of a `with` list that ends with a comma, or nothing. */
  first: Fragment
  /** Selects the segment of the bookmark. */
  segment: Fragment
  /** Select the ids before and after the bookmark, with `segment` and `position` in the order of the list. */
  before: Fragment
  after: Fragment
  /** The position of the bookmark from 1. */
  position: Fragment
}

/** Positions in lists that are not read from an index are counted up to this number. */
const positionMax = 1000

/**
 * Returns the play queue around a bookmark, and the order of its list. Rows are read from the bookmark in both directions, so
 * that a position far down costs no more than the first, except for counting, which is bounded.
 * @param counter as for the list itself
 * @returns null if the bookmark is not in that list, or the viewer may not see it.
 */
export async function readPlayQueue(
  db: Db,
  id: number,
  filter: ListingFilter,
  viewer: Viewer | null,
  counter: ListingRequest['counter'],
): Promise<{ queue: PlayQueue; order: ListingOrder } | null> {
  const { scope, segments } = await planListing(db, filter, viewer)
  const read = async (around: Around) => {
    const statement = db<QueueRow[]>`
      with ${scope.named ?? db``} ${around.first}
      around as (
        select id, 0 as part, segment, position from (${around.before}) earlier
        union all select ${id}::bigint, 1, segment, 0 from (${around.segment}) requested
        union all select id, 2, segment, position from (${around.after}) later)
      select ${cardColumns(db, viewer?.id ?? null)}, total.count, total.is_estimate, around.segment,
             ${around.position} as position, ${containerOf(db, id, filter)} as container
        from around join bookmarks b on b.id = around.id
        join videos v on v.id = b.video_id join users u on u.id = b.user_id
        cross join (${countListing(db, { scope, counter })}) total
       order by around.part, around.segment, around.position`
    return queueOf(filter, await (isPlannedEachTime(filter, scope) ? statement.unprepared() : statement))
  }
  const indexed = dependsOnWatched(filter) ? [] : segmentsInOrder(filter, segments)
  const found = indexed.length === 0 ? null : await read(aroundInOrder(db, indexed, id))
  if (found !== null || indexed.length === segments.length) return found
  const around = await aroundByCursor(db, { scope, segments }, id, filter, viewer)
  return around === null ? null : read(around)
}

function queueOf(
  { order }: ListingFilter,
  rows: QueueRow[],
): { queue: PlayQueue; order: ListingOrder } | null {
  const [first] = rows
  if (first === undefined) return null
  const { count, is_estimate, position } = first
  const queue = {
    count,
    ...(is_estimate || count > limits.exactCountMax ? { count_is_estimate: true } : {}),
    position,
    ...(first.container ?? { collection: null, channel: null, user_username: null }),
    results: rows,
  }
  return { queue, order: order === 'stored' ? nameStoredOrder(rows).order : order }
}

/** Returns the bookmark with which a list is played: the first that the viewer has not watched, otherwise the first. */
export async function readPlayStart(
  db: Db,
  filter: ListingFilter,
  viewer: Viewer | null,
  fromBeginning: boolean,
): Promise<number | null> {
  const firstOf = ({ scope, segments }: ListingPlan) =>
    db`(with ${scope.named ?? db``}
      first_of_list as (${pageIds(db, { segments, size: 0, skip: 0, cursor: null })})
      select id from first_of_list)`
  const unwatched: FilterTerm = { kind: 'is', state: 'unwatched', negated: false }
  const all = await planListing(db, filter, viewer)
  const start =
    viewer === null || fromBeginning
      ? firstOf(all)
      : db`coalesce(${firstOf(await planListing(db, { ...filter, filters: [...filter.filters, unwatched] }, viewer))}, ${firstOf(all)})`
  const [row] = await db<[{ id: number | null }]>`select ${start} as id`.unprepared()
  return row.id
}

/**
 * Returns the segments that are read in the order of an index, so that they can be read from any row in both directions, if
 * the rows of the list are in one of them. A list in the order that its owner chose has a segment for each order.
 */
function segmentsInOrder({ order }: ListingFilter, segments: ListingSegment[]): ListingSegment[] {
  if (order !== 'stored' && segments.length > 1) return []
  return segments.slice(0, indexedOrders).filter(({ isSearch, follower, few, own }) => {
    // To count the rows before a bookmark, many others would be read.
    const skipsRows = isComputed(order) && own?.estimate && !own.isSorted
    return !isSearch && follower === null && few === undefined && !skipsRows
  })
}

/** Returns the rows around a bookmark, in the statement that reads them. At most one of the segments has rows. */
function aroundInOrder(db: Db, segments: ListingSegment[], id: number): Around {
  const parts = segments.map((segment, index) => aroundInSegment(db, segment, index, id))
  const union = (selects: Fragment[]) => selects.reduce((all, select) => db`${all} union all ${select}`)
  return {
    first: parts.reduce((all, part) => db`${all} ${part.first}`, db``),
    segment: union(parts.map(({ segment }) => segment)),
    before: union(parts.map(({ before }) => before)),
    after: union(parts.map(({ after }) => after)),
    position: db`coalesce(${parts.map(({ position }) => position).reduce((all, part) => db`${all}, ${part}`)})`,
  }
}

function aroundInSegment(
  db: Db,
  { from, where, id: rowId, key, isAscending }: ListingSegment,
  index: number,
  id: number,
): Around {
  const limitTo = (max: number) => db`limit ${inlineNumber(db, max)}`
  const segment = inlineNumber(db, index)
  const anchor = db.unsafe(`anchor_${index}`) as Fragment
  const inList = db`select ${rowId} as id, ${key} as key from ${from} where ${where}`
  const at = db`((select key from ${anchor}), (select id from ${anchor}))`
  const inOrder = (ascending: boolean) => (ascending ? db`order by key, id` : db`order by key desc, id desc`)
  const side = (isLater: boolean, max: number) => {
    const isUp = isLater === isAscending
    return db`(select id, ${segment} as segment, row_number() over (${inOrder(isAscending)}) as position
      from (${inList} and (${key}, ${rowId}) ${db.unsafe(isUp ? '>' : '<')} ${at} ${inOrder(isUp)} ${limitTo(max)}) found)`
  }
  const notLater = db`${inList} and (${key}, ${rowId}) ${db.unsafe(isAscending ? '<=' : '>=')} ${at}`
  const max = limits.exactCountMax
  const count = db`(select count(*) from (${notLater} ${limitTo(max + 1)}) counted)`
  return {
    first: db`${anchor} as materialized (${inList} and ${rowId} = ${id} limit 1),`,
    segment: db`select ${segment} as segment from ${anchor}`,
    before: side(false, limits.playQueueBeforeMax),
    after: side(true, limits.playQueueAfterMax),
    position: db`(select ${upTo(db, max, count)} from ${anchor})`,
  }
}

/** A count, or null above a maximum. */
function upTo(db: Db, max: number, count: Fragment): Fragment {
  return db`(select case when n <= ${inlineNumber(db, max)} then n end from (select ${count} as n) counted)`
}

/** Finds a bookmark in a list first, and then reads around it as a page reads from a cursor. */
async function aroundByCursor(
  db: Db,
  { scope, segments }: ListingPlan,
  id: number,
  filter: ListingFilter,
  viewer: Viewer | null,
): Promise<Around | null> {
  const anchor =
    (await findInList(db, { scope, segments }, id)) ??
    (dependsOnWatched(filter)
      ? await findInList(db, await planListing(db, withOtherWatched(filter), viewer), id)
      : undefined)
  const segment = segments[anchor?.segment ?? -1]
  if (anchor === undefined || segment === undefined) return null
  const key = segment.cursorKey.type === 'number' ? Number(anchor.key) : anchor.key
  const read = (direction: 'before' | 'after', count: number) =>
    pageIds(db, {
      segments,
      size: count - 1,
      skip: 0,
      cursor: { direction, segment: anchor.segment, key, id },
    })
  const isFeed = segments.some(({ follower }) => follower !== null)
  const position = db`(select count(*) from (${read('before', positionMax)}) counted) + 1`
  return {
    first: db``,
    before: read('before', limits.playQueueBeforeMax),
    after: read('after', limits.playQueueAfterMax),
    position: isFeed ? db`null::bigint` : upTo(db, positionMax, position),
    segment: db`select ${inlineNumber(db, anchor.segment)} as segment`,
  }
}

/** Returns the segment and the key of a bookmark's cursor, if it is in the list. */
async function findInList(
  db: Db,
  { scope, segments }: ListingPlan,
  id: number,
): Promise<{ segment: number; key: string } | undefined> {
  // Pages skip these segments, so that a bookmark that matches one is in another segment of the list.
  const parts = segments.flatMap((segment, index) =>
    segment.isSkipped === true ? [] : [findInSegment(db, segment, index, id)],
  )
  if (parts.length === 0) return undefined
  const [anchor] = await db<{ segment: number; key: string }[]>`
    with ${scope.named ?? db``} anchor as (
      ${parts.reduce((all, part) => db`${all} union all ${part}`)} limit 1)
    select segment, key from anchor`.unprepared()
  return anchor
}

/** Selects the segment and the key of a bookmark's cursor, if it is in the segment. */
function findInSegment(db: Db, segment: ListingSegment, index: number, id: number): Fragment {
  const { from, where, afterEarlier = db``, without = db``, key, cursorKey } = segment
  return db`(select ${inlineNumber(db, index)} as segment, (${cursorKey.fromKey(db`key`)})::text as key
      from (select ${key} as key from ${from}
             where ${where} ${afterEarlier} ${without} and ${segment.id} = ${id} limit 1) found)`
}

/** Returns whether a video can leave the list when it is watched. */
function dependsOnWatched({ filters }: ListingFilter): boolean {
  return filters.some(isOfWatching)
}

/** Returns the list that the videos are in after they were watched. */
function withOtherWatched(filter: ListingFilter): ListingFilter {
  const filters = filter.filters.map((term) =>
    isOfWatching(term) ? { ...term, negated: !term.negated } : term,
  )
  return { ...filter, filters }
}

/** Selects the collection and channel that are played. */
function containerOf(db: Db, id: number, { channel, collection }: ListingFilter): Fragment {
  if (channel === null && collection === null) return db`null`
  return db`(select json_build_object(
      'collection', json_build_object('id', c.id, 'name', c.name),
      'channel', case when ch.id = ${channel}::bigint then json_build_object('id', ch.id, 'name', ch.name) end,
      'user_username', owner.username)
      from bookmarks saved join collections c on c.id = saved.collection_id
      join users owner on owner.id = c.user_id left join channels ch on ch.id = saved.channel_id
     where saved.id = ${id})`
}
