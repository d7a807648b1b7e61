/** Listings of a container: a profile, a channel or a collection. */
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { andNotHidden, hiddenUserIds } from '../../shared/user-visibility.ts'
import { isInLibraryUnjoined, isVisible } from '../../shared/visibility.ts'
import type { ListingFilter } from './listing-segments.ts'
import { longListCount } from './long-lists.ts'
import { listsOwnPrivate } from './search-filters.ts'

/** The bookmarks of a profile, a channel or a collection, or the private bookmarks of the viewer. */
export function containerScope(
  db: Db,
  filter: ListingFilter,
  viewer: Viewer | null,
  liked: Fragment,
): Fragment {
  const { user, channel, collection, following, filters } = filter
  const isOwnPage = viewer !== null && (user === null ? listsOwnPrivate(filters) : isOwnProfile(user, viewer))
  const isOwn = viewer === null ? db`false` : db`b.user_id = ${viewer.id} and ${isInLibraryUnjoined(db)}`
  const owner = isOwnPage ? db`${viewer.id}` : user === null ? null : selectUserId(db, user, viewer)
  // Decided here where possible: an `or` would prevent the indexes of visible bookmarks from being used.
  const mayBeSeen = isOwnPage
    ? isInLibraryUnjoined(db)
    : user !== null
      ? isVisible(db)
      : db`(${isVisible(db)} or (${isOwn}))`
  return db`${mayBeSeen}
    ${owner === null ? db`` : db`and b.user_id = ${owner}`}
    ${channel === null ? db`` : db`and b.channel_id = ${channel}`}
    ${collection === null ? db`` : db`and b.collection_id = ${collection}`}
    ${following && viewer !== null ? db`and ${isByFollowed(db, viewer)}` : db``} ${liked}
    ${channel !== null || collection !== null ? andContainerOwnerVisible(db, filter, viewer) : db``}`
}

function isOwnProfile(user: string | null, viewer: Viewer | null): boolean {
  return user !== null && viewer?.username.toLowerCase() === user.toLowerCase()
}

/** Selects the stored count of a profile, a channel or a collection; null with further filters. */
export function containerCount(db: Db, filter: ListingFilter, viewer: Viewer | null): Fragment | null {
  const { user, channel, collection, likedBy, following } = filter
  const containers = [user, channel, collection].filter((container) => container !== null)
  if (containers.length > 1 || likedBy !== null || following) return null
  if (isOwnProfile(user, viewer)) return longListCount(db, 'library', db`${viewer?.id}`)
  if (user !== null) return longListCount(db, 'profile', selectUserId(db, user, viewer))
  // A blocked owner's collection is empty for the viewer.
  if (viewer?.has_blocks_or_mutes) return null
  const isOwn =
    viewer === null ? db`false` : db`(${selectOwner(db, filter)}) is not distinct from ${viewer.id}::bigint`
  const kind = channel === null ? 'collection' : 'channel'
  return db`select count from long_lists where id = ${channel ?? collection}
               and kind = case when ${isOwn} then ${`own ${kind}`} else ${kind} end`
}

/**
 * Selects the id of a user, or nothing if the user and the viewer blocked each other. The block is checked once for the user
 * and not for each row, so that no rows of a blocked user are read.
 */
export function selectUserId(db: Db, username: string, viewer: Viewer | null): Fragment {
  return db`(select id from users where lower(username) = lower(${username}) ${andNotHidden(db, db`id`, viewer)})`
}

/** Selects the id of the owner of a collection or channel. */
function selectOwner(db: Db, { channel, collection }: ListingFilter): Fragment {
  return channel === null
    ? db`select user_id from collections where id = ${collection}`
    : db`select c.user_id from channels ch join collections c on c.id = ch.collection_id where ch.id = ${channel}`
}

/** `and …`: the owner of the collection or channel is not hidden from the viewer by a block. */
function andContainerOwnerVisible(db: Db, filter: ListingFilter, viewer: Viewer | null): Fragment {
  const hiddenIds = hiddenUserIds(db, viewer)
  if (hiddenIds === null) return db``
  return db`and (${selectOwner(db, filter)}) not in (${hiddenIds})`
}

/** The condition that bookmarks `b` are of users whom the viewer follows. */
export function isByFollowed(db: Db, viewer: Viewer): Fragment {
  return db`b.user_id in (select followee_id from follows where follower_id = ${viewer.id})`
}
