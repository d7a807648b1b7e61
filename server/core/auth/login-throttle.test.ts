import { logIn } from '@reelmark/contract/accounts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { signUp, testPassword } from '../../testing/test-users.ts'
import { registerAttemptFrom } from './login-throttle.ts'

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

test('an address that guesses at a hundred accounts is refused, whether or not they exist', {
  tags: 'heavy',
}, async () => {
  for (let n = 0; n < 100; n++) await attempt(`nobody${n}`, 'wrong', '192.0.2.4')
  expect((await attempt('yet-another', 'wrong', '192.0.2.4')).statusCode).toBe(429)
  expect((await attempt('yet-another', 'wrong', '192.0.2.5')).statusCode).toBe(401)
})

test('an address has no further guesses at an account in another spelling that the database treats as equal', async () => {
  for (const spelling of [username, username.replace('i', 'İ'), username.toUpperCase()]) {
    for (let n = 0; n < 4; n++) await attempt(spelling, 'wrong', '192.0.2.7')
  }
  expect((await attempt(username, testPassword, '192.0.2.7')).statusCode).toBe(429)
})

test('an IPv6 network has two hundred guesses from a /56 and five hundred from a /48', async () => {
  const guess = (address: string) =>
    registerAttemptFrom(site.db, { name: crypto.randomUUID(), address, trusted: null, scale: 1 })
  const countAllowed = async (addressOf: (n: number) => string) => {
    const outcomes = await Promise.allSettled(Array.from({ length: 620 }, (_, n) => guess(addressOf(n))))
    return outcomes.filter(({ status }) => status === 'fulfilled').length
  }
  // Each address is in another /64 of one /56.
  expect(await countAllowed((n) => `2001:db8:1:${(0xab00 + (n % 256)).toString(16)}::1`)).toBe(200)
  expect((await attempt(username, testPassword, '2001:db8:1:abff:9::9')).statusCode).toBe(429)
  expect((await attempt(username, testPassword, '2001:db8:1:ac00::1')).statusCode).toBe(200)
  // Each address is in another /56 of one /48.
  expect(await countAllowed((n) => `2001:db8:2:${((n % 256) * 256).toString(16)}::1`)).toBe(500)
  expect((await attempt(username, testPassword, '2001:db8:2:7::1')).statusCode).toBe(429)
  expect((await attempt(username, testPassword, '2001:db8:3::1')).statusCode).toBe(200)
})

test('a signed-in user has fifty wrong passwords a day, from whatever addresses and whatever others guess', async () => {
  const user = await signUp(site, `session${userCount}`)
  for (let n = 0; n < 60; n++) await attempt(user.username, 'wrong', `198.51.100.${n}`)
  const confirm = (password: string, address: string) =>
    site.app.inject({
      method: 'POST',
      url: '/api/auth/reauthenticate/',
      headers: { 'x-forwarded-for': address, authorization: `Bearer ${user.access}` },
      payload: { password },
    })
  expect((await confirm(user.password, '192.0.2.9')).statusCode).toBe(204)
  for (let n = 0; n < 50; n++) expect((await confirm('wrong', `203.0.113.${n}`)).statusCode).toBe(400)
  expect((await confirm(user.password, '203.0.113.99')).statusCode).toBe(429)
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
