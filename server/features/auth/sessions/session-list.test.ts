import { reauthenticate } from '@reelmark/contract/account-settings.ts'
import {
  changePassword,
  endOtherSessions,
  endSession,
  endSessions,
  listSessions,
  logIn,
  refreshTokens,
  type Session,
} from '@reelmark/contract/accounts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let userCount = 0
beforeAll(async () => {
  site = await bootApp({ settings: { trustProxy: ['loopback'] } })
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
})

interface Tokens {
  access: string
  refresh: string
}

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0'

async function logInFrom(address: string, userAgent = firefox): Promise<Tokens> {
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/token/',
    headers: { 'x-forwarded-for': address, 'user-agent': userAgent },
    payload: { username: alice.username, password: alice.password },
  })
  expect(reply.statusCode).toBe(200)
  return reply.json()
}
const listFor = (tokens: Tokens | TestUser, query = {}) => site.call(listSessions, { query }, tokens)
const findCurrent = async (tokens: Tokens): Promise<Session> => {
  const current = (await listFor(tokens)).results.find(({ is_current }) => is_current)
  if (current === undefined) throw new Error('the current session is missing in the list')
  return current
}
/** Returns whether both tokens of a session are accepted. */
const isActive = async (tokens: Tokens) => {
  const canList = await listFor(tokens).then(
    () => true,
    () => false,
  )
  const canRefresh = await site.call(refreshTokens, { body: { refresh: tokens.refresh } }).then(
    () => true,
    () => false,
  )
  expect(canRefresh).toBe(canList)
  return canList
}

describe('the list of sessions', () => {
  test('describes devices in words, and shows networks instead of addresses', async () => {
    const phone = await logInFrom('203.0.113.77')
    await logInFrom('2001:db8:1:2:3:4:5:6', 'curl/8.14.1')
    await logInFrom('::ffff:198.51.100.9', '')
    await logInFrom('not an address', '<script>alert(1)</script>')
    const { count, next, previous, results } = await listFor(phone)
    expect({ count, next, previous }).toEqual({ count: 5, next: null, previous: null })
    expect(results.map(({ device, address, is_current }) => ({ device, address, is_current }))).toEqual([
      { device: 'Unknown device', address: null, is_current: false },
      { device: 'Unknown device', address: '198.51.100.0/24', is_current: false },
      { device: 'API client, curl', address: '2001:db8:1::/48', is_current: false },
      { device: 'Firefox on Windows', address: '203.0.113.0/24', is_current: true },
      // Created by the test without a request, so nothing is known about it.
      { device: 'Unknown device', address: null, is_current: false },
    ])
    for (const session of results) {
      expect(Object.keys(session).sort()).toEqual(
        ['address', 'created_at', 'device', 'id', 'is_current', 'last_used_at'].sort(),
      )
      expect(new Date(session.created_at).getTime()).toBeLessThanOrEqual(
        new Date(session.last_used_at).getTime(),
      )
    }
  })

  test('is paged, and contains neither sessions of others nor expired ones', async () => {
    await signUp(site, `bob${userCount}`)
    const phone = await logInFrom('203.0.113.1')
    const expired = await logInFrom('203.0.113.2')
    await site.db`
      update sessions set expires_at = now() where id = ${(await findCurrent(expired)).id}`
    const first = await listFor(phone, { page_size: 1 })
    expect(first).toMatchObject({ count: 2, next: '/api/auth/sessions/?page_size=1&page=2', previous: null })
    const second = await listFor(phone, { page_size: 1, page: 2 })
    expect(second).toMatchObject({ count: 2, next: null })
    expect(first.results[0]?.id).not.toBe(second.results[0]?.id)
    expect((await failedReply(listFor(phone, { page_size: 1, page: 3 }))).body).toEqual({
      detail: 'Invalid page.',
      code: 'invalid-page',
    })
  })

  test('is sorted by last use', async () => {
    const phone = await logInFrom('203.0.113.1')
    await site.call(refreshTokens, { body: { refresh: alice.refresh } })
    expect((await listFor(phone)).results.map(({ is_current }) => is_current)).toEqual([false, true])
  })

  test('requires authentication', async () => {
    const calls = [
      site.call(listSessions, { query: {} }),
      site.call(endOtherSessions, {}),
      site.call(endSession, { params: { id: 1 } }),
      site.call(endSessions, { body: { ids: [1] } }),
    ]
    for (const call of calls) expect((await failedReply(call)).status).toBe(401)
  })
})

describe('ending sessions', () => {
  test('ends one session immediately, and no other', async () => {
    const phone = await logInFrom('203.0.113.1')
    const lost = await logInFrom('203.0.113.2')
    const { id } = await findCurrent(lost)
    expect(await site.call(endSession, { params: { id } }, phone)).toBeNull()
    expect(await isActive(lost)).toBe(false)
    expect(await isActive(phone)).toBe(true)
    expect(await isActive(alice)).toBe(true)
    expect((await listFor(phone)).results.map((session) => session.id)).not.toContain(id)
    expect((await failedReply(site.call(endSession, { params: { id } }, phone))).status).toBe(404)
  })

  test('requires a recent reauthentication, while the list can always be read', async () => {
    const phone = await logInFrom('203.0.113.1')
    const { id } = await findCurrent(phone)
    await site.db`update sessions set authenticated_at = now() - interval '15 minutes' where user_id = ${alice.id}`
    for (const call of [
      () => site.call(endSession, { params: { id } }, alice),
      () => site.call(endSessions, { body: { ids: [id] } }, alice),
      () => site.call(endOtherSessions, {}, alice),
    ])
      expect(await failedReply(call())).toMatchObject({
        status: 403,
        body: { code: 'reauthentication-required', methods: ['password'] },
      })
    expect((await listFor(alice)).count).toBe(2)
    expect(await isActive(phone)).toBe(true)
    await site.call(reauthenticate, { body: { password: alice.password } }, alice)
    await site.call(endSession, { params: { id } }, alice)
    expect(await isActive(phone)).toBe(false)
  })

  test('logs out if it is the current session', async () => {
    const { id } = await findCurrent(alice)
    await site.call(endSession, { params: { id } }, alice)
    expect(await isActive(alice)).toBe(false)
  })

  test('returns 404 for a session of another user', async () => {
    const mallory = await signUp(site, `mallory${userCount}`)
    const { id } = await findCurrent(alice)
    expect(await failedReply(site.call(endSession, { params: { id } }, mallory))).toEqual({
      status: 404,
      body: { detail: 'Not found.', code: 'not-found' },
    })
    await site.call(endOtherSessions, {}, mallory)
    expect(await isActive(alice)).toBe(true)
    for (const invalidId of ['0', '-1', 'x', '9'.repeat(30)]) {
      const url = `/api/auth/sessions/${invalidId}/`
      const headers = { authorization: `Bearer ${mallory.access}` }
      expect((await site.app.inject({ method: 'DELETE', url, headers })).statusCode, invalidId).toBe(404)
    }
  })

  test('ends several sessions, and none of other users', async () => {
    const phones = [await logInFrom('203.0.113.1'), await logInFrom('203.0.113.1')]
    const other = await logInFrom('203.0.113.1')
    const mallory = await signUp(site, `mallory${userCount}`)
    const ids = await Promise.all([...phones, mallory].map(async (of) => (await findCurrent(of)).id))
    expect(await site.call(endSessions, { body: { ids } }, alice)).toBeNull()
    for (const phone of phones) expect(await isActive(phone)).toBe(false)
    for (const active of [alice, other, mallory]) expect(await isActive(active)).toBe(true)
    // Repeating it changes nothing.
    expect(await site.call(endSessions, { body: { ids } }, alice)).toBeNull()
  })

  test('ends all other sessions immediately, but not the current one', async () => {
    const others = [await logInFrom('203.0.113.1'), await logInFrom('203.0.113.2')]
    expect(await site.call(endOtherSessions, {}, alice)).toBeNull()
    for (const other of others) expect(await isActive(other)).toBe(false)
    expect(await listFor(alice)).toMatchObject({ count: 1, results: [{ is_current: true }] })
    expect(await isActive(alice)).toBe(true)
  })
})

describe('changing the password', () => {
  const newPassword = 'nothing like the one before'
  const changeTo = (
    old_password: string,
    password = newPassword,
    repetition = password,
    tokens: Tokens = alice,
  ) =>
    site.call(
      changePassword,
      { body: { old_password, new_password1: password, new_password2: repetition } },
      tokens,
    )
  const canLogIn = async (password: string) =>
    site.call(logIn, { body: { username: alice.username, password } }).then(
      () => true,
      () => false,
    )

  test('requires the old password, ends all other sessions and mails the owner', async () => {
    const phone = await logInFrom('203.0.113.1')
    expect(await changeTo(alice.password)).toEqual({ detail: 'Your password has been changed.' })
    expect(await isActive(phone)).toBe(false)
    expect(await isActive(alice)).toBe(true)
    expect([await canLogIn(alice.password), await canLogIn(newPassword)]).toEqual([false, true])
    expect(await site.db`select from jobs.job where name = 'send-mail'`).toHaveLength(1)
  })

  test('is refused with a wrong old password and then changes nothing', async () => {
    const phone = await logInFrom('203.0.113.1')
    expect(await failedReply(changeTo('not this one'))).toEqual({
      status: 400,
      body: { code: 'invalid', old_password: ['Incorrect current password. Try again.'] },
    })
    expect(await canLogIn(alice.password)).toBe(true)
    expect(await isActive(phone)).toBe(true)
  })

  test('reports the errors of the new password', async () => {
    expect(await failedReply(changeTo(alice.password, newPassword, 'other'))).toEqual({
      status: 400,
      body: { code: 'invalid', new_password2: ['Passwords do not match.'] },
    })
    expect(await failedReply(changeTo(alice.password, 'password1', 'password2'))).toEqual({
      status: 400,
      body: {
        code: 'invalid',
        new_password1: ['This password is too common.'],
        new_password2: ['Passwords do not match.'],
      },
    })
  })

  test('succeeds once with several concurrent requests', async () => {
    const calls = await Promise.allSettled(
      [1, 2, 3].map((n) => changeTo(alice.password, `${newPassword} ${n}`)),
    )
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('is limited to ten wrong old passwords, like failed logins', async () => {
    const strict = await bootApp({ settings: { rateLimitScale: 1 } })
    const carol = await signUp(strict, 'carol')
    const body = { old_password: 'wrong', new_password1: newPassword, new_password2: newPassword }
    const tryWrongPassword = () => failedReply(strict.call(changePassword, { body }, carol))
    for (let n = 0; n < 10; n++) expect((await tryWrongPassword()).status).toBe(400)
    expect(await tryWrongPassword()).toEqual({
      status: 429,
      body: { detail: errors['login-rate-limited'][1], code: 'login-rate-limited' },
    })
    const right = { ...body, old_password: carol.password }
    expect((await failedReply(strict.call(changePassword, { body: right }, carol))).status).toBe(429)
    await strict.close()
  })
})

test('logging out has the browser empty its cache, which contains pictures of private bookmarks', async () => {
  const { refresh } = await logInFrom('192.0.2.7')
  const reply = await site.app.inject({ method: 'POST', url: '/api/token/blacklist/', payload: { refresh } })
  expect([reply.statusCode, reply.headers['clear-site-data']]).toEqual([200, '"cache"'])
})
