import { deleteAccount, getAccountSecurity, reauthenticate } from '@reelmark/contract/account-settings.ts'
import { changePassword } from '@reelmark/contract/accounts.ts'
import { renewRecoveryCodes } from '@reelmark/contract/second-factor.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAuthenticator } from '../../../testing/software-authenticator.fixture.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { registerTestPasskey } from '../../../testing/test-passkeys.ts'
import {
  freezeClock,
  setUpAuthenticator,
  totpCode,
  waitForNextCode,
} from '../../../testing/test-second-factor.ts'
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
  freezeClock()
})
afterEach(() => {
  vi.useRealTimers()
})

const confirm = (verification_code?: string, { password = alice.password, on = site } = {}) =>
  on.call(
    reauthenticate,
    { body: { password, ...(verification_code !== undefined && { verification_code }) } },
    alice,
  )
const expireReauthentication = () =>
  site.db`update sessions set authenticated_at = now() - interval '15 minutes' where user_id = ${alice.id}`
const isReauthenticated = async () =>
  (await site.call(getAccountSecurity, {}, alice)).reauthenticated_until !== null
const invalid = (field: string, text: string) => ({ status: 400, body: { code: 'invalid', [field]: [text] } })

describe('a user with an authenticator app', () => {
  let secret = ''
  let recoveryCodes: string[] = []
  beforeEach(async () => {
    const app = await setUpAuthenticator(site, alice)
    secret = app.secret
    recoveryCodes = app.recovery_codes
    await expireReauthentication()
    waitForNextCode()
  })

  test('reauthenticates with the password and a code, and not with one of them', async () => {
    expect(await failedReply(confirm())).toEqual(invalid('verification_code', 'Enter a code.'))
    expect(await failedReply(confirm(totpCode(secret, 100)))).toEqual(
      invalid('verification_code', 'Incorrect code. Codes change every 30 seconds and work once.'),
    )
    expect(await failedReply(confirm(totpCode(secret), { password: 'wrong' }))).toEqual(
      invalid('password', 'Incorrect password. Try again.'),
    )
    expect(await isReauthenticated()).toBe(false)
    await confirm(totpCode(secret))
    expect(await isReauthenticated()).toBe(true)
    await site.call(renewRecoveryCodes, {}, alice)
  })

  test('cannot use a code twice, also with concurrent requests', async () => {
    const code = totpCode(secret)
    const outcomes = await Promise.allSettled([confirm(code), confirm(code), confirm(code)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('reauthenticates with the password and a recovery code, which works once', async () => {
    const [code = ''] = recoveryCodes
    await confirm(code.toUpperCase())
    expect(await isReauthenticated()).toBe(true)
    await expect
      .poll(() => site.log)
      .toContainEqual(
        expect.objectContaining({
          event: 'recovery-code-used',
          call: 'POST /auth/reauthenticate/',
          actor_id: alice.id,
        }),
      )
    expect((await site.call(getAccountSecurity, {}, alice)).recovery_codes_left).toBe(9)
    expect(await failedReply(confirm(code))).toEqual(
      invalid('verification_code', 'Incorrect or already used recovery code.'),
    )
  })

  test('has a limited number of codes', async () => {
    const strict = await bootApp({ settings: { rateLimitScale: 1 } })
    try {
      alice = await signUp(strict, 'strict')
      await setUpAuthenticator(strict, alice)
      const statuses: number[] = []
      for (let n = 0; n < 21; n++)
        statuses.push((await failedReply(confirm('000000', { on: strict }))).status)
      expect(statuses).toEqual([...Array(20).fill(400), 429])
    } finally {
      await strict.close()
    }
  })

  test('needs it to change the password or delete the account with the password', async () => {
    const passwords = { new_password1: 'a longer walk', new_password2: 'a longer walk' }
    const calls = [
      () => site.call(changePassword, { body: { old_password: alice.password, ...passwords } }, alice),
      () => site.call(deleteAccount, { body: { password: alice.password } }, alice),
    ]
    for (const call of calls)
      expect(await failedReply(call())).toEqual({
        status: 403,
        body: {
          detail: "Confirm it's you.",
          code: 'reauthentication-required',
          methods: ['password'],
          second_factors: ['authenticator', 'recovery_code'],
        },
      })
    await confirm(totpCode(secret))
    await calls[0]?.()
  })
})

test('a user whose second factor is a passkey reauthenticates with it, or with password and recovery code', async () => {
  const { recovery_codes } = await registerTestPasskey(site, alice, createAuthenticator())
  await expireReauthentication()
  expect(await failedReply(confirm())).toEqual(invalid('verification_code', 'Enter a code.'))
  expect(await failedReply(site.call(renewRecoveryCodes, {}, alice))).toMatchObject({
    body: { methods: ['password', 'passkey'], second_factors: ['recovery_code'] },
  })
  await confirm(recovery_codes?.[0] ?? '')
  expect(await isReauthenticated()).toBe(true)
})

test('a user without a second factor reauthenticates with the password, and a code is ignored', async () => {
  await expireReauthentication()
  await confirm('123456')
  expect(await isReauthenticated()).toBe(true)
})
