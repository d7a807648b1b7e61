/** What logins and passkeys, which are second factors too, need of the second step and of the recovery codes. */
import { createHash, randomInt } from 'node:crypto'
import type { logIn } from '@reelmark/contract/accounts.ts'
import type { Reply } from '@reelmark/contract/protocol/endpoint.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type SecondFactorRequired, secondFactors } from '@reelmark/contract/second-factor.ts'
import { createTicket, type Ticket } from '../../../core/auth/one-time-tickets.ts'
import { type RequestContext, signIn } from '../../../core/auth/sign-in.ts'
import type { Db } from '../../../core/database/database.ts'
import { ApiError } from '../../../core/http/errors.ts'

/** The data of a ticket 'second-factor', whose `user_id` is who gave the right password. */
export interface SecondFactorTicket {
  /** What was said in the first step. */
  remember: boolean
  /** Of the password that was given: changed in between, it ends the ticket. */
  password_fingerprint: string
}

/**
 * Ends the first step of a login: whoever has a second factor is asked for it.
 * @throws ApiError('second-factor-required') with what contract/second-factor.ts, SecondFactorNeeded, says.
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

/** In the order in which to offer them. Recovery codes alone are no second factor: then there are none. */
async function listSecondFactors(db: Db, userId: number): Promise<SecondFactorRequired['methods']> {
  const [has] = await db<[Record<SecondFactorRequired['methods'][number], boolean>]>`
    select exists (select from authenticators where user_id = ${userId} and confirmed_at is not null) as authenticator,
           exists (select from passkeys where user_id = ${userId}) as passkey,
           exists (select from recovery_codes where user_id = ${userId}) as recovery_code`
  if (!has.authenticator && !has.passkey) return []
  return secondFactors.filter((factor) => has[factor])
}

/** An authenticator app that is set up, or a passkey. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  return (await listSecondFactors(db, userId)).length > 0
}

/**
 * Signs in whoever gave the second factor that a taken ticket asked for. The device is trusted from now on.
 * @throws ApiError('banned'); ApiError('ticket-expired') where the password was changed since it was given.
 */
export async function completeLogin(
  db: Db,
  http: RequestContext,
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
  const signedIn = await signIn(db, http, user, { remember, password_hash: user.password_hash })
  // Banned, or the password changed, since it was read.
  if (signedIn === null) throw new ApiError('ticket-expired')
  return signedIn
}

/** Not the hash itself: a ticket need only tell whether it is still the same. */
function passwordFingerprint(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
}

/** Without letters and digits that look alike. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz'
const codeLength = 10

/**
 * Makes the recovery codes of somebody who has none. Null where they have some: those go on working.
 * The caller's transaction holds the user's row locked, or codes could be made twice.
 */
export async function createRecoveryCodes(tx: Db, userId: number): Promise<string[] | null> {
  const [{ exists }] = await tx<[{ exists: boolean }]>`
    select exists (select from recovery_codes where user_id = ${userId}) as exists`
  return exists ? null : replaceRecoveryCodes(tx, userId)
}

/** Makes new recovery codes; the old ones are gone. */
export async function replaceRecoveryCodes(tx: Db, userId: number): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodesCount }, newCode)
  await tx`delete from recovery_codes where user_id = ${userId}`
  // As hex: the driver takes no list of bytes.
  const hashes = codes.map((code) => hashRecoveryCode(code).toString('hex'))
  await tx`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}, decode(hash, 'hex') from unnest(${hashes}::text[]) as hash`
  return codes
}

/** Without a second factor there is nothing to recover: then the codes go. */
export async function removeUnneededRecoveryCodes(tx: Db, userId: number): Promise<void> {
  await tx`
    delete from recovery_codes
     where user_id = ${userId}
       and not exists (select from authenticators a where a.user_id = ${userId} and a.confirmed_at is not null)
       and not exists (select from passkeys p where p.user_id = ${userId})`
}

/** Of a code as somebody types it: case, blanks and dashes do not matter. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest()
}

/** `abcde-fghjk`: some 50 bits. */
function newCode(): string {
  const letters = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)])
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
}
