/** What other ways to sign in need of accounts. */
import type { Deps } from '../../app.ts'
import type { Db } from '../../core/database.ts'
import { queueMail } from '../../core/mail-queue.ts'
import { type SecurityChange, securityMail } from './security-mails.ts'

/** Tells an account's owner by mail, in the caller's transaction, that the way they sign in was changed. */
export async function tellOfChange(
  tx: Db,
  { jobs, settings }: Pick<Deps, 'jobs' | 'settings'>,
  userId: number,
  change: SecurityChange,
  what: string | null = null,
): Promise<void> {
  const [owner] = await tx<{ username: string; email: string }[]>`
    select username, email from users where id = ${userId}`
  if (owner !== undefined) await queueMail(tx, jobs, securityMail(owner, change, what, settings.publicUrl))
}

/** Locks an account's row: what adds or takes a way to sign in goes one at a time. */
export async function lockUser(tx: Db, userId: number): Promise<void> {
  await tx`select from users where id = ${userId} for update`
}

/** Whether an account can be signed in to, as the caller's transaction leaves it. */
export async function hasWayIn(
  tx: Db,
  { settings }: Pick<Deps, 'settings'>,
  userId: number,
): Promise<boolean> {
  // A site that vouched once, and is not asked any more, lets nobody in.
  const issuer = settings.oidc?.issuer ?? null
  const [{ has }] = await tx<[{ has: boolean }]>`
    select exists (select from users where id = ${userId} and password_hash is not null)
        or exists (select from passkeys where user_id = ${userId})
        or exists (select from identities where user_id = ${userId} and issuer = ${issuer}) as has`
  return has
}
