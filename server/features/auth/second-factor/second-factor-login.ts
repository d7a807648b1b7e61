/** The second step of a login; also used for passkeys, which are second factors too. */
import { createHash } from 'node:crypto'
import type { logIn } from '@reelmark/contract/accounts.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { type SecondFactorRequired, secondFactors } from '@reelmark/contract/second-factor.ts'
import { createTicket, type Ticket } from '../../../core/auth/one-time-tickets.ts'
import { readFactors, reauthenticationRequired } from '../../../core/auth/reauthentication.ts'
import { type RequestContext, signIn } from '../../../core/auth/sign-in.ts'
import type { Db } from '../../../core/database/database.ts'
import { ApiError } from '../../../core/http/errors.ts'

/** Data of the ticket of a login's second step. Its `user_id` is the user who completed the first step. */
export interface SecondFactorTicket {
  /** The choice made in the first step. */
  remember: boolean
  /** Identifies the password of the first step; changing it invalidates the ticket. */
  password_fingerprint: string
}

/**
 * Ends the first step of a login if the user has a second factor.
 * @throws ApiError('second-factor-required') with a ticket and the methods (contract/second-factor.ts)
 */
export async function requireSecondFactor(
  db: Db,
  { id, password_hash }: { id: number; password_hash: string | null },
  { remember }: { remember: boolean },
): Promise<void> {
  const methods = await listSecondFactors(db, id)
  if (methods.length === 0) return
  const data = {
    remember,
    password_fingerprint: passwordFingerprint(password_hash),
  } satisfies SecondFactorTicket
  const ticket = await createTicket(db, 'second-factor', { user_id: id, data })
  throw new ApiError('second-factor-required', { ticket, methods })
}

/** Returns the second factors in the order to offer them; none if the user has only recovery codes. */
async function listSecondFactors(db: Db, userId: number): Promise<SecondFactorRequired['methods']> {
  const available = await readFactors(db, userId)
  if (!available.authenticator && !available.passkey) return []
  return secondFactors.filter((factor) => available[factor])
}

/** Returns whether the user has an authenticator app or a passkey. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  return (await listSecondFactors(db, userId)).length > 0
}

/**
 * Requires a recent reauthentication of users with a second factor, for calls that ask for the password alone.
 * @throws ApiError('reauthentication-required')
 */
export async function requireRecentSecondFactor(
  db: Db,
  { id, recently_authenticated }: { id: number; recently_authenticated: boolean },
): Promise<void> {
  if (!recently_authenticated && (await hasSecondFactor(db, id))) throw await reauthenticationRequired(db, id)
}

/**
 * Creates the session after the second step, whose ticket was consumed, and makes the device a trusted one.
 * @throws ApiError('banned'), or ApiError('ticket-expired') if the password was changed since the first step
 */
export async function completeLogin(
  db: Db,
  context: RequestContext,
  { user_id, data }: Ticket<SecondFactorTicket>,
): Promise<Reply<typeof logIn>> {
  const [user] = await db<
    { id: number; username: string; password_hash: string | null; is_banned: boolean }[]
  >`
    select id, username, password_hash, banned_at is not null as is_banned from users where id = ${user_id}`
  if (user === undefined || passwordFingerprint(user.password_hash) !== data.password_fingerprint) {
    throw new ApiError('ticket-expired')
  }
  if (user.is_banned) throw new ApiError('banned')
  const { remember } = data
  const signedIn = await signIn(db, context, user, { remember, password_hash: user.password_hash })
  // The account was banned or its password changed since it was read.
  if (signedIn === null) throw new ApiError('ticket-expired')
  return signedIn
}

/** Returns a hash of the password hash, so that a ticket does not contain the latter. */
function passwordFingerprint(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
}
