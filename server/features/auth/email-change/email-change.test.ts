import {
  cancelEmailChange,
  changeEmail,
  confirmEmailChange,
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
/** The address that Alice wants. */
let wanted: string
let people = 0
beforeAll(async () => {
  site = await bootApp({ work: true, settings: { publicUrl } })
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `Alice${people}`)
  wanted = `wanted${people}@example.org`
})

const ask = (email = wanted, as: { access: string } | null = alice) =>
  site.call(changeEmail, { body: { email } }, as)
const confirm = (token: string) => site.call(confirmEmailChange, { body: { token } })
const readEmail = async (person: TestUser) =>
  (await site.call(getProfile, { params: { username: person.username } }, person)).email
const readPendingEmail = async (person: TestUser) =>
  (await site.call(getAccountSecurity, {}, person)).pending_email

/** The token of a mail's link, as a person clicks it. */
function tokenIn(text = ''): string {
  const [, token = ''] = /^https:\/\/reelmark\.example\/confirm-email\/([\w-]+)$/m.exec(text) ?? []
  expect(token).toHaveLength(43)
  return token
}

/** Asks, and reads the newest mail. */
async function tokenFor(email = wanted, as = alice, mails = 1): Promise<string> {
  await ask(email, as)
  return tokenIn((await waitForMailsTo(site, email, mails))[mails - 1]?.text)
}

const badLink = {
  status: 400,
  body: { detail: 'The link is invalid or has expired.', code: 'invalid-email-link' },
}

describe('somebody who wants another address', () => {
  test('gets a mail there, follows its link, and the old address is told', async () => {
    expect(await ask()).toEqual({
      detail: 'Follow the link that we mailed to the new address to confirm it.',
      pending_email: wanted,
    })
    expect([await readEmail(alice), await readPendingEmail(alice)]).toEqual([alice.email, wanted])
    const [mail] = await waitForMailsTo(site, wanted)
    expect(mail?.headers.subject).toBe('Confirm your email address for Reelmark')
    expect(mail?.text).toContain(`Hello ${alice.username},`)
    const token = tokenIn(mail?.text)
    expect(mail?.html).toContain(`href="${publicUrl}/confirm-email/${token}"`)

    expect(await confirm(token)).toEqual({ detail: 'Your email address has been changed.', email: wanted })
    expect([await readEmail(alice), await readPendingEmail(alice)]).toEqual([wanted, null])
    await site.call(logIn, { body: { username: wanted, password: alice.password } })
    const [told] = await waitForMailsTo(site, alice.email)
    expect(told?.headers.subject).toBe('The email address of your Reelmark account was changed')
    expect(told?.text).not.toContain(wanted)
    // Free again, for whoever wants it.
    const { password } = alice
    await site.call(register, {
      body: { username: `next${people}`, email: alice.email, password, password2: password },
    })
  })

  test('can use the link once, also of several at the same moment', async () => {
    const token = await tokenFor()
    const answers = await Promise.allSettled([1, 2, 3, 4].map(() => confirm(token)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await failedReply(confirm(token))).toEqual(badLink)
    await waitForMailsTo(site, alice.email, 1)
  })

  test('has a day to use it', async () => {
    const token = await tokenFor()
    const [row] = await site.db<{ seconds: number }[]>`
      select extract(epoch from expires_at - created_at)::int as seconds from email_changes where user_id = ${alice.id}`
    expect(row?.seconds).toBe(24 * 60 * 60)
    await site.db`update email_changes set expires_at = now() where user_id = ${alice.id}`
    expect(await failedReply(confirm(token))).toEqual(badLink)
    expect(await readEmail(alice)).toBe(alice.email)
    await removeExpired(site.db)
    expect(await site.db`select from email_changes where user_id = ${alice.id}`).toHaveLength(0)
  })

  test('can call it off: the link leads nowhere then', async () => {
    const token = await tokenFor()
    expect(await site.call(cancelEmailChange, {}, alice)).toBeNull()
    expect(await readPendingEmail(alice)).toBeNull()
    expect(await failedReply(confirm(token))).toEqual(badLink)
    expect(await site.call(cancelEmailChange, {}, alice)).toBeNull()
  })

  test('who asks again ends the link before', async () => {
    const first = await tokenFor()
    const second = await tokenFor(`other.${wanted}`)
    expect(await failedReply(confirm(first))).toEqual(badLink)
    expect((await confirm(second)).email).toBe(`other.${wanted}`)
  })

  test('is refused the address they have, whatever its case', async () => {
    for (const email of [alice.email, alice.email.toUpperCase()]) {
      expect(await failedReply(ask(email))).toEqual({
        status: 400,
        body: { code: 'invalid', email: ['This is already your email.'] },
      })
    }
  })

  test('has open password resets ended by it: those went to the old address', async () => {
    await site.call(requestPasswordReset, { body: { email: alice.email } })
    const [mail] = await waitForMailsTo(site, alice.email)
    const [, uidb64 = '', token = ''] = /reset-password\/([\w-]+)\/([\w-]+)$/m.exec(mail?.text ?? '') ?? []
    await confirm(await tokenFor())
    const body = { uidb64, token, new_password1: 'a new password', new_password2: 'a new password' }
    expect((await failedReply(site.call(confirmPasswordReset, { body }))).status).toBe(400)
  })

  test('has it called off by a password reset, which is for who lost control', async () => {
    const changing = await tokenFor()
    await site.call(requestPasswordReset, { body: { email: alice.email } })
    const [mail] = await waitForMailsTo(site, alice.email)
    const [, uidb64 = '', token = ''] = /reset-password\/([\w-]+)\/([\w-]+)$/m.exec(mail?.text ?? '') ?? []
    const body = { uidb64, token, new_password1: 'a new password', new_password2: 'a new password' }
    await site.call(confirmPasswordReset, { body })
    expect(await failedReply(confirm(changing))).toEqual(badLink)
  })

  test('has it called off by a password change: an intruder may have asked for it', async () => {
    const token = await tokenFor()
    const body = {
      old_password: alice.password,
      new_password1: 'nobody knows this',
      new_password2: 'nobody knows this',
    }
    await site.call(changePassword, { body }, alice)
    expect(await readPendingEmail(alice)).toBe(null)
    expect(await failedReply(confirm(token))).toEqual(badLink)
    expect(await readEmail(alice)).toBe(alice.email)
  })

  test('must have shown lately that it is them, and be signed in', async () => {
    expect((await failedReply(ask(wanted, null))).status).toBe(401)
    await site.db`update sessions set authenticated_at = now() - interval '15 minutes' where user_id = ${alice.id}`
    expect(await failedReply(ask())).toEqual({
      status: 403,
      body: { detail: "Confirm it's you.", code: 'reauthentication-required', confirm: ['password'] },
    })
  })

  test('and is banned meanwhile has their link refused', async () => {
    const token = await tokenFor()
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    expect(await failedReply(confirm(token))).toEqual(badLink)
  })
})

describe('an address that is somebody’s already', () => {
  test('gets the same reply by the same statements, and is told itself', async () => {
    const bob = await signUp(site, `Bob${people}`)
    const lone = await bootApp()
    const carol = await signUp(lone, 'carol')
    await signUp(lone, `Bob${people}`)
    const traces = []
    for (const email of [`free${people}@example.org`, bob.email]) {
      lone.statements.length = 0
      const { pending_email, ...told } = await lone.call(changeEmail, { body: { email } }, carol)
      const { pending_email: shown } = await lone.call(getAccountSecurity, {}, carol)
      traces.push({
        told,
        same: [pending_email, shown].map((text) => text === email),
        statements: [...lone.statements],
      })
    }
    expect(traces[1]).toEqual(traces[0])
    await lone.close()

    await ask(bob.email.toUpperCase())
    const [mail] = await waitForMailsTo(site, bob.email)
    expect(mail?.headers.subject).toBe('This email address already has a Reelmark account')
    expect(mail?.text).toContain(`Hello ${bob.username},`)
    expect(mail?.text).not.toContain(alice.username)
    expect(mail?.text).not.toContain('confirm-email')
  })

  test('is told nothing where its owner is banned', async () => {
    const bob = await signUp(site, `Bob${people}`)
    await site.db`update users set banned_at = now() where id = ${bob.id}`
    await ask(bob.email)
    await tokenFor()
    await waitForMailsTo(site, bob.email, 0)
  })

  test('of two who follow their links to it at once, is one’s; the other is told so clearly', async () => {
    const bob = await signUp(site, `Bob${people}`)
    const mine = await tokenFor()
    const theirs = await tokenFor(wanted, bob, 2)
    const answers = await Promise.allSettled([confirm(mine), confirm(theirs)])
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [loser, token] = answers[0].status === 'rejected' ? [alice, mine] : [bob, theirs]
    const reason = answers.find((answer) => answer.status === 'rejected')?.reason
    expect([reason.status, reason.body]).toEqual([
      400,
      { detail: 'This email is already used by another account.', code: 'invalid-email-link' },
    ])
    expect([await readEmail(loser), await readPendingEmail(loser)]).toEqual([loser.email, null])
    expect(await failedReply(confirm(token))).toEqual(badLink)
  })

  test('is registered in between: the link is refused', async () => {
    const token = await tokenFor()
    const { password } = alice
    await site.call(register, {
      body: { username: `Quick${people}`, email: wanted, password, password2: password },
    })
    expect((await failedReply(confirm(token))).body).toEqual({
      detail: 'This email is already used by another account.',
      code: 'invalid-email-link',
    })
  })
})

test('a link that was made up or altered is refused', async () => {
  const token = await tokenFor()
  const altered = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
  for (const created of [altered, `${token}=`, 'x', '💥', "' or 1=1"])
    expect(await failedReply(confirm(created))).toEqual(badLink)
  for (const payload of [{}, { token: '' }, { token: 7 }, { token: null }, { token: 'x'.repeat(1001) }]) {
    const reply = await site.app.inject({ method: 'POST', url: '/api/auth/email-change-confirm/', payload })
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
])('the address %j is refused at the field', async (email) => {
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/auth/email-change/',
    headers: { authorization: `Bearer ${alice.access}` },
    payload: { email },
  })
  expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, ['email', 'code']])
})

test('the token is in no table and no log', async () => {
  const token = await tokenFor()
  await site.app.inject(`/confirm-email/${token}`)
  await confirm(token)
  const rows = [
    ...(await site.db<{ row: string }[]>`select c::text as row from email_changes c`),
    ...(await site.db<{ row: string }[]>`select j::text as row from jobs.job j`),
  ]
  expect(rows.filter(({ row }) => row.includes(token))).toEqual([])
  const lines = site.log.map((line) => JSON.stringify(line))
  expect(lines.filter((line) => line.includes('/confirm-email/[secret]'))).toHaveLength(1)
  expect(lines.filter((line) => line.includes(token))).toEqual([])
})

test('with limits on, an account sends three mails an hour; what sends none does not count', async () => {
  const strict = await bootApp({ settings: { rateLimitScale: 1 } })
  const carol = await signUp(strict, 'carol')
  const wish = (email: string) => strict.call(changeEmail, { body: { email } }, carol)
  for (let n = 0; n < 4; n++) expect((await failedReply(wish(carol.email))).status).toBe(400)
  for (let n = 0; n < 3; n++) await wish(`n${n}@example.org`)
  expect((await failedReply(wish('n3@example.org'))).status).toBe(429)
  // Refused, it changes nothing: the one before still waits.
  expect((await strict.call(getAccountSecurity, {}, carol)).pending_email).toBe('n2@example.org')
  await strict.close()
})

test('somebody without a password sets their first one by the reset mail', async () => {
  await site.db`update users set password_hash = null where id = ${alice.id}`
  await site.call(requestPasswordReset, { body: { email: alice.email } })
  const [mail] = await waitForMailsTo(site, alice.email)
  const [, uidb64 = '', token = ''] = /reset-password\/([\w-]+)\/([\w-]+)$/m.exec(mail?.text ?? '') ?? []
  const body = { uidb64, token, new_password1: 'my first password', new_password2: 'my first password' }
  await site.call(confirmPasswordReset, { body })
  await site.call(logIn, { body: { username: alice.username, password: 'my first password' } })
})
