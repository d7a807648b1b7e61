/**
 * Holds back who guesses passwords and nobody else (decisions.md, Accounts and sessions). Failures are counted per
 * address, and per account and address together, whether or not the account exists; those of a trusted device by
 * themselves. In the database, so that it holds across processes.
 */
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Db } from './database.ts'
import { ApiError } from './errors.ts'
import { rateLimits } from './rate-limit-table.ts'
import { addressKey, giveBack, takeFrom } from './rate-limits.ts'
import { readDevice, type TrustedDevice } from './trusted-device.ts'

export interface Attempt {
  /** It comes from a device of the account's owner: `verifyPassword` and `hashPassword` take this. */
  isTrusted: boolean
  /** To be called when it succeeded: then it does not count. */
  succeeded(): Promise<void>
}

/**
 * Counts an attempt at somebody's password as failed before it is tried, so that a hundred at once are held back too.
 * Whatever checks a password goes through this:
 *
 *     const attempt = await countAttempt(db, request, username)
 *     if (!(await verifyPassword(password, hash, attempt))) throw …
 *     await attempt.succeeded()
 *
 * @param name the account as it was typed, username or e-mail, existing or not.
 * @throws ApiError('too-many-logins') with Retry-After.
 */
export async function countAttempt(db: Db, request: FastifyRequest, name: string): Promise<Attempt> {
  const device = readDevice(request)
  const trusted = device !== null && (await isDeviceOf(db, device, name)) ? device : null
  return drawAttempt(db, {
    name,
    address: request.ip,
    trusted,
    scale: request.server.deps.settings.rateLimitScale,
  })
}

interface From {
  name: string
  address: string
  /** Only where it is one of that account. */
  trusted: TrustedDevice | null
  scale: number
}

/** As `countAttempt`, of what that reads from the request. */
export async function drawAttempt(db: Db, { scale, ...from }: From): Promise<Attempt> {
  const isTrusted = from.trusted !== null
  if (scale === 0) return { isTrusted, succeeded: async () => {} }
  const buckets = bucketsOf(from)
  for (const bucket of buckets) {
    const wait = await takeFrom(db, bucket.key, bucket, scale)
    if (wait > 0) throw new ApiError('too-many-logins', {}, wait)
  }
  return {
    isTrusted,
    succeeded: () =>
      giveBack(
        db,
        buckets.map(({ key }) => key),
      ),
  }
}

function bucketsOf({ name, address, trusted }: Omit<From, 'scale'>) {
  if (trusted !== null)
    return [{ key: `login device ${trusted.user_id} ${trusted.nonce}`, ...rateLimits['login by a device'] }]
  const from = addressKey(address)
  // Hashed: people type their password into the wrong field.
  const account = createHash('sha256').update(name.toLowerCase()).digest('base64url').slice(0, 22)
  return [
    { key: `login ${from}`, ...rateLimits['login from an address'] },
    { key: `login ${from} ${account}`, ...rateLimits['login to an account from an address'] },
  ]
}

async function isDeviceOf(db: Db, { user_id }: TrustedDevice, name: string): Promise<boolean> {
  const rows = await db`
    select from users
     where id = ${user_id} and banned_at is null
       and (lower(username) = lower(${name}) or lower(email) = lower(${name}))`
  return rows.length === 1
}
