/**
 * Holds back who guesses passwords and nobody else (decisions.md, Accounts and sessions): failures are counted per
 * address, and per account and address together, whether or not the account exists.
 */
import { createHash } from 'node:crypto'
import type { Db } from '../../core/database.ts'
import { ApiError } from '../../core/errors.ts'
import { addressKey, giveBack, takeFrom } from '../../core/rate-limits.ts'

const perAddress = { tokens: 100, seconds: 3600 }
const perAccountAndAddress = { tokens: 10, seconds: 600 }

/** The buckets that an attempt draws from. A trusted device would get one of its own here, instead of these. */
function bucketsOf(name: string, address: string) {
  const from = addressKey(address)
  // Hashed: people type their password into the wrong field.
  const account = createHash('sha256').update(name.toLowerCase()).digest('base64url').slice(0, 22)
  return [
    { key: `login ${from}`, ...perAddress },
    { key: `login ${from} ${account}`, ...perAccountAndAddress },
  ]
}

/**
 * Counts an attempt as failed before it is tried, so that a hundred at once are held back too.
 * @returns what takes that back, for when it succeeded.
 * @throws ApiError('too-many-logins') with Retry-After.
 */
export async function countAttempt(
  db: Db,
  { name, address, scale }: { name: string; address: string; scale: number },
): Promise<() => Promise<void>> {
  if (scale === 0) return async () => {}
  const buckets = bucketsOf(name, address)
  for (const bucket of buckets) {
    const wait = await takeFrom(db, bucket.key, bucket, scale)
    if (wait > 0) throw new ApiError('too-many-logins', {}, wait)
  }
  return () =>
    giveBack(
      db,
      buckets.map(({ key }) => key),
    )
}
