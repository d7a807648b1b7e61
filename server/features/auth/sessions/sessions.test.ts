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
let people = 0
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `alice${people}`)
})

const badToken = {
  status: 401,
  body: { detail: 'The token is invalid or has expired.', code: 'invalid-token' },
}
const refresh = (token: string) => site.call(refreshTokens, { body: { refresh: token } })
/** Whether the site knows them as themselves: only the owner is told the e-mail. */
const seesOwnProfile = async (access: string) =>
  (await site.call(getProfile, { params: { username: alice.username } }, { access })).email === alice.email
const get = (authorization: string) =>
  site.app.inject({ url: `/api/profile/${alice.username}/`, headers: { authorization } })

describe('an access token', () => {
  test('lets its owner in', async () => {
    expect(await seesOwnProfile(alice.access)).toBe(true)
  })

  test('is checked with one statement', async () => {
    await seesOwnProfile(alice.access)
    site.statements.length = 0
    await seesOwnProfile(alice.access)
    expect(site.statements.filter((text) => text.includes('from sessions'))).toHaveLength(1)
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
    const reply = await get(header)
    expect({ status: reply.statusCode, body: reply.json() }).toEqual(badToken)
  })

  test('is taken with any case of Bearer', async () => {
    expect((await get(`bearer  ${alice.access}`)).json()).toHaveProperty('email')
  })

  test('fails from the next request on when its session ends, and so does a banned person’s', async () => {
    const bob = await signUp(site, `bob${people}`)
    await site.call(logOut, { body: { refresh: alice.refresh } })
    expect((await get(`Bearer ${alice.access}`)).statusCode).toBe(401)
    await site.db`update users set banned_at = now() where id = ${bob.id}`
    expect((await get(`Bearer ${bob.access}`)).statusCode).toBe(401)
  })

  test('fails after 15 minutes, and with another user’s id or another session', async () => {
    const key = site.serverKeys['access-token']
    const bob = await signUp(site, `bob${people}`)
    const [session] = await site.db`select id from sessions where user_id = ${alice.id}`
    const claims = { user_id: alice.id, session_id: session?.id as number }
    const now = Math.floor(Date.now() / 1000)
    const answer = async (claim: typeof claims, at: number) =>
      (await get(`Bearer ${await signAccessToken(claim, tokenOptions(key, at))}`)).statusCode
    expect(await answer(claims, now)).toBe(200)
    expect(await answer(claims, now - 15 * 60 + 30)).toBe(200)
    expect(await answer(claims, now - 15 * 60 - 1)).toBe(401)
    expect(await answer({ ...claims, user_id: bob.id }, now)).toBe(401)
    expect(await answer({ ...claims, session_id: claims.session_id + 1_000_000 }, now)).toBe(401)
  })

  test('is no longer valid when the session itself has run out', async () => {
    await site.db`update sessions set expires_at = now() where user_id = ${alice.id}`
    expect((await get(`Bearer ${alice.access}`)).statusCode).toBe(401)
    expect(await failedReply(refresh(alice.refresh))).toEqual(badToken)
  })
})

describe('a refresh token', () => {
  test('gives a new pair that works, and leaves the access token of before working', async () => {
    const pair = await refresh(alice.refresh)
    expect(pair.refresh).not.toBe(alice.refresh)
    expect(await seesOwnProfile(pair.access)).toBe(true)
    expect(await seesOwnProfile(alice.access)).toBe(true)
    await refresh(pair.refresh)
  })

  test('is kept nowhere, only its hash', async () => {
    const tables = await site.db`select s::text as row from sessions s`
    const hex = Buffer.from(alice.refresh, 'base64url').subarray(8, 40).toString('hex')
    for (const { row } of tables) expect(row).not.toContain(hex)
  })

  test('presented by two tabs at once gives both the same successor', async () => {
    const first = await refresh(alice.refresh)
    const second = await refresh(alice.refresh)
    expect(second.refresh).toBe(first.refresh)
  })

  test('presented fifty times at once rotates once, with one successor', async () => {
    const pairs = await Promise.all(Array.from({ length: 50 }, () => refresh(alice.refresh)))
    expect(new Set(pairs.map((pair) => pair.refresh)).size).toBe(1)
    const [session] = await site.db`select generation, ended_at from sessions where user_id = ${alice.id}`
    expect(session).toEqual({ generation: 2, ended_at: null })
    await refresh(pairs[0]?.refresh ?? '')
  })

  test('presented again after ten seconds ends the session, for thief and owner alike', async () => {
    const pair = await refresh(alice.refresh)
    await site.db`update sessions set rotated_at = now() - interval '11 seconds' where user_id = ${alice.id}`
    expect(await failedReply(refresh(alice.refresh))).toEqual(badToken)
    expect(await failedReply(refresh(pair.refresh))).toEqual(badToken)
    expect((await get(`Bearer ${pair.access}`)).statusCode).toBe(401)
  })

  test('from two rotations ago ends the session even within the ten seconds', async () => {
    const second = await refresh(alice.refresh)
    const third = await refresh(second.refresh)
    expect(await failedReply(refresh(alice.refresh))).toEqual(badToken)
    expect(await failedReply(refresh(third.refresh))).toEqual(badToken)
  })

  test('that we never issued ends nothing, even with the right session in it', async () => {
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

  test('of one session does nothing to another of the same person', async () => {
    const other = await site.call(logIn, { body: { username: alice.username, password: alice.password } })
    await site.call(logOut, { body: { refresh: alice.refresh } })
    expect(await seesOwnProfile(other.access)).toBe(true)
  })
})

describe('logging out', () => {
  test('twice is no error', async () => {
    expect(await site.call(logOut, { body: { refresh: alice.refresh } })).toEqual({})
    expect(await site.call(logOut, { body: { refresh: alice.refresh } })).toEqual({})
    expect(await failedReply(refresh(alice.refresh))).toEqual(badToken)
  })

  test('everywhere ends all sessions but the one kept', async () => {
    const other = await site.call(logIn, { body: { username: alice.username, password: alice.password } })
    const [kept] = await site.db`select max(id) as id from sessions where user_id = ${alice.id}`
    await endUserSessions(site.db, alice.id, kept?.id)
    expect((await get(`Bearer ${alice.access}`)).statusCode).toBe(401)
    expect(await seesOwnProfile(other.access)).toBe(true)
    await endUserSessions(site.db, alice.id)
    expect((await get(`Bearer ${other.access}`)).statusCode).toBe(401)
  })
})

test('the daily job removes what is over and keeps what is not', async () => {
  const ended = await signUp(site, `ended${people}`)
  await site.call(logOut, { body: { refresh: ended.refresh } })
  const { db } = site
  await db`
    insert into idempotency_keys (user_id, key, request_hash, created_at)
    values (${alice.id}, 'old', '\\x00', now() - interval '25 hours'), (${alice.id}, 'new', '\\x00', now())`
  await db`
    insert into rate_limits (key, tokens, updated_at) values ('old', 1, now() - interval '25 hours'), ('new', 1, now())`
  const over = await createTicket(db, 'second-factor', { user_id: ended.id })
  await db`update one_time_tickets set expires_at = now() - interval '1 second'`
  const open = await createTicket(db, 'second-factor', { user_id: alice.id })
  await removeExpired(db)
  expect(await readTicket(db, 'second-factor', over)).toBeNull()
  expect(await readTicket(db, 'second-factor', open)).toEqual({ user_id: alice.id, data: {} })
  expect(await db`select from one_time_tickets`).toHaveLength(1)
  expect([...(await db`select id from sessions where user_id = ${ended.id}`)]).toEqual([])
  expect([...(await db`select key from idempotency_keys where user_id = ${alice.id}`)]).toEqual([
    { key: 'new' },
  ])
  expect([...(await db`select key from rate_limits where key in ('old', 'new')`)]).toEqual([{ key: 'new' }])
  expect(await seesOwnProfile(alice.access)).toBe(true)
})

test('the job is known to the process that does the background work', async () => {
  const worker = await bootApp({ work: true })
  await worker.db`insert into rate_limits (key, tokens, updated_at) values ('old', 1, now() - interval '25 hours')`
  const queue = accountQueues(worker.app.deps).find(({ name }) => name === 'remove-expired')
  await worker.app.deps.jobs.send(worker.db, queue ?? { name: '' }, {})
  await expect.poll(async () => (await worker.db`select from rate_limits`).length).toBe(0)
  await worker.close()
})
