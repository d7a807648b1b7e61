/** Chooses the segments of a listing by its order: which indexes are read, one after the other. */
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import type { OrderedList } from '../../shared/order-keys.ts'
import { isWholeContainer, orderedListOf } from './containers.ts'
import type { ListingConditions } from './listing-conditions.ts'
import { isFiltered, type ListingFilter } from './listing-filter.ts'
import {
  isComputed,
  manualSegment,
  savesSegments,
  storedOrderSegments,
  timeKey,
  windowSegments,
} from './listing-orders.ts'
import type { ListingScope, ListingSegment } from './listing-segments.ts'
import type { ListingSource } from './listing-sources.ts'
import { containerTitleSegments, isIndexedOrder, ownOrderSegments, profileSegments } from './own-orders.ts'
import { ownSavesSegments } from './own-saves.ts'
import { inTimeIndex, isDate, limitsOf, showsWatched } from './search-filters.ts'
import type { SearchCondition } from './search-queries.ts'
import { rankedSegments } from './search-ranking.ts'
import { allTimeSlices, type SlicedTime, timeSlices } from './search-slices.ts'
import { type WatchedRows, watchedSegments } from './watched-segments.ts'

/** What is known about a listing before its order is chosen. */
export interface ListingParts {
  filter: ListingFilter
  viewer: Viewer | null
  source: ListingSource
  conditions: ListingConditions
  rows: ListingScope
}

/** Some rows of a listing: by default all of them. */
interface OrderedRows {
  where: Fragment
  /** How they are read, if not as those of the listing. */
  read: Partial<ListingSegment>
  /** The search that they match. */
  search: SearchCondition | null
}

/** What is read, and the condition for its rows. */
type OrderedFrom = Pick<ListingSegment, 'from' | 'where'>

/** Returns the rows of a listing by their time. */
export function newestSegment(db: Db, { filter, source, rows }: ListingParts): ListingSegment {
  const isAscending = filter.order === 'oldest'
  return {
    ...rows,
    key: source.key,
    cursorKey: timeKey(db),
    isAscending,
    follower: source.follower,
    slices: rows.isSearch ? slicesOfTime(filter, source.slicedTime ?? 'lead', isAscending) : null,
  }
}

/** Returns segments with some rows of a listing, in its order. */
export function orderSegments(
  db: Db,
  parts: ListingParts,
  { where, search, read }: OrderedRows,
): ListingSegment[] {
  const { filter, viewer, source } = parts
  const { order } = filter
  const list = orderedListOf(filter)
  const inIndex: ListingSegment = { ...newestSegment(db, parts), where }
  if (list !== null && order === 'manual') return [manualSegment(db, list, inIndex)]
  if (list !== null && order === 'stored')
    return storedOrderSegments(db, list, inIndex, (chosen) => byTitle(db, parts, list, chosen))
  const newest = { ...inIndex, ...read }
  if (filter.ranked !== null && search !== null) return rankedSegments(db, newest, filter.ranked, search)
  if (order === 'last_watched' && viewer !== null) return byWatching(db, parts, newest, search, viewer)
  if (!isComputed(order)) return [newest]
  if (order === 'most_saved' && filter.likedBy === null) return bySaves(db, parts, newest, search)
  const isWhole = isWholeContainer(filter)
  if (isWhole && list !== null && order === 'title') return byTitle(db, parts, list, newest)
  const { inOrder } = source
  if (isWhole && list === null && inOrder === undefined && isIndexedOrder(order)) {
    return profileSegments(db, order, newest)
  }
  if (inOrder === undefined || !isIndexedOrder(order) || filter.closeSearch !== null) {
    return windowSegments(db, order, newest, viewer)
  }
  const { matching, inOrderIndex } = parts.conditions
  return ownOrderSegments(db, order, inIndex, {
    where: matching(search, { ...inOrder, scope: inOrder.scopeOfUser }, inOrderIndex()),
    sorted: sortedMatches(db, parts),
  })
}

/** Returns whether the list has all own bookmarks. */
function isLibrary({ source, filter }: ListingParts): boolean {
  return source.inOrder?.isWhole === true && !isFiltered(filter)
}

function byTitle(
  db: Db,
  { filter, viewer }: ListingParts,
  container: OrderedList,
  newest: ListingSegment,
): ListingSegment[] {
  return isWholeContainer(filter)
    ? containerTitleSegments(db, container, newest, viewer)
    : windowSegments(db, 'title', newest, viewer)
}

function byWatching(
  db: Db,
  parts: ListingParts,
  newest: ListingSegment,
  search: SearchCondition | null,
  viewer: Viewer,
): ListingSegment[] {
  const { filter, source, conditions } = parts
  const { inOrder } = source
  const shown = showsWatched(filter.filters)
  if (inOrder === undefined || isLibrary(parts) || filter.closeSearch !== null)
    return watchedSegments(db, newest, viewer, shown)
  const matching = conditions.matching(
    search,
    { ...inOrder, scope: inOrder.scopeOfUser },
    conditions.inOrderIndex(),
  )
  const read: WatchedRows['read'] = isOfOtherTimes(parts) ? 'all' : 'until the page is full'
  const found = sortedMatches(db, parts) ?? { from: parts.rows.from, where: matching, read }
  return watchedSegments(db, newest, viewer, shown, found)
}

/**
 * Returns whether own bookmarks of some dates are listed by when their videos were watched, and an index contains the conditions.
 * Videos are mostly watched soon after they were saved, so that many watched ones would be read before the first of other dates.
 */
function isOfOtherTimes({ filter, source, rows }: ListingParts): boolean {
  const estimate = rows.own?.estimate
  return (
    source.inOrder?.isIndexOnly === true &&
    filter.filters.some(isDate) &&
    estimate != null &&
    estimate.matches < 0.75 * estimate.size
  )
}

function bySaves(
  db: Db,
  parts: ListingParts,
  newest: ListingSegment,
  search: SearchCondition | null,
): ListingSegment[] {
  const { filter, viewer, source } = parts
  const { matching, inOrderIndex } = parts.conditions
  const { inOrder } = source
  if (inOrder === undefined || viewer === null || filter.closeSearch !== null)
    return savesSegments(db, newest)
  return ownSavesSegments(db, newest, {
    viewerId: viewer.id,
    // A stored plan for the average collection, which is small, would compare each of its bookmarks with all of these videos.
    where: matching(search, { ...inOrder, scope: inOrder.scopeOfUser }, inOrderIndex()),
    withRemoved: inOrder.withRemoved
      ? matching(null, { ...inOrder, scope: inOrder.withRemoved }, inOrderIndex(inTimeIndex(filter.filters)))
      : null,
  })
}

/** How own bookmarks are found that are sorted and not read in the index of an order; null if they are many. */
function sortedMatches(db: Db, { rows }: ListingParts): OrderedFrom | null {
  return rows.own?.isSorted ? { from: db`own_matches b`, where: db`true` } : null
}

/** Returns the slices of the newest or oldest results, from the cursor or the limit that `before:` or `after:` sets. */
function slicesOfTime(
  { filters, oldest }: ListingFilter,
  time: SlicedTime,
  isAscending: boolean,
): NonNullable<ListingSegment['slices']> {
  return (cursor, rowCount) => {
    if (cursor !== null) {
      const isNewer = (cursor.direction === 'before') !== isAscending
      return timeSlices(time, Number(cursor.key), isNewer ? 'newer' : 'older', rowCount)
    }
    if (isAscending) {
      const after = limitsOf(filters, 'after')
      if (after.length > 0) return timeSlices(time, Math.max(...after), 'newer', rowCount)
      return allTimeSlices(time, oldest ?? 0, 'newer', rowCount)
    }
    const before = limitsOf(filters, 'before')
    if (before.length > 0) return timeSlices(time, Math.min(...before), 'older', rowCount)
    return allTimeSlices(time, Date.now() * 1000, 'older', rowCount)
  }
}
