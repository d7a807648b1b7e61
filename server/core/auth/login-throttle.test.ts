import { logIn } from '@reelmark/contract/accounts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { signUp, testPassword } from '../../testing/test-users.ts'

let site: TestApp
let people = 0
let name = ''
beforeAll(async () => {
  site = await bootApp({ settings: { rateLimitScale: 1, trustProxy: true } })
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  name = `alice${people}`
  await signUp(site, name)
  await site.db`truncate rate_limits`
})

const attempt = (username: string, password: string, address: string) =>
  site.app.inject({
    method: 'POST',
    url: '/api/token/',
    headers: { 'x-forwarded-for': address },
    payload: { username, password },
  })

test('after ten wrong passwords the eleventh has to wait, and is told how long', async () => {
  for (let n = 0; n < 10; n++) expect((await attempt(name, 'wrong', '192.0.2.1')).statusCode).toBe(401)
  const refused = await attempt(name, testPassword, '192.0.2.1')
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toEqual({ detail: errors['login-rate-limited'][1], code: 'login-rate-limited' })
  expect(Number(refused.headers['retry-after'])).toBe(60)
})

test('a hundred guesses at once are no way around', async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, () => attempt(name, 'wrong', '192.0.2.2')))
  expect(answers.filter((answer) => answer.statusCode === 401).length).toBeLessThanOrEqual(10)
})

test('nobody is locked out by somebody else’s guesses, under any case of the name', async () => {
  for (let n = 0; n < 12; n++) await attempt(name.toUpperCase(), 'wrong', '192.0.2.3')
  expect((await attempt(name, testPassword, '192.0.2.3')).statusCode).toBe(429)
  expect((await attempt(name, testPassword, '198.51.100.9')).statusCode).toBe(200)
})

test('an address that guesses at many accounts has to wait, whether or not they exist', async () => {
  for (let n = 0; n < 100; n++) await attempt(`nobody${n}`, 'wrong', '192.0.2.4')
  expect((await attempt('yet-another', 'wrong', '192.0.2.4')).statusCode).toBe(429)
  expect((await attempt('yet-another', 'wrong', '192.0.2.5')).statusCode).toBe(401)
})

test('who gets in is not counted, however often', async () => {
  for (let n = 0; n < 30; n++) expect((await attempt(name, testPassword, '192.0.2.6')).statusCode).toBe(200)
})

test('a made-up address counts as one and breaks nothing', async () => {
  expect((await attempt(name, testPassword, "'; drop table users; --")).statusCode).toBe(200)
  const garbled = await site.call(logIn, { body: { username: name, password: testPassword } })
  expect(garbled).toHaveProperty('access')
})
