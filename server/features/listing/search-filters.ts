/** The conditions of a listing besides its words: dates, durations, and what the viewer has saved or watched. */

import type { BookmarkFilters } from '@reelmark/contract/bookmark-filters.ts'
import {
  bookmarkParts,
  type FilterTerm,
  normaliseName,
  type ParsedSearch,
  readDate,
} from '@reelmark/contract/search-terms.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { InvalidFields } from '../../core/http/errors.ts'
import { isOfMissingVideo } from '../../shared/missing-videos.ts'
import { isPublic } from '../../shared/visibility.ts'

/** Adds the terms that the parameters of a listing stand for: `min_duration=600` is `longer:10m`. @throws InvalidFields */
export function addParameterTerms(
  query: BookmarkFilters & { watch_later?: boolean },
  { terms, filters }: ParsedSearch,
): ParsedSearch {
  const { tag, host, saved_after, saved_before, min_duration, max_duration, access, watched } = query
  const after = parseDateParameter('saved_after', saved_after)
  const before = parseDateParameter('saved_before', saved_before)
  if (after !== null && before !== null && after >= before) {
    throw new InvalidFields({ saved_before: ['Must be later than saved_after.'] })
  }
  if (min_duration !== undefined && max_duration !== undefined && min_duration > max_duration) {
    throw new InvalidFields({ max_duration: ['Must be at least min_duration.'] })
  }
  const negated = false
  return {
    terms: [
      ...terms,
      ...(tag ? [{ kind: 'tag' as const, text: tag.toLowerCase(), negated }] : []),
      ...(host ? [{ kind: 'site' as const, text: normaliseName('site', host), negated }] : []),
    ],
    filters: [
      ...filters,
      ...(after === null ? [] : [{ kind: 'after' as const, time: after, negated }]),
      ...(before === null ? [] : [{ kind: 'before' as const, time: before, negated }]),
      ...(min_duration === undefined ? [] : [{ kind: 'longer' as const, seconds: min_duration, negated }]),
      ...(max_duration === undefined
        ? []
        : [{ kind: 'shorter' as const, seconds: max_duration + 1, negated }]),
      ...(access === undefined
        ? []
        : [{ kind: 'is' as const, state: 'private' as const, negated: access === 'public' }]),
      ...(watched === undefined
        ? []
        : [{ kind: 'is' as const, state: watched ? ('watched' as const) : ('unwatched' as const), negated }]),
      ...(query.watch_later === undefined
        ? []
        : [{ kind: 'is' as const, state: 'later' as const, negated: !query.watch_later }]),
      ...lackedParts(query).map((part) => ({ kind: 'no' as const, part, negated })),
    ],
  }
}

function lackedParts({ untagged, no_picture, no_player }: BookmarkFilters): (typeof bookmarkParts)[number][] {
  const lacked = { tag: untagged, picture: no_picture, player: no_player }
  return bookmarkParts.filter((part) => lacked[part] === true)
}

function parseDateParameter(name: string, value: string | undefined): string | null {
  if (value === undefined) return null
  const time = readDate(value)
  if (time === null) throw new InvalidFields({ [name]: ['Must be a date such as 2025-01-31.'] })
  return time
}

/** The columns of the bookmark that is shown for a row, which may be another one than the row's. */
export interface ShownColumns {
  createdAt: Fragment
  duration: Fragment
  orientation: Fragment
  /** The condition that it is the viewer's own, in lists that show bookmarks of an owner; false in other lists. */
  isOwn: Fragment
  /**
   * Whether PostgreSQL may read all videos that the viewer watched to find those that they did not. Among own bookmarks many are
   * watched; in other lists it looks up each video, and stops when enough are found.
   */
  readsWatched: boolean
  /** Whether all videos that the viewer watched are read once, and not looked up one by one. */
  hashesWatched?: boolean
}

/** Returns `and …` for each filter. */
export function andFilters(
  db: Db,
  filters: readonly FilterTerm[],
  shown: ShownColumns,
  viewer: Viewer | null,
): Fragment {
  return filters.reduce((all, filter) => {
    const condition = filterCondition(db, filter, shown, viewer)
    return db`${all} and ${filter.negated ? db`not ${condition}` : condition}`
  }, db``)
}

/** Returns whether a filter compares the time of a bookmark. */
export function isDate({ kind }: FilterTerm): boolean {
  return kind === 'after' || kind === 'before'
}

/** Returns whether a filter selects a range of durations. */
export function isDuration({ kind, negated }: FilterTerm): boolean {
  return (kind === 'longer' || kind === 'shorter') && !negated
}

/** Returns whether a filter selects bookmarks of gone videos, which are few on most sites. */
export function findsMissing(filter: FilterTerm): boolean {
  return filter.kind === 'is' && filter.state === 'gone' && !filter.negated
}

/** Returns whether filters leave only watched videos (true) or only others (false); null if they leave both. */
export function showsWatched(filters: readonly FilterTerm[]): boolean | null {
  const [shown = null] = filters.flatMap((filter) =>
    isOfWatching(filter) ? [(filter.state === 'watched') !== filter.negated] : [],
  )
  return shown
}

/** Returns whether a filter is `is:watched` or `is:unwatched`. */
export function isOfWatching(filter: FilterTerm): filter is StateTerm {
  return filter.kind === 'is' && (filter.state === 'watched' || filter.state === 'unwatched')
}

/** Returns whether a filter compares the time or the duration. */
export function isRange({ kind }: FilterTerm): boolean {
  return kind !== 'is' && kind !== 'no'
}

/**
 * Returns which of the filters an index of own bookmarks by time serves: dates, and what those of private and of untagged ones find. The
 * index of durations serves durations, but only alone, because it contains few other columns.
 */
export function inTimeIndex(filters: readonly FilterTerm[]): (filter: FilterTerm) => boolean {
  const isOnlyRanges = filters.every(isRange)
  return (filter) => {
    return isRange(filter) ? isOnlyRanges || isDate(filter) : hasTimeIndex(filter)
  }
}

/** Returns whether an index by time contains only the own bookmarks that match a filter: private or untagged ones. */
export function hasTimeIndex(filter: FilterTerm): boolean {
  if (filter.negated) return false
  return filter.kind === 'is' ? filter.state === 'private' : filter.kind === 'no' && filter.part === 'tag'
}

/**
 * Returns `and …`: filters. `coalesce` keeps PostgreSQL from choosing a smaller index than that of the order or of words, such as of
 * untagged ones, from reading it in addition, and from looking for the bookmarks of each watched video. It also hides how many match:
 * if PostgreSQL expected few, it would read and sort all instead of reading an index of the order until the page is full.
 */
export function inAnyIndex(
  db: Db,
  filters: readonly FilterTerm[],
  shown: ShownColumns,
  viewer: Viewer | null,
): Fragment {
  return filters.length === 0 ? db`` : db`and ${matchesAll(db, filters, shown, viewer)}`
}

/** Returns filters as one condition, which is true or false and never null. */
export function matchesAll(
  db: Db,
  filters: readonly FilterTerm[],
  shown: ShownColumns,
  viewer: Viewer | null,
): Fragment {
  return db`coalesce((true ${andFilters(db, filters, shown, viewer)}), false)`
}

/** Returns the times in microseconds since 1970 that the filters of a kind name. */
export function limitsOf(filters: readonly FilterTerm[], kind: 'before' | 'after'): number[] {
  return filters.flatMap((filter) =>
    filter.kind === kind && !filter.negated ? [Date.parse(filter.time) * 1000] : [],
  )
}

function filterCondition(db: Db, filter: FilterTerm, shown: ShownColumns, viewer: Viewer | null): Fragment {
  switch (filter.kind) {
    case 'after':
      return db`(${shown.createdAt} >= ${filter.time}::timestamptz)`
    case 'before':
      return db`(${shown.createdAt} < ${filter.time}::timestamptz)`
    case 'longer':
      return db`(${knownDuration(db, shown)} >= ${filter.seconds}::int)`
    case 'shorter':
      return db`(${knownDuration(db, shown)} >= 0 and ${knownDuration(db, shown)} < ${filter.seconds}::int)`
    case 'is':
      return stateCondition(db, filter, shown, viewer)
    case 'no':
      return db`(${shown.isOwn} and ${lackCondition(db, filter.part)})`
  }
}

function lackCondition(db: Db, part: (typeof bookmarkParts)[number]): Fragment {
  switch (part) {
    case 'tag':
      return db`b.tags = '{}'`
    case 'picture':
      return db`b.lacks_picture`
    case 'player':
      return db`b.lacks_player`
  }
}

/** A duration in the format of its indexes: -1 if it is unknown. */
export function knownDuration(db: Db, { duration }: Pick<ShownColumns, 'duration'>): Fragment {
  return db`coalesce(${duration}, -1)`
}

type StateTerm = Extract<FilterTerm, { kind: 'is' }>

/** Returns the condition of a state; andFilters() negates it. */
function stateCondition(
  db: Db,
  { state, negated }: StateTerm,
  shown: ShownColumns,
  viewer: Viewer | null,
): Fragment {
  if (state === 'adult') return db`(${shown.orientation} <> 'sfw')`
  if (state === 'private') return isOwnPrivate(db, viewer)
  if (state === 'gone') return db`(${shown.isOwn} and ${isOfMissingVideo(db)})`
  if (state === 'later') return isInOwnWatchLater(db, shown, viewer)
  const findsUnwatched = (state === 'unwatched') !== negated
  const fence = findsUnwatched && !shown.readsWatched ? db`offset 0` : db``
  const watched =
    viewer === null
      ? db`false`
      : shown.hashesWatched
        ? // An array, which PostgreSQL expects to be short: it would not make a hash of what it expects to be too long.
          db`b.video_id in (select unnest(array(select video_id from watched_videos where user_id = ${viewer.id})))`
        : db`exists (select from watched_videos where user_id = ${viewer.id} and video_id = b.video_id ${fence})`
  return state === 'watched' ? db`(${watched})` : db`(not ${watched})`
}

function isInOwnWatchLater(db: Db, { isOwn }: ShownColumns, viewer: Viewer | null): Fragment {
  if (viewer === null) return db`false`
  return db`(${isOwn} and b.collection_id is not distinct from
    (select later.id from collections later where later.user_id = ${viewer.id} and later.is_watch_later))`
}

/** Bookmarks that only the viewer sees because they or their collection are private. */
function isOwnPrivate(db: Db, viewer: Viewer | null): Fragment {
  if (viewer === null) return db`false`
  // The private collections are read once, and not that of each bookmark.
  return db`(b.user_id = ${viewer.id} and not ${isPublic(db)} and (b.access = 'private'
    or b.collection_id in (select own.id from collections own where own.user_id = ${viewer.id} and own.access = 'private')))`
}
