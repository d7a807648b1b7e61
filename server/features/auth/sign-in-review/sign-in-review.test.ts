import { createAccessToken } from '@reelmark/contract/access-tokens.ts'
import { changeEmail, confirmEmail, getAccountSecurity } from '@reelmark/contract/account-settings.ts'
import { confirmPasswordReset, logIn, register, requestPasswordReset } from '@reelmark/contract/accounts.ts'
import { logInWithSecondFactor } from '@reelmark/contract/second-factor.ts'
import { completeSignInReview, getSignInReview } from '@reelmark/contract/sign-in-review.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readOutbox } from '../../../testing/outbox.ts'
import { createAuthenticator } from '../../../testing/software-authenticator.fixture.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { registerTestPasskey } from '../../../testing/test-passkeys.ts'
import { passLoginFirstStep, setUpAuthenticator } from '../../../testing/test-second-factor.ts'
import { failedReply, signUp, type TestUser, testPassword } from '../../../testing/test-users.ts'

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

const newPassword = 'nothing like the one before'
const removeNothing = { remove_authenticator: false, remove_passkeys: [], remove_identities: [] }
const resetLink = /reset-password\/([\w-]+)\/([\w-]+)$/m
const confirmationLink = /confirm-email\/([\w-]+)$/m

/** Waits for a mail that matches and returns the groups of the match. */
async function waitForMail(address: string, pattern: RegExp): Promise<string[]> {
  let match: RegExpExecArray | null = null
  await expect
    .poll(async () => {
      const mails = await readOutbox(site.settings.dataDir)
      const texts = mails.filter(({ headers }) => headers.to === address).map(({ text }) => text)
      match = pattern.exec(texts.join('\n'))
      return match
    })
    .not.toBeNull()
  return match ?? []
}

/** Resets the password with a mailed link. */
async function resetPassword({ email }: { email: string }) {
  await site.call(requestPasswordReset, { body: { email } })
  const [, uidb64 = '', token = ''] = await waitForMail(email, resetLink)
  return site.call(confirmPasswordReset, {
    body: { uidb64, token, new_password1: newPassword, new_password2: newPassword },
  })
}

const logInAgain = (user: { username: string }) =>
  site.call(logIn, { body: { username: user.username, password: newPassword } })

/** Logs in with the new password and a recovery code. */
async function logInWithCode(user: { username: string }, code = '') {
  const { ticket } = await passLoginFirstStep(site, { ...user, password: newPassword })
  return site.call(logInWithSecondFactor, { body: { ticket, verification_code: code } })
}

async function linkIdentity(userId: number): Promise<void> {
  await site.db`
    insert into identities (user_id, issuer, subject, email)
    values (${userId}, 'https://id.example.org', ${`subject ${userId}`}, 'linked@example.org')`
}

describe('after a password reset', () => {
  test('everything linked waits for a decision, and what is not the user’s is removed', async () => {
    const first = await registerTestPasskey(site, alice, createAuthenticator())
    await registerTestPasskey(site, alice, createAuthenticator())
    const { recovery_codes } = await setUpAuthenticator(site, alice)
    await linkIdentity(alice.id)
    const codes = [...(first.recovery_codes ?? []), ...recovery_codes]
    expect(await resetPassword(alice)).toMatchObject({ review_required: true })

    const session = await logInWithCode(alice, codes[0])
    expect(await site.call(getAccountSecurity, {}, session)).toMatchObject({ review_required: true })
    const review = await site.call(getSignInReview, {}, session)
    expect(review).toMatchObject({
      since: expect.any(String),
      authenticator_since: expect.any(String),
      identities: [{ issuer: 'id.example.org', email: 'linked@example.org' }],
    })
    expect(review.passkeys.map(({ id }) => id)).toContain(first.passkey.id)
    expect(review.passkeys).toHaveLength(2)

    const body = {
      remove_authenticator: true,
      remove_passkeys: [first.passkey.id],
      remove_identities: review.identities.map(({ id }) => id),
    }
    await site.call(completeSignInReview, { body }, session)
    expect(await site.call(getAccountSecurity, {}, session)).toMatchObject({
      review_required: false,
      has_authenticator: false,
      passkeys_count: 1,
      identities_count: 0,
    })
    expect(await site.call(getSignInReview, {}, session)).toEqual({
      since: null,
      authenticator_since: null,
      passkeys: [],
      identities: [],
    })
    expect(await failedReply(site.call(completeSignInReview, { body }, session))).toMatchObject({
      status: 404,
    })
    await waitForMail(alice.email, /A passkey was removed/)
  })

  test('removing a method ends the other sessions and access tokens that were created since the reset', async () => {
    await linkIdentity(alice.id)
    await resetPassword(alice)
    const session = await logInAgain(alice)
    const intruder = await logInAgain(alice)
    const request = { name: 'Mine now', scopes: ['read' as const], expires_in_days: null }
    await site.call(createAccessToken, { body: request }, intruder)
    await site.call(changeEmail, { body: { email: `intruder${userCount}@example.org` } }, intruder)
    const { identities } = await site.call(getSignInReview, {}, session)
    const body = { ...removeNothing, remove_identities: identities.map(({ id }) => id) }
    await site.call(completeSignInReview, { body }, session)
    expect(await failedReply(site.call(getAccountSecurity, {}, intruder))).toMatchObject({ status: 401 })
    expect(await site.call(getAccountSecurity, {}, session)).toMatchObject({
      access_tokens_count: 0,
      pending_email: null,
    })
    expect(site.log).toContainEqual(
      expect.objectContaining({
        event: 'account-changed',
        call: 'POST /auth/sign-in-review/',
        actor_id: alice.id,
      }),
    )
  })

  test('the second factor is still required', async () => {
    const { recovery_codes } = await setUpAuthenticator(site, alice)
    await resetPassword(alice)
    expect(await failedReply(logInAgain(alice))).toMatchObject({
      status: 403,
      body: { code: 'second-factor-required' },
    })
    const session = await logInWithCode(alice, recovery_codes[0])
    await site.call(completeSignInReview, { body: removeNothing }, session)
    expect(await site.call(getAccountSecurity, {}, session)).toMatchObject({
      review_required: false,
      has_authenticator: true,
      recovery_codes_left: 9,
    })
  })

  test('an account without linked methods has nothing to decide, and a mail reports the reset', async () => {
    expect(await resetPassword(alice)).toMatchObject({ review_required: false })
    await waitForMail(alice.email, /all access tokens were revoked/)
    const session = await logInAgain(alice)
    expect(await site.call(getAccountSecurity, {}, session)).toMatchObject({ review_required: false })
  })

  test('other users’ methods cannot be removed, and the decision requires a recent login', async () => {
    const bob = await signUp(site, `Bob${userCount}`)
    const { passkey } = await registerTestPasskey(site, bob, createAuthenticator())
    await linkIdentity(alice.id)
    await resetPassword(alice)
    const session = await logInAgain(alice)
    await site.db`update sessions set authenticated_at = now() - interval '15 minutes' where user_id = ${alice.id}`
    const body = { ...removeNothing, remove_passkeys: [passkey.id] }
    expect(await failedReply(site.call(completeSignInReview, { body }, session))).toMatchObject({
      body: { code: 'reauthentication-required' },
    })
    await site.db`update sessions set authenticated_at = now() where user_id = ${alice.id}`
    await site.call(completeSignInReview, { body }, session)
    expect(await site.call(getAccountSecurity, {}, bob)).toMatchObject({ passkeys_count: 1 })
  })
})

describe('sign-in methods linked while the address was unconfirmed', () => {
  /** Creates an account with a passkey, an authenticator app and an identity before its address is confirmed. */
  async function createLinkedAccount() {
    const username = `Early${userCount}`
    const email = `early${userCount}@example.org`
    const body = { username, email, password: testPassword, password2: testPassword }
    const { id } = await site.call(register, { body })
    const session = await site.call(logIn, { body: { username, password: testPassword } })
    const user = { ...alice, ...session, id, username, email }
    await registerTestPasskey(site, user, createAuthenticator())
    await setUpAuthenticator(site, user)
    await linkIdentity(id)
    const [, token = ''] = await waitForMail(email, confirmationLink)
    return { user, token }
  }

  test('are removed by a reset if the owner of the address had no session of the account', async () => {
    const { user, token } = await createLinkedAccount()
    // A session of another account proves nothing.
    await site.call(confirmEmail, { body: { token } }, alice)
    expect(await resetPassword(user)).toMatchObject({ review_required: false })
    const session = await logInAgain(user)
    expect(await site.call(getAccountSecurity, {}, session)).toMatchObject({
      has_authenticator: false,
      passkeys_count: 0,
      identities_count: 0,
      recovery_codes_left: 0,
    })
    expect(await failedReply(site.call(getAccountSecurity, {}, user))).toMatchObject({ status: 401 })
  })

  test('stay, with the second factor, if the address was confirmed in a session of the account', async () => {
    const { user, token } = await createLinkedAccount()
    await site.call(confirmEmail, { body: { token } }, user)
    expect(await resetPassword(user)).toMatchObject({ review_required: true })
    expect(await failedReply(logInAgain(user))).toMatchObject({ body: { code: 'second-factor-required' } })
  })

  test('are removed only if they were linked before the confirmation', async () => {
    const { user, token } = await createLinkedAccount()
    await site.call(confirmEmail, { body: { token } })
    const { passkey } = await registerTestPasskey(site, user, createAuthenticator())
    await resetPassword(user)
    const rows = await site.db`select id from passkeys where user_id = ${user.id}`
    expect(rows.map(({ id }) => id)).toEqual([passkey.id])
  })
})
