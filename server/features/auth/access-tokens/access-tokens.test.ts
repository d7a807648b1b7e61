import {
  createAccessToken,
  deleteAccessToken,
  listAccessTokens,
  type TokenScope,
} from '@reelmark/contract/access-tokens.ts'
import { getAccountSecurity } from '@reelmark/contract/account-settings.ts'
import { changePassword, confirmPasswordReset, requestPasswordReset } from '@reelmark/contract/accounts.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { createWebhook, listWebhooks } from '@reelmark/contract/webhooks.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createJobQueues } from '../../../app.ts'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let userCount = 0
beforeAll(async () => {
  site = await bootApp({ work: true })
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `Alice${userCount}`)
})

interface TokenOptions {
  name?: string
  scopes?: TokenScope[]
  expires_in_days?: number | null
}
const create = (options: TokenOptions = {}, viewer: { access: string } | null = alice) =>
  site.call(
    createAccessToken,
    { body: { name: 'My script', scopes: ['read'], expires_in_days: null, ...options } },
    viewer,
  )
const list = (viewer: { access: string } = alice) => site.call(listAccessTokens, { query: {} }, viewer)
/** Returns whether a token authenticates its owner. */
const isAccepted = (token: string) =>
  site.call(getProfile, { params: { username: alice.username } }, { access: token }).then(
    ({ email }) => email === alice.email,
    ({ status }) => {
      expect(status).toBe(401)
      return false
    },
  )

/** Runs the scheduled job that deletes expired rows. */
const removeExpired = () =>
  createJobQueues(site.app.deps)
    .find(({ name }) => name === 'remove-expired')
    ?.work({})

describe('an access token', () => {
  test('is shown once, and its owner is informed by mail', async () => {
    const candidate = await create({ scopes: ['write', 'read'], expires_in_days: 30 })
    expect(candidate).toEqual({
      id: expect.any(Number),
      name: 'My script',
      scopes: ['read', 'write'],
      hint: candidate.token.slice(0, 8),
      token: expect.stringMatching(/^rmk_[\w-]{43}$/),
      created_at: expect.any(String),
      expires_at: expect.any(String),
      last_used_at: null,
    })
    const days = (Date.parse(candidate.expires_at ?? '') - Date.parse(candidate.created_at)) / 86_400_000
    expect(days).toBeCloseTo(30, 1)
    const { token, ...shown } = candidate
    expect(await list()).toEqual({ count: 1, next: null, previous: null, results: [shown] })
    const [mail] = await waitForMailsTo(site, alice.email)
    expect(mail?.text).toContain('An access token was created for your account.')
    expect(mail?.text).not.toContain('My script')
    expect(mail?.text).not.toContain(token)
  })

  test('is listed for its owner, newest first, and for no other user', async () => {
    const bob = await signUp(site, `Bob${userCount}`)
    const [first, second] = [await create(), await create({ name: 'Another' })]
    await create({}, bob)
    expect((await list()).results.map(({ id }) => id)).toEqual([second.id, first.id])
    expect((await list(bob)).count).toBe(1)
    const page = await site.call(listAccessTokens, { query: { page: 2, page_size: 1 } }, alice)
    expect(page.results.map(({ id }) => id)).toEqual([first.id])
    expect(page.previous).toBe('/api/auth/tokens/?page=1&page_size=1')
    expect((await failedReply(site.call(listAccessTokens, { query: { page: 9 } }, alice))).status).toBe(404)
  })

  test('stops working when its owner deletes it; other users cannot delete it', async () => {
    const bob = await signUp(site, `Bob${userCount}`)
    const { id, token } = await create()
    const remove = (viewer: TestUser) => site.call(deleteAccessToken, { params: { id } }, viewer)
    expect((await failedReply(remove(bob))).status).toBe(404)
    expect(await isAccepted(token)).toBe(true)
    await remove(alice)
    expect(await isAccepted(token)).toBe(false)
    expect((await failedReply(remove(alice))).status).toBe(404)
  })

  test('can be created up to fifty times, also concurrently; expired ones do not count', async () => {
    await site.db`
      insert into access_tokens (user_id, hash, hint, name, scopes, expires_at)
      select ${alice.id}, sha256((${alice.id} || ' many ' || n)::bytea), 'rmk_abcd', 'old', '{read}',
             case when n <= 3 then now() - interval '1 day' end
        from generate_series(1, 51) n`
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(() => create()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await failedReply(create())).toEqual({
      status: 409,
      body: { detail: "You've reached the limit. Delete one first.", code: 'limit-reached' },
    })
  })

  test('can only be created with a recently authenticated session', async () => {
    expect((await failedReply(create({}, null))).status).toBe(401)
    await site.db`update sessions set authenticated_at = now() - interval '15 minutes' where user_id = ${alice.id}`
    expect((await failedReply(create())).body).toEqual({
      detail: "Confirm it's you.",
      code: 'reauthentication-required',
      methods: ['password'],
      second_factors: [],
    })
  })

  test('can have the scope moderate only if its owner is a moderator', async () => {
    expect(await failedReply(create({ scopes: ['read', 'moderate'] }))).toEqual({
      status: 400,
      body: { code: 'invalid', scopes: ['Only moderators can make a token that may moderate.'] },
    })
    const moderator = await signUpModerator(site, `Mo${userCount}`)
    expect((await create({ scopes: ['moderate'] }, moderator)).scopes).toEqual(['moderate'])
  })

  test.each([
    ['name', ''],
    ['name', '   '],
    ['name', 'x'.repeat(101)],
    ['name', 7],
    ['scopes', []],
    ['scopes', ['admin']],
    ['scopes', ['read', 'read']],
    ['scopes', 'read'],
    ['scopes', null],
    ['expires_in_days', 0],
    ['expires_in_days', 367],
    ['expires_in_days', 1.5],
    ['expires_in_days', '30'],
    ['expires_in_days', undefined],
    ['user_id', 1],
  ])('with %s as %j is refused with an error for the field', async (field, value) => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/api/auth/tokens/',
      headers: { authorization: `Bearer ${alice.access}` },
      payload: { name: 'x', scopes: ['read'], expires_in_days: null, [field]: value },
    })
    expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, [field, 'code']])
  })
})

describe('an existing access token', () => {
  test('stops working when it expires, is listed for another month, and is then deleted', async () => {
    const { id, token } = await create({ expires_in_days: 1 })
    const moveExpiryBack = (days: number) =>
      site.db`update access_tokens set expires_at = expires_at - make_interval(days => ${days}) where id = ${id}`
    expect(await isAccepted(token)).toBe(true)
    await moveExpiryBack(1)
    expect(await isAccepted(token)).toBe(false)
    expect((await list()).count).toBe(1)
    expect((await site.call(getAccountSecurity, {}, alice)).access_tokens_count).toBe(0)
    await moveExpiryBack(29)
    await removeExpired()
    expect((await list()).count).toBe(1)
    await moveExpiryBack(1)
    expect((await list()).count).toBe(0)
    await removeExpired()
    expect(await site.db`select from access_tokens where id = ${id}`).toHaveLength(0)
  })

  test('that was altered or made up is refused', async () => {
    const { token } = await create()
    const altered = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
    for (const candidate of [altered, `${token}=`, token.toUpperCase(), 'rmk_', `rmk_${'x'.repeat(5000)}`])
      expect(await isAccepted(candidate), candidate).toBe(false)
  })

  test('has its last use recorded, at most once a minute', async () => {
    const { id, token } = await create()
    const readLastUse = async () =>
      (await site.db`select last_used_at::text as at, xmin from access_tokens where id = ${id}`)[0]
    expect((await readLastUse())?.at).toBeNull()
    await Promise.all(Array.from({ length: 8 }, () => isAccepted(token)))
    const first = await readLastUse()
    expect(first?.at).not.toBeNull()
    await isAccepted(token)
    // The row was not written again: xmin is still the same.
    expect(await readLastUse()).toEqual(first)
    await site.db`update access_tokens set last_used_at = now() - interval '61 seconds' where id = ${id}`
    const before = await readLastUse()
    await isAccepted(token)
    expect((await readLastUse())?.at).not.toBe(before?.at)
  })

  test('of a banned user is refused', async () => {
    const { token } = await create()
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    expect(await isAccepted(token)).toBe(false)
  })

  test('is deleted by a password change, which also turns off webhooks; a mail tells of each', async () => {
    const { token } = await create()
    const webhook = { url: 'https://elsewhere.example/', events: ['bookmark.created' as const] }
    await site.call(createWebhook, { body: webhook }, alice)
    const body = { old_password: alice.password, new_password1: 'another one', new_password2: 'another one' }
    await site.call(changePassword, { body }, alice)
    expect(await isAccepted(token)).toBe(false)
    // The first one is about the token.
    const mails = await waitForMailsTo(site, alice.email, 3)
    const text = mails.map((mail) => mail.text).join()
    expect(text).toContain('all access tokens were revoked')
    expect(text).toContain('A webhook was created for your account.')
    expect(text).not.toContain('elsewhere.example')
    expect(await site.call(listWebhooks, {}, alice)).toMatchObject([{ is_enabled: false }])
  })

  test('is deleted by a password reset', async () => {
    const { token } = await create()
    // Two mails: about the token, and the reset link.
    await site.call(requestPasswordReset, { body: { email: alice.email } })
    const mails = await waitForMailsTo(site, alice.email, 2)
    const text = mails.map((mail) => mail.text).join()
    const [, uidb64 = '', reset = ''] = /reset-password\/([\w-]+)\/([\w-]+)$/m.exec(text) ?? []
    await site.call(confirmPasswordReset, {
      body: { uidb64, token: reset, new_password1: 'a third one', new_password2: 'a third one' },
    })
    expect(await isAccepted(token)).toBe(false)
  })

  test('is not stored in plain text in any table or log', async () => {
    const { token } = await create()
    await isAccepted(token)
    await waitForMailsTo(site, alice.email)
    const rows = [
      ...(await site.db<{ row: string }[]>`select t::text as row from access_tokens t`),
      ...(await site.db<{ row: string }[]>`select j::text as row from jobs.job j`),
    ]
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.filter(({ row }) => row.includes(token))).toEqual([])
    expect(site.log.filter((line) => JSON.stringify(line).includes(token))).toEqual([])
    expect(site.statements.filter((text) => text.includes(token))).toEqual([])
  })
})
