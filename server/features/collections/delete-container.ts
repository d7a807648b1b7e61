/** Deleting a collection or channel, after its bookmarks were moved or trashed as its owner chose. */
import type { DeletionResult } from '@reelmark/contract/collections.ts'
import type { Sql, TransactionSql } from '../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
import { bookmarkBatchSize } from '../../shared/batch-size.ts'
import { isNotTrashed, isTrashed } from '../../shared/visibility.ts'
import {
  type Destination,
  invalidPkMessage,
  lockOwnCollections,
  lockOwnDestination,
} from './destination-queries.ts'

interface DeletionChoice {
  bookmarks?: 'stay' | 'move' | 'delete'
  to_collection?: number
  to_channel?: number
}

interface ContainerDeletion {
  userId: number
  collectionId: number
  /** Null if the whole collection is deleted. */
  channelId: number | null
  choice: DeletionChoice
}

/**
 * Empties a collection or channel and deletes it. Works in batches, each a transaction after which every bookmark is in a
 * collection, so that an interrupted call can be repeated. Bookmarks in the trash stay there and are restored to where the
 * others were moved.
 * @param onBatch is called after each batch
 * @throws ApiError('not-empty') if it has bookmarks and nothing was chosen, ('last-collection'); InvalidFields for an
 *   invalid destination.
 */
export async function deleteContainer(
  db: Sql,
  deletion: ContainerDeletion,
  onBatch: () => Promise<unknown> = async () => undefined,
): Promise<DeletionResult> {
  const result: DeletionResult = { moved: 0, trashed: 0 }
  for (;;) {
    const step = await db.begin((tx) => processBatch(tx, deletion))
    if (step === null) return result
    result.moved += step.moved
    result.trashed += step.trashed
    await onBatch()
  }
}

/** Moves one batch. Returns null once the container was empty and is deleted. */
async function processBatch(tx: TransactionSql, deletion: ContainerDeletion): Promise<DeletionResult | null> {
  const { userId, collectionId, channelId, choice } = deletion
  await lockOwnCollections(tx, userId)
  const target = await resolveTarget(tx, deletion)
  const isInContainer =
    channelId === null ? tx`b.collection_id = ${collectionId}` : tx`b.channel_id = ${channelId}`
  if (choice.bookmarks === undefined) {
    const [found] = await tx<{ count: number }[]>`
      select count(*) from bookmarks b where ${isInContainer} and ${isNotTrashed(tx)}`
    if (found !== undefined && found.count > 0) {
      throw new ApiError('not-empty', { bookmarks_count: found.count })
    }
  }
  const rows = await tx<{ id: number }[]>`
    select b.id from bookmarks b where ${isInContainer} order by b.created_at, b.id limit ${bookmarkBatchSize}`
  if (rows.length === 0) {
    if (channelId === null)
      await tx`delete from collections where id = ${collectionId} and user_id = ${userId}`
    else await tx`delete from channels where id = ${channelId}`
    return null
  }
  const ids = rows.map(({ id }) => id)
  await tx`select lock_bookmarks(${ids}::bigint[])`
  return moveBatch(tx, deletion, target, ids)
}

/** Moves or trashes bookmarks with one statement, so that the triggers take their locks once and in order. */
async function moveBatch(
  tx: TransactionSql,
  { userId, choice }: ContainerDeletion,
  { collection_id, channel_id }: Destination,
  ids: number[],
): Promise<DeletionResult> {
  const goesToTrash = choice.bookmarks === undefined || choice.bookmarks === 'delete'
  const [counts] = await tx<[DeletionResult]>`
    with leaving as (
      select b.id, ${isTrashed(tx)} as was_trashed,
             -- A video that the target has already is trashed, also if it occurs twice among those moved.
             ${goesToTrash} or exists (
               select from bookmarks o
                where o.user_id = ${userId} and o.video_id = b.video_id and o.collection_id = ${collection_id}
                  and o.channel_id is not distinct from ${channel_id}::bigint and ${isNotTrashed(tx, 'o')})
             or row_number() over (partition by b.video_id, ${isNotTrashed(tx)} order by b.id) > 1 as is_trashed,
             -- A bookmark that leaves a private collection becomes private, so that it stays hidden.
             case when source.access = 'private' and target.access = 'public' then 'private' else b.access end as access
        from bookmarks b
        join collections source on source.id = b.collection_id
        join collections target on target.id = ${collection_id}
       where b.id = any (${ids}::bigint[])
    ), moved as (
      update bookmarks b
         set collection_id = ${collection_id}, channel_id = ${channel_id}, access = l.access, updated_at = now(),
             deleted_at = coalesce(b.deleted_at, case when l.is_trashed then now() end)
        from leaving l where b.id = l.id
    )
    select count(*) filter (where not was_trashed and not is_trashed) as moved,
           count(*) filter (where not was_trashed and is_trashed) as trashed
      from leaving`
  return counts
}

/** Returns where the bookmarks are moved. Trashed ones need a collection, too, to be restored to. */
async function resolveTarget(
  tx: TransactionSql,
  { userId, collectionId, channelId, choice }: ContainerDeletion,
): Promise<Destination> {
  const refuse = (field: string, text: string) => new InvalidFields({ [field]: [text] })
  const fallback =
    channelId === null
      ? await defaultDestination(tx, userId, collectionId)
      : await lockOwnDestination(tx, userId, { collection_id: collectionId })
  // A user must have at least one collection, because every save needs one.
  if (fallback === null) throw new ApiError(channelId === null ? 'last-collection' : 'not-found')
  if (choice.bookmarks !== 'move') return fallback
  const { to_collection, to_channel } = choice
  if (to_collection === undefined && to_channel === undefined) {
    throw refuse('to_collection', 'This field is required.')
  }
  const target = await lockOwnDestination(tx, userId, {
    collection_id: to_collection ?? null,
    channel_id: to_channel ?? null,
  })
  const field = to_channel === undefined ? 'to_collection' : 'to_channel'
  if (target === null) throw refuse(field, invalidPkMessage(to_channel ?? to_collection))
  const isItself =
    channelId === null ? target.collection_id === collectionId : target.channel_id === channelId
  if (isItself) throw refuse(field, 'Choose another one: this one is being deleted.')
  return target
}

/** Returns the user's default collection, else the first one; never the deleted one or Watch Later. */
async function defaultDestination(
  tx: TransactionSql,
  userId: number,
  except: number,
): Promise<Destination | null> {
  const [destination] = await tx<Destination[]>`
    select c.id as collection_id, null::bigint as channel_id, c.access
      from collections c join users u on u.id = c.user_id
     where c.user_id = ${userId} and c.id <> ${except} and not c.is_watch_later
     order by c.id = u.default_bookmark_collection desc nulls last, c.position, c.id limit 1`
  return destination ?? null
}
