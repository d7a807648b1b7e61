/** Encryption of values that are stored in the database: queued mails and the secrets of authenticators. */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts a text. Returns nonce, ciphertext and tag. `boundTo` is authenticated but not stored, so that a value copied
 * to another row cannot be decrypted.
 */
export function encrypt(key: KeyObject, boundTo: string, text: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(boundTo))
  return Buffer.concat([nonce, encryption.update(text, 'utf8'), encryption.final(), encryption.getAuthTag()])
}

/** Decrypts a value. Throws if it was altered or encrypted with another key or `boundTo`. */
export function decrypt(key: KeyObject, boundTo: string, encrypted: Buffer): string {
  const decryption = createDecipheriv(cipher, key, encrypted.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(encrypted.subarray(-tagBytes))
  return (
    decryption.update(encrypted.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decryption.final('utf8')
  )
}
