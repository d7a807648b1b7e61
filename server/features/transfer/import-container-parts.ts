/** Imports parts with collections, smart collections and the profile. */
import type { TransactionSql } from '../../core/database/database.ts'
import { importSmartCollections, type SmartCollectionImport } from '../listing/public-api.ts'
import { findImportedContainers, importContainers } from './import-collections.ts'
import { type Item, nameItem, type PartContext } from './import-items.ts'
import type { ItemOutcome, ReportItem } from './import-report.ts'
import { importProfile } from './import-user-data.ts'
import { created, known, rejected } from './item-outcomes.ts'
import { clampTimestamp } from './rules.ts'
import { screenContainers, screenProfile } from './screen-import.ts'

/** Imports collections with their channels, and returns the report on both. `from` is the index of the first one in the file. */
export async function importCollectionPart(
  { needs, tx, claim }: PartContext,
  items: readonly Item<'collections'>[],
  from: number,
): Promise<ReportItem[]> {
  const screened = await screenContainers(tx, needs.rules, claim.user_id, items)
  const imported = await importContainers(
    tx,
    claim,
    from,
    screened.map(({ allowed }) => allowed),
  )
  return items.flatMap((item, index) => {
    const container = imported[index] ?? null
    const { file, row, ...name } = nameItem('collections', item, from + index)
    const channels = item.channels.map((channel, position): ReportItem => {
      const refusal = screened[index]?.channelRefusals[position] ?? null
      const outcome = describeContainer(container?.channels[position] ?? null, refusal)
      return { file, row, kind: 'channel', what: `${item.name} / ${channel.name}`, url: '', ...outcome }
    })
    return [
      { file, row, ...name, ...describeContainer(container, screened[index]?.refusal ?? null) },
      ...channels,
    ]
  })
}

const limitText = "You've reached the limit."

function describeContainer(
  container: { id: number; is_new: boolean } | null,
  refusal: string | null,
): ItemOutcome {
  if (container === null) return rejected(limitText)
  if (!container.is_new) return known
  if (refusal === null) return created(container.id)
  return { ...created(container.id), outcome: 'changed', reason: `Its name was replaced: ${refusal}` }
}

export async function importProfilePart(
  { needs, tx, claim }: PartContext,
  items: readonly Item<'profile'>[],
): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = []
  for (const profile of items) {
    const { allowed, refusal } = await screenProfile(tx, needs.rules, claim.user_id, profile)
    const isChanged = await importProfile(tx, needs.jobs, claim, allowed)
    if (refusal !== null) outcomes.push({ outcome: 'changed', reason: `Without the bio: ${refusal}` })
    else outcomes.push(isChanged ? { outcome: 'new' } : known)
  }
  return outcomes
}

export async function importSmartCollectionPart(
  { needs, tx, claim }: PartContext<TransactionSql>,
  items: readonly Item<'smart_collections'>[],
): Promise<ItemOutcome[]> {
  const now = Date.now()
  const containers = await findImportedContainers(tx, claim, [
    ...new Set(items.flatMap(({ collection }) => (collection === null ? [] : [collection]))),
  ])
  const live = items.filter(({ deleted_at }) => deleted_at === null)
  const screened = await screenContainers(
    tx,
    needs.rules,
    claim.user_id,
    live.map((item) => ({ ...item, channels: [] })),
  )
  const allowed = new Map(live.map((item, index) => [item, screened[index]]))
  const found: SmartCollectionImport[] = []
  const outcomes = items.map((item): ItemOutcome | null => {
    const { query, collection, channel, created_at, access } = item
    const container = containers.find((row) => row.collection === collection && row.channel === channel)
    const named = allowed.get(item)?.allowed
    if (named === undefined) return { outcome: 'skipped', reason: 'It was in the trash.' }
    if (collection !== null && container === undefined)
      return rejected("Its collection is missing from the file or couldn't be imported.")
    const location =
      container === undefined
        ? {}
        : container.channel_id === null
          ? { collection: container.collection_id }
          : { channel: container.channel_id }
    found.push({
      name: named.name,
      description: named.description,
      access,
      query: { ...query, ...location },
      created_at: clampTimestamp(created_at, now),
    })
    return null
  })
  const imported = (await importSmartCollections(tx, claim.user_id, found)).values()
  return outcomes.map((outcome, index) => {
    if (outcome !== null) return outcome
    const smart = imported.next().value
    if (smart?.outcome === 'added') {
      const item = items[index]
      const refusal = item === undefined ? null : (allowed.get(item)?.refusal ?? null)
      return describeContainer({ id: smart.id, is_new: true }, refusal)
    }
    if (smart?.outcome === 'invalid') return rejected("Its search isn't valid.")
    return smart?.outcome === 'limit-reached' ? rejected(limitText) : known
  })
}
