/** Encrypts what must be read again and may not lie in a table as it is: mails that wait, secrets of authenticators. */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Nonce, ciphertext and tag. Bound to what it belongs to: moved to another row, it does not open. */
export function encrypt(key: KeyObject, boundTo: string, text: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(boundTo))
  return Buffer.concat([nonce, encryption.update(text, 'utf8'), encryption.final(), encryption.getAuthTag()])
}

/** Throws for what was not sealed by that key, for that, or was altered. */
export function decrypt(key: KeyObject, boundTo: string, sealed: Buffer): string {
  const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(sealed.subarray(-tagBytes))
  return (
    decryption.update(sealed.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decryption.final('utf8')
  )
}
