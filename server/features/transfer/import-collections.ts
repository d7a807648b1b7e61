/** Imports collections and channels, and records which existing or new ones those of the file became. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TransferFile } from '@reelmark/contract/transfer.ts'
import type { Db } from '../../core/database/database.ts'
import { recordChanges, recordStates } from './container-changes.ts'
import type { TransferClaim } from './export-queries.ts'
import { clampTimestamp, type ExistingCollection, matchChannels, matchCollections } from './rules.ts'

type TransferCollection = TransferFile['collections'][number]

/** A collection of the file with its index in it, and the existing collection it was matched with. */
interface MatchedCollection {
  item: TransferCollection
  collection: number
  existing: ExistingCollection | null
}

/** What became of a collection of the file, and of its channels in their order; null beyond the limits. */
export interface ImportedCollection {
  id: number
  is_new: boolean
  channels: ({ id: number; is_new: boolean } | null)[]
}

/**
 * Finds or creates the collections and channels of a part of the file up to the limits, and returns them in its order. `from` is
 * the index of its first collection.
 */
export async function importContainers(
  tx: Db,
  claim: TransferClaim,
  from: number,
  items: readonly TransferCollection[],
): Promise<(ImportedCollection | null)[]> {
  let remaining = await countRemaining(tx, claim)
  const existing = await lockCollections(tx, claim, [...new Set(items.map(({ name }) => name))])
  const found = matchCollections(items, existing)
  const matched = items.flatMap((item, index): MatchedCollection[] => {
    const existing = found[index] ?? null
    if (existing === null && remaining === 0) return []
    if (existing === null) remaining -= 1
    return [{ item, collection: from + index, existing }]
  })
  await recordStates(
    tx,
    claim,
    matched.flatMap(({ existing }) => existing?.id ?? []),
  )
  const written = await writeCollections(tx, claim, matched)
  const watchLater = written.find(({ item }) => item.is_watch_later)
  if (watchLater !== undefined) await markWatchLater(tx, claim, watchLater.id)
  await tx`
    insert into import_containers (import_id, collection, collection_id)
    select ${claim.id}, collection, id
      from json_to_recordset(${toJson(written.map(({ collection, id }) => ({ collection, id })))}::text::json)
        as r (collection int, id bigint)`
  const channels = Map.groupBy(await importChannels(tx, claim, written), ({ collection }) => collection)
  await recordChanges(tx, claim)
  const imported = new Map(
    written.map(({ id, existing, collection, item }) => {
      const byIndex = new Map(channels.get(collection)?.map((channel) => [channel.channel, channel]))
      return [
        collection,
        {
          id,
          is_new: existing === null,
          channels: item.channels.map((_, index) => byIndex.get(index) ?? null),
        },
      ]
    }),
  )
  return items.map((_, index) => imported.get(from + index) ?? null)
}

/** Returns how many collections the user can still create. Locks the user first, as creating one does. */
async function countRemaining(tx: Db, { user_id }: TransferClaim): Promise<number> {
  await tx`select from users where id = ${user_id} for no key update`
  const [{ count }] = await tx<
    [{ count: number }]
  >`select count(*) from collections where user_id = ${user_id}`
  return Math.max(0, limits.collectionsMax - count)
}

/** Makes a collection the user's Watch Later if they have none. */
async function markWatchLater(tx: Db, { user_id }: TransferClaim, id: number): Promise<void> {
  await tx`
    update collections set is_watch_later = true
     where id = ${id} and not exists (select from collections where user_id = ${user_id} and is_watch_later)`
}

function toJson(rows: object[]): string {
  return JSON.stringify(rows)
}

/** Locks the user's collections with these names that the import has not matched yet, and returns them in order. */
async function lockCollections(
  tx: Db,
  { id, user_id }: TransferClaim,
  names: string[],
): Promise<ExistingCollection[]> {
  const rows = await tx<(ExistingCollection & { position: number })[]>`
    select c.id, c.name, c.access, c.position, c.is_watch_later,
           not exists (select from bookmarks b where b.collection_id = c.id) as is_empty
      from collections c
     where c.user_id = ${user_id} and (c.name = any (${names}) or c.is_watch_later)
       and not exists (select from import_containers p where p.import_id = ${id} and p.collection_id = c.id)
     order by c.id for no key update`
  return rows.sort((a, b) => a.position - b.position || a.id - b.id)
}

type WrittenCollection = MatchedCollection & { id: number }

/**
 * Updates matched collections and creates the others. A matched collection keeps its description and position, unless it
 * is empty: then it is moved to the end together with the new ones, in the order of the file.
 */
async function writeCollections(
  tx: Db,
  { user_id }: TransferClaim,
  matched: MatchedCollection[],
): Promise<WrittenCollection[]> {
  const now = Date.now()
  const emptyIds = matched.flatMap(({ existing }) => (existing?.is_empty ? [existing.id] : []))
  const [last] = await tx<[{ position: number }]>`
    select coalesce(max(position) + 1, 0) as position from collections
     where user_id = ${user_id} and id <> all (${emptyIds})`
  const rows = matched.map(({ item, existing }, index) => ({
    id: existing?.id ?? null,
    is_empty: existing?.is_empty ?? false,
    name: item.name,
    description: item.description,
    access: item.access,
    list_order: item.list_order ?? 'newest',
    created_at: clampTimestamp(item.created_at, now),
    position: last.position + index,
  }))
  const records = tx`
    json_to_recordset(${toJson(rows)}::text::json) as r (
      id bigint, is_empty boolean, name text, description text, access text, list_order text,
      created_at timestamptz, position int)`
  await tx`
    update collections c
       set description = case when c.description = '' then r.description else c.description end,
           access = r.access,
           list_order = case when c.list_order = 'newest' then r.list_order else c.list_order end,
           created_at = case when r.is_empty then least(c.created_at, r.created_at) else c.created_at end,
           position = case when r.is_empty then r.position else c.position end
      from ${records}
     where c.id = r.id`
  const created = await tx<{ id: number; position: number }[]>`
    insert into collections (user_id, name, description, access, list_order, created_at, position)
    select ${user_id}, name, description, access, list_order, created_at, position from ${records}
     where id is null order by position
    returning id, position`
  const byPosition = new Map(created.map(({ id, position }) => [position, id]))
  return matched.map((collection, index) => ({
    ...collection,
    id: collection.existing?.id ?? (byPosition.get(last.position + index) as number),
  }))
}

interface ImportedChannel {
  id: number
  is_new: boolean
  /** Index of the collection in the file. */
  collection: number
  /** Index of the channel in the collection. */
  channel: number
}

/** Finds or creates the channels up to the limit, and returns them in the order of the file. */
async function importChannels(
  tx: Db,
  claim: TransferClaim,
  collections: WrittenCollection[],
): Promise<ImportedChannel[]> {
  const existingChannels = await tx<{ id: number; collection_id: number; name: string; position: number }[]>`
    select id, collection_id, name, position from channels
     where collection_id = any (${collections.map(({ id }) => id)}) order by position, id`
  const byCollection = Map.groupBy(existingChannels, ({ collection_id }) => collection_id)
  const rows = collections.flatMap(({ id, collection, item, existing }) => {
    const channels = byCollection.get(id) ?? []
    const found = matchChannels(item.channels, channels)
    // In a new or empty collection the channels get the order of the file; otherwise new ones follow the existing ones.
    const isFree = existing === null || existing.is_empty
    const before = isFree ? channels.filter((channel) => !found.includes(channel)) : channels
    const next = before.length === 0 || isFree ? 0 : Math.max(...before.map(({ position }) => position)) + 1
    let remaining = limits.channelsMax - channels.length
    return item.channels.flatMap((channel, index) => {
      const existingId = found[index]?.id ?? null
      if (existingId === null && remaining <= 0) return []
      if (existingId === null) remaining -= 1
      return [
        {
          ...channel,
          list_order: channel.list_order ?? 'newest',
          id: existingId,
          is_free: isFree,
          collection,
          channel: index,
          collection_id: id,
          position: next + index,
        },
      ]
    })
  })
  if (rows.length === 0) return []
  const records = tx`
    json_to_recordset(${toJson(rows)}::text::json) as r (
      id bigint, is_free boolean, collection int, channel int, collection_id bigint, name text, description text,
      list_order text, position int)`
  await tx`
    update channels c
       set description = case when c.description = '' then r.description else c.description end,
           list_order = case when c.list_order = 'newest' then r.list_order else c.list_order end,
           position = case when r.is_free then r.position else c.position end
      from ${records}
     where c.id = r.id`
  return tx<ImportedChannel[]>`
    with created as (
      insert into channels (collection_id, name, description, list_order, position)
      select collection_id, name, description, list_order, position from ${records} where id is null
       order by collection_id, position
      returning id, collection_id, position
    ), found as (
      select r.collection, r.channel, r.collection_id, coalesce(r.id, created.id) as channel_id, r.id is null as is_new
        from ${records}
        left join created on r.id is null and created.collection_id = r.collection_id and created.position = r.position
    ), recorded as (
      insert into import_containers (import_id, collection, channel, collection_id, channel_id)
      select ${claim.id}, collection, channel, collection_id, channel_id from found
    )
    select channel_id as id, is_new, collection, channel from found order by collection, channel`
}

export interface ImportedContainer {
  collection: number
  channel: number | null
  collection_id: number
  channel_id: number | null
}

/** Returns what the collections of the file with these indexes, and their channels, became. */
export async function findImportedContainers(
  tx: Db,
  { id }: TransferClaim,
  collections: number[],
): Promise<ImportedContainer[]> {
  return tx<ImportedContainer[]>`
    select collection, channel, collection_id, channel_id from import_containers
     where import_id = ${id} and collection = any (${collections})`
}
