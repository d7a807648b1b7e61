/** Plans a listing: which bookmarks it contains, and in what order. */

import { type Orientation, orientations } from '@reelmark/contract/protocol/fields.ts'
import type { FilterTerm } from '@reelmark/contract/search-terms.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import type { Cursor } from '../../core/http/cursor.ts'
import { andNotHidden, andTagsNotMuted } from '../../shared/user-visibility.ts'
import { isListed, isVisible } from '../../shared/visibility.ts'
import { containerCount, containerScope, isByFollowed, selectUserId } from './containers.ts'
import { type ListingOrder, listedSegments, timeKey, windowSegments } from './listing-orders.ts'
import { longListCount, sampledLikesCount } from './long-lists.ts'
import { andFilters, listsOwnPrivate, type ShownColumns } from './search-filters.ts'
import { hasKey, orientationKey, randomSlices, type SlicedOrder, timeSlices } from './search-slices.ts'

export interface ListingFilter {
  orientation: Orientation | null
  /** The tsquery that search vectors must match, made by searchTsquery(); null for no search. */
  search: Fragment | null
  /** Whether the search only excludes words. */
  excludesOnly: boolean
  /** Tags named by the search, which are shown although the viewer muted them. */
  tags: string[]
  filters: FilterTerm[]
  /** A tsquery that also matches similar words; what only it matches follows the exact matches. Null if not needed. */
  closeSearch: Fragment | null
  user: string | null
  likedBy: string | null
  channel: number | null
  collection: number | null
  /** Only bookmarks of users whom the viewer follows. */
  following: boolean
  order: ListingOrder
  /** Where the random order starts, from 0 to 1; null for the other orders. */
  randomStart: number | null
}

/** Bookmarks in the order of an index, by `key` and then by `id`. A listing has at most `maxSegments` of these. */
export interface ListingSegment extends ListingScope {
  key: Fragment
  isAscending: boolean
  cursorKey: SegmentCursorKey
  /** The viewer, if the newest bookmarks of each followed user are merged; else null. */
  follower: number | null
  /** The slices that a search reads one after the other, from the cursor on; null if an index has the order of the rows. */
  slices: ((cursor: Cursor<number | string> | null) => SlicedOrder) | null
}

export const maxSegments = 3

/** Converts the `key` of a segment to that of a cursor, and back. */
export interface SegmentCursorKey {
  type: 'number' | 'string'
  fromKey: (key: Fragment) => Fragment
  toKey: (cursorKey: number | string) => Fragment
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
  /** Selects a `count` that a job stored, or an estimate from it, and no row for a short list. Null if no count is stored. */
  storedCount: Fragment | null
}

export interface ListingSource extends Omit<ListingScope, 'where' | 'storedCount'>, ShownColumns {
  /** `filtered` is the condition for the rows if the listing is filtered, otherwise null. */
  storedCount: (filtered: Fragment | null) => Fragment | null
  scope: Fragment
  /** The time that it is ordered by, newest first. */
  key: Fragment
  hasOrientation: (orientation: Orientation) => Fragment
  follower: number | null
  /** The condition for rows that match a tsquery. */
  matches: (search: Fragment) => Fragment
}

/** Returns the segments of a listing in order, and the scope of all of them together. */
export function planListing(
  db: Db,
  filter: ListingFilter,
  viewer: Viewer | null,
): { scope: ListingScope; segments: ListingSegment[] } {
  const source = listingSource(db, filter, viewer)
  const { from, id, isSearch, key, follower } = source
  const where = (search: Fragment | null) => db`${source.scope}
    ${filter.orientation === null ? db`` : db`and ${source.hasOrientation(filter.orientation)}`}
    ${andFilters(db, filter.filters, source, viewer)}
    ${search === null ? db`` : db`and ${source.matches(search)}`}`

  const { search, closeSearch, order, randomStart } = filter
  const isFiltered = search !== null || filter.orientation !== null || filter.filters.length > 0
  const all = where(closeSearch ?? search)
  const scope = { from, id, isSearch, where: all, storedCount: source.storedCount(isFiltered ? all : null) }
  if (randomStart !== null) {
    const slices = (first: number, last: number) => (isSearch ? slicesBetween(first, last) : null)
    const random = {
      ...scope,
      key: db`b.random_key`,
      cursorKey: randomKey(db),
      isAscending: false,
      follower: null,
    }
    return {
      scope,
      segments: [
        {
          ...random,
          where: db`${scope.where} and b.random_key <= ${randomStart}::float8`,
          slices: slices(randomStart, 0),
        },
        {
          ...random,
          where: db`${scope.where} and b.random_key > ${randomStart}::float8`,
          slices: slices(1, randomStart),
        },
      ],
    }
  }
  const computed = order === 'newest' || order === 'oldest' ? null : order
  if (computed !== null && search === null && isUnfiltered(filter)) {
    return { scope, segments: listedSegments(db, computed, scope) }
  }
  const isAscending = order === 'oldest'
  const slices = isSearch && !isAscending ? slicesOfTime(filter.filters) : null
  const byTime = { ...scope, key, cursorKey: timeKey(db), isAscending, follower, slices }
  const ordered = (condition: Fragment): ListingSegment[] =>
    computed === null
      ? [{ ...byTime, where: condition }]
      : windowSegments(db, computed, { ...byTime, where: condition }, viewer)
  if (closeSearch === null || search === null) return { scope, segments: ordered(scope.where) }
  // There are few exact matches, otherwise there would be no search for similar words.
  const isExact = db`${id} in (select ${id} from ${from} where ${where(search)})`
  const exact = ordered(where(search)).slice(0, 1)
  const close = ordered(db`${where(closeSearch)} and not ${isExact}`)
  return { scope, segments: [...exact, ...close] }
}

/** Returns the slices of the newest results, from the cursor or the earliest `before:` on. */
function slicesOfTime(filters: readonly FilterTerm[]): NonNullable<ListingSegment['slices']> {
  const ends = filters.flatMap((filter) =>
    filter.kind === 'before' && !filter.negated ? [Date.parse(filter.time) * 1000] : [],
  )
  return (cursor) => {
    if (cursor !== null)
      return timeSlices(Number(cursor.key), cursor.direction === 'before' ? 'newer' : 'older')
    return timeSlices(ends.length === 0 ? null : Math.min(...ends), 'older')
  }
}

/** Returns the slices of a segment of the random order, which begins at the position `first`, above `last`. */
function slicesBetween(first: number, last: number): NonNullable<ListingSegment['slices']> {
  return (cursor) => {
    const start = cursor === null ? first : Number(cursor.key)
    return cursor?.direction === 'before' ? randomSlices(start, first) : randomSlices(start, last)
  }
}

/** Returns whether a listing is Explore or a search in it, without filters other than the orientation. */
export function isUnfiltered(filter: ListingFilter): boolean {
  const { filters, user, likedBy, channel, collection, following } = filter
  const isSelected = [user, likedBy, channel, collection].some((value) => value !== null)
  return !isSelected && !following && filters.length === 0
}

/** An orientation as a literal: as a parameter it would cause the statement to be planned again each time. */
function orientationLiteral(db: Db, orientation: Orientation): Fragment {
  return db.unsafe(`'${orientations[orientations.indexOf(orientation)]}'`) as Fragment
}

/** Chooses the rows of a listing. The filters and the viewer determine which index is used and what is visible. */
function listingSource(db: Db, filter: ListingFilter, viewer: Viewer | null): ListingSource {
  const { user, likedBy, channel, collection, following, randomStart, search } = filter
  const bookmarks: Omit<ListingSource, 'scope'> = {
    from: db`bookmarks b`,
    id: db`b.id`,
    isSearch: false,
    storedCount: () => null,
    key: db`b.created_at`,
    createdAt: db`b.created_at`,
    duration: db`b.effective_duration`,
    orientation: db`b.effective_orientation`,
    hasOrientation: (orientation) => db`b.effective_orientation = ${orientationLiteral(db, orientation)}`,
    follower: null,
    matches: (query) => db`b.search_vector @@ ${query}`,
  }
  const liked =
    likedBy === null
      ? db``
      : db`and exists (
          select from likes l where l.user_id = ${selectUserId(db, likedBy, viewer)} and l.video_id = b.video_id)`

  if (user !== null || channel !== null || collection !== null || listsOwnPrivate(filter.filters)) {
    return {
      ...bookmarks,
      scope: containerScope(db, filter, viewer, liked),
      storedCount: (filtered) => (filtered === null ? containerCount(db, filter, viewer) : null),
    }
  }
  // Content that the viewer muted appears only on pages that they open themselves.
  const notMuted = andTagsNotMuted(db, db`b.tags`, viewer, filter.tags)
  if (following && viewer !== null) {
    if (randomStart !== null) {
      const scope = db`${isVisible(db)} and ${isByFollowed(db, viewer)} ${liked}
        ${andNotHidden(db, db`b.user_id`, viewer, muting)} ${notMuted}`
      return { ...bookmarks, scope }
    }
    return {
      ...bookmarks,
      from: db`follows f join bookmarks b on b.user_id = f.followee_id and f.follower_id = ${viewer.id}`,
      scope: db`${isVisible(db)} ${liked} ${andNotHidden(db, db`f.followee_id`, viewer, muting)} ${notMuted}`,
      follower: viewer.id,
    }
  }
  if (likedBy !== null) {
    const from = db`likes l join videos lv on lv.id = l.video_id join bookmarks b on b.id = lv.lead_bookmark_id`
    const size = longListCount(db, 'likes', selectUserId(db, likedBy, viewer))
    return {
      ...bookmarks,
      from,
      scope: db`l.user_id = ${selectUserId(db, likedBy, viewer)} and ${isListed(db)} ${andNotHidden(db, db`b.user_id`, viewer)}`,
      key: db`l.created_at`,
      storedCount: (filtered) => (filtered === null ? size : sampledLikesCount(db, size, from, filtered)),
      matches: (query) => db`exists (
        select from bookmarks m where m.video_id = l.video_id and ${isVisible(db, 'm')} and m.search_vector @@ ${query}
          ${andNotHidden(db, db`m.user_id`, viewer)})`,
    }
  }
  if (search !== null) return { ...bookmarks, ...searchedVideos(db, filter, viewer) }
  return {
    ...bookmarks,
    scope: db`${isListed(db)} ${andNotHidden(db, db`b.user_id`, viewer, muting)} ${notMuted}`,
  }
}

const muting = { muted: true }

/** Every visible bookmark of a video can match a search; the video is shown once, by its lead bookmark. */
function searchedVideos(
  db: Db,
  { tags, excludesOnly }: ListingFilter,
  viewer: Viewer | null,
): Omit<ListingSource, 'storedCount' | 'follower'> {
  const found = {
    id: db`b.lead_bookmark_id`,
    isSearch: true,
    key: db`b.lead_created_at`,
    createdAt: db`b.lead_created_at`,
    duration: db`b.lead_duration`,
    orientation: db`b.lead_orientation`,
    hasOrientation: (orientation: Orientation) => hasKey(db, orientationKey(orientation)),
    // The index would be read as a whole for a search that only excludes words; `is true` excludes it from the conditions of
    // the index, so that only the slices are read.
    matches: (query: Fragment) => db`(b.search_vector @@ ${query}) ${excludesOnly ? db`is true` : db``}`,
  }
  if (!viewer?.has_blocks_or_mutes) return { ...found, from: db`bookmarks b`, scope: isVisible(db) }
  return {
    ...found,
    from: db`bookmarks b join bookmarks lead on lead.id = b.lead_bookmark_id`,
    scope: db`${isVisible(db)} ${andNotHidden(db, db`b.user_id`, viewer, muting)}
      ${andNotHidden(db, db`lead.user_id`, viewer, muting)} ${andTagsNotMuted(db, db`lead.tags`, viewer, tags)}`,
  }
}

function randomKey(db: Db): SegmentCursorKey {
  return { type: 'number', fromKey: (key) => key, toKey: (number) => db`${number}::float8` }
}
