/** Chooses how own bookmarks are counted: in an index that contains the columns of the list, or by reading them if they are few. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FilterTerm } from '@reelmark/contract/search-terms.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import type { ListingConditions } from './listing-conditions.ts'
import { isFiltered, type ListingFilter } from './listing-filter.ts'
import type { ListingSource } from './listing-sources.ts'
import { isFewToRead, type OwnCount, type OwnRows, selectOwnMatches, selectOwnSample } from './own-sample.ts'
import {
  findsMissing,
  hasTimeIndex,
  inTimeIndex,
  isDate,
  isDuration,
  knownDuration,
} from './search-filters.ts'

/** Returns what is read once about own bookmarks that match `where`; undefined for lists that contain those of others. */
export function planOwnRows(
  db: Db,
  filter: ListingFilter,
  source: ListingSource,
  conditions: ListingConditions,
  where: Fragment,
): OwnRows | undefined {
  if (source.sample === undefined) return undefined
  // The trash has the order of another time than its index, and is counted like other bookmarks.
  const isCounted = isFiltered(filter) && (source.cells === null || source.isSearch)
  return {
    sample: selectOwnSample(db, {
      cells: source.sample.cells,
      where: conditions.matching(filter.closeSearch ?? filter.search, source.sample, conditions.ofIndex),
      isMatch: conditions.isMatch,
    }),
    count: isCounted ? planOwnCount(db, filter, source, conditions, where) : undefined,
  }
}

function planOwnCount(
  db: Db,
  { filters, search, order }: ListingFilter,
  { cells, key, inOrder }: ListingSource,
  { matching, inOrderIndex }: ListingConditions,
  where: Fragment,
): OwnCount {
  /** Selects own bookmarks in the order of an index that counts them, of their time or another one. */
  const counted = (condition: Fragment, by: Fragment) =>
    db`select from bookmarks b where ${condition} order by ${by} desc, b.id desc limit ${inlineNumber(db, limits.exactCountMax + 1)}`
  const inIndexOnly = (count: Fragment): OwnCount => ({ few: null, inOrder: count, isCountedFirst: false })
  if (cells === null) {
    const isDated = search === null && filters.every(isDate)
    return { ...inIndexOnly(counted(where, key)), isCountedFirst: isDated || filters.some(findsMissing) }
  }
  const inIndex = (by: Fragment, isInIndex: (filter: FilterTerm) => boolean) =>
    inOrder?.isIndexOnly === true ? counted(matching(null, inOrder, inOrderIndex(isInIndex)), by) : null
  if (filters.length > 0 && filters.every(isDuration)) {
    const byDuration = inIndex(knownDuration(db, { duration: db`b.effective_duration` }), isDuration)
    if (byDuration !== null) return inIndexOnly(byDuration)
  }
  const byTime = inIndex(key, inTimeIndex(filters))
  // Untagged and private ones have small indexes by time.
  if (byTime !== null && filters.some(hasTimeIndex)) return inIndexOnly(byTime)
  const isFew = isFewToRead(db, byTime === null ? null : (inOrder?.size ?? null))
  return {
    few: { isFew, matches: selectOwnMatches(db, where, order) },
    inOrder: byTime,
    isCountedFirst: false,
  }
}
