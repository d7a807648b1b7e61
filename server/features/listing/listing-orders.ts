/** Orders of a listing other than newest first and random (docs/decisions/0036-search-filters-and-orders.md). */

import type { ListOrder } from '@reelmark/contract/collections.ts'
import type { listingOrders } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, hiddenNumber, inlineNumber } from '../../core/database/database.ts'
import { cursorKey, cursorTime } from '../../core/http/cursor-paging.ts'
import { type OrderedList, orderKey, selectListOrder } from '../../shared/order-keys.ts'
import { isNotRemoved, isVisible, isVisibleVideo, visibleLikesCount } from '../../shared/visibility.ts'
import type { ListingScope, ListingSegment, SegmentCursorKey } from './listing-segments.ts'
import { columnsOf, readSlices, type WindowColumn } from './read-slices.ts'
import { knownDuration } from './search-filters.ts'

/** `manual`: as its owner ordered a collection or channel. `stored`: the order that its owner chose for it. */
export type ListingOrder = (typeof listingOrders)[number] | 'manual' | 'stored'
/** Orders by a property of the bookmark or video. */
export type ComputedOrder = Exclude<
  ListingOrder,
  'newest' | 'oldest' | 'relevance' | 'last_watched' | 'manual' | 'stored'
>

/** Returns whether an order is by a property of the bookmark or video. */
export function isComputed(order: ListingOrder): order is ComputedOrder {
  return !['newest', 'oldest', 'relevance', 'last_watched', 'manual', 'stored'].includes(order)
}

/** Explore by an index of the order, with or without an orientation. */
export function listedSegments(db: Db, order: ComputedOrder, scope: ListingScope): ListingSegment[] {
  const segment = {
    ...scope,
    cursorKey: numberKey(db),
    isAscending: isAscending(order),
    follower: null,
    slices: null,
  }
  const duration = knownDuration(db, { duration: db`b.effective_duration` })
  switch (order) {
    case 'most_saved':
    case 'most_liked': {
      const leads = {
        ...segment,
        from: db`videos lv join bookmarks b on b.id = lv.lead_bookmark_id`,
        where: db`${isVisibleVideo(db, 'lv')} and ${scope.where}`,
        id: db`lv.lead_bookmark_id`,
      }
      return [{ ...leads, key: order === 'most_saved' ? db`lv.saves_count` : db`lv.likes_count` }]
    }
    case 'longest':
      return [{ ...segment, key: duration }]
    case 'shortest':
      // The same index read forwards: first those whose duration is known.
      return [
        { ...segment, key: duration, where: db`${scope.where} and ${duration} >= 0` },
        { ...segment, key: duration, where: db`${scope.where} and ${duration} = -1` },
      ]
    case 'title':
      return [{ ...segment, key: titleKey(db), cursorKey: textKey(db) }]
  }
}

/**
 * Other listings: the newest `limits.sortedMax` bookmarks in the order, and then the remaining ones, newest first. This
 * bounds the cost, because the bookmarks of a user or the matches of a word can be millions.
 */
export function windowSegments(
  db: Db,
  order: ComputedOrder,
  newest: ListingSegment,
  viewer: Viewer | null,
): ListingSegment[] {
  const { rows, isOlder } = newestRows(db, newest, limits.sortedMax)
  return [
    {
      ...windowSegment(db, rows),
      key: sortKey(db, order, viewer),
      cursorKey: order === 'title' ? textKey(db) : numberKey(db),
      isAscending: isAscending(order),
    },
    { ...newest, afterEarlier: db`and ${isOlder}` },
  ]
}

/** Does the same as windowSegments() by saves, for lists of bookmarks `b`. */
export function savesSegments(db: Db, newest: ListingSegment): ListingSegment[] {
  const { window, isOlder } = savesWindow(db, newest, limits.sortedMax)
  return [window, { ...newest, afterEarlier: db`and ${isOlder}` }]
}

/**
 * Returns the newest `size` bookmarks of a list by saves, and the condition that a row is older than them. Neither bookmarks nor
 * videos are read one by one to sort them: the index of saves is read once for all videos of the window, in its order.
 * @param own the condition for own bookmarks, also of removed videos, in an index that contains its columns; null without such an index
 * @param condition excludes bookmarks of videos `v` that another segment contains
 */
export function savesWindow(
  db: Db,
  newest: ListingSegment,
  size: number,
  { own, condition }: { own: Fragment | null; condition: Fragment } = { own: null, condition: db`true` },
): { window: ListingSegment; isOlder: Fragment } {
  const columns: WindowColumn[] = own === null ? ['video_id'] : ['video_id', 'is_visible']
  const { rows, isOlder } = newestRows(
    db,
    own === null ? newest : { ...newest, where: own, slices: null },
    size,
    columns,
  )
  const names = columns.reduce((all, name) => db`${all}, ${db(name)}`, db`id`)
  // As arrays: PostgreSQL expects ten rows of them, and not one, for which it would read all of these videos for each row.
  const arrays = columns.reduce(
    (all, name) => db`${all}, array(select ${db(name)} from newest)`,
    db`array(select id from newest)`,
  )
  const isShown = own === null ? db`` : db`and (${isVisible(db, 'found')} or ${isNotRemoved(db)})`
  const videos = db`select id, saves_count, status from videos where id = any (array(select video_id from newest))`
  const window = {
    ...windowSegment(db, rows),
    from: db`(with newest as materialized (${rows})
      select found.id, v.saves_count from unnest(${arrays}) found (${names})
        join (${videos}) v on v.id = found.video_id where ${condition} ${isShown}) sorted`,
    id: db`sorted.id`,
    key: db`sorted.saves_count`,
    cursorKey: numberKey(db),
    isAscending: false,
  }
  return { window, isOlder }
}

/** A collection or channel in its manual order. */
export function manualSegment(db: Db, list: OrderedList, newest: ListingSegment): ListingSegment {
  return {
    ...newest,
    key: orderKey(db, list.kind),
    cursorKey: textKey(db),
    isAscending: true,
    slices: null,
  }
}

/** The order of each segment of storedOrderSegments(). */
const storedOrders = ['newest', 'oldest', 'manual', 'title', 'title'] as const satisfies readonly ListOrder[]

/** The number of segments of storedOrderSegments() that have an order of an index; they are the first. */
export const indexedOrders = 3

/**
 * A collection or channel in the order that its owner chose. The segments of all orders are returned; only those of the
 * chosen order select rows. PostgreSQL evaluates the condition of the other ones once and does not read their rows.
 * @param byTitle returns the segments of the order by title
 */
export function storedOrderSegments(
  db: Db,
  list: OrderedList,
  newest: ListingSegment,
  byTitle: (newest: ListingSegment) => ListingSegment[],
): ListingSegment[] {
  const isChosen = (order: ListOrder) =>
    db`(${selectListOrder(db, list)}) = ${db.unsafe(`'${order}'`) as Fragment}`
  // PostgreSQL would look for the last of the sorted rows first, also if the owner chose another order.
  const sorted = byTitle({ ...newest, where: db`${newest.where} and ${isChosen('title')}` })
  const segments = [newest, { ...newest, isAscending: true }, manualSegment(db, list, newest), ...sorted]
  return segments.map((segment, index) => {
    const condition = isChosen(storedOrders[index] ?? 'title')
    const { few } = segment
    return {
      ...segment,
      where: db`${segment.where} and ${condition}`,
      ...(few && { few: { ...few, where: db`${few.where} and ${condition}` } }),
    }
  })
}

/**
 * Returns the order of rows that storedOrderSegments() selected, with their segments as in a listing that names this order.
 * The links to other pages name it, so that reading on has no gaps or repetitions if the owner chooses another one.
 */
export function nameStoredOrder<Row extends { segment: number }>(
  rows: Row[],
): { order: ListOrder; rows: Row[] } {
  const order = storedOrders[rows[0]?.segment ?? 0] ?? 'newest'
  const first = storedOrders.indexOf(order)
  return { order, rows: rows.map((row) => ({ ...row, segment: row.segment - first })) }
}

/**
 * Returns the select of the `id` and time (`at`) of the newest `size` rows of a listing, and the condition that a row is
 * older than them. `columns` are further ones of bookmarks `b`.
 */
export function newestRows(
  db: Db,
  newest: ListingSegment,
  size: number,
  columns: readonly WindowColumn[] = [],
): { rows: Fragment; isOlder: Fragment } {
  const { from, where, id, key, slices, hidesLimit } = newest
  const number = (value: number) => (hidesLimit ? hiddenNumber(db, value) : inlineNumber(db, value))
  const end = (count: number, skip: number) => db`limit ${number(count)} offset ${number(skip)}`
  const all =
    slices === null
      ? db`select ${id} as id, ${key} as at ${columnsOf(db, 'b', columns)} from ${from} where ${where}`
      : db`select id, key as at ${columnsOf(db, 'found', columns)} from (${readSlices(
          db,
          { ...newest, columns },
          slices(null, size),
          db``,
          db`order by key desc, id desc ${end(size, 0)}`,
        )} ${end(size, 0)}) found`
  const selected = (limit: Fragment) => db`${all} order by at desc, id desc ${limit}`
  const oldest = db`select at, id from (${selected(end(1, size - 1))}) last`
  return { rows: selected(end(size, 0)), isOlder: db`(${key}, ${id}) < (${oldest})` }
}

/** Returns a segment of the bookmarks `b` and videos `v` whose `id` is selected by `rows`, without its order. */
export function windowSegment(
  db: Db,
  rows: Fragment,
): Omit<ListingSegment, 'key' | 'cursorKey' | 'isAscending'> {
  return {
    from: db`(${rows}) sorted join bookmarks b on b.id = sorted.id join videos v on v.id = b.video_id`,
    where: db`true`,
    id: db`b.id`,
    isSearch: false,
    cells: null,
    storedCount: null,
    slices: null,
    follower: null,
  }
}

function sortKey(db: Db, order: ComputedOrder, viewer: Viewer | null): Fragment {
  const duration = db`b.effective_duration`
  switch (order) {
    case 'most_saved':
      return db`v.saves_count`
    case 'most_liked':
      return visibleLikesCount(db, viewer?.id ?? null)
    case 'longest':
      return knownDuration(db, { duration })
    case 'shortest':
      return db`coalesce(${duration}, ${inlineNumber(db, limits.durationMax + 1)})`
    case 'title':
      return titleKey(db)
  }
}

/** Returns whether the first rows of an order have the lowest keys. */
export function isAscending(order: ComputedOrder): boolean {
  return order === 'shortest' || order === 'title'
}

/** The key of the order by title, as in its indexes. */
export function titleKey(db: Db): Fragment {
  return db`(title_sort_key(b.title) collate "C")`
}

/** Times, in microseconds. */
export function timeKey(db: Db): SegmentCursorKey {
  return {
    type: 'number',
    fromKey: (key) => cursorKey(db, key),
    toKey: (number) => cursorTime(db, Number(number)),
  }
}

/** Whole numbers from -1. Cursors contain no negative numbers. */
export function numberKey(db: Db): SegmentCursorKey {
  return {
    type: 'number',
    hasTies: true,
    fromKey: (key) => db`${key} + 1`,
    toKey: (number) => db`(${Math.trunc(Number(number))}::bigint - 1)`,
  }
}

/** Numbers with a fraction. */
export function fractionKey(db: Db): SegmentCursorKey {
  return { type: 'number', fromKey: (key) => key, toKey: (number) => db`${number}::float8` }
}

/** Texts in byte order. */
export function textKey(db: Db): SegmentCursorKey {
  return {
    type: 'string',
    hasTies: true,
    fromKey: (key) => key,
    toKey: (text) => db`${text}::text collate "C"`,
  }
}
