/** Queries for identities at the OpenID Connect provider. */
import type { Identity } from '@reelmark/contract/identities.ts'
import type { Db } from '../../../core/database/database.ts'
import { selectNamedUser } from '../../../shared/usernames.ts'

/** A user of a provider. The provider's values are compared exactly. */
export interface OidcSubject {
  issuer: string
  subject: string
}

export interface IdentityOwner {
  id: number
  user_id: number
  username: string
  password_hash: string | null
  is_banned: boolean
  is_moderator: boolean
}

/** Returns the account that is linked to a user of the provider, or null. */
export async function findIdentity(db: Db, { issuer, subject }: OidcSubject): Promise<IdentityOwner | null> {
  const [identity] = await db<IdentityOwner[]>`
    select i.id, i.user_id, u.username, u.password_hash, u.banned_at is not null as is_banned, u.is_moderator
      from identities i join users u on u.id = i.user_id
     where i.issuer = ${issuer} and i.subject = ${subject}`
  return identity ?? null
}

/** Records the use of an identity. Returns false if it was unlinked since it was read. */
export async function recordIdentityUse(db: Db, id: number): Promise<boolean> {
  const used = await db`update identities set last_used_at = now() where id = ${id}`
  return used.count === 1
}

/** Columns of an identity. `issuer` is returned as a host, under which users know the provider. */
const columns = (db: Db) =>
  db`id, substring(issuer from '^https?://([^/]+)') as issuer, email, created_at, last_used_at`

export async function listIdentities(
  db: Db,
  userId: number,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; rows: Identity[] }> {
  const rows = await db<(Identity & { count: number })[]>`
    select count(*) over () as count, ${columns(db)}
      from identities where user_id = ${userId}
     order by id desc limit ${size} offset ${skip}`
  return { count: rows[0]?.count ?? 0, rows }
}

export async function countIdentities(db: Db, userId: number): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from identities where user_id = ${userId}`
  return row.count
}

/** Links an identity to an account. Returns null if it is already linked to this or another account. */
export async function addIdentity(
  db: Db,
  { user_id, issuer, subject, email }: OidcSubject & { user_id: number; email: string | null },
): Promise<Identity | null> {
  const [identity] = await db<Identity[]>`
    insert into identities (user_id, issuer, subject, email, last_used_at)
    values (${user_id}, ${issuer}, ${subject}, ${email}, now())
    on conflict do nothing
    returning ${columns(db)}`
  return identity ?? null
}

/** Unlinks an identity. Returns false if the user has no identity with this id. */
export async function deleteIdentity(
  db: Db,
  { id, user_id }: { id: number; user_id: number },
): Promise<boolean> {
  const deleted = await db`delete from identities where id = ${id} and user_id = ${user_id} returning id`
  return deleted.count === 1
}

/** Returns the first of the usernames that is not taken, whatever the case, or null. */
export async function findAvailableUsername(db: Db, usernames: string[]): Promise<string | null> {
  const [available] = await db<{ username: string }[]>`
    select candidate.username
      from unnest(${usernames}::text[]) with ordinality as candidate (username, rank)
     where ${selectNamedUser(db, db`candidate.username`)} is null
     order by rank limit 1`
  return available?.username ?? null
}
