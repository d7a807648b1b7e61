/** The common form of a collection or a channel. */
import type { Channel, ChannelPage, Collection, CollectionPage, CoverImage, ListOrder } from '@reelmark/contract/collections.ts'
import type { BookmarkAccess, Orientation, UserSummary } from '@reelmark/contract/protocol/fields.ts'

export interface Cover {
  url: string | null
  /** Null if there is no picture. */
  orientation: Orientation | null
  /** The pictures that a mosaic shows; without four, `url` is shown. */
  images?: readonly CoverImage[]
}

export interface Container {
  kind: 'collection' | 'channel'
  id: number
  name: string
  description: string
  /** A channel has the access of its collection. */
  access: BookmarkAccess
  cover: Cover
  /** The bookmark whose thumbnail the owner chose as cover; null for the newest one. */
  coverBookmark: number | null
  shareImage: string | null
  bookmarksCount: number
  channels: readonly Channel[]
  /** The collection of a channel; null for a collection. */
  parent: { id: number; name: string } | null
  user: UserSummary
  isOwner: boolean
  /** Whether the viewer follows it. */
  isFollowed: boolean
  followersCount: number
  /** In seconds; null if it is not known. */
  totalDuration: number | null
  updatedAt: string
  isWatchLater: boolean
  /** The order in which it is shown unless the address names another one. */
  listOrder: ListOrder
}

function sharedFields(container: CollectionPage | ChannelPage) {
  return {
    id: container.id,
    name: container.name,
    description: container.description,
    coverBookmark: container.cover_bookmark_id,
    shareImage: container.share_image_url,
    bookmarksCount: container.bookmarks_count,
    user: container.user,
    isOwner: container.is_owner,
    isFollowed: container.is_followed,
    followersCount: container.followers_count,
    listOrder: container.list_order,
    totalDuration: container.total_duration,
    updatedAt: container.updated_at,
  }
}

export function coverOfCollection(collection: Omit<Collection, 'channels'>): Cover {
  return {
    url: collection.display_image_url,
    orientation: collection.display_image_orientation,
    images: collection.cover_images,
  }
}

export function coverOfChannel(channel: Channel): Cover {
  return { url: channel.imageUrl, orientation: channel.image_orientation, images: channel.cover_images }
}

export function containerFromCollection(collection: CollectionPage): Container {
  return {
    ...sharedFields(collection),
    kind: 'collection',
    access: collection.access,
    cover: coverOfCollection(collection),
    channels: collection.channels,
    parent: null,
    isWatchLater: collection.is_watch_later === true,
  }
}

export function containerFromChannel(channel: ChannelPage): Container {
  return {
    ...sharedFields(channel),
    kind: 'channel',
    access: channel.collection.access,
    cover: coverOfChannel(channel),
    channels: [],
    parent: channel.collection,
    isWatchLater: false,
  }
}

export function containerPath({ kind, id }: Pick<Container, 'kind' | 'id'>): string {
  return kind === 'collection' ? `/collections/${id}` : `/channels/${id}`
}

/**
 * Returns the search parameters with which the page to add a bookmark chooses this container; the only channel is
 * chosen, too, as in the form.
 */
export function addBookmarkSearchFor({ kind, id, parent, channels }: Container) {
  if (kind === 'channel') return parent === null ? {} : { collection: parent.id, channel: id }
  const [only, ...others] = channels
  return { collection: id, ...(only !== undefined && others.length === 0 && { channel: only.id }) }
}
