/** Queries for passkeys. */
import type { Passkey } from '@reelmark/contract/passkeys.ts'
import type { Db } from '../../../core/database/database.ts'
import type { KnownCredential, NewPasskey, PasskeyUse, StoredKey } from './rules.ts'

export interface PasskeyOwner extends StoredKey {
  id: number
  user_id: number
  username: string
  is_banned: boolean
}

/** Returns the passkey with a credential id and its owner. With `userId`, only if it belongs to that user. */
export async function findPasskey(
  db: Db,
  credentialId: Buffer,
  userId: number | null,
): Promise<PasskeyOwner | null> {
  const [passkey] = await db<PasskeyOwner[]>`
    select p.id, p.user_id, p.public_key, p.counter, u.username, u.banned_at is not null as is_banned
      from passkeys p join users u on u.id = p.user_id
     where p.credential_id = ${credentialId} and (${userId}::bigint is null or p.user_id = ${userId})`
  return passkey ?? null
}

/**
 * Records a use. Returns false if the counter was used meanwhile: of two responses with the same counter one counts.
 */
export async function recordPasskeyUse(
  db: Db,
  id: number,
  { counter, is_synced }: PasskeyUse,
): Promise<boolean> {
  const used = await db`
    update passkeys set counter = ${counter}, is_synced = ${is_synced}, last_used_at = now()
     where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`
  return used.count === 1
}

/** Returns the credentials that browsers offer at login, or must not create a second time. */
export function listCredentials(db: Db, userId: number): Promise<KnownCredential[]> {
  return db<KnownCredential[]>`
    select credential_id, transports from passkeys where user_id = ${userId} order by id desc`
}

const columns = (db: Db) => db`id, name, is_synced, created_at, last_used_at`

export async function listPasskeys(
  db: Db,
  userId: number,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; rows: Passkey[] }> {
  const rows = await db<(Passkey & { count: number })[]>`
    select count(*) over () as count, ${columns(db)}
      from passkeys where user_id = ${userId}
     order by id desc limit ${size} offset ${skip}`
  return { count: rows[0]?.count ?? 0, rows }
}

/** Stores a passkey. Returns null if any user already has it. */
export async function addPasskey(
  db: Db,
  userId: number,
  { credential_id, public_key, counter, transports, is_synced, name }: NewPasskey & { name: string },
): Promise<Passkey | null> {
  const [passkey] = await db<Passkey[]>`
    insert into passkeys (user_id, credential_id, public_key, counter, transports, is_synced, name)
    values (${userId}, ${credential_id}, ${public_key}, ${counter}, ${transports}, ${is_synced}, ${name})
    on conflict do nothing
    returning ${columns(db)}`
  return passkey ?? null
}

export async function renamePasskey(
  db: Db,
  { id, user_id, name }: { id: number; user_id: number; name: string },
): Promise<Passkey | null> {
  const [passkey] = await db<Passkey[]>`
    update passkeys set name = ${name} where id = ${id} and user_id = ${user_id} returning ${columns(db)}`
  return passkey ?? null
}

/** Deletes a passkey. Returns false if the user has no passkey with this id. */
export async function deletePasskey(
  db: Db,
  { id, user_id }: { id: number; user_id: number },
): Promise<boolean> {
  const deleted = await db`delete from passkeys where id = ${id} and user_id = ${user_id} returning id`
  return deleted.count === 1
}

/** Marks a session as recently authenticated. */
export async function reauthenticateSession(db: Db, sessionId: number): Promise<void> {
  await db`update sessions set authenticated_at = now() where id = ${sessionId}`
}
