/** Which rows a listing selects, and by which index: of Explore, a search, a container, likes or a feed. */
import { type Orientation, orientations } from '@reelmark/contract/protocol/fields.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { andNotHidden, andTagsNotMuted } from '../../shared/user-visibility.ts'
import { isListed, isVisible } from '../../shared/visibility.ts'
import { containerScope, longListOf, selectLikerId } from './containers.ts'
import { fromFeed, isFoundInFeed } from './feed.ts'
import { type LikesPlan, likedVideos } from './likes-source.ts'
import type { ListingFilter } from './listing-filter.ts'
import type { ListingScope } from './listing-segments.ts'
import { longListCount } from './long-lists.ts'
import type { ShownColumns } from './search-filters.ts'
import {
  andNotExcluded,
  andNoteNotExcluded,
  matchesCondition,
  type SearchCondition,
} from './search-queries.ts'
import { hasKey, orientationKey, type SlicedTime } from './search-slices.ts'
import { ownerQuery } from './tsquery-text.ts'
import { isVault, type OwnInOrder, type OwnSample, vaultSource } from './vault-source.ts'

/** The rows of a listing before its filters and its search are applied. */
export interface ListingSource
  extends Omit<ListingScope, 'where' | 'storedCount' | 'sample' | 'feed'>,
    ShownColumns {
  /** How a sample of own bookmarks is found. */
  sample?: OwnSample
  /** How own bookmarks are read in an index of their order. */
  inOrder?: OwnInOrder
  /** `filtered` is the condition for the rows if the listing is filtered, otherwise null. */
  storedCount: (filtered: Fragment | null) => Fragment | null
  scope: Fragment
  /** The time that it is ordered by, newest first. */
  key: Fragment
  /** Which time `key` is if the rows are those of a search. */
  slicedTime?: SlicedTime
  hasOrientation: (orientation: Orientation) => Fragment
  follower: number | null
  /** Whether the rows are those of followed users, of which a feed shows the newest of each video. */
  isFeed: boolean
  /** The condition for rows that match a search. */
  matches: (search: SearchCondition) => Fragment
}

/** An orientation as a literal: as a parameter it would cause the statement to be planned again each time. */
function orientationLiteral(db: Db, orientation: Orientation): Fragment {
  return db.unsafe(`'${orientations[orientations.indexOf(orientation)]}'`) as Fragment
}

/**
 * Chooses the rows of a listing. The filters and the viewer determine which index is used and what is visible.
 * @param likesPlan how a search in likes is read; null for other listings
 */
export function listingSource(
  db: Db,
  filter: ListingFilter,
  viewer: Viewer | null,
  likesPlan: LikesPlan | null,
): ListingSource {
  const { user, likedBy, channel, collection, following, randomStart, search } = filter
  const bookmarks: Omit<ListingSource, 'scope'> = {
    from: db`bookmarks b`,
    id: db`b.id`,
    isSearch: false,
    cells: null,
    storedCount: () => null,
    key: db`b.created_at`,
    createdAt: db`b.created_at`,
    duration: db`b.effective_duration`,
    orientation: db`b.effective_orientation`,
    isOwn: db`false`,
    readsWatched: false,
    hasOrientation: (orientation) => db`b.effective_orientation = ${orientationLiteral(db, orientation)}`,
    follower: null,
    isFeed: false,
    matches: (query) => db`b.search_vector @@ ${query.tsquery}`,
  }
  const liked =
    likedBy === null
      ? db``
      : db`and exists (
          select from likes l where l.user_id = ${selectLikerId(db, likedBy, viewer)} and l.video_id = b.video_id)`

  const list = longListOf(db, filter, viewer)
  const storedCount = list === null ? null : longListCount(db, list)
  if (isVault(filter, viewer) && !following) {
    return {
      ...bookmarks,
      ...vaultSource(db, filter, viewer, liked),
      ...(filter.isTrash ? { key: db`b.deleted_at`, isSearch: false } : {}),
      isOwn: db`true`,
      readsWatched: true,
      storedCount: (filtered) => (filtered === null ? storedCount : null),
    }
  }
  if (user !== null || channel !== null || collection !== null || filter.findsOwnOnly) {
    const isSearch = isVisibleProfile(filter, viewer)
    return {
      ...bookmarks,
      isOwn: viewer === null ? db`false` : db`b.user_id = ${viewer.id}`,
      matches: (query) => db`${bookmarks.matches(query)} ${andNoteNotExcluded(db, query, viewer)}`,
      ...(isSearch ? searchedOfUser(db, user ?? '', viewer) : {}),
      scope: containerScope(db, filter, viewer, liked, isSearch),
      storedCount: (filtered) => (filtered === null ? storedCount : null),
    }
  }
  // Content that the viewer muted appears only on pages that they open themselves.
  const notMuted = andTagsNotMuted(db, db`b.tags`, viewer, filter.tags)
  if (following && viewer !== null) {
    if (randomStart !== null) {
      const scope = db`${isVisible(db)} and ${isFoundInFeed(db, viewer)} ${liked}
        ${andNotHidden(db, db`b.user_id`, viewer, muting)} ${notMuted}`
      return { ...bookmarks, scope, isFeed: true }
    }
    if (search !== null && !filter.excludesOnly) {
      // `is true`: the index of words finds the bookmarks, and not an index of the bookmarks of each followed user.
      const scope = db`${isVisible(db)} and (${isFoundInFeed(db, viewer)}) is true ${liked}
        ${andNotHidden(db, db`b.user_id`, viewer, muting)} ${notMuted}`
      return { ...bookmarks, ...searchedByOwnTime(db), scope, isFeed: true }
    }
    return {
      ...bookmarks,
      from: fromFeed(db, viewer),
      scope: db`${isVisible(db)} ${liked} ${andNotHidden(db, db`b.user_id`, viewer, muting)} ${notMuted}`,
      follower: viewer.id,
      isFeed: true,
    }
  }
  if (likedBy !== null)
    return {
      ...bookmarks,
      ...likedVideos(db, likedBy, filter, viewer, { plan: likesPlan, size: storedCount }),
    }
  if (search !== null) return { ...bookmarks, ...searchedVideos(db, filter, viewer) }
  return {
    ...bookmarks,
    scope: db`${isListed(db)} ${andNotHidden(db, db`b.user_id`, viewer, muting)} ${notMuted}`,
  }
}

const muting = { muted: true }

/** Visible bookmarks that are found by the index of words and have the order of their own time. */
function searchedByOwnTime(db: Db): Pick<ListingSource, 'isSearch' | 'slicedTime' | 'matches'> {
  return { isSearch: true, slicedTime: 'own', matches: (query) => matchesCondition(db, query) }
}

/** Returns whether a listing is a search in a profile as others see it, of which the index of words contains all bookmarks. */
function isVisibleProfile(filter: ListingFilter, viewer: Viewer | null): boolean {
  const { user, search, excludesOnly, randomStart } = filter
  return (
    user !== null &&
    !isVault(filter, viewer) &&
    !filter.findsOwnOnly &&
    search !== null &&
    !excludesOnly &&
    randomStart === null
  )
}

/** The bookmarks of a user in the index of words, which also contains their owner's name. */
function searchedOfUser(
  db: Db,
  user: string,
  viewer: Viewer | null,
): Pick<ListingSource, 'isSearch' | 'slicedTime' | 'matches'> {
  const owner = db`(${ownerQuery(user, viewer)}::text::tsquery)`
  return {
    ...searchedByOwnTime(db),
    matches: (query) => db`${matchesCondition(db, query)} and b.search_vector @@ ${owner}`,
  }
}

/** Every visible bookmark of a video can match a search; the video is shown once, by its lead bookmark. */
function searchedVideos(
  db: Db,
  { tags, excludesOnly }: ListingFilter,
  viewer: Viewer | null,
): Omit<ListingSource, 'storedCount' | 'follower' | 'isOwn' | 'readsWatched' | 'cells' | 'isFeed'> {
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
    matches: (query: SearchCondition) => {
      const isMatch = excludesOnly
        ? db`(b.search_vector @@ ${query.tsquery}) is true`
        : matchesCondition(db, query)
      return db`${isMatch} ${andNotExcluded(db, query, { videoId: db`b.video_id`, leadId: db`nullif(b.lead_bookmark_id, b.id)` }, viewer)}`
    },
  }
  if (!viewer?.has_blocks_or_mutes) return { ...found, from: db`bookmarks b`, scope: isVisible(db) }
  return {
    ...found,
    from: db`bookmarks b join bookmarks lead on lead.id = b.lead_bookmark_id`,
    scope: db`${isVisible(db)} ${andNotHidden(db, db`b.user_id`, viewer, muting)}
      ${andNotHidden(db, db`lead.user_id`, viewer, muting)} ${andTagsNotMuted(db, db`lead.tags`, viewer, tags)}`,
  }
}
