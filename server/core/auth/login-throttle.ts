/**
 * Limits password guessing without locking owners out (docs/behaviour.md, Accounts and sessions). Failures count per
 * address and its networks, per account and address, and per account, whether or not the account exists; those of a
 * trusted device count separately. The counts are in the database, so that all processes share them.
 */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../database/database.ts'
import { ApiError } from '../http/errors.ts'
import { type RateLimit, rateLimits } from '../http/rate-limit-config.ts'
import { consumeToken, ipBucketKey, ipv6Networks, refundTokens } from '../http/rate-limits.ts'
import { isStillTrusted, readTrustedDevice, type TrustedDevice } from './trusted-device.ts'

export interface Attempt {
  /** Whether the attempt comes from a trusted device of the account. `verifyPassword` and `hashPassword` take it. */
  isTrusted: boolean
  /**
   * Set if untrusted devices have failed to log in to this account more often than allowed. The password may then be
   * checked only against a proof of work (features/auth/challenge/login-challenge.ts).
   */
  exceeded: ExceededAccountLimit | null
  /** Removes the attempt from the counts. Call it after a successful login. */
  forgive(): Promise<void>
}

export interface ExceededAccountLimit {
  /** Identifies the account in the keys of buckets, whether or not it exists. */
  accountKey: string
  /** Seconds until an attempt is certainly allowed again. */
  retryAfter: number
}

/**
 * Counts a login as failed before the password is checked, so that concurrent logins are limited too:
 *
 *     const attempt = await registerAttempt(db, request, username)
 *     if (attempt.exceeded !== null) await requireLoginChallenge(…)
 *     if (!(await verifyPassword(password, hash, attempt))) throw …
 *     await attempt.forgive()
 *
 * @param name the username or e-mail address as entered, existing or not
 * @throws ApiError('login-rate-limited') with Retry-After
 */
export async function registerAttempt(db: Db, request: FastifyRequest, name: string): Promise<Attempt> {
  return registerAttemptFrom(db, await readSource(db, request, name))
}

/**
 * Counts a check of the password of a signed-in user, like `registerAttempt`. Its limit per account counts apart from
 * logins, because only the user's own sessions can exhaust it, and has no proof of work.
 */
export async function registerPasswordCheck(
  db: Db,
  request: FastifyRequest,
  { id, username }: { id: number; username: string },
): Promise<Attempt> {
  return registerAttemptFrom(db, { ...(await readSource(db, request, username)), signedInUserId: id })
}

interface AttemptSource {
  /** As the database folds its case. */
  name: string
  address: string
  /** Only a device that is trusted for this account. */
  trusted: TrustedDevice | null
  scale: number
  signedInUserId?: number
}

/** Like `registerAttempt`, with the values it reads from the request. */
export async function registerAttemptFrom(db: Db, { scale, ...from }: AttemptSource): Promise<Attempt> {
  const isTrusted = from.trusted !== null
  const consumed: string[] = []
  const attempt = { isTrusted, exceeded: null, forgive: () => refundTokens(db, consumed) }
  if (scale === 0) return { ...attempt, forgive: async () => {} }
  const accountKey = hashName(from.name)
  for (const bucket of attemptBuckets(from, accountKey)) {
    const retryAfter = await consumeToken(db, bucket.key, bucket, scale)
    if (retryAfter === 0) consumed.push(bucket.key)
    else if (bucket.allowsProofOfWork) return { ...attempt, exceeded: { accountKey, retryAfter } }
    else throw new ApiError('login-rate-limited', {}, retryAfter)
  }
  return attempt
}

interface AttemptBucket extends RateLimit {
  key: string
  /** Only the last bucket: the attempt counts in all others first. */
  allowsProofOfWork?: true
}

function attemptBuckets(
  { address, trusted, signedInUserId }: Omit<AttemptSource, 'scale'>,
  account: string,
): AttemptBucket[] {
  if (trusted !== null)
    return [{ key: `login device ${trusted.user_id} ${trusted.nonce}`, ...rateLimits['login-by-device'] }]
  const from = ipBucketKey(address)
  const [wide, widest] = ipv6Networks(address)
  return [
    { key: `login ${from}`, ...rateLimits['login-by-ip'] },
    ...(wide === undefined ? [] : [{ key: `login ${wide}`, ...rateLimits['login-by-ipv6-56'] }]),
    ...(widest === undefined ? [] : [{ key: `login ${widest}`, ...rateLimits['login-by-ipv6-48'] }]),
    { key: `login ${from} ${account}`, ...rateLimits['login-by-account-and-ip'] },
    signedInUserId === undefined
      ? { key: `login account ${account}`, ...rateLimits['login-by-account'], allowsProofOfWork: true }
      : { key: `password check ${signedInUserId}`, ...rateLimits['password-check'] },
  ]
}

/** Hashes a name, because users sometimes enter their password in the field for the username. */
function hashName(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22)
}

/**
 * Reads who makes an attempt. The database folds the case of the name, as it does when it finds the account: JavaScript
 * folds some characters differently (`İ`), and each spelling would have limits of its own.
 */
async function readSource(db: Db, request: FastifyRequest, name: string): Promise<AttemptSource> {
  const device = readTrustedDevice(request)
  const [row] = await db<[{ name: string; is_trusted: boolean }]>`
    select lower(${name}) as name,
           exists (select from users
                    where ${isStillTrusted(db, device)} and banned_at is null
                      and (lower(username) = lower(${name}) or (lower(email) = lower(${name}) and email_confirmed_at is not null))) as is_trusted`
  return {
    name: row.name,
    address: request.ip,
    trusted: row.is_trusted ? device : null,
    scale: request.server.deps.settings.rateLimitScale,
  }
}
