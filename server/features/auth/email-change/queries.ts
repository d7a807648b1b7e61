/** Another e-mail address in SQL: asked for, confirmed, called off. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, TransactionSql } from '../../../core/database/database.ts'

/**
 * Writes down which address somebody wants, in place of one asked for before. `tokenHash` is of a token that nobody
 * has: whether the address is free, and so a mail with a link goes out, is for the job to see.
 * @returns false where it is the address they have.
 */
export async function requestEmailChange(
  db: Db,
  { user_id, email, token_hash }: { user_id: number; email: string; token_hash: Buffer },
): Promise<boolean> {
  const asked = await db`
    insert into email_changes (user_id, email, token_hash, expires_at)
    select id, ${email}, ${token_hash}, now() + make_interval(secs => ${limits.emailChangeSeconds})
      from users where id = ${user_id} and lower(email) <> lower(${email})
    on conflict (user_id) do update
       set email = excluded.email, token_hash = excluded.token_hash, created_at = now(),
           expires_at = excluded.expires_at
    returning user_id`
  return asked.count === 1
}

export interface RequestedEmail {
  /** Who asks. */
  username: string
  /** Whose the address is already, and how they have it; null: nobody's. */
  owner: { username: string; email: string; is_banned: boolean } | null
}

/**
 * Gives a waiting address the token that its mail will carry. Null where it waits no more: called off, replaced by
 * another, or its asker banned.
 */
export async function activateEmailChange(
  db: Db,
  { user_id, email, token_hash }: { user_id: number; email: string; token_hash: Buffer },
): Promise<RequestedEmail | null> {
  const [asked] = await db<RequestedEmail[]>`
    update email_changes c set token_hash = ${token_hash} from users u
     where c.user_id = ${user_id} and c.email = ${email} and c.expires_at > now()
       and u.id = c.user_id and u.banned_at is null
    returning u.username,
      (select json_build_object('username', o.username, 'email', o.email, 'is_banned', o.banned_at is not null)
         from users o where lower(o.email) = lower(c.email)) as owner`
  return asked ?? null
}

export interface ChangedEmail {
  id: number
  username: string
  old_email: string
  email: string
}

/**
 * Takes a link: its address is its asker's from now on. Null where it is none of ours, used, called off or expired, or
 * its asker banned. The user's row is locked first, as by whatever changes a password.
 * @throws 23505 where somebody else has the address.
 */
export async function consumeEmailChange(
  tx: TransactionSql,
  tokenHash: Buffer,
): Promise<ChangedEmail | null> {
  const [asker] = await tx<Omit<ChangedEmail, 'email'>[]>`
    select u.id, u.username, u.email as old_email from users u
     where u.id = (select user_id from email_changes where token_hash = ${tokenHash}) and u.banned_at is null
       for update`
  if (asker === undefined) return null
  const [taken] = await tx<{ email: string }[]>`
    delete from email_changes
     where user_id = ${asker.id} and token_hash = ${tokenHash} and expires_at > now()
    returning email`
  if (taken === undefined) return null
  await tx`update users set email = ${taken.email} where id = ${asker.id}`
  return { ...asker, ...taken }
}

/** The address that waits is waited for no more; nothing where none does. */
export async function cancelEmailChange(db: Db, userId: number): Promise<void> {
  await db`delete from email_changes where user_id = ${userId}`
}

/** As `cancelEmailChange`, by the link. */
export async function cancelEmailChangeByToken(db: Db, tokenHash: Buffer): Promise<void> {
  await db`delete from email_changes where token_hash = ${tokenHash}`
}
