import {
  createAccessToken,
  deleteAccessToken,
  listAccessTokens,
  type TokenScope,
} from '@reelmark/contract/access-tokens.ts'
import { getAccountSecurity } from '@reelmark/contract/account-settings.ts'
import { changePassword, confirmPasswordReset, requestPasswordReset } from '@reelmark/contract/accounts.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createJobQueues } from '../../../app.ts'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let people = 0
beforeAll(async () => {
  site = await bootApp({ work: true })
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `Alice${people}`)
})

interface Wishes {
  name?: string
  scopes?: TokenScope[]
  expires_in_days?: number | null
}
const create = (wishes: Wishes = {}, as: { access: string } | null = alice) =>
  site.call(
    createAccessToken,
    { body: { name: 'My script', scopes: ['read'], expires_in_days: null, ...wishes } },
    as,
  )
const list = (as: { access: string } = alice) => site.call(listAccessTokens, { query: {} }, as)
/** Whether a token lets somebody in, as whom it should. */
const works = (token: string) =>
  site.call(getProfile, { params: { username: alice.username } }, { access: token }).then(
    ({ email }) => email === alice.email,
    ({ status }) => {
      expect(status).toBe(401)
      return false
    },
  )

/** What the clock does at night. */
const removeExpired = () =>
  createJobQueues(site.app.deps)
    .find(({ name }) => name === 'remove-expired')
    ?.work({})

describe('somebody who makes a token', () => {
  test('is shown it once, and told of it by mail', async () => {
    const created = await create({ scopes: ['write', 'read'], expires_in_days: 30 })
    expect(created).toEqual({
      id: expect.any(Number),
      name: 'My script',
      scopes: ['read', 'write'],
      hint: created.token.slice(0, 8),
      token: expect.stringMatching(/^rmk_[\w-]{43}$/),
      created_at: expect.any(String),
      expires_at: expect.any(String),
      last_used_at: null,
    })
    const days = (Date.parse(created.expires_at ?? '') - Date.parse(created.created_at)) / 86_400_000
    expect(days).toBeCloseTo(30, 1)
    const { token, ...shown } = created
    expect(await list()).toEqual({ count: 1, next: null, previous: null, results: [shown] })
    const [mail] = await waitForMailsTo(site, alice.email)
    expect(mail?.text).toContain('An access token was created for your account (My script).')
    expect(mail?.text).not.toContain(token)
  })

  test('sees their own, the newest first, and nobody else’s', async () => {
    const bob = await signUp(site, `Bob${people}`)
    const [first, second] = [await create(), await create({ name: 'Another' })]
    await create({}, bob)
    expect((await list()).results.map(({ id }) => id)).toEqual([second.id, first.id])
    expect((await list(bob)).count).toBe(1)
    const page = await site.call(listAccessTokens, { query: { page: 2, page_size: 1 } }, alice)
    expect(page.results.map(({ id }) => id)).toEqual([first.id])
    expect(page.previous).toBe('/api/auth/tokens/?page=1&page_size=1')
    expect((await failedReply(site.call(listAccessTokens, { query: { page: 9 } }, alice))).status).toBe(404)
  })

  test('can remove it, and it works no more; somebody else cannot', async () => {
    const bob = await signUp(site, `Bob${people}`)
    const { id, token } = await create()
    const remove = (as: TestUser) => site.call(deleteAccessToken, { params: { id } }, as)
    expect((await failedReply(remove(bob))).status).toBe(404)
    expect(await works(token)).toBe(true)
    await remove(alice)
    expect(await works(token)).toBe(false)
    expect((await failedReply(remove(alice))).status).toBe(404)
  })

  test('has fifty at most, also of many at once; expired ones do not count', async () => {
    await site.db`
      insert into access_tokens (user_id, hash, hint, name, scopes, expires_at)
      select ${alice.id}, sha256((${alice.id} || ' many ' || n)::bytea), 'rmk_abcd', 'old', '{read}',
             case when n <= 3 then now() - interval '1 day' end
        from generate_series(1, 51) n`
    const answers = await Promise.allSettled([1, 2, 3, 4, 5].map(() => create()))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await failedReply(create())).toEqual({
      status: 409,
      body: { detail: "You've reached the limit. Delete one first.", code: 'limit-reached' },
    })
  })

  test('must have shown lately that it is them, and be signed in', async () => {
    expect((await failedReply(create({}, null))).status).toBe(401)
    await site.db`update sessions set authenticated_at = now() - interval '15 minutes' where user_id = ${alice.id}`
    expect((await failedReply(create())).body).toEqual({
      detail: "Confirm it's you.",
      code: 'reauthentication-required',
      confirm: ['password'],
    })
  })

  test('may have it moderate if they are a moderator', async () => {
    expect(await failedReply(create({ scopes: ['read', 'moderate'] }))).toEqual({
      status: 400,
      body: { code: 'invalid', scopes: ['Only moderators can make a token that may moderate.'] },
    })
    const mo = await signUpModerator(site, `Mo${people}`)
    expect((await create({ scopes: ['moderate'] }, mo)).scopes).toEqual(['moderate'])
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
  ])('with %s as %j is refused at the field', async (field, value) => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/api/auth/tokens/',
      headers: { authorization: `Bearer ${alice.access}` },
      payload: { name: 'x', scopes: ['read'], expires_in_days: null, [field]: value },
    })
    expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, [field, 'code']])
  })
})

describe('a token', () => {
  test('ends when it expires, is shown for a month then, and is gone after that', async () => {
    const { id, token } = await create({ expires_in_days: 1 })
    const age = (days: number) =>
      site.db`update access_tokens set expires_at = expires_at - make_interval(days => ${days}) where id = ${id}`
    expect(await works(token)).toBe(true)
    await age(1)
    expect(await works(token)).toBe(false)
    expect((await list()).count).toBe(1)
    expect((await site.call(getAccountSecurity, {}, alice)).access_tokens_count).toBe(0)
    await age(29)
    await removeExpired()
    expect((await list()).count).toBe(1)
    await age(1)
    expect((await list()).count).toBe(0)
    await removeExpired()
    expect(await site.db`select from access_tokens where id = ${id}`).toHaveLength(0)
  })

  test('that was altered or made up lets nobody in', async () => {
    const { token } = await create()
    const altered = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
    for (const created of [altered, `${token}=`, token.toUpperCase(), 'rmk_', `rmk_${'x'.repeat(5000)}`])
      expect(await works(created), created).toBe(false)
  })

  test('has its use written down to the minute, and not more often', async () => {
    const { id, token } = await create()
    const lastUse = async () =>
      (await site.db`select last_used_at::text as at, xmin from access_tokens where id = ${id}`)[0]
    expect((await lastUse())?.at).toBeNull()
    await Promise.all(Array.from({ length: 8 }, () => works(token)))
    const first = await lastUse()
    expect(first?.at).not.toBeNull()
    await works(token)
    // Not even written again: the row is of the same transaction.
    expect(await lastUse()).toEqual(first)
    await site.db`update access_tokens set last_used_at = now() - interval '61 seconds' where id = ${id}`
    const aged = await lastUse()
    await works(token)
    expect((await lastUse())?.at).not.toBe(aged?.at)
  })

  test('of somebody banned lets nobody in', async () => {
    const { token } = await create()
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    expect(await works(token)).toBe(false)
  })

  test('outlives a password change, and is removed by a password reset', async () => {
    const { token } = await create()
    const body = { old_password: alice.password, new_password1: 'another one', new_password2: 'another one' }
    await site.call(changePassword, { body }, alice)
    expect(await works(token)).toBe(true)
    // The token's mail, the change's, and the reset's.
    await site.call(requestPasswordReset, { body: { email: alice.email } })
    const mails = await waitForMailsTo(site, alice.email, 3)
    const text = mails.map((mail) => mail.text).join()
    const [, uidb64 = '', reset = ''] = /reset-password\/([\w-]+)\/([\w-]+)$/m.exec(text) ?? []
    await site.call(confirmPasswordReset, {
      body: { uidb64, token: reset, new_password1: 'a third one', new_password2: 'a third one' },
    })
    expect(await works(token)).toBe(false)
  })

  test('is in no table and no log', async () => {
    const { token } = await create()
    await works(token)
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
