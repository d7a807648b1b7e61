/** Creating, changing and ordering collections and channels. Ownership is checked in each `where`. */
import type { ListOrder } from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment, TransactionSql } from '../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
import { canSeeCollection, isNotTrashed } from '../../shared/visibility.ts'
import { invalidPkMessage } from './destination-queries.ts'

/**
 * Checks that a collection is the user's own.
 * @throws ApiError('not-found') if the user may not see it, ('forbidden') for another user's public one.
 */
export async function requireOwnCollection(db: Db, id: number, userId: number): Promise<{ access: string }> {
  const [found] = await db<{ is_own: boolean; access: string }[]>`
    select c.user_id = ${userId} as is_own, c.access from collections c
     where c.id = ${id} and ${canSeeCollection(db, userId)}`
  return requireFoundAndOwn(found)
}

/** Checks that a channel is the user's own and returns its collection's id and access. @throws as requireOwnCollection() */
export async function requireOwnChannel(
  db: Db,
  id: number,
  userId: number,
): Promise<{ collection_id: number; access: string }> {
  const [found] = await db<{ is_own: boolean; collection_id: number; access: string }[]>`
    select c.user_id = ${userId} as is_own, c.id as collection_id, c.access
      from channels ch join collections c on c.id = ch.collection_id
     where ch.id = ${id} and ${canSeeCollection(db, userId)}`
  return requireFoundAndOwn(found)
}

function requireFoundAndOwn<Row extends { is_own: boolean }>(found: Row | undefined): Row {
  if (found === undefined) throw new ApiError('not-found')
  if (!found.is_own) throw new ApiError('forbidden')
  return found
}

interface NewContainer {
  name: string
  description?: string
}

/** Creates a collection after the existing ones and returns its id. @throws ApiError('limit-reached') */
export async function createCollection(
  tx: TransactionSql,
  userId: number,
  { name, description = '', access = 'public' }: NewContainer & { access?: 'public' | 'private' },
): Promise<number> {
  // Locks the user, because two concurrent calls could both pass the limit.
  await tx`select from users where id = ${userId} for no key update`
  const [created] = await tx<{ id: number }[]>`
    insert into collections (user_id, name, description, access, position)
    select ${userId}, ${name}, ${description}, ${access}, coalesce(max(position) + 1, 0)
      from collections where user_id = ${userId}
    having count(*) < ${limits.collectionsMax}
    returning id`
  if (created === undefined) throw new ApiError('limit-reached')
  return created.id
}

/** Creates a channel after the existing ones and returns its id. @throws ApiError('not-found'), ('limit-reached') */
export async function createChannel(
  tx: TransactionSql,
  collectionId: number,
  { name, description = '' }: NewContainer,
): Promise<number> {
  const collection = await tx`select from collections where id = ${collectionId} for no key update`
  if (collection.count === 0) throw new ApiError('not-found')
  const [created] = await tx<{ id: number }[]>`
    insert into channels (collection_id, name, description, position)
    select ${collectionId}, ${name}, ${description}, coalesce(max(position) + 1, 0)
      from channels where collection_id = ${collectionId}
    having count(*) < ${limits.channelsMax}
    returning id`
  if (created === undefined) throw new ApiError('limit-reached')
  return created.id
}

interface ContainerChanges {
  name?: string
  description?: string
  position?: number
  cover_bookmark_id?: number | null
  list_order?: ListOrder
}

/**
 * Updates the fields that are present. If the access changes, a trigger hides or shows up to a thousand bookmarks; see
 * visibility-sync.ts for larger collections.
 * @throws InvalidFields for a cover that is not a bookmark in the collection.
 */
export async function updateCollection(
  db: Db,
  id: number,
  userId: number,
  changes: ContainerChanges & { access?: string },
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await requireBookmarkInContainer(db, db`b.collection_id = ${id}`, changes)
  await db`update collections set ${db(changes)} where id = ${id} and user_id = ${userId}`
}

/** Updates the fields of a channel that are present. @throws InvalidFields as updateCollection() */
export async function updateChannel(db: Db, id: number, changes: ContainerChanges): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await requireBookmarkInContainer(db, db`b.channel_id = ${id}`, changes)
  await db`update channels set ${db(changes)} where id = ${id}`
}

/** Refuses a cover outside the container. If the bookmark leaves it later, joinCover() ignores it. */
async function requireBookmarkInContainer(
  db: Db,
  inContainer: Fragment,
  { cover_bookmark_id }: ContainerChanges,
): Promise<void> {
  if (cover_bookmark_id === undefined || cover_bookmark_id === null) return
  const found = await db`
    select from bookmarks b where b.id = ${cover_bookmark_id} and ${isNotTrashed(db)} and ${inContainer}`
  if (found.count === 0) throw new InvalidFields({ cover_bookmark_id: [invalidPkMessage(cover_bookmark_id)] })
}

/** Puts collections into the order of `ids`, the others after them. @throws InvalidFields for an id that is not the user's. */
export async function reorderCollections(tx: TransactionSql, userId: number, ids: number[]): Promise<void> {
  const own = await tx<{ id: number }[]>`
    select id from collections where user_id = ${userId} order by id for no key update`
  requireKnownIds(ids, own)
  await tx`
    update collections c set position = ordered.position
      from (select id, row_number() over (order by array_position(${ids}::bigint[], id), position, id) as position
              from collections where user_id = ${userId}) ordered
     where c.id = ordered.id and c.position <> ordered.position`
}

/** Puts channels into the order of `ids`, the others after them. @throws InvalidFields for an id not in the collection. */
export async function reorderChannels(
  tx: TransactionSql,
  collectionId: number,
  ids: number[],
): Promise<void> {
  await tx`select from collections where id = ${collectionId} for no key update`
  requireKnownIds(
    ids,
    await tx<{ id: number }[]>`select id from channels where collection_id = ${collectionId}`,
  )
  await tx`
    update channels ch set position = ordered.position
      from (select id, row_number() over (order by array_position(${ids}::bigint[], id), position, id) as position
              from channels where collection_id = ${collectionId}) ordered
     where ch.id = ordered.id and ch.position <> ordered.position`
}

function requireKnownIds(ids: number[], existing: { id: number }[]): void {
  const known = new Set(existing.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new InvalidFields({ ids: unknown.slice(0, 10).map(invalidPkMessage) })
}
