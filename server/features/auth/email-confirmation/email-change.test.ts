import {
  cancelEmailChange,
  changeEmail,
  confirmEmail,
  getAccountSecurity,
} from '@reelmark/contract/account-settings.ts'
import {
  changePassword,
  confirmPasswordReset,
  logIn,
  register,
  requestPasswordReset,
} from '@reelmark/contract/accounts.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { removeExpired } from '../accounts/cleanup-queries.ts'

const publicUrl = 'https://reelmark.example'
let site: TestApp
let alice: TestUser
/** A new address for Alice, different in each test. */
let newEmail: string
let userCount = 0
beforeAll(async () => {
  site = await bootApp({ work: true, settings: { publicUrl } })
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `Alice${userCount}`)
  newEmail = `new${userCount}@example.org`
})

const requestChange = (email = newEmail, viewer: { access: string } | null = alice) =>
  site.call(changeEmail, { body: { email } }, viewer)
const confirm = (token: string) => site.call(confirmEmail, { body: { token } })
const readEmail = async (user: TestUser) =>
  (await site.call(getProfile, { params: { username: user.username } }, user)).email
const readPendingEmail = async (user: TestUser) =>
  (await site.call(getAccountSecurity, {}, user)).pending_email

/** Returns the token of the link in a mail. */
function readTokenFrom(text = ''): string {
  const [, token = ''] = /^https:\/\/reelmark\.example\/confirm-email\/([\w-]+)$/m.exec(text) ?? []
  expect(token).toHaveLength(43)
  return token
}

/** Requests a change and returns the token of the newest mail. */
async function requestToken(email = newEmail, user = alice, count = 1): Promise<string> {
  await requestChange(email, user)
  return readTokenFrom((await waitForMailsTo(site, email, count))[count - 1]?.text)
}

const badLink = {
  status: 400,
  body: { detail: 'The link is invalid or has expired.', code: 'invalid-email-link' },
}

describe('changing the e-mail address', () => {
  test('takes effect with the link mailed to the new address, and informs the old address', async () => {
    expect(await requestChange()).toEqual({
      detail: 'Follow the link that we mailed to the new address to confirm it.',
      pending_email: newEmail,
    })
    expect([await readEmail(alice), await readPendingEmail(alice)]).toEqual([alice.email, newEmail])
    const [mail] = await waitForMailsTo(site, newEmail)
    expect(mail?.headers.subject).toBe('Confirm your email address for Reelmark')
    expect(mail?.text).not.toContain(alice.username)
    const token = readTokenFrom(mail?.text)
    expect(mail?.html).toContain(`href="${publicUrl}/confirm-email/${token}"`)

    expect(await confirm(token)).toEqual({
      detail: 'Your email address has been confirmed.',
      email: newEmail,
    })
    expect([await readEmail(alice), await readPendingEmail(alice)]).toEqual([newEmail, null])
    await site.call(logIn, { body: { username: newEmail, password: alice.password } })
    const [notice] = await waitForMailsTo(site, alice.email)
    expect(notice?.headers.subject).toBe('The email address of your Reelmark account was changed')
    expect(notice?.text).not.toContain(newEmail)
    // The old address can be used again.
    const { password } = alice
    await site.call(register, {
      body: { username: `next${userCount}`, email: alice.email, password, password2: password },
    })
  })

  test('succeeds once if the link is used several times concurrently', async () => {
    const token = await requestToken()
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => confirm(token)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await failedReply(confirm(token))).toEqual(badLink)
    await waitForMailsTo(site, alice.email, 1)
  })

  test('must be confirmed within a day', async () => {
    const token = await requestToken()
    const [row] = await site.db<{ seconds: number }[]>`
      select extract(epoch from expires_at - created_at)::int as seconds from email_confirmations where user_id = ${alice.id}`
    expect(row?.seconds).toBe(24 * 60 * 60)
    await site.db`update email_confirmations set expires_at = now() where user_id = ${alice.id}`
    expect(await failedReply(confirm(token))).toEqual(badLink)
    expect(await readEmail(alice)).toBe(alice.email)
    await removeExpired(site.db)
    expect(await site.db`select from email_confirmations where user_id = ${alice.id}`).toHaveLength(0)
  })

  test('can be cancelled, which makes the link invalid', async () => {
    const token = await requestToken()
    expect(await site.call(cancelEmailChange, {}, alice)).toBeNull()
    expect(await readPendingEmail(alice)).toBeNull()
    expect(await failedReply(confirm(token))).toEqual(badLink)
    expect(await site.call(cancelEmailChange, {}, alice)).toBeNull()
  })

  test('makes the link of an earlier request invalid', async () => {
    const first = await requestToken()
    const second = await requestToken(`other.${newEmail}`)
    expect(await failedReply(confirm(first))).toEqual(badLink)
    expect((await confirm(second)).email).toBe(`other.${newEmail}`)
  })

  test('is refused if the address is the current one, whatever its case', async () => {
    for (const email of [alice.email, alice.email.toUpperCase()]) {
      expect(await failedReply(requestChange(email))).toEqual({
        status: 400,
        body: { code: 'invalid', email: ['This is already your email.'] },
      })
    }
  })

  test('invalidates open password resets, which were mailed to the old address', async () => {
    await site.call(requestPasswordReset, { body: { email: alice.email } })
    const [mail] = await waitForMailsTo(site, alice.email)
    const [, uidb64 = '', token = ''] = /reset-password\/([\w-]+)\/([\w-]+)$/m.exec(mail?.text ?? '') ?? []
    await confirm(await requestToken())
    const body = { uidb64, token, new_password1: 'a new password', new_password2: 'a new password' }
    expect((await failedReply(site.call(confirmPasswordReset, { body }))).status).toBe(400)
  })

  test('is cancelled by a password reset, since an intruder may have requested it', async () => {
    const changeToken = await requestToken()
    await site.call(requestPasswordReset, { body: { email: alice.email } })
    const [mail] = await waitForMailsTo(site, alice.email)
    const [, uidb64 = '', token = ''] = /reset-password\/([\w-]+)\/([\w-]+)$/m.exec(mail?.text ?? '') ?? []
    const body = { uidb64, token, new_password1: 'a new password', new_password2: 'a new password' }
    await site.call(confirmPasswordReset, { body })
    expect(await failedReply(confirm(changeToken))).toEqual(badLink)
  })

  test('is cancelled by a password change, since an intruder may have requested it', async () => {
    const token = await requestToken()
    const body = {
      old_password: alice.password,
      new_password1: 'a different password',
      new_password2: 'a different password',
    }
    await site.call(changePassword, { body }, alice)
    expect(await readPendingEmail(alice)).toBe(null)
    expect(await failedReply(confirm(token))).toEqual(badLink)
    expect(await readEmail(alice)).toBe(alice.email)
  })

  test('requires a recently authenticated session', async () => {
    expect((await failedReply(requestChange(newEmail, null))).status).toBe(401)
    await site.db`update sessions set authenticated_at = now() - interval '15 minutes' where user_id = ${alice.id}`
    expect(await failedReply(requestChange())).toEqual({
      status: 403,
      body: {
        detail: "Confirm it's you.",
        code: 'reauthentication-required',
        methods: ['password'],
        second_factors: [],
      },
    })
  })

  test('cannot be confirmed by a banned user', async () => {
    const token = await requestToken()
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    expect(await failedReply(confirm(token))).toEqual(badLink)
  })
})

describe('an e-mail address that another account has', () => {
  test('gets the same response through the same statements, and a mail to its owner', async () => {
    const bob = await signUp(site, `Bob${userCount}`)
    const quietSite = await bootApp()
    const carol = await signUp(quietSite, 'carol')
    await signUp(quietSite, `Bob${userCount}`)
    const traces = []
    for (const email of [`free${userCount}@example.org`, bob.email]) {
      quietSite.statements.length = 0
      const { pending_email, ...notice } = await quietSite.call(changeEmail, { body: { email } }, carol)
      const { pending_email: shownEmail } = await quietSite.call(getAccountSecurity, {}, carol)
      traces.push({
        notice,
        same: [pending_email, shownEmail].map((text) => text === email),
        statements: [...quietSite.statements],
      })
    }
    expect(traces[1]).toEqual(traces[0])
    await quietSite.close()

    await requestChange(bob.email.toUpperCase())
    const [mail] = await waitForMailsTo(site, bob.email)
    expect(mail?.headers.subject).toBe('This email address already has a Reelmark account')
    expect(mail?.text).not.toMatch(new RegExp(`${alice.username}|${bob.username}`, 'i'))
    expect(mail?.text).not.toContain('confirm-email')
  })

  test('gets no mail if its owner is banned', async () => {
    const bob = await signUp(site, `Bob${userCount}`)
    await site.db`update users set banned_at = now() where id = ${bob.id}`
    await requestChange(bob.email)
    await requestToken()
    await waitForMailsTo(site, bob.email, 0)
  })

  test('goes to one of two users who confirm it concurrently, and the other gets an error', async () => {
    const bob = await signUp(site, `Bob${userCount}`)
    const aliceToken = await requestToken()
    const bobToken = await requestToken(newEmail, bob, 2)
    const outcomes = await Promise.allSettled([confirm(aliceToken), confirm(bobToken)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [loser, token] = outcomes[0].status === 'rejected' ? [alice, aliceToken] : [bob, bobToken]
    const reason = outcomes.find((outcome) => outcome.status === 'rejected')?.reason
    expect([reason.status, reason.body]).toEqual([
      400,
      { detail: 'This email is already used by another account.', code: 'invalid-email-link' },
    ])
    expect([await readEmail(loser), await readPendingEmail(loser)]).toEqual([loser.email, null])
    expect(await failedReply(confirm(token))).toEqual(badLink)
  })

  test('cannot be confirmed if another account confirmed it in the meantime', async () => {
    const token = await requestToken()
    const quick = await signUp(site, `Quick${userCount}`)
    await site.db`update users set email = ${newEmail} where id = ${quick.id}`
    expect((await failedReply(confirm(token))).body).toEqual({
      detail: 'This email is already used by another account.',
      code: 'invalid-email-link',
    })
  })

  test('can be confirmed if other accounts have only entered it', async () => {
    const token = await requestToken()
    const { password } = alice
    await site.call(register, {
      body: { username: `Quick${userCount}`, email: newEmail, password, password2: password },
    })
    expect((await confirm(token)).email).toBe(newEmail)
  })
})

test('an altered or made-up link is refused', async () => {
  const token = await requestToken()
  const altered = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
  for (const candidate of [altered, `${token}=`, 'x', '💥', "' or 1=1"])
    expect(await failedReply(confirm(candidate))).toEqual(badLink)
  for (const payload of [{}, { token: '' }, { token: 7 }, { token: null }, { token: 'x'.repeat(1001) }]) {
    const reply = await site.app.inject({ method: 'POST', url: '/api/auth/email-confirmation/', payload })
    expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, ['token', 'code']])
  }
})

test.each([
  ['nobody'],
  ['a@b@c'],
  [null],
  [''],
  [7],
  [['a@example.org']],
  [`${'x'.repeat(250)}@example.org`],
])('the address %j is refused with an error for the field', async (email) => {
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/auth/email-change/',
    headers: { authorization: `Bearer ${alice.access}` },
    payload: { email },
  })
  expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, ['email', 'code']])
})

test('the token is not stored in plain text in any table or log', async () => {
  const token = await requestToken()
  await site.app.inject(`/confirm-email/${token}`)
  await confirm(token)
  const rows = [
    ...(await site.db<{ row: string }[]>`select c::text as row from email_confirmations c`),
    ...(await site.db<{ row: string }[]>`select j::text as row from jobs.job j`),
  ]
  expect(rows.filter(({ row }) => row.includes(token))).toEqual([])
  const lines = site.log.map((line) => JSON.stringify(line))
  expect(lines.some((line) => line.includes('"route":'))).toBe(true)
  expect(lines.filter((line) => line.includes(token))).toEqual([])
})

test('a user can request five mails a day, and refused requests do not count', async () => {
  const strict = await bootApp({ settings: { rateLimitScale: 1 } })
  const carol = await signUp(strict, 'carol')
  const requestChangeTo = (email: string) => strict.call(changeEmail, { body: { email } }, carol)
  for (let n = 0; n < 6; n++) expect((await failedReply(requestChangeTo(carol.email))).status).toBe(400)
  for (let n = 0; n < 5; n++) await requestChangeTo(`n${n}@example.org`)
  const refused = await failedReply(requestChangeTo('n5@example.org'))
  expect(refused.status).toBe(429)
  // The refused request changed nothing; the previous one is still pending.
  expect((await strict.call(getAccountSecurity, {}, carol)).pending_email).toBe('n4@example.org')
  await strict.close()
})

test('a user without a password can set one with a password reset', async () => {
  await site.db`update users set password_hash = null where id = ${alice.id}`
  await site.call(requestPasswordReset, { body: { email: alice.email } })
  const [mail] = await waitForMailsTo(site, alice.email)
  const [, uidb64 = '', token = ''] = /reset-password\/([\w-]+)\/([\w-]+)$/m.exec(mail?.text ?? '') ?? []
  const body = { uidb64, token, new_password1: 'my first password', new_password2: 'my first password' }
  await site.call(confirmPasswordReset, { body })
  await site.call(logIn, { body: { username: alice.username, password: 'my first password' } })
})
