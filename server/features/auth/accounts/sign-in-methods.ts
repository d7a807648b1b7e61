/** Functions that several sign-in methods share. */

import type { Db } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { confirmEmailJob } from '../email-confirmation/jobs.ts'
import type { SecurityMailKind } from '../mails/mail-texts.ts'
import { queueSecurityMail } from '../mails/queue-security-mail.ts'
import { createUser, findConflicts } from './queries.ts'
import { usernameTakenText } from './rules.ts'

/**
 * Mails the owner of an account that a sign-in method was changed, in the caller's transaction. An unconfirmed address may
 * belong to someone else and gets no such mail.
 */
export async function mailSecurityChange(
  tx: Db,
  deps: Pick<Deps, 'jobs' | 'serverKeys' | 'settings'>,
  userId: number,
  change: SecurityMailKind,
): Promise<void> {
  const [owner] = await tx<{ email: string }[]>`
    select email from users where id = ${userId} and email_confirmed_at is not null`
  if (owner !== undefined) await queueSecurityMail(tx, deps, change, { to: owner.email })
}

/**
 * Locks a user, so that changes to their sign-in methods happen one after the other and logins wait for them.
 * @throws ApiError('invalid-token') if the session ended since the request was authorised: a password reset, which ends
 * all sessions, may have held the lock
 */
export async function lockUser(
  tx: Db,
  { id, session_id }: { id: number; session_id: number },
): Promise<void> {
  await tx`select from users where id = ${id} for no key update`
  // A statement of its own, so that it sees what the transaction that held the lock has written.
  const [session] = await tx`
    select from sessions where id = ${session_id} and user_id = ${id} and ended_at is null and expires_at > now()`
  if (session === undefined) throw new ApiError('invalid-token')
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

/** Returns whether an account has confirmed an e-mail address, whatever the case. */
export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  return (await findConflicts(db, { username: '', email })).email
}

/**
 * Creates an account without a password, for other sign-in methods. An address that is not confirmed yet gets a mail to do
 * so, and whether an account has it is not revealed.
 * @throws InvalidFields if the username is taken, or ApiError('email-taken') for an address that is confirmed
 */
export async function createUserWithoutPassword(
  tx: Db,
  { jobs }: Pick<Deps, 'jobs'>,
  profile: { username: string; email: string; is_email_confirmed: boolean },
): Promise<{ id: number; username: string }> {
  const user = await createUser(tx, { ...profile, password_hash: null })
  if (user !== null) {
    if (!profile.is_email_confirmed)
      await jobs.send(tx, confirmEmailJob, { user_id: user.id, email: user.email })
    return user
  }
  if (profile.is_email_confirmed && (await findConflicts(tx, profile)).email) {
    throw new ApiError('email-taken')
  }
  throw new InvalidFields({ username: [usernameTakenText] })
}
