import { logIn } from '@reelmark/contract/accounts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { signUp, testPassword } from '../../testing/test-users.ts'

let site: TestApp
let userCount = 0
let username = ''
beforeAll(async () => {
  site = await bootApp({ settings: { rateLimitScale: 1, trustProxy: ['loopback'] } })
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  username = `alice${userCount}`
  await signUp(site, username)
  await site.db`truncate rate_limits`
})

const attempt = (username: string, password: string, address: string) =>
  site.app.inject({
    method: 'POST',
    url: '/api/token/',
    headers: { 'x-forwarded-for': address },
    payload: { username, password },
  })

test('after ten wrong passwords, logins are refused with the time to wait', async () => {
  for (let n = 0; n < 10; n++) expect((await attempt(username, 'wrong', '192.0.2.1')).statusCode).toBe(401)
  const refused = await attempt(username, testPassword, '192.0.2.1')
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toEqual({ detail: errors['login-rate-limited'][1], code: 'login-rate-limited' })
  expect(Number(refused.headers['retry-after'])).toBe(60)
})

test('concurrent guesses are limited like sequential ones', async () => {
  const replies = await Promise.all(Array.from({ length: 60 }, () => attempt(username, 'wrong', '192.0.2.2')))
  expect(replies.filter((reply) => reply.statusCode === 401).length).toBeLessThanOrEqual(10)
})

test('guesses lock the account for the guessing address only, whatever the case of the username', async () => {
  for (let n = 0; n < 12; n++) await attempt(username.toUpperCase(), 'wrong', '192.0.2.3')
  expect((await attempt(username, testPassword, '192.0.2.3')).statusCode).toBe(429)
  expect((await attempt(username, testPassword, '198.51.100.9')).statusCode).toBe(200)
})

test('an address that guesses at a hundred accounts is refused, whether or not they exist', async () => {
  for (let n = 0; n < 100; n++) await attempt(`nobody${n}`, 'wrong', '192.0.2.4')
  expect((await attempt('yet-another', 'wrong', '192.0.2.4')).statusCode).toBe(429)
  expect((await attempt('yet-another', 'wrong', '192.0.2.5')).statusCode).toBe(401)
})

test('successful logins are not counted', async () => {
  for (let n = 0; n < 30; n++)
    expect((await attempt(username, testPassword, '192.0.2.6')).statusCode).toBe(200)
})

test('an invalid client address does not prevent logins', async () => {
  expect((await attempt(username, testPassword, "'; drop table users; --")).statusCode).toBe(200)
  const tokens = await site.call(logIn, { body: { username, password: testPassword } })
  expect(tokens).toHaveProperty('access')
})
