/** A collection or a channel, where both are shown alike. */
import type { Channel, ChannelPage, CollectionPage } from '@reelmark/contract/collections.ts'
import type { BookmarkAccess, Orientation, Person } from '@reelmark/contract/fields.ts'

export interface Picture {
  url: string | null
  /** Null: there is no picture. */
  orientation: Orientation | null
}

export interface ShownPlace {
  kind: 'collection' | 'channel'
  id: number
  name: string
  description: string
  /** A channel's is that of its collection. */
  access: BookmarkAccess
  picture: Picture
  /** The bookmark whose picture its owner chose; null: the newest one's. */
  pictureBookmark: number | null
  shareImage: string | null
  bookmarksCount: number
  channels: readonly Channel[]
  /** Of a channel: its collection. */
  parent: { id: number; name: string } | null
  user: Person
  isOwner: boolean
  isWatchLater: boolean
}

function shared(place: CollectionPage | ChannelPage) {
  return {
    id: place.id,
    name: place.name,
    description: place.description,
    pictureBookmark: place.cover_bookmark_id,
    shareImage: place.share_image_url,
    bookmarksCount: place.bookmarks_count,
    user: place.user,
    isOwner: place.is_owner,
  }
}

export function collectionPlace(collection: CollectionPage): ShownPlace {
  return {
    ...shared(collection),
    kind: 'collection',
    access: collection.access,
    picture: { url: collection.display_image_url, orientation: collection.display_image_orientation },
    channels: collection.channels,
    parent: null,
    isWatchLater: collection.is_watch_later === true,
  }
}

export function channelPlace(channel: ChannelPage): ShownPlace {
  return {
    ...shared(channel),
    kind: 'channel',
    access: channel.collection.access,
    picture: { url: channel.imageUrl, orientation: channel.image_orientation },
    channels: [],
    parent: channel.collection,
    isWatchLater: false,
  }
}

export function placePath({ kind, id }: Pick<ShownPlace, 'kind' | 'id'>): string {
  return kind === 'collection' ? `/collections/${id}` : `/channels/${id}`
}

/** '1 bookmark', '1,200 bookmarks'. */
export function countOf(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`
}

/** What tells the form that adds where a bookmark goes: a channel where there is no choice, as in the form itself. */
export function placeToSaveIn({ kind, id, parent, channels }: ShownPlace) {
  if (kind === 'channel') return parent === null ? {} : { collection: parent.id, channel: id }
  const [only, ...others] = channels
  return { collection: id, ...(only !== undefined && others.length === 0 && { channel: only.id }) }
}
