/**
 * Chooses how own bookmarks are read and counted: all matches at once if they are few, otherwise in an index that contains the columns of
 * the list. If a sample shows that there are more than are counted, their number is estimated.
 */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import { isWholeContainer } from './containers.ts'
import { type ListingConditions, listingConditions } from './listing-conditions.ts'
import { isFiltered, type ListingFilter } from './listing-filter.ts'
import { isComputed, type ListingOrder } from './listing-orders.ts'
import type { ListingScope, ListingSegment } from './listing-segments.ts'
import type { ListingSource } from './listing-sources.ts'
import { isIndexedOrder } from './own-orders.ts'
import {
  estimateOwn,
  hashesWatchedVideos,
  isFewToRead,
  isFewToSort,
  isMany,
  isUncertain,
  type OwnEstimate,
  type OwnShare,
  type SampledRows,
  selectEstimate,
} from './own-sample.ts'
import {
  findsMissing,
  hasTimeIndex,
  inTimeIndex,
  isDate,
  isDuration,
  isOfWatching,
  knownDuration,
} from './search-filters.ts'

/** How own bookmarks that match a list are read. */
export interface OwnRows {
  /** Null if how the list is read does not depend on it. */
  estimate: OwnEstimate | null
  /** Whether all matches are read at once, for the page and for the count. */
  isRead: boolean
  /** Whether sorting all matches is faster than reading an index of the order until a page is full. */
  isSorted: boolean
  /** Whether nothing else is read for the page, so that one plan suits all words and filters. */
  readsMatchesOnly: boolean
  /** Selects all matches, which are `own_matches` in the statement; null if they are not read at once. */
  matches: Fragment | null
  /** The number of matches; null for lists that are counted like others. */
  count: Fragment | null
}

const unplanned: OwnRows = {
  estimate: null,
  isRead: false,
  isSorted: false,
  readsMatchesOnly: false,
  matches: null,
  count: null,
}

/** Returns how the own bookmarks of a list are read; undefined for lists that contain those of others. */
export async function planOwnRows(
  db: Db,
  filter: ListingFilter,
  viewer: Viewer | null,
  source: ListingSource,
  conditions: ListingConditions,
): Promise<OwnRows | undefined> {
  const { sample, cells, inOrder } = source
  if (sample === undefined) return undefined
  // The trash has the order of another time than its index, and bookmarks of gone videos are found without reading others.
  const isCounted =
    isFiltered(filter) && (cells === null || source.isSearch) && !filter.filters.some(findsMissing)
  const isOrdered = inOrder !== undefined && hasOwnIndex(filter) && (isFiltered(filter) || !inOrder.isWhole)
  if (!isCounted && !isOrdered) return unplanned
  const search = filter.closeSearch ?? filter.search
  const sampled: SampledRows = {
    cells: sample.cells,
    where: conditions.matching(search, sample, conditions.ofIndex),
    isMatch: conditions.isMatch,
    size: inOrder?.size,
    viewerId: filter.filters.some(isOfWatching) ? (viewer?.id ?? null) : null,
  }
  const estimateFrom = (share: OwnShare) => estimateOwn(db, share, sampled)
  const index = isCounted ? chooseIndex(filter, source) : null
  if (!isOrdered && index === 'list' && search === null && filter.filters.every(isDate)) {
    // The index by time reads only what is between the dates: fewer than the sample reads, unless they are many.
    const inIndex = selectInIndex(db, index, filter, source, conditions)
    return { ...unplanned, count: countInIndex(db, inIndex, selectEstimate(db, sampled)) }
  }
  const mayBeRead = (estimate: OwnEstimate) => isCounted && isFasterToRead(estimate, index, filter)
  const rough = await estimateFrom(64)
  const estimate = mayBeRead(rough) && isUncertain(rough) ? await estimateFrom(8) : rough
  const isRead = !isMany(estimate) && mayBeRead(estimate)
  const isSorted = isOrdered && isFewToSort(estimate)
  // A page is read from an index of its order with a look-up for each bookmark, because it ends soon.
  const ofAll = hashesWatchedVideos(estimate)
    ? listingConditions(db, filter, viewer, { ...source, hashesWatched: true })
    : conditions
  const where = ofAll.matching(search)
  const inIndex = isRead || index === null ? null : selectInIndex(db, index, filter, source, ofAll)
  return {
    estimate,
    isRead,
    isSorted,
    readsMatchesOnly: isRead && (isSorted || !isOrdered),
    matches: isRead || isSorted ? selectOwnMatches(db, where, filter) : null,
    count: isCounted ? countOwn(db, estimate, inIndex) : null,
  }
}

/** Returns whether an index has all own bookmarks in the order of a list, or those of the videos that come first in it. */
function hasOwnIndex(filter: ListingFilter): boolean {
  const { order, closeSearch } = filter
  if (closeSearch !== null || (order === 'title' && isWholeContainer(filter))) return false
  return order === 'last_watched' || order === 'most_saved' || (isComputed(order) && isIndexedOrder(order))
}

/** `own_matches as …,`: names what the segments and the count of own bookmarks read, in a `with`. Undefined for other lists. */
export function nameOwnRows(db: Db, own: OwnRows | undefined): Fragment | undefined {
  return own?.matches ? db`own_matches as materialized (${own.matches}),` : undefined
}

/** Selects the own bookmarks of `where`, with the column that their order needs in addition to the time: they are copied. */
function selectOwnMatches(db: Db, where: Fragment, { order, randomStart }: ListingFilter): Fragment {
  const column = randomStart === null ? sortedColumn(order) : 'random_key'
  return db`select b.id, b.created_at ${column === null ? db`` : db`, b.${db(column)}`} from bookmarks b where ${where}`
}

function sortedColumn(order: ListingOrder): string | null {
  switch (order) {
    case 'title':
      return 'title'
    case 'longest':
    case 'shortest':
      return 'effective_duration'
    case 'most_saved':
    case 'last_watched':
      return 'video_id'
    default:
      return null
  }
}

/**
 * Counts own bookmarks exactly up to `limits.exactCountMax`, and estimates above.
 * @param inIndex selects them in an index; null: they are read
 */
function countOwn(db: Db, estimate: OwnEstimate, inIndex: Fragment | null): Fragment {
  if (isMany(estimate)) return db`${estimate.matches}::bigint`
  if (inIndex === null) return db`(select count(*) from own_matches)`
  return countInIndex(db, inIndex, db`${estimate.matches}::bigint`)
}

function countInIndex(db: Db, inIndex: Fragment, estimate: Fragment): Fragment {
  return db`(select case when count(*) <= ${inlineNumber(db, limits.exactCountMax)} then count(*)
                         else greatest(count(*), ${estimate}) end from (${inIndex}) matched)`
}

/** The index that counts own bookmarks: that by which the list is read, or of all their times or durations. */
type CountingIndex = 'list' | 'time' | 'duration'

/** Returns an index that contains the columns of a list; null without one. */
function chooseIndex({ filters }: ListingFilter, { cells, inOrder }: ListingSource): CountingIndex | null {
  if (cells === null) return 'list'
  if (inOrder?.isIndexOnly !== true) return null
  return filters.length > 0 && filters.every(isDuration) ? 'duration' : 'time'
}

/** Returns whether reading all matches is faster than counting them in an index. */
function isFasterToRead(
  estimate: OwnEstimate,
  index: CountingIndex | null,
  { filters }: ListingFilter,
): boolean {
  if (index === null) return true
  // Untagged and private ones have small indexes by time.
  return index === 'time' && !filters.some(hasTimeIndex) && isFewToRead(estimate)
}

/** Selects own bookmarks in an index that counts them, up to one more than are counted. */
function selectInIndex(
  db: Db,
  index: CountingIndex,
  { filters, search, closeSearch }: ListingFilter,
  { key, inOrder }: ListingSource,
  { matching, inOrderIndex }: ListingConditions,
): Fragment {
  const select = (condition: Fragment, by: Fragment) =>
    db`select from bookmarks b where ${condition} order by ${by} desc, b.id desc limit ${inlineNumber(db, limits.exactCountMax + 1)}`
  if (index === 'list') return select(matching(closeSearch ?? search), key)
  return index === 'time'
    ? select(matching(null, inOrder, inOrderIndex(inTimeIndex(filters))), key)
    : select(
        matching(null, inOrder, inOrderIndex(isDuration)),
        knownDuration(db, { duration: db`b.effective_duration` }),
      )
}

/** Fewer own bookmarks are read at once, and more of them slice by slice until the page is full. */
const minInSlices = 2000

/**
 * Returns how the own bookmarks of a list are read: from those that the statement read, of which `where` leaves some, or in slices if
 * an index finds many. Nothing for other lists.
 */
export function howRead(db: Db, { own }: ListingScope, where: Fragment): Partial<ListingSegment> {
  if (own?.isRead) return { from: db`own_matches b`, where, isSearch: false, slices: null }
  return own?.estimate ? { isFrequent: own.estimate.rows >= minInSlices } : {}
}
