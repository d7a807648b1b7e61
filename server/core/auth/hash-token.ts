/**
 * Tokens that say nothing by themselves (tickets, mailed links, access tokens): 256 random bits, of which the database
 * keeps the hash alone. So many bits need neither salt nor a slow hash.
 */
import { createHash, randomBytes } from 'node:crypto'

/** 43 characters, fit for an address. */
export function newOpaqueToken(): string {
  return randomBytes(32).toString('base64url')
}

/** 32 bytes. */
export function hashOpaqueToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
