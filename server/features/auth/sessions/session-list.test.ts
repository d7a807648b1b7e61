import {
  changePassword,
  endOtherSessions,
  endSession,
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
let people = 0
beforeAll(async () => {
  site = await bootApp({ settings: { trustProxy: true } })
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `alice${people}`)
})

interface Pair {
  access: string
  refresh: string
}

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:139.0) Gecko/20100101 Firefox/139.0'

async function logInFrom(address: string, userAgent = firefox): Promise<Pair> {
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/token/',
    headers: { 'x-forwarded-for': address, 'user-agent': userAgent },
    payload: { username: alice.username, password: alice.password },
  })
  expect(reply.statusCode).toBe(200)
  return reply.json()
}
const list = (as: Pair | TestUser, query = {}) => site.call(listSessions, { query }, as)
const findCurrent = async (as: Pair): Promise<Session> => {
  const found = (await list(as)).results.find(({ is_current }) => is_current)
  if (found === undefined) throw new Error('the asking session is in the list')
  return found
}
/** What both of its tokens are good for. */
const works = async (pair: Pair) => {
  const lists = await list(pair).then(
    () => true,
    () => false,
  )
  const refreshes = await site.call(refreshTokens, { body: { refresh: pair.refresh } }).then(
    () => true,
    () => false,
  )
  expect(refreshes).toBe(lists)
  return lists
}

describe('the list of sessions', () => {
  test('shows where one is signed in, in words, with the network and not the address', async () => {
    const phone = await logInFrom('203.0.113.77')
    await logInFrom('2001:db8:1:2:3:4:5:6', 'curl/8.14.1')
    await logInFrom('::ffff:198.51.100.9', '')
    await logInFrom('not an address', '<script>alert(1)</script>')
    const { count, next, previous, results } = await list(phone)
    expect({ count, next, previous }).toEqual({ count: 5, next: null, previous: null })
    expect(results.map(({ device, address, is_current }) => ({ device, address, is_current }))).toEqual([
      { device: 'Unknown device', address: null, is_current: false },
      { device: 'Unknown device', address: '198.51.100.0/24', is_current: false },
      { device: 'A program', address: '2001:db8:1::/48', is_current: false },
      { device: 'Firefox on Windows', address: '203.0.113.0/24', is_current: true },
      // Made by no call: nothing is known of it.
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

  test('comes in pages, and holds nobody else’s sessions and none that is over', async () => {
    await signUp(site, `bob${people}`)
    const phone = await logInFrom('203.0.113.1')
    const over = await logInFrom('203.0.113.2')
    await site.db`
      update sessions set expires_at = now() where id = ${(await findCurrent(over)).id}`
    const first = await list(phone, { page_size: 1 })
    expect(first).toMatchObject({ count: 2, next: '/api/auth/sessions/?page_size=1&page=2', previous: null })
    const second = await list(phone, { page_size: 1, page: 2 })
    expect(second).toMatchObject({ count: 2, next: null })
    expect(first.results[0]?.id).not.toBe(second.results[0]?.id)
    expect((await failedReply(list(phone, { page_size: 1, page: 3 }))).body).toEqual({
      detail: 'Invalid page.',
      code: 'invalid-page',
    })
  })

  test('shows what was last used first', async () => {
    const phone = await logInFrom('203.0.113.1')
    await site.call(refreshTokens, { body: { refresh: alice.refresh } })
    expect((await list(phone)).results.map(({ is_current }) => is_current)).toEqual([false, true])
  })

  test('is for those who are signed in', async () => {
    const answers = [
      site.call(listSessions, { query: {} }),
      site.call(endOtherSessions, {}),
      site.call(endSession, { params: { id: 1 } }),
    ]
    for (const answer of answers) expect((await failedReply(answer)).status).toBe(401)
  })
})

describe('ending sessions', () => {
  test('one of them ends at once, and only that one', async () => {
    const phone = await logInFrom('203.0.113.1')
    const lost = await logInFrom('203.0.113.2')
    const { id } = await findCurrent(lost)
    expect(await site.call(endSession, { params: { id } }, phone)).toBeNull()
    expect(await works(lost)).toBe(false)
    expect(await works(phone)).toBe(true)
    expect(await works(alice)).toBe(true)
    expect((await list(phone)).results.map((session) => session.id)).not.toContain(id)
    expect((await failedReply(site.call(endSession, { params: { id } }, phone))).status).toBe(404)
  })

  test('the current one is logging out', async () => {
    const { id } = await findCurrent(alice)
    await site.call(endSession, { params: { id } }, alice)
    expect(await works(alice)).toBe(false)
  })

  test('another person’s is not there', async () => {
    const mallory = await signUp(site, `mallory${people}`)
    const { id } = await findCurrent(alice)
    expect(await failedReply(site.call(endSession, { params: { id } }, mallory))).toEqual({
      status: 404,
      body: { detail: 'Not found.', code: 'not-found' },
    })
    await site.call(endOtherSessions, {}, mallory)
    expect(await works(alice)).toBe(true)
    for (const odd of ['0', '-1', 'x', '9'.repeat(30)]) {
      const url = `/api/auth/sessions/${odd}/`
      const headers = { authorization: `Bearer ${mallory.access}` }
      expect((await site.app.inject({ method: 'DELETE', url, headers })).statusCode, odd).toBe(404)
    }
  })

  test('all others end at once, and the current one goes on', async () => {
    const others = [await logInFrom('203.0.113.1'), await logInFrom('203.0.113.2')]
    expect(await site.call(endOtherSessions, {}, alice)).toBeNull()
    for (const other of others) expect(await works(other)).toBe(false)
    expect(await list(alice)).toMatchObject({ count: 1, results: [{ is_current: true }] })
    expect(await works(alice)).toBe(true)
  })
})

describe('changing the password', () => {
  const newPassword = 'nothing like the one before'
  const change = (old_password: string, password = newPassword, again = password, as: Pair = alice) =>
    site.call(changePassword, { body: { old_password, new_password1: password, new_password2: again } }, as)
  const canLogIn = async (password: string) =>
    site.call(logIn, { body: { username: alice.username, password } }).then(
      () => true,
      () => false,
    )

  test('takes the old one, ends all other sessions, and tells the owner', async () => {
    const phone = await logInFrom('203.0.113.1')
    expect(await change(alice.password)).toEqual({ detail: 'Your password has been changed.' })
    expect(await works(phone)).toBe(false)
    expect(await works(alice)).toBe(true)
    expect([await canLogIn(alice.password), await canLogIn(newPassword)]).toEqual([false, true])
    expect(await site.db`select from jobs.job where name = 'send-mail'`).toHaveLength(1)
  })

  test('is refused with a wrong old one, and changes nothing', async () => {
    const phone = await logInFrom('203.0.113.1')
    expect(await failedReply(change('not this one'))).toEqual({
      status: 400,
      body: { code: 'invalid', old_password: ['Incorrect current password. Try again.'] },
    })
    expect(await canLogIn(alice.password)).toBe(true)
    expect(await works(phone)).toBe(true)
  })

  test('tells what is wrong with the new one', async () => {
    expect(await failedReply(change(alice.password, alice.username.padEnd(8, 'x'), 'other'))).toEqual({
      status: 400,
      body: { code: 'invalid', new_password2: ['Passwords do not match.'] },
    })
    expect(await failedReply(change(alice.password, 'password1', 'password2'))).toEqual({
      status: 400,
      body: {
        code: 'invalid',
        new_password1: ['This password is too common.'],
        new_password2: ['Passwords do not match.'],
      },
    })
  })

  test('twice at once happens once', async () => {
    const answers = await Promise.allSettled(
      [1, 2, 3].map((n) => change(alice.password, `${newPassword} ${n}`)),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('cannot be guessed at: after ten wrong old ones one has to wait, as when logging in', async () => {
    const strict = await bootApp({ settings: { rateLimitScale: 1 } })
    const carol = await signUp(strict, 'carol')
    const body = { old_password: 'wrong', new_password1: newPassword, new_password2: newPassword }
    const guess = () => failedReply(strict.call(changePassword, { body }, carol))
    for (let n = 0; n < 10; n++) expect((await guess()).status).toBe(400)
    expect(await guess()).toEqual({
      status: 429,
      body: { detail: errors['login-rate-limited'][1], code: 'login-rate-limited' },
    })
    const right = { ...body, old_password: carol.password }
    expect((await failedReply(strict.call(changePassword, { body: right }, carol))).status).toBe(429)
    await strict.close()
  })
})
