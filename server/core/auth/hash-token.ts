/**
 * Opaque tokens (tickets, mailed links, personal access tokens): 256 random bits, of which the database stores only the
 * hash. With that many bits, neither a salt nor a slow hash is needed.
 */
import { createHash, randomBytes } from 'node:crypto'

/** Creates a token of 43 characters that can be part of a URL. */
export function newOpaqueToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256 hash of a token, 32 bytes. */
export function hashOpaqueToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
