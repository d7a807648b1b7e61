/** Queries for requesting, confirming and cancelling a change of the e-mail address. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, TransactionSql } from '../../../core/database/database.ts'

/**
 * Stores the requested address in place of an earlier request. The token of `token_hash` is not known to anyone; the
 * job replaces it if the address is free and a mail is sent.
 * @returns false if it is the current address
 */
export async function requestEmailChange(
  db: Db,
  { user_id, email, token_hash }: { user_id: number; email: string; token_hash: Buffer },
): Promise<boolean> {
  const requested = await db`
    insert into email_changes (user_id, email, token_hash, expires_at)
    select id, ${email}, ${token_hash}, now() + make_interval(secs => ${limits.emailChangeSeconds})
      from users where id = ${user_id} and lower(email) <> lower(${email})
    on conflict (user_id) do update
       set email = excluded.email, token_hash = excluded.token_hash, created_at = now(),
           expires_at = excluded.expires_at
    returning user_id`
  return requested.count === 1
}

export interface RequestedEmail {
  /** The user who requested the change. */
  username: string
  /** The account that already has the address, or null. */
  owner: { username: string; email: string; is_banned: boolean } | null
}

/**
 * Sets the token of a requested change, which its mail will contain. Returns null if the change was cancelled or
 * replaced, or the user banned.
 */
export async function activateEmailChange(
  db: Db,
  { user_id, email, token_hash }: { user_id: number; email: string; token_hash: Buffer },
): Promise<RequestedEmail | null> {
  const [requested] = await db<RequestedEmail[]>`
    update email_changes c set token_hash = ${token_hash} from users u
     where c.user_id = ${user_id} and c.email = ${email} and c.expires_at > now()
       and u.id = c.user_id and u.banned_at is null
    returning u.username,
      (select json_build_object('username', o.username, 'email', o.email, 'is_banned', o.banned_at is not null)
         from users o where lower(o.email) = lower(c.email)) as owner`
  return requested ?? null
}

export interface ChangedEmail {
  id: number
  username: string
  old_email: string
  email: string
}

/**
 * Confirms a change of address. Returns null if the token is unknown, used or expired, or the user banned. Locks the
 * user first, in the same order as password changes.
 * @throws 23505 (unique violation) if another account has the address
 */
export async function consumeEmailChange(
  tx: TransactionSql,
  tokenHash: Buffer,
): Promise<ChangedEmail | null> {
  const [user] = await tx<Omit<ChangedEmail, 'email'>[]>`
    select u.id, u.username, u.email as old_email from users u
     where u.id = (select user_id from email_changes where token_hash = ${tokenHash}) and u.banned_at is null
       for update`
  if (user === undefined) return null
  const [change] = await tx<{ email: string }[]>`
    delete from email_changes
     where user_id = ${user.id} and token_hash = ${tokenHash} and expires_at > now()
    returning email`
  if (change === undefined) return null
  await tx`update users set email = ${change.email} where id = ${user.id}`
  return { ...user, ...change }
}

/** Cancels a user's pending change. Idempotent. */
export async function cancelEmailChange(db: Db, userId: number): Promise<void> {
  await db`delete from email_changes where user_id = ${userId}`
}

/** Cancels a change by its token. */
export async function cancelEmailChangeByToken(db: Db, tokenHash: Buffer): Promise<void> {
  await db`delete from email_changes where token_hash = ${tokenHash}`
}
