/** Decides into which collections and channels the items of another tool's file are imported. */
import { createHash } from 'node:crypto'
import type { ImportOptions } from '@reelmark/contract/imports.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { ImportedItem } from './formats/imported-item.ts'
import { MalformedFile } from './json-stream.ts'

type TransferCollection = TransferFile['collections'][number]
type Destination = Pick<TransferFile['bookmarks'][number], 'collection' | 'channel'>

/** The private collection of watched videos that the user can see only as bookmarks of their own. */
const historyCollection = 'Watch history'

interface PlanOptions extends ImportOptions {
  /** RFC 3339. */
  created_at?: string
}

/**
 * Returns a plan, to which every item is added before the destinations are read. The outermost folder becomes a collection
 * and the folders in it one channel. A collection is private if one of its items is.
 * @param label the name of the tool, for items without a folder
 */
export function createCollectionPlan(label: string, options: PlanOptions = {}) {
  const collections: TransferCollection[] = []
  const destinations = new Map<string, Destination>()

  const findCollection = (item: ImportedItem): number => {
    const isWatchLater = item.kind === 'watch_later'
    const name = isWatchLater ? 'Watch Later' : collectionName(item, label, options)
    const key = JSON.stringify([isWatchLater, name])
    const found = destinations.get(key)
    if (found !== undefined) return found.collection
    // The collection of the history is not in the file.
    if (collections.length >= limits.collectionsMax && item.kind !== 'watched') {
      throw new MalformedFile(`The file has more than ${limits.collectionsMax.toLocaleString('en')} folders.`)
    }
    collections.push({
      name,
      description: '',
      access: 'public',
      created_at: options.created_at ?? '',
      channels: [],
      ...(isWatchLater && { is_watch_later: true }),
    })
    const collection = collections.length - 1
    destinations.set(key, { collection, channel: null })
    return collection
  }
  const findChannel = (item: ImportedItem, collection: number): number | null => {
    if (item.kind === 'watch_later' || options.folders === false || item.folders.length < 2) return null
    const name = item.folders.slice(1).join(' / ')
    // A hash, because a file can have hundreds of thousands of names, each with a thousand characters.
    const key = `${collection} ${createHash('sha256').update(name).digest('base64')}`
    const found = destinations.get(key)
    if (found !== undefined) return found.channel
    const { channels } = collections[collection] as TransferCollection
    // The items of further folders are imported into the collection itself.
    if (channels.length === limits.channelsMax) return null
    const channel = channels.length
    channels.push({ name: cutName(name), description: '' })
    destinations.set(key, { collection, channel })
    return channel
  }
  return {
    collections: collections as readonly TransferCollection[],
    /** Returns where the item belongs. */
    add(item: ImportedItem): Destination {
      const collection = findCollection(item)
      const planned = collections[collection] as TransferCollection
      if (chooseAccess(item, options) === 'private') planned.access = 'private'
      return { collection, channel: findChannel(item, collection) }
    },
  }
}

/** Returns the access of an item: what the tool says, otherwise what the user chose, otherwise private; of history private. */
export function chooseAccess(
  { kind, is_private }: ImportedItem,
  { access = 'private' }: ImportOptions,
): BookmarkAccess {
  if (kind === 'watched') return 'private'
  return is_private === null ? access : is_private ? 'private' : 'public'
}

function collectionName({ kind, folders }: ImportedItem, label: string, options: ImportOptions): string {
  if (kind === 'watched') return historyCollection
  if (options.folders === false) return cutName(`Imported (${label})`)
  return folders[0] ?? cutName(kind === 'liked' ? `Liked (${label})` : `Imported (${label})`)
}

function cutName(name: string): string {
  return [...name].slice(0, limits.nameMax).join('').trim()
}
