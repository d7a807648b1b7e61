import type { AccountDetails } from '../stored.ts'

/** Where a bookmark is saved. */
export interface Destination {
  collection: number
  channel: number | null
}

/**
 * Returns the destination of a new bookmark: in the collection chosen in the settings, otherwise in the one used last,
 * otherwise in the first one. The channel is the one used last in it, otherwise its first. Null: there is no collection.
 */
export function chooseDestination(
  { collections, preferredCollection }: Pick<AccountDetails, 'collections' | 'preferredCollection'>,
  last: Destination | null,
): Destination | null {
  const find = (id: number | null | undefined) => collections.find((collection) => collection.id === id)
  const chosen =
    find(preferredCollection) ??
    find(last?.collection) ??
    collections.find(({ isWatchLater }) => !isWatchLater) ??
    collections[0]
  if (chosen === undefined) return null
  const isUsedLast = chosen.id === last?.collection
  const channel =
    isUsedLast && (last.channel === null || chosen.channels.some(({ id }) => id === last.channel))
  return { collection: chosen.id, channel: channel ? last.channel : (chosen.channels[0]?.id ?? null) }
}
