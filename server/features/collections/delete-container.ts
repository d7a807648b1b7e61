/** Removing a collection or a channel, once what is in it has gone where its owner said. Nothing is lost silently. */
import type { DeletionResult } from '@reelmark/contract/collections.ts'
import type { Sql, TransactionSql } from '../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
import { isNotTrashed, isTrashed } from '../../shared/visibility.ts'
import {
  type Destination,
  invalidPkMessage,
  lockOwnCollections,
  lockOwnDestination,
} from './destination-queries.ts'

/** Bookmarks that one transaction moves: whoever saves or likes the same videos waits no longer than that takes. */
const batch = 200

export interface DeletionChoice {
  bookmarks?: 'stay' | 'move' | 'delete'
  to_collection?: number
  to_channel?: number
}

interface ContainerDeletion {
  userId: number
  collectionId: number
  /** Null: the whole collection goes. */
  channelId: number | null
  choice: DeletionChoice
}

/**
 * Empties a place and removes it. In batches, each a transaction that leaves every bookmark in some place; an
 * interrupted one is begun again by asking again. What was in the trash already stays there, and is restored to where
 * the others went.
 * @throws ApiError('not-empty') where it has bookmarks and nothing was chosen, ('last-collection'); InvalidFields for a
 *   place to move to that is none.
 */
export async function deleteContainer(db: Sql, leaving: ContainerDeletion): Promise<DeletionResult> {
  const done: DeletionResult = { moved: 0, trashed: 0 }
  for (;;) {
    const step = await db.begin((tx) => processBatch(tx, leaving))
    if (step === null) return done
    done.moved += step.moved
    done.trashed += step.trashed
  }
}

/** Null: nothing was left in it, and it is gone. */
async function processBatch(tx: TransactionSql, leaving: ContainerDeletion): Promise<DeletionResult | null> {
  const { userId, collectionId, channelId, choice } = leaving
  await lockOwnCollections(tx, userId)
  const target = await resolveTarget(tx, leaving)
  const inIt = channelId === null ? tx`b.collection_id = ${collectionId}` : tx`b.channel_id = ${channelId}`
  if (choice.bookmarks === undefined) {
    const [there] = await tx<{ count: number }[]>`
      select count(*) from bookmarks b where ${inIt} and ${isNotTrashed(tx)}`
    if (there !== undefined && there.count > 0) {
      throw new ApiError('not-empty', { bookmarks_count: there.count })
    }
  }
  const rows = await tx<{ id: number }[]>`
    select b.id from bookmarks b where ${inIt} order by b.created_at, b.id limit ${batch}`
  if (rows.length === 0) {
    if (channelId === null)
      await tx`delete from collections where id = ${collectionId} and user_id = ${userId}`
    else await tx`delete from channels where id = ${channelId}`
    return null
  }
  const ids = rows.map(({ id }) => id)
  await tx`select lock_bookmarks(${ids}::bigint[])`
  return moveBatch(tx, leaving, target, ids)
}

/** One statement, so that the triggers take their locks once and in order. */
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
             -- What is there already does not come twice, from there or from here.
             ${goesToTrash} or exists (
               select from bookmarks o
                where o.user_id = ${userId} and o.video_id = b.video_id and o.collection_id = ${collection_id}
                  and o.channel_id is not distinct from ${channel_id}::bigint and ${isNotTrashed(tx, 'o')})
             or row_number() over (partition by b.video_id, ${isNotTrashed(tx)} order by b.id) > 1 as is_trashed,
             -- What a private collection hid stays hidden.
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

/** Where what is in it goes; what goes into the trash needs a place too, to be restored to. */
async function resolveTarget(
  tx: TransactionSql,
  { userId, collectionId, channelId, choice }: ContainerDeletion,
): Promise<Destination> {
  const refuse = (field: string, why: string) => new InvalidFields({ [field]: [why] })
  const fallback =
    channelId === null
      ? await defaultDestination(tx, userId, collectionId)
      : await lockOwnDestination(tx, userId, { collection_id: collectionId })
  // Whoever keeps something needs a place to keep it in.
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
  if (isItself) throw refuse(field, 'This is the place that is being removed.')
  return target
}

/** One's default collection, else the first; never the one that goes, nor Watch Later. */
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
