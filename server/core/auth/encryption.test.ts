import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decrypt, encrypt } from './encryption.ts'

const key = createSecretKey(randomBytes(32))

test('an encrypted text can be decrypted with the same key and context, and no two ciphertexts are equal', () => {
  const encrypted = encrypt(key, '7', 'пароль 🔑')
  expect(decrypt(key, '7', encrypted)).toBe('пароль 🔑')
  expect(decrypt(key, '7', encrypt(key, '7', ''))).toBe('')
  expect(encrypt(key, '7', 'пароль 🔑')).not.toEqual(encrypted)
})

test('an encrypted text names its format, and an unknown format is refused', () => {
  const encrypted = encrypt(key, '7', 'a secret')
  expect(encrypted[0]).toBe(1)
  expect(() => decrypt(key, '7', Buffer.concat([Buffer.of(2), encrypted.subarray(1)]))).toThrow('format')
})

test('decryption fails with another key or context, and if any bit was altered', () => {
  const encrypted = encrypt(key, '7', 'a secret')
  expect(() => decrypt(createSecretKey(randomBytes(32)), '7', encrypted)).toThrow()
  expect(() => decrypt(key, '8', encrypted)).toThrow()
  for (let n = 0; n < encrypted.length; n++) {
    const altered = Buffer.from(encrypted)
    altered.writeUInt8(altered.readUInt8(n) ^ 1, n)
    expect(() => decrypt(key, '7', altered)).toThrow()
  }
  expect(() => decrypt(key, '7', encrypted.subarray(0, 20))).toThrow()
  expect(() => decrypt(key, '7', Buffer.alloc(0))).toThrow()
})
