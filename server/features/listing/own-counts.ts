/**
 * Chooses how own bookmarks are read and counted: all matches at once if they are few, otherwise in an index that contains the columns of
 * the list. If a sample shows that there are more than are counted, their number is estimated.
 */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FilterTerm } from '@reelmark/contract/search-terms.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import { isWholeContainer } from './containers.ts'
import type { ListingConditions } from './listing-conditions.ts'
import { isFiltered, type ListingFilter } from './listing-filter.ts'
import { isComputed, type ListingOrder } from './listing-orders.ts'
import type { ListingScope, ListingSegment } from './listing-segments.ts'
import type { ListingSource } from './listing-sources.ts'
import { isIndexedOrder } from './own-orders.ts'
import {
  estimateOwn,
  isFewToRead,
  isFewToSort,
  isMany,
  isUncertain,
  type OwnEstimate,
  type OwnShare,
} from './own-sample.ts'
import { findsMissing, hasTimeIndex, inTimeIndex, isDuration, knownDuration } from './search-filters.ts'

/** How own bookmarks that match a list are read. */
export interface OwnRows {
  /** Null if how the list is read does not depend on it. */
  estimate: OwnEstimate | null
  /** Whether all matches are read at once, for the page and for the count. */
  isRead: boolean
  /** Whether sorting all matches is faster than reading an index of the order until a page is full. */
  isSorted: boolean
  /** Selects all matches, which are `own_matches` in the statement; null if they are not read at once. */
  matches: Fragment | null
  /** The number of matches; null for lists that are counted like others. */
  count: Fragment | null
}

/** Returns how own bookmarks that match `where` are read; undefined for lists that contain those of others. */
export async function planOwnRows(
  db: Db,
  filter: ListingFilter,
  source: ListingSource,
  conditions: ListingConditions,
  where: Fragment,
): Promise<OwnRows | undefined> {
  const { sample, cells, inOrder } = source
  if (sample === undefined) return undefined
  // The trash has the order of another time than its index, and bookmarks of gone videos are found without reading others.
  const isCounted =
    isFiltered(filter) && (cells === null || source.isSearch) && !filter.filters.some(findsMissing)
  const isOrdered = inOrder !== undefined && hasOwnIndex(filter) && (isFiltered(filter) || !inOrder.isWhole)
  if (!isCounted && !isOrdered) {
    return { estimate: null, isRead: false, isSorted: false, matches: null, count: null }
  }
  const estimateFrom = (share: OwnShare) =>
    estimateOwn(db, share, {
      cells: sample.cells,
      where: conditions.matching(filter.closeSearch ?? filter.search, sample, conditions.ofIndex),
      isMatch: conditions.isMatch,
      size: inOrder?.size,
    })
  const index = isCounted ? chooseIndex(db, filter, source, conditions, where) : null
  const mayBeRead = (estimate: OwnEstimate) =>
    isCounted && (index === null || (!index.isBest && isFewToRead(estimate)))
  const rough = await estimateFrom(64)
  const estimate = mayBeRead(rough) && isUncertain(rough) ? await estimateFrom(8) : rough
  const isRead = !isMany(estimate) && mayBeRead(estimate)
  const isSorted = isOrdered && isFewToSort(estimate)
  return {
    estimate,
    isRead,
    isSorted,
    matches: isRead || isSorted ? selectOwnMatches(db, where, filter.order) : null,
    count: isCounted ? countOwn(db, estimate, isRead ? null : (index?.rows ?? null)) : null,
  }
}

/** Returns whether an index has all own bookmarks in the order of a list, or those of the videos that come first in it. */
function hasOwnIndex(filter: ListingFilter): boolean {
  const { order, closeSearch } = filter
  if (closeSearch !== null || (order === 'title' && isWholeContainer(filter))) return false
  return order === 'last_watched' || order === 'most_saved' || (isComputed(order) && isIndexedOrder(order))
}

/** `own_matches as …,`: names what the segments and the count of own bookmarks read, in a `with`. Empty for other lists. */
export function nameOwnRows(db: Db, { own }: { own?: OwnRows | undefined }): Fragment {
  return own?.matches ? db`own_matches as materialized (${own.matches}),` : db``
}

/** Selects the own bookmarks of `where`, with the columns that an order needs: they are copied. */
function selectOwnMatches(db: Db, where: Fragment, order: ListingOrder): Fragment {
  const title = order === 'title' ? db`, b.title` : db``
  return db`select b.id, b.created_at, b.video_id, b.is_visible, b.effective_duration, b.random_key ${title}
              from bookmarks b where ${where}`
}

/**
 * Counts own bookmarks exactly up to `limits.exactCountMax`, and estimates above.
 * @param inIndex selects them in an index; null: they are read
 */
function countOwn(db: Db, estimate: OwnEstimate, inIndex: Fragment | null): Fragment {
  if (isMany(estimate)) return db`${estimate.matches}::bigint`
  if (inIndex === null) return db`(select count(*) from own_matches)`
  return db`(select case when count(*) <= ${inlineNumber(db, limits.exactCountMax)} then count(*)
                         else greatest(count(*), ${estimate.matches}::bigint) end from (${inIndex}) matched)`
}

/** An index that contains the columns of a list of own bookmarks. */
interface CountingIndex {
  /** Selects up to `limits.exactCountMax + 1` of them in the order of the index. */
  rows: Fragment
  /** Whether counting in it is always faster than reading the matches. */
  isBest: boolean
}

/** Returns the index that counts the own bookmarks of a list fastest; null without one. */
function chooseIndex(
  db: Db,
  { filters }: ListingFilter,
  { cells, key, inOrder }: ListingSource,
  { matching, inOrderIndex }: ListingConditions,
  where: Fragment,
): CountingIndex | null {
  const inIndex = (condition: Fragment, by: Fragment) =>
    db`select from bookmarks b where ${condition} order by ${by} desc, b.id desc limit ${inlineNumber(db, limits.exactCountMax + 1)}`
  if (cells === null) return { rows: inIndex(where, key), isBest: true }
  if (inOrder?.isIndexOnly !== true) return null
  const conditionOf = (isInIndex: (filter: FilterTerm) => boolean) =>
    matching(null, inOrder, inOrderIndex(isInIndex))
  if (filters.length > 0 && filters.every(isDuration)) {
    const duration = knownDuration(db, { duration: db`b.effective_duration` })
    return { rows: inIndex(conditionOf(isDuration), duration), isBest: true }
  }
  // Untagged and private ones have small indexes by time.
  return { rows: inIndex(conditionOf(inTimeIndex(filters)), key), isBest: filters.some(hasTimeIndex) }
}

/** Own bookmarks that match so often are found in the first slices of their time. */
const minFrequent = 512

/**
 * Returns how the own bookmarks of a list are read: from those that the statement read, of which `where` leaves some, or in slices if
 * they are frequent. Nothing for other lists.
 */
export function howRead(db: Db, { own }: ListingScope, where: Fragment): Partial<ListingSegment> {
  if (own?.isRead) return { from: db`own_matches b`, where, isSearch: false, slices: null }
  return own?.estimate ? { isFrequent: own.estimate.matches >= minFrequent } : {}
}
