/** Queries for confirming the e-mail address of an account, or a new one for it. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, TransactionSql } from '../../../core/database/database.ts'

/**
 * Stores a new address in place of an earlier request. The token of `token_hash` is not known to anyone; the job replaces
 * it when it sends the mail. Locks the user, so that the job of an earlier request does not replace this one.
 * @returns false if it is the current address
 */
export async function requestEmailChange(
  db: Db,
  { user_id, email, token_hash }: { user_id: number; email: string; token_hash: Buffer },
): Promise<boolean> {
  const requested = await db`
    insert into email_confirmations (user_id, email, token_hash, expires_at)
    select id, ${email}, ${token_hash}, ${newExpiry(db)}
      from users where id = ${user_id} and lower(email) <> lower(${email})
       for no key update
    on conflict (user_id) do update
       set email = excluded.email, token_hash = excluded.token_hash, created_at = now(),
           expires_at = excluded.expires_at
    returning user_id`
  return requested.count === 1
}

/**
 * Returns the address that a user still has to confirm: a requested one, otherwise the address of a new account. Null if
 * there is nothing to confirm.
 */
export async function findUnconfirmedEmail(db: Db, userId: number): Promise<string | null> {
  const [user] = await db<{ email: string | null }[]>`
    select coalesce(c.email, case when u.email_confirmed_at is null then u.email end) as email
      from users u left join email_confirmations c on c.user_id = u.id and c.expires_at > now()
     where u.id = ${userId}`
  return user?.email ?? null
}

/** Returns the newest account that has yet to confirm an address, or null. */
export async function findUnconfirmedUser(
  db: Db,
  email: string,
): Promise<{ user_id: number; email: string } | null> {
  const [user] = await db<{ user_id: number; email: string }[]>`
    select id as user_id, email from users
     where lower(email) = lower(${email}) and email_confirmed_at is null and banned_at is null
     order by id desc limit 1`
  return user ?? null
}

export interface UnconfirmedEmail {
  /** The account that has confirmed the address already, or null. */
  owner: { email: string; is_banned: boolean } | null
}

/**
 * Locks a user who has to confirm an address. Returns null if they do not: a change was cancelled or replaced, the address
 * was confirmed, or the user is banned.
 */
export async function lockUnconfirmedEmail(
  tx: TransactionSql,
  { user_id, email }: { user_id: number; email: string },
): Promise<UnconfirmedEmail | null> {
  // A statement of its own, so that the next one sees what a transaction that held the lock has written.
  await tx`select from users where id = ${user_id} for no key update`
  const [unconfirmed] = await tx<UnconfirmedEmail[]>`
    select (select json_build_object('email', o.email, 'is_banned', o.banned_at is not null)
              from users o
             where lower(o.email) = lower(${email}) and o.email_confirmed_at is not null and o.id <> u.id) as owner
      from users u left join email_confirmations c on c.user_id = u.id and c.expires_at > now()
     where u.id = ${user_id} and u.banned_at is null
       and (c.email = ${email} or (c.email is null and u.email = ${email} and u.email_confirmed_at is null))`
  return unconfirmed ?? null
}

/** Sets the token that the mail contains, in place of an earlier one. The user is locked. */
export async function startConfirmation(
  tx: TransactionSql,
  { user_id, email, token_hash }: { user_id: number; email: string; token_hash: Buffer },
): Promise<void> {
  await tx`
    insert into email_confirmations (user_id, email, token_hash, expires_at)
    values (${user_id}, ${email}, ${token_hash}, ${newExpiry(tx)})
    on conflict (user_id) do update
       set email = excluded.email, token_hash = excluded.token_hash, created_at = now(),
           expires_at = excluded.expires_at`
}

function newExpiry(db: Db) {
  return db`now() + make_interval(secs => ${limits.emailConfirmationSeconds})`
}

/** Returns the account and the address of a link, or null if it is unknown, used or expired, or the user banned. */
export async function findConfirmation(
  db: Db,
  tokenHash: Buffer,
): Promise<{ username: string; email: string } | null> {
  const [confirmation] = await db<{ username: string; email: string }[]>`
    select u.username, c.email from email_confirmations c join users u on u.id = c.user_id
     where c.token_hash = ${tokenHash} and c.expires_at > now() and u.banned_at is null`
  return confirmation ?? null
}

export interface ConfirmedEmail {
  id: number
  email: string
  /** The confirmed address before; null if this is the first. */
  old_email: string | null
}

/**
 * Confirms an address. Returns null if the token is unknown, used or expired, or the user banned. Locks the user first, in
 * the same order as password changes.
 * @param viewerId the user of the session in which the address is confirmed. A session of the same account proves that
 * its user owns the address, and therefore also what is linked to the account
 * @throws 23505 (unique violation) if another account has confirmed the address
 */
export async function consumeConfirmation(
  tx: TransactionSql,
  tokenHash: Buffer,
  viewerId: number | null,
): Promise<ConfirmedEmail | null> {
  const [user] = await tx<Omit<ConfirmedEmail, 'email'>[]>`
    select u.id, case when u.email_confirmed_at is not null then u.email end as old_email from users u
     where u.id = (select user_id from email_confirmations where token_hash = ${tokenHash})
       and u.banned_at is null
       for update`
  if (user === undefined) return null
  const [confirmation] = await tx<{ email: string }[]>`
    delete from email_confirmations
     where user_id = ${user.id} and token_hash = ${tokenHash} and expires_at > now()
    returning email`
  if (confirmation === undefined) return null
  await tx`
    update users
       set email = ${confirmation.email}, email_confirmed_at = coalesce(email_confirmed_at, now()),
           untrusted_methods_until = case
             when email_confirmed_at is null and id is distinct from ${viewerId} then now()
             else untrusted_methods_until end
     where id = ${user.id}`
  return { ...user, ...confirmation }
}

/** Cancels the change to a new address. The confirmation of a new account's own address stays. Idempotent. */
export async function cancelEmailChange(db: Db, userId: number): Promise<void> {
  await db`
    delete from email_confirmations c using users u
     where c.user_id = ${userId} and u.id = c.user_id and c.email <> u.email`
}

/** Makes a link invalid. */
export async function cancelConfirmation(db: Db, tokenHash: Buffer): Promise<void> {
  await db`delete from email_confirmations where token_hash = ${tokenHash}`
}
