/**
 * Encryption of values that are stored in the database: queued mails, the secrets of authenticators and the responses of
 * idempotent calls. Each value begins with the number of its format, so that another cipher can be introduced while the
 * values of an earlier one are still read.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
/** The number of this format. A new format gets another number, and `decrypt` reads both. */
const format = 1
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts a text. Returns format, nonce, ciphertext and tag. `boundTo` is authenticated but not stored, so that a value copied
 * to another row cannot be decrypted.
 */
export function encrypt(key: KeyObject, boundTo: string, text: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(boundTo))
  return Buffer.concat([
    Buffer.of(format),
    nonce,
    encryption.update(text, 'utf8'),
    encryption.final(),
    encryption.getAuthTag(),
  ])
}

/** Decrypts a value. Throws if it was altered, has an unknown format, or was encrypted with another key or `boundTo`. */
export function decrypt(key: KeyObject, boundTo: string, encrypted: Buffer): string {
  if (encrypted[0] !== format) throw new Error(`unknown format of an encrypted value: ${encrypted[0]}`)
  const sealed = encrypted.subarray(1)
  const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(sealed.subarray(-tagBytes))
  return (
    decryption.update(sealed.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decryption.final('utf8')
  )
}
