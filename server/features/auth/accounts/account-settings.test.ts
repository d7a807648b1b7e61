import { getAccountSecurity, reauthenticate } from '@reelmark/contract/account-settings.ts'
import { changePassword, logIn } from '@reelmark/contract/accounts.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../../core/auth/passwords.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

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

const security = (as: { access: string } | null = alice) => site.call(getAccountSecurity, {}, as)
const confirm = (password: string, as: { access: string } | null = alice) =>
  site.call(reauthenticate, { body: { password } }, as)
const age = (minutes: number) =>
  site.db`
    update sessions set authenticated_at = authenticated_at - make_interval(mins => ${minutes}) where user_id = ${alice.id}`

const notSignedIn = {
  status: 401,
  body: { detail: 'Authentication credentials were not provided.', code: 'unauthenticated' },
}
const wrong = {
  status: 400,
  body: { code: 'invalid', password: ['Incorrect password. Try again.'] },
}

describe('how somebody signs in', () => {
  test('is told at a glance, in one statement beside who asks', async () => {
    site.statements.length = 0
    expect(await security()).toEqual({
      email: alice.email,
      pending_email: null,
      has_password: true,
      has_authenticator: false,
      passkeys_count: 0,
      recovery_codes_left: 0,
      identities_count: 0,
      access_tokens_count: 0,
      confirmed_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    expect(site.statements).toHaveLength(2)
  })

  test('counts everything that is there, and nothing that is over or not finished', async () => {
    const { db } = site
    await db`update users set password_hash = null where id = ${alice.id}`
    await db`insert into authenticators (user_id, secret) values (${alice.id}, 'x')`
    await db`
      insert into passkeys (user_id, credential_id, public_key, name)
      select ${alice.id}, decode(lpad(to_hex(${alice.id} * 100 + n), 16, '0'), 'hex'), 'x', 'key' from generate_series(1, 2) n`
    await db`
      insert into recovery_codes (user_id, code_hash)
      select ${alice.id}, sha256(n::text::bytea) from generate_series(1, 3) n`
    await db`insert into identities (user_id, issuer, subject) values (${alice.id}, 'https://id.example', ${alice.id})`
    await db`
      insert into access_tokens (user_id, hash, hint, name, scopes, expires_at)
      select ${alice.id}, sha256((${alice.id} || ' ' || n)::bytea), 'rmk_abcd', 'script', '{read}',
             case n when 1 then now() - interval '1 second' when 2 then now() + interval '1 day' end
        from generate_series(1, 3) n`
    await db`
      insert into email_changes (user_id, email, token_hash, expires_at)
      values (${alice.id}, 'old@example.org', sha256(${alice.username}::bytea), now() - interval '1 second')`
    const counted = {
      has_password: false,
      has_authenticator: false,
      passkeys_count: 2,
      recovery_codes_left: 3,
      identities_count: 1,
      access_tokens_count: 2,
      pending_email: null,
    }
    expect(await security()).toMatchObject(counted)
    await db`update authenticators set confirmed_at = now() where user_id = ${alice.id}`
    await db`update email_changes set expires_at = now() + interval '1 day' where user_id = ${alice.id}`
    expect(await security()).toMatchObject({
      ...counted,
      has_authenticator: true,
      pending_email: 'old@example.org',
    })
  })

  test('is told to nobody else', async () => {
    expect(await failedReply(security(null))).toEqual(notSignedIn)
    const bob = await signUp(site, `bob${people}`)
    expect(await security(bob)).toMatchObject({ email: bob.email, has_password: true })
  })
})

describe('showing that it is oneself', () => {
  test('is good for fifteen minutes, in this session alone', async () => {
    const other = await site.call(logIn, { body: { username: alice.username, password: alice.password } })
    await age(15)
    expect((await security()).confirmed_until).toBeNull()
    expect(await confirm(alice.password)).toBeNull()
    const until = new Date((await security()).confirmed_until ?? 0).getTime()
    expect(until - Date.now()).toBeGreaterThan(14.5 * 60_000)
    expect(until - Date.now()).toBeLessThanOrEqual(15 * 60_000)
    expect((await security(other)).confirmed_until).toBeNull()
    await age(14)
    expect((await security()).confirmed_until).not.toBeNull()
    await age(1)
    expect((await security()).confirmed_until).toBeNull()
  })

  test('takes the password: a wrong one changes nothing, nor does somebody else’s', async () => {
    const bob = await signUp(site, `bob${people}`)
    const others = 'a password of somebody else'
    await site.db`update users set password_hash = ${await hashPassword(others)} where id = ${bob.id}`
    await age(15)
    expect(await failedReply(confirm('nothing like it'))).toEqual(wrong)
    expect(await failedReply(confirm(others))).toEqual(wrong)
    expect((await security()).confirmed_until).toBeNull()
    expect(await failedReply(confirm(alice.password, null))).toEqual(notSignedIn)
  })

  test('is not possible by a password where there is none', async () => {
    await site.db`update users set password_hash = null where id = ${alice.id}`
    expect(await failedReply(confirm('any password'))).toEqual({
      status: 400,
      body: { code: 'invalid', password: ['Your account has no password. Set one from Settings → Account.'] },
    })
  })

  test.each([[''], [null], [7], ['x'.repeat(129)], [['a', 'b']], [{ is: 'it' }], ['a\0b']])(
    'with %j is refused at the field',
    async (password) => {
      const reply = await site.app.inject({
        method: 'POST',
        url: '/api/auth/confirm/',
        headers: { authorization: `Bearer ${alice.access}` },
        payload: { password },
      })
      expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, ['password', 'code']])
    },
  )

  test('by the old password at the moment it is changed leaves nothing confirmed by it', async () => {
    await age(15)
    const body = { old_password: alice.password, new_password1: 'another one', new_password2: 'another one' }
    const [confirmed] = await Promise.allSettled([
      confirm(alice.password),
      site.call(changePassword, { body }, alice),
    ])
    const { confirmed_until } = await security()
    expect(confirmed_until === null).toBe(confirmed.status === 'rejected')
    expect(await failedReply(confirm(alice.password))).toEqual(wrong)
  })

  test('is held back after ten wrong guesses, and the right password with them', async () => {
    const strict = await bootApp({ settings: { rateLimitScale: 1 } })
    const carol = await signUp(strict, 'carol')
    const guess = (password: string) =>
      failedReply(strict.call(reauthenticate, { body: { password } }, carol)).then(({ status }) => status)
    const answers = await Promise.all(Array.from({ length: 14 }, (_, n) => guess(`guess ${n}`)))
    expect(answers.filter((status) => status === 400)).toHaveLength(10)
    expect(answers.filter((status) => status === 429)).toHaveLength(4)
    expect(await guess(carol.password)).toBe(429)
    await strict.close()
  })
})
