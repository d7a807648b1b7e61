/**
 * Remembers which access tokens were verified, because browsers send the same one for 15 minutes and verifying it takes
 * longer than the rest of authentication. Only the signature and the expiry are remembered: whether the session still
 * exists is read from the database for each request.
 */
import type { KeyObject } from 'node:crypto'
import { type AccessClaims, tokenOptions, verifyAccessToken } from './tokens.ts'

interface VerifiedToken {
  claims: AccessClaims
  /** In seconds since 1970. */
  expiresAt: number
}

/** Maximum number of remembered tokens, about 5 MB. */
const maxTokens = 10_000

const verifiedByKey = new WeakMap<KeyObject, Map<string, VerifiedToken>>()

/** Returns user and session of a valid access token. Throws for every other token. */
export async function verifyKnownToken(
  token: string,
  key: KeyObject,
  now = Math.floor(Date.now() / 1000),
): Promise<AccessClaims> {
  let verified = verifiedByKey.get(key)
  if (verified === undefined) {
    verified = new Map()
    verifiedByKey.set(key, verified)
  }
  const known = verified.get(token)
  // An expired token is verified again, so that it causes the same error as every other expired token.
  if (known !== undefined && known.expiresAt > now) return known.claims
  verified.delete(token)
  const { expires_at: expiresAt, ...claims } = await verifyAccessToken(token, tokenOptions(key, now))
  // The order of a Map is that of insertion: the first entry is the oldest.
  if (verified.size >= maxTokens) verified.delete(verified.keys().next().value as string)
  verified.set(token, { claims, expiresAt })
  return claims
}
