/** The second step of a login, and recovery codes; also used for passkeys, which are second factors too. */
import { createHash, randomInt } from 'node:crypto'
import type { logIn } from '@reelmark/contract/accounts.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type SecondFactorRequired, secondFactors } from '@reelmark/contract/second-factor.ts'
import { createTicket, type Ticket } from '../../../core/auth/one-time-tickets.ts'
import { type RequestContext, signIn } from '../../../core/auth/sign-in.ts'
import type { Db } from '../../../core/database/database.ts'
import { ApiError } from '../../../core/http/errors.ts'

/** Data of the ticket of a login's second step. Its `user_id` is the user who entered the right password. */
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
  const [available] = await db<[Record<SecondFactorRequired['methods'][number], boolean>]>`
    select exists (select from authenticators where user_id = ${userId} and confirmed_at is not null) as authenticator,
           exists (select from passkeys where user_id = ${userId}) as passkey,
           exists (select from recovery_codes where user_id = ${userId}) as recovery_code`
  if (!available.authenticator && !available.passkey) return []
  return secondFactors.filter((factor) => available[factor])
}

/** Returns whether the user has an authenticator app or a passkey. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  return (await listSecondFactors(db, userId)).length > 0
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

/** Excludes letters and digits that look similar. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const codeLength = 10

/**
 * Creates recovery codes, or returns null if the user has some, which stay valid. The caller's transaction must have
 * locked the user, otherwise concurrent calls could create two sets.
 */
export async function createRecoveryCodes(tx: Db, userId: number): Promise<string[] | null> {
  const [{ exists }] = await tx<[{ exists: boolean }]>`
    select exists (select from recovery_codes where user_id = ${userId}) as exists`
  return exists ? null : replaceRecoveryCodes(tx, userId)
}

/** Creates new recovery codes and deletes the old ones. */
export async function replaceRecoveryCodes(tx: Db, userId: number): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodesCount }, newCode)
  await tx`delete from recovery_codes where user_id = ${userId}`
  // As hexadecimal text, because the database driver does not support arrays of bytes.
  const hashes = codes.map((code) => hashRecoveryCode(code).toString('hex'))
  await tx`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}, decode(hash, 'hex') from unnest(${hashes}::text[]) as hash`
  return codes
}

/** Deletes the recovery codes of a user without a second factor. */
export async function removeUnneededRecoveryCodes(tx: Db, userId: number): Promise<void> {
  await tx`
    delete from recovery_codes
     where user_id = ${userId}
       and not exists (select from authenticators a where a.user_id = ${userId} and a.confirmed_at is not null)
       and not exists (select from passkeys p where p.user_id = ${userId})`
}

/** Hashes a recovery code. Case, blanks and dashes are ignored. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest()
}

/** Creates a code such as `abcde-fghjk`, with about 50 bits. */
function newCode(): string {
  const letters = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)])
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
}
