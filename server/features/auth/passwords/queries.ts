/** Queries for resetting and changing passwords. All of them lock the user first, to prevent deadlocks. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, TransactionSql } from '../../../core/database/database.ts'

export interface PasswordOwner {
  id: number
  username: string
  email: string
  password_hash: string | null
}

/**
 * Locks and returns the account with a confirmed e-mail address, or null if no account has it or the account is banned.
 * Users without a password, who registered with an identity provider, can set one this way.
 */
export async function lockUserForReset(tx: TransactionSql, email: string): Promise<PasswordOwner | null> {
  const [owner] = await tx<PasswordOwner[]>`
    select id, username, email, password_hash from users
     where lower(email) = lower(${email}) and email_confirmed_at is not null and banned_at is null
       for update`
  return owner ?? null
}

/** Creates a reset that is valid for an hour. */
export async function createReset(
  tx: TransactionSql,
  { user_id, token_hash }: { user_id: number; token_hash: Buffer },
): Promise<void> {
  await tx`
    insert into password_resets (user_id, token_hash, expires_at)
    values (${user_id}, ${token_hash}, now() + make_interval(secs => ${limits.passwordResetSeconds}))`
}

interface ResetLink {
  user_id: number
  token_hash: Buffer
}

/** Returns the owner of a reset link, or null if it is unknown, used, expired or ended, or the owner is banned. */
export async function findResetOwner(
  db: Db,
  { user_id, token_hash }: ResetLink,
): Promise<PasswordOwner | null> {
  const [owner] = await db<PasswordOwner[]>`
    select u.id, u.username, u.email, u.password_hash
      from password_resets r join users u on u.id = r.user_id
     where r.token_hash = ${token_hash} and r.user_id = ${user_id}
       and r.used_at is null and r.expires_at > now() and u.banned_at is null`
  return owner ?? null
}

export async function findPasswordOwner(db: Db, id: number): Promise<PasswordOwner | null> {
  const [owner] = await db<PasswordOwner[]>`
    select id, username, email, password_hash from users where id = ${id} and banned_at is null`
  return owner ?? null
}

/** Returns whether a user has a password. */
export async function hasPassword(db: Db, id: number): Promise<boolean> {
  const [row] = await db`select from users where id = ${id} and password_hash is not null`
  return row !== undefined
}

/** Replaces the password that was read. Returns false if it has changed meanwhile or the user was banned. */
export async function replacePassword(
  tx: TransactionSql,
  { id, password_hash }: Pick<PasswordOwner, 'id' | 'password_hash'>,
  newHash: string,
): Promise<boolean> {
  const changed = await tx`
    update users set password_hash = ${newHash}
     where id = ${id} and password_hash is not distinct from ${password_hash} and banned_at is null
    returning id`
  return changed.count === 1
}

/** Marks a reset as used and ends the owner's others. Returns false if it was used or ended meanwhile. */
export async function consumeReset(tx: TransactionSql, { user_id, token_hash }: ResetLink): Promise<boolean> {
  const ended = await tx<{ used_at: Date | null }[]>`
    update password_resets
       set used_at = case when token_hash = ${token_hash} then now() end, expires_at = now()
     where user_id = ${user_id} and used_at is null and expires_at > now()
    returning used_at`
  return ended.some(({ used_at }) => used_at !== null)
}

/** Ends all open resets of a user, so that their links are invalid. */
export async function endUserResets(tx: TransactionSql, userId: number): Promise<void> {
  await tx`
    update password_resets set expires_at = now()
     where user_id = ${userId} and used_at is null and expires_at > now()`
}
