/** Who somebody is on another site, in SQL. */
import type { Identity } from '@reelmark/contract/identities.ts'
import type { Db } from '../../../core/database/database.ts'

/** Who another site says somebody is. Its word, and so compared as it is. */
export interface OidcSubject {
  issuer: string
  subject: string
}

export interface IdentityOwner {
  id: number
  user_id: number
  username: string
  is_banned: boolean
}

/** The account that is linked to somebody of another site. */
export async function findIdentity(db: Db, { issuer, subject }: OidcSubject): Promise<IdentityOwner | null> {
  const [identity] = await db<IdentityOwner[]>`
    select i.id, i.user_id, u.username, u.banned_at is not null as is_banned
      from identities i join users u on u.id = i.user_id
     where i.issuer = ${issuer} and i.subject = ${subject}`
  return identity ?? null
}

/** Writes a use down; false where the identity was unlinked since it was read. */
export async function recordIdentityUse(db: Db, id: number): Promise<boolean> {
  const used = await db`update identities set last_used_at = now() where id = ${id}`
  return used.count === 1
}

/** `issuer` leaves as a host, which is what people know a site by. */
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

/** Null where that identity is linked already, to this account or another. */
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

/** Answers its host; null where there is none of that id. */
export async function deleteIdentity(
  db: Db,
  { id, user_id }: { id: number; user_id: number },
): Promise<string | null> {
  const [identity] = await db<Pick<Identity, 'issuer'>[]>`
    delete from identities where id = ${id} and user_id = ${user_id} returning ${columns(db)}`
  return identity?.issuer ?? null
}

/** The first of some usernames that nobody has, whatever the case; null where all are taken. */
export async function firstAvailableUsername(db: Db, usernames: string[]): Promise<string | null> {
  const [free] = await db<{ username: string }[]>`
    select wanted.username
      from unnest(${usernames}::text[]) with ordinality as wanted (username, place)
     where not exists (select from users u where lower(u.username) = lower(wanted.username))
     order by place limit 1`
  return free?.username ?? null
}
