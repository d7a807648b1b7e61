import { getAccountSecurity, reauthenticate } from '@reelmark/contract/account-settings.ts'
import { changePassword, logIn } from '@reelmark/contract/accounts.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../../core/auth/passwords.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

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

const getSecurity = (viewer: { access: string } | null = alice) => site.call(getAccountSecurity, {}, viewer)
const reauthenticateWith = (password: string, viewer: { access: string } | null = alice) =>
  site.call(reauthenticate, { body: { password } }, viewer)
const makeOlder = (minutes: number) =>
  site.db`
    update sessions set authenticated_at = authenticated_at - make_interval(mins => ${minutes}) where user_id = ${alice.id}`

const unauthenticated = {
  status: 401,
  body: { detail: 'Authentication credentials were not provided.', code: 'unauthenticated' },
}
const wrongPassword = {
  status: 400,
  body: { code: 'invalid', password: ['Incorrect password. Try again.'] },
}

describe('the overview of sign-in methods', () => {
  test('is read in one statement besides the authentication', async () => {
    site.statements.length = 0
    expect(await getSecurity()).toEqual({
      username_changeable_at: null,
      email: alice.email,
      is_email_confirmed: true,
      pending_email: null,
      has_password: true,
      has_authenticator: false,
      passkeys_count: 0,
      needs_second_factor: false,
      recovery_codes_left: 0,
      identities_count: 0,
      access_tokens_count: 0,
      review_required: false,
      reauthenticated_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    expect(site.statements).toHaveLength(2)
  })

  test('counts active items, but neither expired nor unconfirmed ones', async () => {
    const { db } = site
    await db`update users set password_hash = null where id = ${alice.id}`
    await db`insert into authenticators (user_id, secret) values (${alice.id}, 'x')`
    await db`
      insert into passkeys (user_id, credential_id, public_key, name)
      select ${alice.id}, decode(lpad(to_hex(${alice.id} * 100 + n), 16, '0'), 'hex'), 'x', 'key' from generate_series(1, 2) n`
    await db`
      insert into recovery_codes (user_id, code_hash)
      select ${alice.id}, '$argon2id$' || n from generate_series(1, 3) n`
    await db`insert into identities (user_id, issuer, subject) values (${alice.id}, 'https://id.example', ${alice.id})`
    await db`
      insert into access_tokens (user_id, hash, hint, name, scopes, expires_at)
      select ${alice.id}, sha256((${alice.id} || ' ' || n)::bytea), 'rmk_abcd', 'script', '{read}',
             case n when 1 then now() - interval '1 second' when 2 then now() + interval '1 day' end
        from generate_series(1, 3) n`
    await db`
      insert into email_confirmations (user_id, email, token_hash, expires_at)
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
    expect(await getSecurity()).toMatchObject(counted)
    await db`update authenticators set confirmed_at = now() where user_id = ${alice.id}`
    await db`update email_confirmations set expires_at = now() + interval '1 day' where user_id = ${alice.id}`
    expect(await getSecurity()).toMatchObject({
      ...counted,
      has_authenticator: true,
      pending_email: 'old@example.org',
    })
  })

  test('requires authentication and shows the viewer’s own account', async () => {
    expect(await failedReply(getSecurity(null))).toEqual(unauthenticated)
    const bob = await signUp(site, `bob${userCount}`)
    expect(await getSecurity(bob)).toMatchObject({ email: bob.email, has_password: true })
  })
})

describe('reauthentication', () => {
  test('is valid for fifteen minutes, in the session that requested it', async () => {
    const otherSession = await site.call(logIn, {
      body: { username: alice.username, password: alice.password },
    })
    await makeOlder(15)
    expect((await getSecurity()).reauthenticated_until).toBeNull()
    expect(await reauthenticateWith(alice.password)).toBeNull()
    const reauthenticatedUntil = new Date((await getSecurity()).reauthenticated_until ?? 0).getTime()
    expect(reauthenticatedUntil - Date.now()).toBeGreaterThan(14.5 * 60_000)
    expect(reauthenticatedUntil - Date.now()).toBeLessThanOrEqual(15 * 60_000)
    expect((await getSecurity(otherSession)).reauthenticated_until).toBeNull()
    await makeOlder(14)
    expect((await getSecurity()).reauthenticated_until).not.toBeNull()
    await makeOlder(1)
    expect((await getSecurity()).reauthenticated_until).toBeNull()
  })

  test('fails with a wrong password or with the password of another user', async () => {
    const bob = await signUp(site, `bob${userCount}`)
    const passwordOfBob = 'a password of another user'
    await site.db`update users set password_hash = ${await hashPassword(passwordOfBob)} where id = ${bob.id}`
    await makeOlder(15)
    expect(await failedReply(reauthenticateWith('nothing like it'))).toEqual(wrongPassword)
    expect(await failedReply(reauthenticateWith(passwordOfBob))).toEqual(wrongPassword)
    expect((await getSecurity()).reauthenticated_until).toBeNull()
    expect(await failedReply(reauthenticateWith(alice.password, null))).toEqual(unauthenticated)
  })

  test('with a password fails if the account has none', async () => {
    await site.db`update users set password_hash = null where id = ${alice.id}`
    expect(await failedReply(reauthenticateWith('any password'))).toEqual({
      status: 400,
      body: { code: 'invalid', password: ['Your account has no password. Set one from Settings → Account.'] },
    })
  })

  test.each([[''], [null], [7], ['x'.repeat(129)], [['a', 'b']], [{ is: 'it' }], ['a\0b']])(
    'with the password %j returns an error for the field',
    async (password) => {
      const reply = await site.app.inject({
        method: 'POST',
        url: '/api/auth/reauthenticate/',
        headers: { authorization: `Bearer ${alice.access}` },
        payload: { password },
      })
      expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, ['password', 'code']])
    },
  )

  test('with the old password while it is being changed does not outlast the change', async () => {
    await makeOlder(15)
    const body = { old_password: alice.password, new_password1: 'another one', new_password2: 'another one' }
    const [confirmed] = await Promise.allSettled([
      reauthenticateWith(alice.password),
      site.call(changePassword, { body }, alice),
    ])
    const { reauthenticated_until } = await getSecurity()
    expect(reauthenticated_until === null).toBe(confirmed.status === 'rejected')
    expect(await failedReply(reauthenticateWith(alice.password))).toEqual(wrongPassword)
  })

  test('is refused after ten wrong passwords, even with the right one', async () => {
    const strict = await bootApp({ settings: { rateLimitScale: 1 } })
    const carol = await signUp(strict, 'carol')
    const tryPassword = (password: string) =>
      failedReply(strict.call(reauthenticate, { body: { password } }, carol)).then(({ status }) => status)
    const statuses = await Promise.all(Array.from({ length: 14 }, (_, n) => tryPassword(`guess ${n}`)))
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(4)
    expect(await tryPassword(carol.password)).toBe(429)
    await strict.close()
  })
})
