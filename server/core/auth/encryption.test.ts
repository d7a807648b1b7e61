import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decrypt, encrypt } from './encryption.ts'

const key = createSecretKey(randomBytes(32))

test('what was sealed opens with its key, for what it belongs to', () => {
  const sealed = encrypt(key, '7', 'пароль 🔑')
  expect(decrypt(key, '7', sealed)).toBe('пароль 🔑')
  expect(decrypt(key, '7', encrypt(key, '7', ''))).toBe('')
  expect(encrypt(key, '7', 'пароль 🔑')).not.toEqual(sealed)
})

test('it does not open with another key, for another, or altered by a bit', () => {
  const sealed = encrypt(key, '7', 'a secret')
  expect(() => decrypt(createSecretKey(randomBytes(32)), '7', sealed)).toThrow()
  expect(() => decrypt(key, '8', sealed)).toThrow()
  for (let n = 0; n < sealed.length; n++) {
    const altered = Buffer.from(sealed)
    altered.writeUInt8(altered.readUInt8(n) ^ 1, n)
    expect(() => decrypt(key, '7', altered)).toThrow()
  }
  expect(() => decrypt(key, '7', sealed.subarray(0, 20))).toThrow()
  expect(() => decrypt(key, '7', Buffer.alloc(0))).toThrow()
})
