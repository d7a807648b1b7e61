import { confirmEmail } from '@reelmark/contract/account-settings.ts'
import {
  changePassword,
  confirmPasswordReset,
  listSessions,
  logIn,
  refreshTokens,
  requestPasswordReset,
  resetRequestedText,
} from '@reelmark/contract/accounts.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readOutbox, waitForMailsTo } from '../../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { removeExpired } from '../accounts/cleanup-queries.ts'
import { accountQueues } from '../accounts/jobs.ts'
import { passwordResetJob } from './jobs.ts'

const publicUrl = 'https://reelmark.example'
let site: TestApp
let alice: TestUser
let userCount = 0
beforeAll(async () => {
  site = await bootApp({ work: true, settings: { publicUrl } })
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `Alice${userCount}`)
})

const newPassword = 'nothing like the one before'
const badLink = {
  status: 400,
  body: { detail: 'The password reset link is invalid or has expired.', code: 'invalid-reset-link' },
}

const requestReset = (email: string) => site.call(requestPasswordReset, { body: { email } })
const confirm = (link: { uidb64: string; token: string }, password = newPassword, repetition = password) =>
  site.call(confirmPasswordReset, { body: { ...link, new_password1: password, new_password2: repetition } })
const canLogIn = (password: string) =>
  site.call(logIn, { body: { username: alice.username, password } }).then(
    () => true,
    () => false,
  )

/** Returns the parameters of the link in a mail. */
function readLinkFrom(text: string): { uidb64: string; token: string } {
  const [, uidb64 = '', token = ''] =
    /^https:\/\/reelmark\.example\/reset-password\/([\w-]+)\/([\w-]+)$/m.exec(text) ?? []
  expect(token).toHaveLength(43)
  return { uidb64, token }
}

/** Requests a reset and returns the link of the newest mail. */
async function requestLink(user: TestUser, count = 1) {
  await requestReset(user.email)
  return readLinkFrom((await waitForMailsTo(site, user.email, count))[count - 1]?.text ?? '')
}

/** Runs the job of a request directly, without the worker. */
async function runJobFor(atSite: TestApp, email: string) {
  const queue = accountQueues(atSite.app.deps).find(({ name }) => name === passwordResetJob.name)
  await queue?.work({ email })
}

describe('resetting a password', () => {
  test('works with the link in a mail, and the owner gets another mail about the change', async () => {
    expect(await requestReset(alice.email.toUpperCase())).toEqual({ detail: resetRequestedText })
    const [mail] = await waitForMailsTo(site, alice.email)
    expect(mail?.headers).toMatchObject({
      subject: 'Reset your Reelmark password',
      from: 'Reelmark <no-reply@reelmark.example>',
    })
    expect(mail?.text).not.toContain(alice.username)
    const { uidb64, token } = readLinkFrom(mail?.text ?? '')
    expect(Buffer.from(uidb64, 'base64url').toString()).toBe(String(alice.id))
    expect(mail?.html).toContain(`href="${publicUrl}/reset-password/${uidb64}/${token}"`)

    expect(await confirm({ uidb64, token })).toEqual({
      detail: 'Your password has been reset successfully!',
      review_required: false,
    })
    expect(await canLogIn(newPassword)).toBe(true)
    expect(await canLogIn(alice.password)).toBe(false)
    const [, notice] = await waitForMailsTo(site, alice.email, 2)
    expect(notice?.headers.subject).toBe('Your Reelmark password was reset')
  })

  test('ends all sessions', async () => {
    const otherSession = await site.call(logIn, {
      body: { username: alice.username, password: alice.password },
    })
    await confirm(await requestLink(alice))
    for (const { access, refresh } of [alice, otherSession]) {
      expect((await failedReply(site.call(listSessions, { query: {} }, { access }))).status).toBe(401)
      expect((await failedReply(site.call(refreshTokens, { body: { refresh } }))).status).toBe(401)
    }
  })

  test('works once per link, also with concurrent requests', async () => {
    const link = await requestLink(alice)
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((n) => confirm(link, `${newPassword} ${n}`)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await failedReply(confirm(link))).toEqual(badLink)
  })

  test('works within an hour', async () => {
    const link = await requestLink(alice)
    const makeOlder = (minutes: number) =>
      site.db`
        update password_resets set created_at = created_at - make_interval(mins => ${minutes}),
               expires_at = expires_at - make_interval(mins => ${minutes}) where user_id = ${alice.id}`
    await makeOlder(59)
    // The link is still valid: only the password is refused.
    expect((await failedReply(confirm(link, 'password1'))).body).toHaveProperty('new_password1')
    await makeOlder(1)
    expect(await failedReply(confirm(link))).toEqual(badLink)
    await removeExpired(site.db)
    expect(await site.db`select from password_resets where user_id = ${alice.id}`).toHaveLength(0)
  })

  test('invalidates all other links of the account, also with concurrent requests', async () => {
    const first = await requestLink(alice)
    const second = await requestLink(alice, 2)
    const third = await requestLink(alice, 3)
    const outcomes = await Promise.allSettled([confirm(first), confirm(second)])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await failedReply(confirm(third))).toEqual(badLink)
  })

  test('is no longer possible with a link after the password was changed', async () => {
    const link = await requestLink(alice)
    const body = {
      old_password: alice.password,
      new_password1: newPassword,
      new_password2: newPassword,
    }
    await site.call(changePassword, { body }, alice)
    expect(await failedReply(confirm(link, 'yet another password'))).toEqual(badLink)
    expect(await canLogIn(newPassword)).toBe(true)
  })

  test('with a refused password leaves the link valid', async () => {
    const link = await requestLink(alice)
    expect(await failedReply(confirm(link, newPassword, 'something else'))).toEqual({
      status: 400,
      body: { code: 'invalid', new_password2: ['Passwords do not match.'] },
    })
    expect(await failedReply(confirm(link, 'password1'))).toEqual({
      status: 400,
      body: { code: 'invalid', new_password1: ['This password is too common.'] },
    })
    expect(await failedReply(confirm(link, alice.email))).toEqual({
      status: 400,
      body: {
        code: 'invalid',
        new_password1: [
          'This password is too similar to your username, your email address or the name of this site.',
        ],
      },
    })
    expect((await failedReply(confirm(link, 'short'))).body).toEqual({
      code: 'invalid',
      new_password1: ['Must be at least 8 characters.'],
    })
    await confirm(link)
  })

  test('is refused with an altered link or that of another user', async () => {
    const { uidb64, token } = await requestLink(alice)
    const bob = await signUp(site, `Bob${userCount}`)
    const readUid = (text: string) => Buffer.from(text).toString('base64url')
    const altered = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
    for (const link of [
      { uidb64: readUid(String(bob.id)), token },
      { uidb64: readUid('0'), token },
      { uidb64: readUid('9'.repeat(40)), token },
      { uidb64: readUid("1' or 1=1"), token },
      { uidb64: '💥', token },
      { uidb64, token: altered },
      { uidb64, token: `${token}=` },
      { uidb64, token: 'x' },
    ]) {
      expect(await failedReply(confirm(link)), JSON.stringify(link)).toEqual(badLink)
    }
    await confirm({ uidb64, token })
  })

  test('leaves the token in no table and no log in plain text', async () => {
    const { uidb64, token } = await requestLink(alice)
    await site.app.inject(`/reset-password/${uidb64}/${token}`)
    await site.app.inject(`/reset-password-confirm?uidb64=${uidb64}&token=${token}`)
    await confirm({ uidb64, token })
    const rows = [
      ...(await site.db<{ row: string }[]>`select r::text as row from password_resets r`),
      ...(await site.db<{ row: string }[]>`select j::text as row from jobs.job j`),
    ]
    expect(rows.length).toBeGreaterThan(2)
    expect(rows.filter(({ row }) => row.includes(token))).toEqual([])
    // Line by line, so that a failure shows the line with the token.
    const lines = site.log.map((line) => JSON.stringify(line))
    expect(lines.some((line) => line.includes('"route":'))).toBe(true)
    expect(lines.filter((line) => line.includes(token))).toEqual([])
  })
})

describe('requesting a reset', () => {
  test('gets the same response through the same statements for existing, unknown and banned accounts', async () => {
    const banned = await signUp(site, `Banned${userCount}`)
    await site.db`update users set banned_at = now() where id = ${banned.id}`
    const quietSite = await bootApp()
    await signUp(quietSite, alice.username)
    const traces: { status: number; body: string; statements: string[] }[] = []
    const emails = [alice.email, `nobody${userCount}@example.org`, banned.email]
    for (const email of emails) {
      quietSite.statements.length = 0
      const reply = await quietSite.app.inject({
        method: 'POST',
        url: '/api/auth/password-reset/',
        payload: { email },
      })
      traces.push({ status: reply.statusCode, body: reply.body, statements: [...quietSite.statements] })
    }
    expect(traces[0]).toMatchObject({ status: 200, body: JSON.stringify({ detail: resetRequestedText }) })
    expect(traces[0]?.statements).toHaveLength(1)
    expect(traces[0]?.statements.join()).not.toMatch(/users/)
    for (const trace of traces) expect(trace).toEqual(traces[0])
    await quietSite.close()
  })

  test('sends no mail for an unknown address or a banned user', async () => {
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    await runJobFor(site, alice.email)
    await runJobFor(site, `nobody${userCount}@example.org`)
    expect(await site.db`select from password_resets where user_id = ${alice.id}`).toHaveLength(0)
  })

  test('mails an unconfirmed address only the link that confirms it, and a reset after that', async () => {
    await site.db`update users set email_confirmed_at = null where id = ${alice.id}`
    await requestReset(alice.email.toUpperCase())
    const [mail] = await waitForMailsTo(site, alice.email)
    expect(mail?.headers.subject).toBe('Confirm your email address for Reelmark')
    const [, token = ''] = /confirm-email\/([\w-]+)$/m.exec(mail?.text ?? '') ?? []
    await site.call(confirmEmail, { body: { token } })
    await confirm(await requestLink(alice, 2))
    expect(await canLogIn(newPassword)).toBe(true)
  })

  test('is useless if the user is banned before using the link', async () => {
    const link = await requestLink(alice)
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    expect(await failedReply(confirm(link))).toEqual(badLink)
  })

  test('mails to the address of the account and links to the configured site, whatever the headers', async () => {
    const evil = 'evil.example'
    await site.app.inject({
      method: 'POST',
      url: '/api/auth/password-reset/',
      headers: {
        host: evil,
        'x-forwarded-host': evil,
        'x-forwarded-server': evil,
        forwarded: `host=${evil};proto=http`,
        origin: `https://${evil}`,
        referer: `https://${evil}/`,
        'x-original-url': `https://${evil}/`,
      },
      payload: { email: alice.email.toUpperCase() },
    })
    const [mail] = await waitForMailsTo(site, alice.email)
    readLinkFrom(mail?.text ?? '')
    expect(JSON.stringify(mail)).not.toContain(evil)
    for (const [, host] of `${mail?.text}${mail?.html}`.matchAll(/https?:\/\/([^/"\s]+)/g))
      expect(host).toBe('reelmark.example')
  })

  test.each([
    'nobody',
    'a@b@c',
    'alice@example.org,mallory@example.org',
    'alice@example.org\r\nBcc: mallory@example.org',
    // A dotless i, which some systems treat as the same letter.
    'al\u0131ce@example.org',
    ['alice@example.org', 'mallory@example.org'],
    { email: 'alice@example.org' },
    null,
    '',
  ])('for the address %j is refused with an error for the field', async (email) => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/api/auth/password-reset/',
      payload: { email },
    })
    expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, ['email', 'code']])
  })
})

describe('with rate limits', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await bootApp({ settings: { rateLimitScale: 1, trustProxy: ['loopback'] } })
  })
  afterAll(() => strict.close())

  const requestResetFrom = (address: string, email: string) =>
    strict.app.inject({
      method: 'POST',
      url: '/api/auth/password-reset/',
      headers: { 'x-forwarded-for': address },
      payload: { email },
    })
  const readResets = async ({ id }: { id: number }) =>
    (await strict.db`select from password_resets where user_id = ${id}`).length
  const count = async () => (await strict.db`select from jobs.job where name = 'send-mail'`).length

  test('at most five mails a day are sent to an account, without a visible difference', async () => {
    const carol = await signUp(strict, 'carol')
    await Promise.all(Array.from({ length: 8 }, () => runJobFor(strict, carol.email)))
    expect([await readResets(carol), await count()]).toEqual([5, 5])
    const reply = await requestResetFrom('192.0.2.7', carol.email)
    expect([reply.statusCode, reply.json()]).toEqual([200, { detail: resetRequestedText }])
    const passHours = (hours: number) => strict.db`
      update sent_mails set sent_at = (
        select array_agg(t - make_interval(hours => ${hours}) order by t) from unnest(sent_at) t)`
    await passHours(23)
    await runJobFor(strict, carol.email)
    expect([await readResets(carol), await count()]).toEqual([5, 5])
    await passHours(1)
    await runJobFor(strict, carol.email)
    expect([await readResets(carol), await count()]).toEqual([6, 6])
  })

  test('one address can request twenty resets per hour', async () => {
    for (let n = 0; n < 20; n++)
      expect((await requestResetFrom('192.0.2.8', `n${n}@example.org`)).statusCode).toBe(200)
    const refused = await requestResetFrom('192.0.2.8', 'other@example.org')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await requestResetFrom('192.0.2.9', 'other@example.org')).statusCode).toBe(200)
  })
})

test('no mail was sent to an address that was not requested', async () => {
  const recipients = (await readOutbox(site.settings.dataDir)).map(({ headers }) => headers.to ?? '')
  for (const to of recipients) expect(to).toMatch(/^alice\d+@example\.org$/)
})
