/** Functions that several sign-in methods share. */

import type { Db } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { queueMail } from '../../../core/mail/mail-queue.ts'
import { createUser, findConflicts } from './queries.ts'
import { usernameTakenText } from './rules.ts'
import { type SecurityChange, securityMail } from './security-mails.ts'

/** Mails the owner of an account that a sign-in method was changed, in the caller's transaction. */
export async function mailSecurityChange(
  tx: Db,
  deps: Pick<Deps, 'jobs' | 'serverKeys' | 'settings'>,
  userId: number,
  change: SecurityChange,
  itemName: string | null = null,
): Promise<void> {
  const [owner] = await tx<{ username: string; email: string }[]>`
    select username, email from users where id = ${userId}`
  if (owner !== undefined)
    await queueMail(tx, deps, securityMail(owner, change, itemName, deps.settings.publicUrl))
}

/** Locks a user, so that changes to their sign-in methods happen one after the other and logins wait for them. */
export async function lockUser(tx: Db, userId: number): Promise<void> {
  await tx`select from users where id = ${userId} for no key update`
}

/** Returns whether an account has a sign-in method, as of the caller's transaction. */
export async function hasSignInMethod(
  tx: Db,
  { settings }: Pick<Deps, 'settings'>,
  userId: number,
): Promise<boolean> {
  // Identities of a provider that is no longer configured do not count.
  const issuer = settings.oidc?.issuer ?? null
  const [{ has }] = await tx<[{ has: boolean }]>`
    select exists (select from users where id = ${userId} and password_hash is not null)
        or exists (select from passkeys where user_id = ${userId})
        or exists (select from identities where user_id = ${userId} and issuer = ${issuer}) as has`
  return has
}

/** Returns whether an account has an e-mail address, whatever the case. */
export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  return (await findConflicts(db, { username: '', email })).email
}

/**
 * Creates an account without a password, for other sign-in methods.
 * @throws ApiError('email-taken'), or InvalidFields if the username is taken
 */
export async function createUserWithoutPassword(
  tx: Db,
  profile: { username: string; email: string },
): Promise<{ id: number; username: string }> {
  const user = await createUser(tx, { ...profile, password_hash: null })
  if (user !== null) return user
  const taken = await findConflicts(tx, profile)
  if (taken.email) throw new ApiError('email-taken')
  throw new InvalidFields({ username: [usernameTakenText] })
}
