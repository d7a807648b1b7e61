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
let people = 0
beforeAll(async () => {
  site = await bootApp({ work: true, settings: { publicUrl } })
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `Alice${people}`)
})

const newPassword = 'nothing like the one before'
const badLink = {
  status: 400,
  body: { detail: 'The password reset link is invalid or has expired.', code: 'invalid-reset-link' },
}

const ask = (email: string) => site.call(requestPasswordReset, { body: { email } })
const confirm = (link: { uidb64: string; token: string }, password = newPassword, again = password) =>
  site.call(confirmPasswordReset, { body: { ...link, new_password1: password, new_password2: again } })
const canLogIn = (password: string) =>
  site.call(logIn, { body: { username: alice.username, password } }).then(
    () => true,
    () => false,
  )

/** The link of a mail, as a person clicks it. */
function linkIn(text: string): { uidb64: string; token: string } {
  const [, uidb64 = '', token = ''] =
    /^https:\/\/reelmark\.example\/reset-password\/([\w-]+)\/([\w-]+)$/m.exec(text) ?? []
  expect(token).toHaveLength(43)
  return { uidb64, token }
}

/** Asks, and reads the newest mail. */
async function linkFor(person: TestUser, mails = 1) {
  await ask(person.email)
  return linkIn((await waitForMailsTo(site, person.email, mails))[mails - 1]?.text ?? '')
}

/** Does the work behind an asking at once, without the loop. */
async function workFor(at: TestApp, email: string) {
  const queue = accountQueues(at.app.deps).find(({ name }) => name === passwordResetJob.name)
  await queue?.work({ email })
}

describe('somebody who forgot their password', () => {
  test('gets a mail, chooses a new one by its link, and is told so', async () => {
    expect(await ask(alice.email.toUpperCase())).toEqual({ detail: resetRequestedText })
    const [mail] = await waitForMailsTo(site, alice.email)
    expect(mail?.headers).toMatchObject({
      subject: 'Reset your Reelmark password',
      from: 'Reelmark <no-reply@reelmark.example>',
    })
    expect(mail?.text).toContain(`Hello ${alice.username},`)
    const { uidb64, token } = linkIn(mail?.text ?? '')
    expect(Buffer.from(uidb64, 'base64url').toString()).toBe(String(alice.id))
    expect(mail?.html).toContain(`href="${publicUrl}/reset-password/${uidb64}/${token}"`)

    expect(await confirm({ uidb64, token })).toEqual({ detail: 'Your password has been reset successfully!' })
    expect(await canLogIn(newPassword)).toBe(true)
    expect(await canLogIn(alice.password)).toBe(false)
    const [, told] = await waitForMailsTo(site, alice.email, 2)
    expect(told?.headers.subject).toBe('Your Reelmark password was changed')
  })

  test('is signed out everywhere by it', async () => {
    const other = await site.call(logIn, { body: { username: alice.username, password: alice.password } })
    await confirm(await linkFor(alice))
    for (const { access, refresh } of [alice, other]) {
      expect((await failedReply(site.call(listSessions, { query: {} }, { access }))).status).toBe(401)
      expect((await failedReply(site.call(refreshTokens, { body: { refresh } }))).status).toBe(401)
    }
  })

  test('cannot use a link twice, nor can two at once', async () => {
    const link = await linkFor(alice)
    const answers = await Promise.allSettled([1, 2, 3, 4].map((n) => confirm(link, `${newPassword} ${n}`)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await failedReply(confirm(link))).toEqual(badLink)
  })

  test('cannot use a link after an hour', async () => {
    const link = await linkFor(alice)
    const age = (minutes: number) =>
      site.db`
        update password_resets set created_at = created_at - make_interval(mins => ${minutes}),
               expires_at = expires_at - make_interval(mins => ${minutes}) where user_id = ${alice.id}`
    await age(59)
    // Still good: a password that may not be one is all that is wrong.
    expect((await failedReply(confirm(link, 'password1'))).body).toHaveProperty('new_password1')
    await age(1)
    expect(await failedReply(confirm(link))).toEqual(badLink)
    await removeExpired(site.db)
    expect(await site.db`select from password_resets where user_id = ${alice.id}`).toHaveLength(0)
  })

  test('has every other link ended by using one, also used at the same moment', async () => {
    const first = await linkFor(alice)
    const second = await linkFor(alice, 2)
    const third = await linkFor(alice, 3)
    const answers = await Promise.allSettled([confirm(first), confirm(second)])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await failedReply(confirm(third))).toEqual(badLink)
  })

  test('has the link ended by changing the password after all', async () => {
    const link = await linkFor(alice)
    const body = {
      old_password: alice.password,
      new_password1: newPassword,
      new_password2: newPassword,
    }
    await site.call(changePassword, { body }, alice)
    expect(await failedReply(confirm(link, 'yet another password'))).toEqual(badLink)
    expect(await canLogIn(newPassword)).toBe(true)
  })

  test('keeps the link when what they chose cannot be a password', async () => {
    const link = await linkFor(alice)
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
      body: { code: 'invalid', new_password1: ['The password may not be your email address.'] },
    })
    expect((await failedReply(confirm(link, 'short'))).body).toEqual({
      code: 'invalid',
      new_password1: ['Must be at least 8 characters.'],
    })
    await confirm(link)
  })

  test('is refused with a link that was altered, or is somebody else’s', async () => {
    const { uidb64, token } = await linkFor(alice)
    const bob = await signUp(site, `Bob${people}`)
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

  test('leaves the token in no table and no log', async () => {
    const { uidb64, token } = await linkFor(alice)
    await site.app.inject(`/reset-password/${uidb64}/${token}`)
    await site.app.inject(`/reset-password-confirm?uidb64=${uidb64}&token=${token}`)
    await confirm({ uidb64, token })
    const rows = [
      ...(await site.db<{ row: string }[]>`select r::text as row from password_resets r`),
      ...(await site.db<{ row: string }[]>`select j::text as row from jobs.job j`),
    ]
    expect(rows.length).toBeGreaterThan(2)
    expect(rows.filter(({ row }) => row.includes(token))).toEqual([])
    // By line, so that a failure shows the one that tells.
    const lines = site.log.map((line) => JSON.stringify(line))
    expect(lines.filter((line) => line.includes(`/reset-password/${uidb64}/[secret]`))).toHaveLength(1)
    expect(lines.filter((line) => line.includes(token))).toEqual([])
  })
})

describe('asking for a link', () => {
  test('gets the same reply, from the same statements, for an account, for none and for a banned one', async () => {
    const banned = await signUp(site, `Banned${people}`)
    await site.db`update users set banned_at = now() where id = ${banned.id}`
    const lone = await bootApp()
    await signUp(lone, alice.username)
    const traces: { status: number; body: string; statements: string[] }[] = []
    const emails = [alice.email, `nobody${people}@example.org`, banned.email]
    for (const email of emails) {
      lone.statements.length = 0
      const reply = await lone.app.inject({
        method: 'POST',
        url: '/api/auth/password-reset/',
        payload: { email },
      })
      traces.push({ status: reply.statusCode, body: reply.body, statements: [...lone.statements] })
    }
    expect(traces[0]).toMatchObject({ status: 200, body: JSON.stringify({ detail: resetRequestedText }) })
    expect(traces[0]?.statements).toHaveLength(1)
    expect(traces[0]?.statements.join()).not.toMatch(/users/)
    for (const trace of traces) expect(trace).toEqual(traces[0])
    await lone.close()
  })

  test('for an unknown address or a banned person sends no mail', async () => {
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    await workFor(site, alice.email)
    await workFor(site, `nobody${people}@example.org`)
    expect(await site.db`select from password_resets where user_id = ${alice.id}`).toHaveLength(0)
  })

  test('by somebody who was banned since is of no use either', async () => {
    const link = await linkFor(alice)
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    expect(await failedReply(confirm(link))).toEqual(badLink)
  })

  test('mails to the address that the account has, and links to the site’s own, whatever the headers say', async () => {
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
    linkIn(mail?.text ?? '')
    expect(JSON.stringify(mail)).not.toContain(evil)
    for (const [, host] of `${mail?.text}${mail?.html}`.matchAll(/https?:\/\/([^/"\s]+)/g))
      expect(host).toBe('reelmark.example')
  })

  test.each([
    'nobody',
    'a@b@c',
    'alice@example.org,mallory@example.org',
    'alice@example.org\r\nBcc: mallory@example.org',
    // An i without its dot, which some call the same letter.
    'al\u0131ce@example.org',
    ['alice@example.org', 'mallory@example.org'],
    { email: 'alice@example.org' },
    null,
    '',
  ])('for %j is refused at the field', async (email) => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/api/auth/password-reset/',
      payload: { email },
    })
    expect([reply.statusCode, Object.keys(reply.json())]).toEqual([400, ['email', 'code']])
  })
})

describe('with limits on', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await bootApp({ settings: { rateLimitScale: 1, trustProxy: true } })
  })
  afterAll(() => strict.close())

  const askFrom = (address: string, email: string) =>
    strict.app.inject({
      method: 'POST',
      url: '/api/auth/password-reset/',
      headers: { 'x-forwarded-for': address },
      payload: { email },
    })
  const readResets = async ({ id }: { id: number }) =>
    (await strict.db`select from password_resets where user_id = ${id}`).length
  const mails = async () => (await strict.db`select from jobs.job where name = 'send-mail'`).length

  test('three mails an hour go to one account, however many ask at once, and nobody is told', async () => {
    const carol = await signUp(strict, 'carol')
    await Promise.all(Array.from({ length: 8 }, () => workFor(strict, carol.email)))
    expect([await readResets(carol), await mails()]).toEqual([3, 3])
    const reply = await askFrom('192.0.2.7', carol.email)
    expect([reply.statusCode, reply.json()]).toEqual([200, { detail: resetRequestedText }])
    await strict.db`update password_resets set created_at = created_at - interval '1 hour'`
    await workFor(strict, carol.email)
    expect([await readResets(carol), await mails()]).toEqual([4, 4])
  })

  test('one address asks twenty times an hour at most, for whomever', async () => {
    for (let n = 0; n < 20; n++)
      expect((await askFrom('192.0.2.8', `n${n}@example.org`)).statusCode).toBe(200)
    const refused = await askFrom('192.0.2.8', 'other@example.org')
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await askFrom('192.0.2.9', 'other@example.org')).statusCode).toBe(200)
  })
})

test('no mail went to anybody who did not ask', async () => {
  const recipients = (await readOutbox(site.settings.dataDir)).map(({ headers }) => headers.to ?? '')
  for (const to of recipients) expect(to).toMatch(/^alice\d+@example\.org$/)
})
