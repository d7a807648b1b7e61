/** Smart collections: reading and changing them. Ownership is checked in each `where`. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  isPersonalQuery,
  type SmartCollection,
  type SmartQuery,
} from '@reelmark/contract/smart-collections.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db, Fragment, TransactionSql } from '../../../core/database/database.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { splitCount } from '../../../core/http/paging.ts'
import type { ListOwner } from '../../../shared/owner-lists.ts'
import { canSeeProfile } from '../../../shared/profile-visibility.ts'
import { userSummary } from '../../../shared/user-columns.ts'
import { andNotHidden } from '../../../shared/user-visibility.ts'
import { isNamed } from '../../../shared/usernames.ts'
import { canSeeSmartCollection, isNotTrashed, isTrashed } from '../../../shared/visibility.ts'

/** Columns of smart collections `s` of users `u`. */
function columns(db: Db, viewer: Viewer | null): Fragment {
  const viewerId = viewer?.id ?? null
  return db`s.id, s.name, s.description, s.access, s.created_at, ${userSummary(db, 'u')} as user,
    coalesce(s.user_id = ${viewerId}::bigint, false) as is_owner,
    case when s.user_id = ${viewerId}::bigint then s.query end as query`
}

/** The owner gets the query; for others the field is missing. */
function withoutNull<Row extends { query: SmartQuery | null }>({ query, ...row }: Row) {
  return query === null ? row : { ...row, query }
}

type Row = Omit<SmartCollection, 'query'> & { query: SmartQuery | null }

/** Smart collections `s` of users `u` that a viewer may see. */
function visibleTo(db: Db, viewer: Viewer | null): Fragment {
  return db`u.banned_at is null and ${canSeeSmartCollection(db, viewer?.id ?? null)}
    ${andNotHidden(db, db`s.user_id`, viewer)}`
}

/** Returns a user's smart collections, the oldest first: all for their owner, public ones for others who may see the profile. */
export async function listSmartCollections(
  db: Db,
  owner: ListOwner,
  viewer: Viewer | null,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; results: SmartCollection[] }> {
  const ofOwner = 'id' in owner ? db`u.id = ${owner.id}` : isNamed(db, owner.username)
  const listed = db`from smart_collections s join users u on u.id = s.user_id
    where ${ofOwner} and ${canSeeProfile(db, viewer)} and ${visibleTo(db, viewer)}`
  const rows = await db<(Row & { count: number })[]>`
    select total.count, found.*
      from (select count(*) ${listed}) total
      left join (select ${columns(db, viewer)} ${listed}
                  order by s.created_at, s.id limit ${size} offset ${skip}) found on true
     order by found.created_at, found.id`
  const { count, results } = splitCount(rows)
  return { count, results: results.map(withoutNull) }
}

/** Returns a smart collection, or null if the viewer may not see it. */
export async function readSmartCollection(
  db: Db,
  id: number,
  viewer: Viewer | null,
): Promise<SmartCollection | null> {
  const [row] = await db<Row[]>`
    select ${columns(db, viewer)} from smart_collections s join users u on u.id = s.user_id
     where s.id = ${id} and ${visibleTo(db, viewer)}`
  return row === undefined ? null : withoutNull(row)
}

/** Returns the query of a smart collection and its owner's name, or null if the viewer may not see it. */
export async function findSmartQuery(
  db: Db,
  id: number,
  viewer: Viewer | null,
): Promise<{ query: SmartQuery; username: string } | null> {
  const [row] = await db<{ query: SmartQuery; username: string }[]>`
    select s.query, u.username from smart_collections s join users u on u.id = s.user_id
     where s.id = ${id} and ${visibleTo(db, viewer)}`
  return row ?? null
}

/**
 * Checks that a smart collection is the user's own and returns it.
 * @throws ApiError('not-found') if the user may not see it, ('forbidden') for another user's public one
 */
export async function requireOwnSmartCollection(
  db: Db,
  id: number,
  viewer: Viewer,
): Promise<SmartCollection & { query: SmartQuery }> {
  const found = await readSmartCollection(db, id, viewer)
  if (found === null) throw new ApiError('not-found')
  if (found.query === undefined) throw new ApiError('forbidden')
  return { ...found, query: found.query }
}

export interface NewSmartCollection {
  name: string
  description: string
  access: 'public' | 'private'
  query: SmartQuery
  /** ISO 8601; by default now. */
  created_at?: string
}

/** Creates a smart collection and returns its id. @throws ApiError('limit-reached') */
export async function createSmartCollection(
  tx: TransactionSql,
  userId: number,
  { name, description, access, query, created_at }: NewSmartCollection,
): Promise<number> {
  await lockOwner(tx, userId)
  const [created] = await tx<{ id: number }[]>`
    insert into smart_collections (user_id, name, description, access, query, is_personal, created_at)
    select ${userId}, ${name}, ${description}, ${access}, ${JSON.stringify(query)}::text::jsonb,
           ${isPersonalQuery(query)}, coalesce(${created_at ?? null}::text::timestamptz, now())
     where ${hasRoom(tx, userId)}
    returning id`
  if (created === undefined) throw new ApiError('limit-reached')
  return created.id
}

/** Locks the user, because two concurrent calls could both pass the limit. */
async function lockOwner(tx: TransactionSql, userId: number): Promise<void> {
  await tx`select from users where id = ${userId} for no key update`
}

function hasRoom(db: Db, userId: number): Fragment {
  return db`(select count(*) from smart_collections where user_id = ${userId} and ${isNotTrashed(db, 'smart_collections')})
    < ${limits.smartCollectionsMax}`
}

/** Locks a smart collection of a user, so that a change sees the changes before it. */
export async function lockSmartCollection(tx: TransactionSql, id: number, userId: number): Promise<void> {
  await tx`select from smart_collections where id = ${id} and user_id = ${userId} for update`
}

/** Changes a smart collection. */
export async function updateSmartCollection(
  db: Db,
  id: number,
  userId: number,
  { name, description, access, query }: Omit<NewSmartCollection, 'created_at'>,
): Promise<void> {
  await db`
    update smart_collections
       set name = ${name}, description = ${description}, access = ${access},
           query = ${JSON.stringify(query)}::text::jsonb, is_personal = ${isPersonalQuery(query)}
     where id = ${id} and user_id = ${userId} and ${isNotTrashed(db, 'smart_collections')}`
}

/** Moves a smart collection to the trash. */
export async function trashSmartCollection(db: Db, id: number, userId: number): Promise<void> {
  await db`
    update smart_collections set deleted_at = now()
     where id = ${id} and user_id = ${userId} and ${isNotTrashed(db, 'smart_collections')}`
}

/** Restores a smart collection. @throws ApiError('not-found') if it is not in the user's trash, ('limit-reached') */
export async function restoreSmartCollection(tx: TransactionSql, id: number, userId: number): Promise<void> {
  await lockOwner(tx, userId)
  const [found] = await tx<{ is_trashed: boolean; has_room: boolean }[]>`
    select ${isTrashed(tx, 'smart_collections')} as is_trashed, ${hasRoom(tx, userId)} as has_room
      from smart_collections where id = ${id} and user_id = ${userId} for update`
  if (found === undefined) throw new ApiError('not-found')
  if (!found.is_trashed) return
  if (!found.has_room) throw new ApiError('limit-reached')
  await tx`update smart_collections set deleted_at = null where id = ${id}`
}

interface TrashedSmartCollection {
  id: number
  name: string
  deleted_at: string
}

/** Returns a page of a user's deleted smart collections, latest first. */
export async function listTrashedSmartCollections(
  db: Db,
  userId: number,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; results: TrashedSmartCollection[] }> {
  const trashed = db`from smart_collections where user_id = ${userId} and ${isTrashed(db, 'smart_collections')}`
  const rows = await db<(TrashedSmartCollection & { count: number })[]>`
    select total.count, found.*
      from (select count(*) ${trashed}) total
      left join (select id, name, deleted_at ${trashed}
                  order by deleted_at desc, id desc limit ${size} offset ${skip}) found on true
     order by found.deleted_at desc, found.id desc`
  return splitCount(rows)
}

/** Deletes smart collections whose time in the trash is over. */
export async function purgeSmartCollections(db: Db): Promise<void> {
  await db`
    delete from smart_collections
     where deleted_at < now() - make_interval(days => ${limits.trashRetentionDays})`
}
