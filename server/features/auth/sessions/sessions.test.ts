import { logIn, logOut, refreshTokens } from '@reelmark/contract/accounts.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTicket, readTicket } from '../../../core/auth/one-time-tickets.ts'
import { endUserSessions } from '../../../core/auth/session.ts'
import { signAccessToken, tokenOptions } from '../../../core/auth/tokens.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { removeExpired } from '../accounts/cleanup-queries.ts'
import { accountQueues } from '../accounts/jobs.ts'

let site: TestApp
let alice: TestUser
let userCount = 0
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
})

const badToken = {
  status: 401,
  body: { detail: 'The token is invalid or has expired.', code: 'invalid-token' },
}
const refresh = (token: string) => site.call(refreshTokens, { body: { refresh: token } })
/** Returns whether a token authenticates Alice: the profile shows the e-mail address to its owner only. */
const seesOwnProfile = async (access: string) =>
  (await site.call(getProfile, { params: { username: alice.username } }, { access })).email === alice.email
const requestProfile = (authorization: string) =>
  site.app.inject({ url: `/api/profile/${alice.username}/`, headers: { authorization } })

describe('an access token', () => {
  test('authenticates its owner', async () => {
    expect(await seesOwnProfile(alice.access)).toBe(true)
  })

  test('is verified with one statement', async () => {
    await seesOwnProfile(alice.access)
    site.statements.length = 0
    await seesOwnProfile(alice.access)
    expect(site.statements.filter((text) => text.includes('from sessions s'))).toHaveLength(1)
    expect(site.statements).toHaveLength(2)
  })

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'Bearer a b',
    'Bearer null',
    'Bearer a.b.c',
    'Token x',
    ', ',
  ])('in the header %j is refused', async (header) => {
    const reply = await requestProfile(header)
    expect({ status: reply.statusCode, body: reply.json() }).toEqual(badToken)
  })

  test('is accepted with Bearer in any case', async () => {
    expect((await requestProfile(`bearer  ${alice.access}`)).json()).toHaveProperty('email')
  })

  test('is refused from the next request on after its session ended or its owner was banned', async () => {
    const bob = await signUp(site, `bob${userCount}`)
    await site.call(logOut, { body: { refresh: alice.refresh } })
    expect((await requestProfile(`Bearer ${alice.access}`)).statusCode).toBe(401)
    await site.db`update users set banned_at = now() where id = ${bob.id}`
    expect((await requestProfile(`Bearer ${bob.access}`)).statusCode).toBe(401)
  })

  test('is refused after 15 minutes, and with another user or session', async () => {
    const key = site.serverKeys['access-token']
    const bob = await signUp(site, `bob${userCount}`)
    const [session] = await site.db`select id from sessions where user_id = ${alice.id}`
    const claims = { user_id: alice.id, session_id: session?.id as number }
    const now = Math.floor(Date.now() / 1000)
    const requestStatus = async (claim: typeof claims, at: number) =>
      (await requestProfile(`Bearer ${await signAccessToken(claim, tokenOptions(key, at))}`)).statusCode
    expect(await requestStatus(claims, now)).toBe(200)
    expect(await requestStatus(claims, now - 15 * 60 + 30)).toBe(200)
    expect(await requestStatus(claims, now - 15 * 60 - 1)).toBe(401)
    expect(await requestStatus({ ...claims, user_id: bob.id }, now)).toBe(401)
    expect(await requestStatus({ ...claims, session_id: claims.session_id + 1_000_000 }, now)).toBe(401)
  })

  test('is refused after its session expired', async () => {
    await site.db`update sessions set expires_at = now() where user_id = ${alice.id}`
    expect((await requestProfile(`Bearer ${alice.access}`)).statusCode).toBe(401)
    expect(await failedReply(refresh(alice.refresh))).toEqual(badToken)
  })
})

describe('a refresh token', () => {
  test('is exchanged for a new pair, while the previous access token stays valid', async () => {
    const tokens = await refresh(alice.refresh)
    expect(tokens.refresh).not.toBe(alice.refresh)
    expect(await seesOwnProfile(tokens.access)).toBe(true)
    expect(await seesOwnProfile(alice.access)).toBe(true)
    await refresh(tokens.refresh)
  })

  test('is stored only as a hash', async () => {
    const tables = await site.db`select s::text as row from sessions s`
    const hex = Buffer.from(alice.refresh, 'base64url').subarray(8, 40).toString('hex')
    for (const { row } of tables) expect(row).not.toContain(hex)
  })

  test('gives two tabs that refresh at the same time the same successor', async () => {
    const first = await refresh(alice.refresh)
    const second = await refresh(alice.refresh)
    expect(second.refresh).toBe(first.refresh)
  })

  test('is rotated once by fifty concurrent requests, which all get the same successor', async () => {
    const pairs = await Promise.all(Array.from({ length: 50 }, () => refresh(alice.refresh)))
    expect(new Set(pairs.map((tokens) => tokens.refresh)).size).toBe(1)
    const [session] = await site.db`select generation, ended_at from sessions where user_id = ${alice.id}`
    expect(session).toEqual({ generation: 2, ended_at: null })
    await refresh(pairs[0]?.refresh ?? '')
  })

  test('ends the session if it is used again after ten seconds', async () => {
    const tokens = await refresh(alice.refresh)
    await site.db`update sessions set rotated_at = now() - interval '11 seconds' where user_id = ${alice.id}`
    expect(await failedReply(refresh(alice.refresh))).toEqual(badToken)
    expect(await failedReply(refresh(tokens.refresh))).toEqual(badToken)
    expect((await requestProfile(`Bearer ${tokens.access}`)).statusCode).toBe(401)
  })

  test('from two rotations ago ends the session even within ten seconds', async () => {
    const second = await refresh(alice.refresh)
    const third = await refresh(second.refresh)
    expect(await failedReply(refresh(alice.refresh))).toEqual(badToken)
    expect(await failedReply(refresh(third.refresh))).toEqual(badToken)
  })

  test('that is forged ends no session, even if it contains the id of one', async () => {
    const forged = Buffer.from(alice.refresh, 'base64url')
    forged[20] = (forged[20] ?? 0) ^ 1
    for (const token of [
      forged.toString('base64url'),
      'x',
      `${alice.refresh}=`,
      `${alice.refresh}A`,
      alice.access,
    ]) {
      expect(await failedReply(refresh(token))).toEqual(badToken)
      expect(await failedReply(site.call(logOut, { body: { refresh: token } }))).toEqual(badToken)
    }
    await refresh(alice.refresh)
  })

  test('of one session has no effect on another session of the same user', async () => {
    const otherTokens = await site.call(logIn, {
      body: { username: alice.username, password: alice.password },
    })
    await site.call(logOut, { body: { refresh: alice.refresh } })
    expect(await seesOwnProfile(otherTokens.access)).toBe(true)
  })
})

describe('a session', () => {
  test('ends 90 days after the login, however often it is refreshed', async () => {
    const setAge = (days: number) =>
      site.db`
        update sessions set created_at = now() - make_interval(days => ${days}), expires_at = now() + interval '1 hour'
         where user_id = ${alice.id}`
    await setAge(89)
    const tokens = await refresh(alice.refresh)
    const [session] = await site.db<{ hours: number }[]>`
      select extract(epoch from expires_at - created_at)::float8 / 3600 as hours from sessions where user_id = ${alice.id}`
    expect(session?.hours).toBe(90 * 24)
    // The same session a day later, when its 90 days are over.
    await site.db`
      update sessions set created_at = created_at - interval '1 day', expires_at = expires_at - interval '1 day'
       where user_id = ${alice.id}`
    expect(await failedReply(refresh(tokens.refresh))).toEqual(badToken)
    expect((await requestProfile(`Bearer ${tokens.access}`)).statusCode).toBe(401)
  })

  test('ends when its user has logged in a hundred times since it was last used', async () => {
    await site.db`
      insert into sessions (user_id, refresh_hash, expires_at, last_used_at)
      select ${alice.id}, sha256(n::text::bytea), now() + interval '1 day', now() + interval '1 second'
        from generate_series(1, 98) n`
    const logInAgain = () =>
      site.call(logIn, { body: { username: alice.username, password: alice.password } })
    await logInAgain()
    expect(await seesOwnProfile(alice.access)).toBe(true)
    const newest = await logInAgain()
    expect((await requestProfile(`Bearer ${alice.access}`)).statusCode).toBe(401)
    expect(await seesOwnProfile(newest.access)).toBe(true)
  })
})

describe('logging out', () => {
  test('is idempotent', async () => {
    expect(await site.call(logOut, { body: { refresh: alice.refresh } })).toEqual({})
    expect(await site.call(logOut, { body: { refresh: alice.refresh } })).toEqual({})
    expect(await failedReply(refresh(alice.refresh))).toEqual(badToken)
  })

  test('everywhere ends all sessions except the given one', async () => {
    const otherTokens = await site.call(logIn, {
      body: { username: alice.username, password: alice.password },
    })
    const [latest] = await site.db`select max(id) as id from sessions where user_id = ${alice.id}`
    await endUserSessions(site.db, alice.id, latest?.id)
    expect((await requestProfile(`Bearer ${alice.access}`)).statusCode).toBe(401)
    expect(await seesOwnProfile(otherTokens.access)).toBe(true)
    await endUserSessions(site.db, alice.id)
    expect((await requestProfile(`Bearer ${otherTokens.access}`)).statusCode).toBe(401)
  })
})

test('the scheduled job deletes expired rows and no others', async () => {
  const ended = await signUp(site, `ended${userCount}`)
  await site.call(logOut, { body: { refresh: ended.refresh } })
  const { db } = site
  await db`
    insert into idempotency_keys (user_id, key_hash, request_hash, status, body, created_at)
    values (${alice.id}, sha256('old'), '\\x00', 204, '', now() - interval '25 hours'),
           (${alice.id}, sha256('new'), '\\x00', 204, '', now())`
  await db`
    insert into rate_limits (key, tokens, updated_at) values ('old', 1, now() - interval '25 hours'), ('new', 1, now())`
  const expiredTicket = await createTicket(db, 'second-factor', { user_id: ended.id })
  await db`update one_time_tickets set expires_at = now() - interval '1 second'`
  const openTicket = await createTicket(db, 'second-factor', { user_id: alice.id })
  await removeExpired(db)
  expect(await readTicket(db, 'second-factor', expiredTicket)).toBeNull()
  expect(await readTicket(db, 'second-factor', openTicket)).toEqual({ user_id: alice.id, data: {} })
  expect(await db`select from one_time_tickets`).toHaveLength(1)
  expect([...(await db`select id from sessions where user_id = ${ended.id}`)]).toEqual([])
  expect(
    await db`select key_hash = sha256('new') as is_new from idempotency_keys where user_id = ${alice.id}`,
  ).toEqual([{ is_new: true }])
  expect([...(await db`select key from rate_limits where key in ('old', 'new')`)]).toEqual([{ key: 'new' }])
  expect(await seesOwnProfile(alice.access)).toBe(true)
})

test('the scheduled job runs in worker processes', async () => {
  const worker = await bootApp({ work: true })
  await worker.db`insert into rate_limits (key, tokens, updated_at) values ('old', 1, now() - interval '25 hours')`
  const queue = accountQueues(worker.app.deps).find(({ name }) => name === 'remove-expired')
  await worker.app.deps.jobs.send(worker.db, queue ?? { name: '' }, {})
  await expect.poll(async () => (await worker.db`select from rate_limits`).length).toBe(0)
  await worker.close()
})
