/** Where a bookmark is saved: a collection, and a channel if it has any. */
import type { Collection } from '@reelmark/contract/collections.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import { readLocalStorage, writeLocalStorage } from '../../../ui/local-storage.ts'

export interface Destination {
  collection: number | null
  channel: number | null
}

export const noDestination: Destination = { collection: null, channel: null }

/** Returns a text that identifies a destination: `4/11`, or `4/` without a channel. */
export function destinationKey({ collection, channel }: Destination): string {
  return `${collection ?? ''}/${channel ?? ''}`
}

export function isSameDestination(a: Destination, b: Destination): boolean {
  return a.collection === b.collection && a.channel === b.channel
}

interface Named {
  name: string
}

/** Returns the name of a destination: `Editing essays`, or with a channel `Editing essays / Sound`. */
export function destinationName(collection: Named, channel: Named | null): string {
  return channel === null ? collection.name : `${collection.name} / ${channel.name}`
}

/** Returns whether a name is not blank and none of the others, regardless of case. */
export function isNewName(name: string, others: readonly Named[]): boolean {
  return name !== '' && !others.some((other) => other.name.toLowerCase() === name.toLowerCase())
}

/** Returns the accesses that a new collection can have, first the one that is chosen unless the user chooses the other one. */
export function accessesFrom(first: BookmarkAccess): BookmarkAccess[] {
  return first === 'private' ? ['private', 'public'] : ['public', 'private']
}

/** Returns the text of an option that creates a collection. */
export function createText(name: string, access: BookmarkAccess): string {
  return `Create ${access} collection “${name}”`
}

/** Returns a collection as a destination, with its channel if it has exactly one. */
export function destinationIn(collection: Collection): Destination {
  const [only, ...others] = collection.channels
  return { collection: collection.id, channel: only !== undefined && others.length === 0 ? only.id : null }
}

/** Returns whether a collection exists; null means that none is chosen. */
export function isKnownCollection(collection: number | null, collections: readonly Collection[]): boolean {
  return collection === null || collections.some(({ id }) => id === collection)
}

/**
 * Returns whether the destination is in a private collection, which hides its bookmarks (docs/behaviour.md,
 * Visibility).
 */
export function isInPrivateCollection(
  { collection }: Destination,
  collections: readonly Collection[],
): boolean {
  return collections.some(({ id, access }) => id === collection && access === 'private')
}

/** A destination and its name (`destinationName`). */
export interface NamedDestination {
  collection: number
  channel: number | null
  name: string
  isPrivate: boolean
}

/** Returns collections, each followed by its channels, as destinations. */
export function destinationsIn(collections: readonly Collection[]): NamedDestination[] {
  return collections.flatMap((collection) =>
    [null, ...collection.channels].map((channel) => ({
      collection: collection.id,
      channel: channel?.id ?? null,
      name: destinationName(collection, channel),
      isPrivate: collection.access === 'private',
    })),
  )
}

/** Returns all destinations of a user, the last one used first; without Watch Later, which has its own action. */
export function namedDestinations(collections: readonly Collection[]): NamedDestination[] {
  const all = destinationsIn(collections.filter(({ is_watch_later }) => is_watch_later !== true))
  const last = readLastDestination()
  const isLast = (item: NamedDestination) => isSameDestination(item, last)
  return [...all.filter(isLast), ...all.filter((item) => !isLast(item))]
}

/** More than this number of options would slow down typing; a longer text narrows them. */
export const maxShownDestinations = 200

/** Returns the first destinations or collections whose name contains all words of a text, in their order. */
export function matchByName<Item extends Named>(all: readonly Item[], text: string): Item[] {
  const words = text
    .toLowerCase()
    .split(/[\s/]+/)
    .filter(Boolean)
  const isMatch = ({ name }: Item) => words.every((word) => name.toLowerCase().includes(word))
  return all.filter(isMatch).slice(0, maxShownDestinations)
}

interface DestinationHints {
  /** `default_bookmark_collection` of the viewer's profile. */
  preferred: number | null
  /** The name of the video's channel on its host, as extracted. */
  channelName?: string | null
}

/**
 * Suggests a destination for a new bookmark: a channel named like the video's channel, else the profile's default
 * collection (with the last channel used in it, or its first), else the last destination, else the only collection.
 * Returns `noDestination` if none applies.
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
  // Users with a default collection expect to save with one click, so its first channel is suggested.
  const [first] = suggested.channels
  return preferred === null
    ? destinationIn(suggested)
    : { collection: suggested.id, channel: first?.id ?? null }
}

/** Returns the only collection, so that a new user can save without choosing. */
function onlyCollection(collections: readonly Collection[]): Collection | undefined {
  const [only, ...others] = collections.filter(({ is_watch_later }) => is_watch_later !== true)
  return others.length === 0 ? only : undefined
}

/** Stores ids only, no username. Another user has other collections, so the ids mean nothing to them. */
const storageKey = 'last-destination'

export function storeLastDestination(destination: Destination): void {
  writeLocalStorage(storageKey, destinationKey(destination))
}

function readLastDestination(): Destination {
  const [collection, channel] = (readLocalStorage(storageKey) ?? '')
    .split('/')
    .map((part) => Number(part) || null)
  return { collection: collection ?? null, channel: channel ?? null }
}
