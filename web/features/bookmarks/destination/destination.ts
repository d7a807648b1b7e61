/** The place of a bookmark: a collection, and a channel in it where it has any. */
import type { Collection } from '@reelmark/contract/collections.ts'
import { readLocalStorage, writeLocalStorage } from '../../../ui/local-storage.ts'

export interface Destination {
  collection: number | null
  channel: number | null
}

export const noDestination: Destination = { collection: null, channel: null }

/** A collection as the place; its channel too where there is no choice. */
export function destinationIn(collection: Collection): Destination {
  const [only, ...others] = collection.channels
  return { collection: collection.id, channel: only !== undefined && others.length === 0 ? only.id : null }
}

/** Whether a collection is there to be chosen; null is the choice of none. */
export function isKnownCollection(collection: number | null, collections: readonly Collection[]): boolean {
  return collection === null || collections.some(({ id }) => id === collection)
}

/** A private collection hides everything in it (docs/behaviour.md, Visibility). */
export function isInPrivateCollection(
  { collection }: Destination,
  collections: readonly Collection[],
): boolean {
  return collections.some(({ id, access }) => id === collection && access === 'private')
}

interface DestinationHints {
  /** `default_bookmark_collection` of one's profile. */
  preferred: number | null
  /** As the extraction read it off the page. */
  channelName?: string | null
}

/**
 * Where a new bookmark most likely belongs: in a channel named like the video's own, else in the collection one chose
 * in the settings (where one saved last in it, or in its first channel), else where one saved last, else in the only one there is. Nowhere, if nothing says so: then one chooses.
 */
export function suggestDestination(
  collections: readonly Collection[],
  { preferred, channelName }: DestinationHints,
): Destination {
  const name = channelName?.trim().toLowerCase()
  for (const collection of name ? collections : []) {
    const channel = collection.channels.find((candidate) => candidate.name.toLowerCase() === name)
    if (channel !== undefined) return { collection: collection.id, channel: channel.id }
  }
  const last = readLastDestination()
  const suggested =
    collections.find(({ id }) => id === (preferred ?? last.collection)) ?? onlyCollection(collections)
  if (suggested === undefined) return noDestination
  const sameChannel = suggested.channels.some(({ id }) => id === last.channel)
  if (sameChannel) return { collection: suggested.id, channel: last.channel }
  // Whoever chose a collection in the settings means to save with one press.
  const [first] = suggested.channels
  return preferred === null
    ? destinationIn(suggested)
    : { collection: suggested.id, channel: first?.id ?? null }
}

/** Of a newcomer, say: there is nothing to choose, so that the first save works at once. */
function onlyCollection(collections: readonly Collection[]): Collection | undefined {
  const [only, ...others] = collections.filter(({ is_watch_later }) => is_watch_later !== true)
  return others.length === 0 ? only : undefined
}

/** No name stays on the device: another person's collections are others, so the place is none of theirs. */
const storageKey = 'last-destination'

export function storeLastDestination({ collection, channel }: Destination): void {
  writeLocalStorage(storageKey, `${collection ?? ''}/${channel ?? ''}`)
}

function readLastDestination(): Destination {
  const [collection, channel] = (readLocalStorage(storageKey) ?? '')
    .split('/')
    .map((part) => Number(part) || null)
  return { collection: collection ?? null, channel: channel ?? null }
}
