/** Plans a listing: which bookmarks it contains, and in what order. */

import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FilterTerm } from '@reelmark/contract/search-terms.ts'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import type { Cursor } from '../../core/http/cursor.ts'
import type { OrderedList } from '../../shared/order-keys.ts'
import { isWholeContainer, orderedListOf } from './containers.ts'
import { type Feed, fewOfFeed, hasNewer, ownRow } from './feed.ts'
import { isUnfiltered, type ListingFilter } from './listing-filter.ts'
import {
  fractionKey,
  isComputed,
  listedSegments,
  manualSegment,
  savesSegments,
  storedOrderSegments,
  timeKey,
  watchedSegments,
  windowSegments,
} from './listing-orders.ts'
import { listingSource } from './listing-sources.ts'
import { containerTitleSegments, isIndexedOrder, ownOrderSegments, profileSegments } from './own-orders.ts'
import {
  fewOwn,
  isFewToRead,
  isFewToSort,
  type OwnCount,
  type OwnRows,
  selectOwnMatches,
  selectOwnSample,
} from './own-sample.ts'
import { ownSavesSegments } from './own-saves.ts'
import {
  andFilters,
  findsGone,
  hasTimeIndex,
  inAnyIndex,
  inTimeIndex,
  isDate,
  isDuration,
  isRange,
  knownDuration,
  limitsOf,
  showsWatched,
} from './search-filters.ts'
import type { SearchCondition } from './search-queries.ts'
import { rankedSegments } from './search-ranking.ts'
import {
  allTimeSlices,
  isBetweenTimes,
  randomSlices,
  type SearchIndex,
  type SlicedOrder,
  type SlicedTime,
  timeSlices,
} from './search-slices.ts'
import { shuffledSegments } from './shuffle.ts'
import { isExactInIndex } from './vault-keys.ts'
import type { OwnSample } from './vault-source.ts'
import { watchedCounts } from './watched-counts.ts'

/** Bookmarks in the order of an index, by `key` and then by `id`. A cursor names one of at most `maxSegments` of these. */
export interface ListingSegment extends ListingScope {
  key: Fragment
  isAscending: boolean
  cursorKey: SegmentCursorKey
  /** The viewer, if the newest bookmarks of each followed user are merged; else null. */
  follower: number | null
  /** `and …`: the row comes after those of the segment before. A cursor within the segment implies it. */
  afterEarlier?: Fragment
  /** `and …`: excludes further rows that the segment before contains. */
  without?: Fragment
  /** The slices that a search reads one after the other, from the cursor on; null if an index has the order of the rows. */
  slices: ((cursor: Cursor<number | string> | null) => SlicedOrder) | null
  /** The condition that the slices are read, and not all rows at once; null if a sample of the rows says so. */
  isFrequent?: Fragment | null
  /** Whether the segment is known to be empty. It is not read, but counts in the numbers of segments in cursors. */
  isEmpty?: boolean
  /** How the rows are found if they are few: an index of the order would be read far until the page is full. */
  few?: { isFew: Fragment; from?: Fragment; where: Fragment }
}

export const maxSegments = 4

/** Converts the `key` of a segment to that of a cursor, and back. */
export interface SegmentCursorKey {
  type: 'number' | 'string'
  fromKey: (key: Fragment) => Fragment
  toKey: (cursorKey: number | string) => Fragment
  /** Whether many rows have the same key, as with counts. The index must contain the id after the key. */
  hasTies?: boolean
}

/** The rows of a listing, all segments together, as they are counted. */
export interface ListingScope {
  from: Fragment
  where: Fragment
  /** The id of the bookmark that is shown for a row. */
  id: Fragment
  /**
   * Whether the rows are all bookmarks that match a search. Several can show the same one, the lead bookmark of their video.
   */
  isSearch: boolean
  /** The feed, if the listing is one: each video is then listed and counted once. Null for other listings. */
  feed?: Feed | null
  /** The cells of the index of a search in own bookmarks; null for the index of public searches. */
  cells: Fragment | null
  /** What is read once about own bookmarks; undefined for other lists. */
  own?: OwnRows | undefined
  /** Selects a `count` that a job stored, or an estimate, and no row for a short list. Null if there is neither. */
  storedCount: Fragment | null
  /** The number of the rows, if it is read in another way than by counting them. */
  exactCount?: Fragment
}

/** Returns the segments of a listing in order, and the scope of all of them together. */
export function planListing(
  db: Db,
  filter: ListingFilter,
  viewer: Viewer | null,
): { scope: ListingScope; segments: ListingSegment[] } {
  const source = listingSource(db, filter, viewer)
  const { id, isSearch, cells, key, follower, isFeed } = source
  const matching = (
    search: SearchCondition | null,
    { scope, matches }: Pick<OwnSample, 'scope' | 'matches'> = source,
    conditions = cells === null ? andFilters(db, filter.filters, source, viewer) : inWordIndex(cells),
  ) => db`${scope}
    ${filter.orientation === null ? db`` : db`and ${source.hasOrientation(filter.orientation)}`} ${conditions}
    ${search === null ? db`` : db`and ${matches(search)}`}`
  /** The filters as conditions of the rows that the index of own words finds, and of the times that are read in it. */
  const inWordIndex = (cells: Fragment) =>
    db`${isBetweenTimes(db, limitsOf(filter.filters, 'after'), limitsOf(filter.filters, 'before'), cells)} ${inAnyIndex(db, filter.filters, source, viewer)}`
  /** The filters as conditions of the rows that an index of the order finds; it contains the durations or the times. */
  const inOrderIndex = (isInIndex: (filter: FilterTerm) => boolean = isRange) => db`
    ${andFilters(db, filter.filters.filter(isInIndex), source, viewer)}
    ${inAnyIndex(
      db,
      filter.filters.filter((one) => !isInIndex(one)),
      source,
      viewer,
    )}`
  const { search, closeSearch, order, randomStart } = filter
  const isFiltered = search !== null || filter.orientation !== null || filter.filters.length > 0
  const feedOf = (search: SearchCondition | null): Feed | null =>
    isFeed && viewer !== null
      ? {
          follower: viewer,
          condition: matching(search),
          isUnfiltered: !isFiltered && filter.likedBy === null && !viewer.has_blocks_or_mutes,
        }
      : null
  const feed = feedOf(closeSearch ?? search)
  const from = isFeed ? db`${source.from} ${ownRow(db)}` : source.from
  const where = (search: SearchCondition | null) => {
    const shownFeed = feedOf(search)
    return shownFeed === null ? matching(search) : db`${matching(search)} and not ${hasNewer(db, shownFeed)}`
  }

  const all = where(closeSearch ?? search)
  const isInOrder = cells === null
  const { inOrder } = source
  /** Selects own bookmarks in the order of an index that counts them, of their time or another one. */
  const counted = (condition: Fragment, by: Fragment = key) =>
    db`select from bookmarks b where ${condition} order by ${by} desc, b.id desc limit ${inlineNumber(db, limits.exactCountMax + 1)}`
  const ownCount = (): OwnCount => {
    if (isInOrder) {
      const isDated = search === null && filter.filters.every(isDate)
      return { few: null, inOrder: counted(all), isCountedFirst: isDated || filter.filters.some(findsGone) }
    }
    const inIndex = (by: Fragment, isInIndex: (filter: FilterTerm) => boolean) =>
      inOrder?.isIndexOnly === true ? counted(matching(null, inOrder, inOrderIndex(isInIndex)), by) : null
    const { filters } = filter
    const byDuration =
      filters.length > 0 && filters.every(isDuration)
        ? inIndex(knownDuration(db, { duration: db`b.effective_duration` }), isDuration)
        : null
    if (byDuration !== null) return { few: null, inOrder: byDuration, isCountedFirst: false }
    const inTime = inIndex(key, inTimeIndex(filters))
    // The index of own bookmarks would find many that other filters exclude, and untagged and private ones have small indexes by time.
    if (inTime !== null && (!filters.every(isExactInIndex) || filters.some(hasTimeIndex))) {
      return { few: null, inOrder: inTime, isCountedFirst: false }
    }
    const isFew = isFewToRead(db, inTime === null ? null : (inOrder?.size ?? null))
    return {
      few: { isFew, matches: selectOwnMatches(db, all, order) },
      inOrder: inTime,
      isCountedFirst: false,
    }
  }
  // The trash has the order of another time than its index, and is counted like other bookmarks.
  const isCounted = isFiltered && (isInOrder || isSearch)
  const own: OwnRows | undefined = source.sample && {
    sample: selectOwnSample(db, {
      cells: source.sample.cells,
      where: matching(closeSearch ?? search, source.sample),
    }),
    count: isCounted ? ownCount() : undefined,
  }
  const counts = watchedCounts(db, filter, viewer, (filters) =>
    matching(null, source, andFilters(db, filters, source, viewer)),
  ) ?? { storedCount: source.storedCount(isFiltered ? all : null) }
  const rows: ListingScope = {
    from,
    id,
    isSearch,
    feed,
    cells,
    where: all,
    own,
    ...counts,
  }
  // Videos are counted without determining which bookmark is the newest of each.
  const scope = isFeed
    ? { ...rows, from: source.from, id: db`b.video_id`, where: matching(closeSearch ?? search) }
    : rows
  /** How the rows of a condition are found if all own bookmarks that match are read. */
  const fewOf = (condition: Fragment) => {
    const isFew = own?.count?.few?.isFew
    return isFew ? { few: fewOwn(db, isFew, condition) } : {}
  }
  if (randomStart !== null) {
    const slices = (first: number, last: number) =>
      isSearch ? slicesBetween(cells === null ? 'public' : 'own', first, last) : null
    const random = {
      ...rows,
      key: db`b.random_key`,
      cursorKey: fractionKey(db),
      isAscending: false,
      follower: null,
    }
    const part = (condition: Fragment) => {
      const found = db`${rows.where} and ${condition}`
      return {
        ...random,
        where: found,
        ...fewOf(condition),
        ...(feed?.follower.follows_lists && !isSearch && { few: fewOfFeed(db, feed.follower.id, found) }),
      }
    }
    return {
      scope,
      segments: [
        { ...part(db`b.random_key <= ${randomStart}::float8`), slices: slices(randomStart, 0) },
        { ...part(db`b.random_key > ${randomStart}::float8`), slices: slices(1, randomStart) },
      ],
    }
  }
  const list = orderedListOf(filter)
  const byWatching = order === 'last_watched' && viewer !== null ? viewer : null
  const computed = isComputed(order) ? order : null
  if (computed !== null && search === null && isUnfiltered(filter)) {
    return { scope, segments: listedSegments(db, computed, scope) }
  }
  const isAscending = order === 'oldest'
  const slices = isSearch ? slicesOfTime(filter, source.slicedTime ?? 'lead', isAscending) : null
  const inTime = { ...rows, key, cursorKey: timeKey(db), isAscending, follower, slices }
  if (filter.shuffle !== null) {
    return { scope, segments: shuffledSegments(db, filter.shuffle, { ...inTime, ...fewOf(db`true`) }) }
  }
  const isWhole = isWholeContainer(filter)
  const byTitle = (container: OrderedList, newest: ListingSegment) =>
    isWhole
      ? containerTitleSegments(db, container, newest, viewer)
      : windowSegments(db, 'title', newest, viewer)
  /** Whether the list has all own bookmarks. */
  const isLibrary = inOrder?.isWhole === true && !isFiltered
  const ordered = (
    condition: Fragment,
    matched: SearchCondition | null,
    rest: Partial<Pick<ListingSegment, 'few' | 'isFrequent'>>,
  ): ListingSegment[] => {
    const inIndex: ListingSegment = { ...inTime, where: condition }
    if (list !== null && order === 'manual') return [manualSegment(db, list, inIndex)]
    if (list !== null && order === 'stored')
      return storedOrderSegments(db, list, inIndex, byTitle(list, inIndex))
    const newest = { ...inIndex, ...rest }
    if (filter.ranked !== null && matched !== null) {
      return rankedSegments(db, newest, filter.ranked, matched)
    }
    if (byWatching !== null) {
      // Matches that are not few are looked for among the watched videos, and not the other way round.
      const many = inOrder !== undefined &&
        !isLibrary &&
        closeSearch === null && {
          where: matching(matched, inOrder, inOrderIndex()),
          few: fewToSort(newest, inOrder.size),
        }
      return watchedSegments(db, newest, byWatching, showsWatched(filter.filters), many || {})
    }
    if (computed === null) return [newest]
    if (computed === 'most_saved' && filter.likedBy === null) {
      if (inOrder === undefined || viewer === null || closeSearch !== null) return savesSegments(db, newest)
      return ownSavesSegments(db, newest, {
        viewerId: viewer.id,
        where: matching(matched, inOrder, inOrderIndex()),
        isWhole: isLibrary,
        withRemoved: inOrder.isIndexOnly
          ? matching(
              null,
              { ...inOrder, scope: inOrder.withRemoved },
              inOrderIndex(inTimeIndex(filter.filters)),
            )
          : null,
      })
    }
    if (isWhole && list !== null && computed === 'title') return byTitle(list, newest)
    if (isWhole && list === null && inOrder === undefined && isIndexedOrder(computed)) {
      return profileSegments(db, computed, newest)
    }
    if (inOrder === undefined || !isIndexedOrder(computed) || closeSearch !== null) {
      return windowSegments(db, computed, newest, viewer)
    }
    return ownOrderSegments(db, computed, newest, {
      where: matching(matched, { ...inOrder, scope: inOrder.scopeOfUser }, inOrderIndex()),
      few: isLibrary ? null : fewToSort(newest, inOrder.size),
    })
  }
  /** How the rows of a segment are found if sorting them is faster than reading the index of another order. */
  const fewToSort = ({ few, where }: ListingSegment, size: Fragment): NonNullable<ListingSegment['few']> => {
    const isFew = isFewToSort(db, size)
    return few ? { ...few, isFew: db`(${few.isFew} and ${isFew})` } : { isFew, where }
  }
  if (closeSearch === null || search === null) {
    return { scope, segments: ordered(rows.where, search, fewOf(db`true`)) }
  }
  // There are few exact matches, otherwise there would be no search for similar words.
  const shown = isFeed ? db`b.video_id` : id
  const isExact = db`${shown} in (select ${shown} from ${source.from} where ${matching(search)})`
  // The first segment then contains all of them, except in the order of watching, where it contains the watched ones.
  const exact = ordered(where(search), search, own ? { isFrequent: db`false` } : {})
    .slice(0, byWatching === null ? 1 : 2)
    .map((segment) => ({ ...segment, isEmpty: segment.isEmpty === true || filter.hasNoExact }))
  const notExact = filter.hasNoExact ? db`true` : db`not ${isExact}`
  const close = ordered(db`${where(closeSearch)} and ${notExact}`, closeSearch, fewOf(notExact))
  return { scope, segments: [...exact, ...close] }
}

/** Returns the slices of the newest or oldest results, from the cursor or the limit that `before:` or `after:` sets. */
function slicesOfTime(
  { filters, oldest }: ListingFilter,
  time: SlicedTime,
  isAscending: boolean,
): NonNullable<ListingSegment['slices']> {
  return (cursor) => {
    if (cursor !== null) {
      const isNewer = (cursor.direction === 'before') !== isAscending
      return timeSlices(time, Number(cursor.key), isNewer ? 'newer' : 'older')
    }
    if (isAscending) {
      const after = limitsOf(filters, 'after')
      if (after.length > 0) return timeSlices(time, Math.max(...after), 'newer')
      return allTimeSlices(time, oldest ?? 0, 'newer')
    }
    const before = limitsOf(filters, 'before')
    if (before.length > 0) return timeSlices(time, Math.min(...before), 'older')
    return allTimeSlices(time, Date.now() * 1000, 'older')
  }
}

/** Returns the slices of a segment of the random order, which begins at the position `first`, above `last`. */
function slicesBetween(
  index: SearchIndex,
  first: number,
  last: number,
): NonNullable<ListingSegment['slices']> {
  return (cursor) => {
    const start = cursor === null ? first : Number(cursor.key)
    return randomSlices(index, start, cursor?.direction === 'before' ? first : last)
  }
}
