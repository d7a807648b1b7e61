/** The place of a bookmark: a collection, and a channel in it where it has any. */
import type { Collection } from '@reelmark/contract/collections.ts'
import { rememberedOnDevice, rememberOnDevice } from '../../ui/device-memory.ts'

export interface Place {
  collection: number | null
  channel: number | null
}

export const nowhere: Place = { collection: null, channel: null }

/** A collection as the place; its channel too where there is no choice. */
export function placeIn(collection: Collection): Place {
  const [only, ...others] = collection.channels
  return { collection: collection.id, channel: only !== undefined && others.length === 0 ? only.id : null }
}

/** Whether a collection is there to be chosen; null is the choice of none. */
export function isHere(collection: number | null, collections: readonly Collection[]): boolean {
  return collection === null || collections.some(({ id }) => id === collection)
}

/** A private collection hides everything in it (decisions.md, Visibility). */
export function isInPrivate({ collection }: Place, collections: readonly Collection[]): boolean {
  return collections.some(({ id, access }) => id === collection && access === 'private')
}

interface Wishes {
  /** `default_bookmark_collection` of one's profile. */
  preferred: number | null
  /** As the extraction read it off the page. */
  channelName?: string | null
}

/**
 * Where a new bookmark most likely belongs: in a channel named like the video's own, else in the collection one chose
 * in the settings (where one saved last in it, or in its first channel), else where one saved last, else in the only one there is. Nowhere, if nothing says so: then one chooses.
 */
export function likelyPlace(collections: readonly Collection[], { preferred, channelName }: Wishes): Place {
  const name = channelName?.trim().toLowerCase()
  for (const collection of name ? collections : []) {
    const channel = collection.channels.find((one) => one.name.toLowerCase() === name)
    if (channel !== undefined) return { collection: collection.id, channel: channel.id }
  }
  const last = lastPlace()
  const wished = collections.find(({ id }) => id === (preferred ?? last.collection)) ?? onlyOne(collections)
  if (wished === undefined) return nowhere
  const sameChannel = wished.channels.some(({ id }) => id === last.channel)
  if (sameChannel) return { collection: wished.id, channel: last.channel }
  // Whoever chose a collection in the settings means to save with one press.
  const [first] = wished.channels
  return preferred === null ? placeIn(wished) : { collection: wished.id, channel: first?.id ?? null }
}

/** Of a newcomer, say: there is nothing to choose, so that the first save works at once. */
function onlyOne(collections: readonly Collection[]): Collection | undefined {
  const [only, ...others] = collections.filter(({ is_watch_later }) => is_watch_later !== true)
  return others.length === 0 ? only : undefined
}

/** No name stays on the device: another person's collections are others, so the place is none of theirs. */
const key = 'last-place'

export function rememberPlace({ collection, channel }: Place): void {
  rememberOnDevice(key, `${collection ?? ''}/${channel ?? ''}`)
}

function lastPlace(): Place {
  const [collection, channel] = (rememberedOnDevice(key) ?? '').split('/').map((part) => Number(part) || null)
  return { collection: collection ?? null, channel: channel ?? null }
}
