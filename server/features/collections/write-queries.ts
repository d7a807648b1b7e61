/** Making, changing and ordering collections and channels. Whose they are is in each `where`. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment, TransactionSql } from '../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../core/http/errors.ts'
import { canSeeCollection, isNotTrashed } from '../../shared/visibility.ts'
import { invalidPkMessage } from './destination-queries.ts'

/**
 * That a collection is one's own.
 * @throws ApiError('not-found') where it is not there or somebody else's private one, ('forbidden') for their others.
 */
export async function requireOwnCollection(db: Db, id: number, userId: number): Promise<void> {
  const [found] = await db<{ is_own: boolean }[]>`
    select c.user_id = ${userId} as is_own from collections c
     where c.id = ${id} and ${canSeeCollection(db, userId)}`
  requireFoundAndOwn(found)
}

/** The same of a channel; its collection. */
export async function requireOwnChannel(db: Db, id: number, userId: number): Promise<number> {
  const [found] = await db<{ is_own: boolean; collection_id: number }[]>`
    select c.user_id = ${userId} as is_own, c.id as collection_id
      from channels ch join collections c on c.id = ch.collection_id
     where ch.id = ${id} and ${canSeeCollection(db, userId)}`
  return requireFoundAndOwn(found).collection_id
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

/** @throws ApiError('limit-reached') */
export async function createCollection(
  tx: TransactionSql,
  userId: number,
  { name, description = '', access = 'public' }: NewContainer & { access?: 'public' | 'private' },
): Promise<number> {
  // Two at once would both find room for one.
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

/** @throws ApiError('limit-reached') */
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
}

/**
 * What is named changes. A trigger hides or shows what is in the collection with its access, up to a thousand
 * bookmarks; for more see access.ts.
 * @throws InvalidFields for a picture that is of no bookmark in it.
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

/** @throws InvalidFields likewise. */
export async function updateChannel(db: Db, id: number, changes: ContainerChanges): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await requireBookmarkInContainer(db, db`b.channel_id = ${id}`, changes)
  await db`update channels set ${db(changes)} where id = ${id}`
}

/** Whatever happens to the bookmark afterwards: what is not in the place is no picture of it (cards.ts). */
async function requireBookmarkInContainer(
  db: Db,
  inContainer: Fragment,
  { cover_bookmark_id }: ContainerChanges,
): Promise<void> {
  if (cover_bookmark_id === undefined || cover_bookmark_id === null) return
  const there = await db`
    select from bookmarks b where b.id = ${cover_bookmark_id} and ${isNotTrashed(db)} and ${inContainer}`
  if (there.count === 0) throw new InvalidFields({ cover_bookmark_id: [invalidPkMessage(cover_bookmark_id)] })
}

/** @throws InvalidFields for an id that is none of one's own. */
export async function reorderCollections(tx: TransactionSql, userId: number, ids: number[]): Promise<void> {
  const own = await tx<{ id: number }[]>`
    select id from collections where user_id = ${userId} order by id for no key update`
  requireKnownIds(ids, own)
  await tx`
    update collections c set position = wanted.place
      from (select id, row_number() over (order by array_position(${ids}::bigint[], id), position, id) as place
              from collections where user_id = ${userId}) wanted
     where c.id = wanted.id and c.position <> wanted.place`
}

/** @throws InvalidFields for an id that is none of the collection's. */
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
    update channels ch set position = wanted.place
      from (select id, row_number() over (order by array_position(${ids}::bigint[], id), position, id) as place
              from channels where collection_id = ${collectionId}) wanted
     where ch.id = wanted.id and ch.position <> wanted.place`
}

function requireKnownIds(ids: number[], there: { id: number }[]): void {
  const known = new Set(there.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new InvalidFields({ ids: unknown.slice(0, 10).map(invalidPkMessage) })
}
