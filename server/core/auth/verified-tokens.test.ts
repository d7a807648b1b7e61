import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { signAccessToken, tokenOptions } from './tokens.ts'
import { verifyKnownToken } from './verified-tokens.ts'

const key = createSecretKey(randomBytes(32))
const now = 1_800_000_000
const claims = { user_id: 7, session_id: 70 }

test('a token is accepted until it expires, also after it was verified before', async () => {
  const token = await signAccessToken(claims, tokenOptions(key, now))
  expect(await verifyKnownToken(token, key, now)).toEqual(claims)
  expect(await verifyKnownToken(token, key, now + 899)).toEqual(claims)
  await expect(verifyKnownToken(token, key, now + 900)).rejects.toThrow('exp')
  await expect(verifyKnownToken(token, key, now + 901)).rejects.toThrow('exp')
})

test('no other text and no other key is accepted after a token was verified', async () => {
  const token = await signAccessToken(claims, tokenOptions(key, now))
  await verifyKnownToken(token, key, now)
  for (let at = 0; at < token.length; at += 7) {
    const altered = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    await expect(verifyKnownToken(altered, key, now), String(at)).rejects.toThrow()
  }
  await expect(verifyKnownToken(token, createSecretKey(randomBytes(32)), now)).rejects.toThrow('signature')
})
