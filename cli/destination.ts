/** Finds collections and channels by the name or id that the user entered. */
import { type Collection, listCollections } from '@reelmark/contract/collections.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { maxPageSize } from '@reelmark/contract/protocol/limits.ts'
import { CommandError } from './failures.ts'
import type { Site } from './site.ts'
import { printable } from './terminal.ts'

export interface Destination {
  collection: { id: number; name: string } | null
  channel: { id: number; name: string } | null
}

interface Names {
  collection?: string | undefined
  channel?: string | undefined
}

/**
 * Returns the named collection and channel; a channel without a collection is looked for in all collections.
 * @throws CommandError if there is not exactly one of that name
 */
export async function findDestination(site: Site, { collection, channel }: Names): Promise<Destination> {
  if (collection === undefined && channel === undefined) return { collection: null, channel: null }
  const all = await listAllCollections(site)
  const found = collection === undefined ? null : findNamed(all, collection, 'collection')
  const channels = (found === null ? all : [found]).flatMap((one) => one.channels)
  return {
    collection: found,
    channel: channel === undefined ? null : findNamed(channels, channel, 'channel'),
  }
}

/** Returns where a bookmark is saved: as named, otherwise in the user's default collection or else in the first one. */
export async function findSaveDestination(site: Site, names: Names) {
  const named = await findDestination(site, names)
  if (named.channel !== null) return { channel_id: named.channel.id }
  const all = await listAllCollections(site)
  const collection = all.find(({ id }) => id === named.collection?.id) ?? (await findDefault(site, all))
  const [only, ...others] = collection.channels
  return only !== undefined && others.length === 0
    ? { channel_id: only.id }
    : { collection_id: collection.id, channel_id: null }
}

async function findDefault(site: Site, all: Collection[]): Promise<Collection> {
  const username = await site.readUsername()
  const { default_bookmark_collection } = await site.call(getProfile, { params: { username } })
  const found =
    all.find(({ id }) => id === default_bookmark_collection) ??
    all.find((one) => !one.is_watch_later) ??
    all[0]
  if (found === undefined) throw new CommandError('You have no collection. Create one on the site first.')
  return found
}

async function listAllCollections(site: Site): Promise<Collection[]> {
  const collections: Collection[] = []
  for (let page = 1; ; page += 1) {
    const { results, next } = await site.call(listCollections, { query: { page, page_size: maxPageSize } })
    collections.push(...results)
    if (next === null) return collections
  }
}

/** Finds an item by its name, ignoring case, or else by its id. */
function findNamed<Item extends { id: number; name: string }>(
  items: Item[],
  text: string,
  kind: string,
): Item {
  const name = text.trim().toLowerCase()
  const named = items.filter((item) => item.name.toLowerCase() === name)
  if (named.length > 1) {
    const ids = named.map(({ id }) => id).join(', ')
    throw new CommandError(`You have several of that name. Enter the id of the ${kind}: ${ids}`)
  }
  const found = named[0] ?? items.find(({ id }) => String(id) === name)
  if (found !== undefined) return found
  const names = items.slice(0, 20).map((item) => `  ${item.id}  ${printable(item.name)}`)
  throw new CommandError(
    [`You have no ${kind} "${text}".`, ...(names.length === 0 ? [] : ['Existing ones:', ...names])].join(
      '\n',
    ),
  )
}
