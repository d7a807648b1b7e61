/** What other ways to sign in need of accounts. */

import type { Db } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { queueMail } from '../../../core/mail/mail-queue.ts'
import { usernameTakenText } from '../passwords/rules.ts'
import { createUser, findConflicts } from './queries.ts'
import { type SecurityChange, securityMail } from './security-mails.ts'

/** Tells an account's owner by mail, in the caller's transaction, that the way they sign in was changed. */
export async function mailSecurityChange(
  tx: Db,
  deps: Pick<Deps, 'jobs' | 'serverKeys' | 'settings'>,
  userId: number,
  change: SecurityChange,
  what: string | null = null,
): Promise<void> {
  const [owner] = await tx<{ username: string; email: string }[]>`
    select username, email from users where id = ${userId}`
  if (owner !== undefined)
    await queueMail(tx, deps, securityMail(owner, change, what, deps.settings.publicUrl))
}

/** Locks an account's row: what changes how one signs in goes one at a time, and logins wait for it. */
export async function lockUser(tx: Db, userId: number): Promise<void> {
  await tx`select from users where id = ${userId} for no key update`
}

/** Whether an account can be signed in to, as the caller's transaction leaves it. */
export async function hasSignInMethod(
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

/** Whether some account has that e-mail, whatever the case. */
export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  return (await findConflicts(db, { username: '', email })).email
}

/**
 * Makes an account that is signed in to by other means than a password.
 * @throws ApiError('email-taken'); InvalidFields where the username is taken.
 */
export async function createUserWithoutPassword(
  tx: Db,
  person: { username: string; email: string },
): Promise<{ id: number; username: string }> {
  const user = await createUser(tx, { ...person, password_hash: null })
  if (user !== null) return user
  const taken = await findConflicts(tx, person)
  if (taken.email) throw new ApiError('email-taken')
  throw new InvalidFields({ username: [usernameTakenText] })
}
