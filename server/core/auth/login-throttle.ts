/**
 * Limits password guessing without locking owners out (docs/behaviour.md, Accounts and sessions). Failures count per
 * address and per account and address, whether or not the account exists; those of a trusted device count separately.
 * The counts are in the database, so that all processes share them.
 */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../database/database.ts'
import { ApiError } from '../http/errors.ts'
import { rateLimits } from '../http/rate-limit-config.ts'
import { consumeToken, ipBucketKey, refundTokens } from '../http/rate-limits.ts'
import { readTrustedDevice, type TrustedDevice } from './trusted-device.ts'

export interface Attempt {
  /** Whether the attempt comes from a trusted device of the account. `verifyPassword` and `hashPassword` take it. */
  isTrusted: boolean
  /** Removes the attempt from the counts. Call it after a successful login. */
  forgive(): Promise<void>
}

/**
 * Counts an attempt as failed before the password is checked, so that concurrent attempts are limited too. Every check
 * of a password uses it:
 *
 *     const attempt = await registerAttempt(db, request, username)
 *     if (!(await verifyPassword(password, hash, attempt))) throw …
 *     await attempt.forgive()
 *
 * @param name the username or e-mail address as entered, existing or not
 * @throws ApiError('login-rate-limited') with Retry-After
 */
export async function registerAttempt(db: Db, request: FastifyRequest, name: string): Promise<Attempt> {
  const device = readTrustedDevice(request)
  const trusted = device !== null && (await belongsToAccount(db, device, name)) ? device : null
  return registerAttemptFrom(db, {
    name,
    address: request.ip,
    trusted,
    scale: request.server.deps.settings.rateLimitScale,
  })
}

interface AttemptSource {
  name: string
  address: string
  /** Only a device that is trusted for this account. */
  trusted: TrustedDevice | null
  scale: number
}

/** Like `registerAttempt`, with the values it reads from the request. */
export async function registerAttemptFrom(db: Db, { scale, ...from }: AttemptSource): Promise<Attempt> {
  const isTrusted = from.trusted !== null
  if (scale === 0) return { isTrusted, forgive: async () => {} }
  const buckets = attemptBuckets(from)
  for (const bucket of buckets) {
    const wait = await consumeToken(db, bucket.key, bucket, scale)
    if (wait > 0) throw new ApiError('login-rate-limited', {}, wait)
  }
  return {
    isTrusted,
    forgive: () =>
      refundTokens(
        db,
        buckets.map(({ key }) => key),
      ),
  }
}

function attemptBuckets({ name, address, trusted }: Omit<AttemptSource, 'scale'>) {
  if (trusted !== null)
    return [{ key: `login device ${trusted.user_id} ${trusted.nonce}`, ...rateLimits['login-by-device'] }]
  const from = ipBucketKey(address)
  // Hashed, because users sometimes enter their password in the field for the username.
  const account = createHash('sha256').update(name.toLowerCase()).digest('base64url').slice(0, 22)
  return [
    { key: `login ${from}`, ...rateLimits['login-by-ip'] },
    { key: `login ${from} ${account}`, ...rateLimits['login-by-account-and-ip'] },
  ]
}

async function belongsToAccount(db: Db, { user_id }: TrustedDevice, name: string): Promise<boolean> {
  const rows = await db`
    select from users
     where id = ${user_id} and banned_at is null
       and (lower(username) = lower(${name}) or (lower(email) = lower(${name}) and email_confirmed_at is not null))`
  return rows.length === 1
}
