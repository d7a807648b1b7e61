/** Listings of a container: a profile, a channel or a collection. */
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import type { OrderedList } from '../../shared/order-keys.ts'
import { canSeeProfile, sharesList } from '../../shared/profile-visibility.ts'
import { andNotHidden, hiddenUserIds } from '../../shared/user-visibility.ts'
import { isNamed, isOwnName } from '../../shared/usernames.ts'
import { isInLibraryUnjoined, isVisible } from '../../shared/visibility.ts'
import { isFoundInFeed } from './feed.ts'
import { isFiltered, type ListingFilter } from './listing-filter.ts'
import { type LongList, longList } from './long-lists.ts'

/** The bookmarks of a profile, a channel or a collection, or the private bookmarks of the viewer. */
export function containerScope(
  db: Db,
  filter: ListingFilter,
  viewer: Viewer | null,
  liked: Fragment,
  /** Whether the index of words finds the bookmarks, and not an index of the owner's bookmarks. */
  isSearch: boolean,
): Fragment {
  const { user, channel, collection, following, findsOwnOnly } = filter
  const isOwnPage = viewer !== null && (user === null ? findsOwnOnly : isOwnName(user, viewer))
  const isOwn = viewer === null ? db`false` : db`b.user_id = ${viewer.id} and ${isInLibraryUnjoined(db)}`
  const owner = isOwnPage ? db`${viewer.id}` : user === null ? null : selectUserId(db, user, viewer)
  // Decided here where possible: an `or` would prevent the indexes of visible bookmarks from being used.
  const mayBeSeen = isOwnPage
    ? isInLibraryUnjoined(db)
    : user !== null
      ? isVisible(db)
      : db`(${isVisible(db)} or (${isOwn}))`
  return db`${mayBeSeen}
    ${owner === null ? db`` : db`and (b.user_id = ${owner}) ${isSearch ? db`is true` : db``}`}
    ${channel === null ? db`` : db`and b.channel_id = ${channel}`}
    ${collection === null ? db`` : db`and b.collection_id = ${collection}`}
    ${following && viewer !== null ? db`and ${isFoundInFeed(db, viewer)}` : db``} ${liked}
    ${andContainerOwnerVisible(db, filter, viewer)}`
}

/** Returns the collection or channel that a listing shows; null for other listings. */
export function orderedListOf({
  channel,
  collection,
}: Pick<ListingFilter, 'channel' | 'collection'>): OrderedList | null {
  if (channel !== null) return { kind: 'channel', id: channel }
  return collection === null ? null : { kind: 'collection', id: collection }
}

/** Returns whether a listing shows one profile, collection or channel, or the likes of one user. */
function isOneList({ user, channel, collection, likedBy, following, isTrash }: ListingFilter): boolean {
  const containers = [user, channel, collection, likedBy].filter((container) => container !== null)
  return containers.length === 1 && !following && !isTrash
}

/** Returns whether a listing contains all bookmarks that the viewer sees of a user, collection or channel. */
export function isWholeContainer(filter: ListingFilter): boolean {
  const { likedBy, findsOwnOnly } = filter
  return isOneList(filter) && likedBy === null && !isFiltered(filter) && !findsOwnOnly
}

/** Returns the profile, collection, channel or likes that a listing shows; null for other and for combined listings. */
export function longListOf(db: Db, filter: ListingFilter, viewer: Viewer | null): LongList | null {
  const { user, likedBy } = filter
  if (!isOneList(filter)) return null
  if (likedBy !== null) return longList(db, 'likes', selectLikerId(db, likedBy, viewer))
  if (isOwnName(user, viewer)) return longList(db, 'library', db`${viewer?.id}::bigint`)
  if (user !== null) return longList(db, 'profile', selectUserId(db, user, viewer))
  // A blocked owner's collection is empty for the viewer.
  if (viewer?.has_blocks_or_mutes) return null
  const list = orderedListOf(filter)
  if (list === null) return null
  const { kind, id } = list
  const isOwn =
    viewer === null ? db`false` : db`(${selectOwner(db, list)}) is not distinct from ${viewer.id}::bigint`
  return { kind: db`case when ${isOwn} then ${`own ${kind}`} else ${kind} end`, id: db`${id}::bigint` }
}

/**
 * Selects the id of a user whose profile the viewer may see. Selects nothing if the profile is hidden or if the two users
 * blocked each other. This is checked once for the user and not for each row, so that no rows of a hidden user are read.
 */
function selectUserId(db: Db, username: string, viewer: Viewer | null): Fragment {
  return selectNamed(db, username, viewer, canSeeProfile(db, viewer))
}

/** Selects the id of a user whose likes the viewer may see, or nothing. */
export function selectLikerId(db: Db, username: string, viewer: Viewer | null): Fragment {
  return selectNamed(db, username, viewer, sharesList(db, 'likes', viewer))
}

function selectNamed(db: Db, username: string, viewer: Viewer | null, isShown: Fragment): Fragment {
  return db`(select u.id from users u
              where ${isNamed(db, username)} and ${isShown} ${andNotHidden(db, db`u.id`, viewer)})`
}

/** Selects the id of the owner of a collection or channel. */
export function selectOwner(db: Db, { kind, id }: OrderedList): Fragment {
  return kind === 'collection'
    ? db`select user_id from collections where id = ${id}`
    : db`select c.user_id from channels ch join collections c on c.id = ch.collection_id where ch.id = ${id}`
}

/** `and …`: the owner of the collection or channel, if the listing is one, is not hidden from the viewer by a block. */
function andContainerOwnerVisible(db: Db, filter: ListingFilter, viewer: Viewer | null): Fragment {
  const [list, hiddenIds] = [orderedListOf(filter), hiddenUserIds(db, viewer)]
  if (list === null || hiddenIds === null) return db``
  return db`and (${selectOwner(db, list)}) not in (${hiddenIds})`
}
