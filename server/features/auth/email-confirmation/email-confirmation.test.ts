import {
  changeEmail,
  confirmEmail,
  getAccountSecurity,
  readEmailConfirmation,
  resendEmailConfirmation,
} from '@reelmark/contract/account-settings.ts'
import { changePassword, logIn, register, requestPasswordReset } from '@reelmark/contract/accounts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashOpaqueToken, newOpaqueToken } from '../../../core/auth/hash-token.ts'
import { countLockWaits } from '../../../testing/lock-waits.ts'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp, testPassword } from '../../../testing/test-users.ts'
import { mailConfirmation } from './jobs.ts'
import { requestEmailChange } from './queries.ts'

const publicUrl = 'https://reelmark.example'
let site: TestApp
let userCount = 0
/** The name and address of a new account, different in each test. */
let username: string
let email: string
beforeAll(async () => {
  site = await bootApp({ work: true, settings: { publicUrl } })
})
afterAll(() => site.close())
beforeEach(() => {
  userCount += 1
  username = `Newcomer${userCount}`
  email = `new${userCount}@example.org`
})

/** Registers an account through the form's endpoint and logs in. */
async function registerAccount(name = username, address = email) {
  const body = { username: name, email: address, password: testPassword, password2: testPassword }
  const { id } = await site.call(register, { body })
  const tokens = await site.call(logIn, { body: { username: name, password: testPassword } })
  return { id, ...tokens }
}

const readSecurity = (viewer: { access: string }) => site.call(getAccountSecurity, {}, viewer)
const confirm = (token: string) => site.call(confirmEmail, { body: { token } })
const read = (token: string) => site.call(readEmailConfirmation, { body: { token } })

/** Returns the token of the newest of `count` mails to an address. */
async function readMailedToken(address = email, count = 1): Promise<string> {
  const text = (await waitForMailsTo(site, address, count))[count - 1]?.text ?? ''
  const [, token = ''] = /^https:\/\/reelmark\.example\/confirm-email\/([\w-]+)$/m.exec(text) ?? []
  expect(token).toHaveLength(43)
  return token
}

const badLink = {
  status: 400,
  body: { detail: 'The link is invalid or has expired.', code: 'invalid-email-link' },
}

describe('a new account', () => {
  test('is confirmed through the link in a mail, which works once', async () => {
    const newcomer = await registerAccount()
    expect(await readSecurity(newcomer)).toMatchObject({
      email,
      is_email_confirmed: false,
      pending_email: null,
    })
    const token = await readMailedToken()
    expect(await confirm(token)).toEqual({ detail: 'Your email address has been confirmed.', email })
    expect(await readSecurity(newcomer)).toMatchObject({ email, is_email_confirmed: true })
    expect(await failedReply(confirm(token))).toEqual(badLink)
    const logged = { event: 'email-confirmed', outcome: 'success', target_id: newcomer.id }
    expect(site.log).toContainEqual(expect.objectContaining(logged))
    expect((await site.call(logIn, { body: { username: email, password: testPassword } })).username).toBe(
      username,
    )
    await waitForMailsTo(site, email, 1)
  })

  test('is not confirmed by opening the link, as mail scanners do', async () => {
    const newcomer = await registerAccount()
    const token = await readMailedToken()
    await site.app.inject(`/confirm-email/${token}`)
    expect(await read(token)).toEqual({ username, email })
    expect(await readSecurity(newcomer)).toMatchObject({ is_email_confirmed: false })
    await confirm(token)
  })

  test('gets the mail again from Settings, and only the newest link is valid', async () => {
    const newcomer = await registerAccount()
    const first = await readMailedToken()
    expect(await site.call(resendEmailConfirmation, {}, newcomer)).toBeNull()
    const second = await readMailedToken(email, 2)
    for (const call of [confirm, read]) expect(await failedReply(call(first))).toEqual(badLink)
    await confirm(second)
    expect(await failedReply(site.call(resendEmailConfirmation, {}, newcomer))).toEqual({
      status: 409,
      body: { detail: errors['email-already-confirmed'][1], code: 'email-already-confirmed' },
    })
  })

  test('has a link that expires after a day', async () => {
    await registerAccount()
    const token = await readMailedToken()
    const [row] = await site.db<{ seconds: number }[]>`
      select extract(epoch from expires_at - created_at)::int as seconds from email_confirmations where email = ${email}`
    expect(row?.seconds).toBe(24 * 60 * 60)
    await site.db`update email_confirmations set expires_at = now() where email = ${email}`
    for (const call of [confirm, read]) expect(await failedReply(call(token))).toEqual(badLink)
  })

  test('may enter another address before it confirms the first, whose link is then invalid', async () => {
    const newcomer = await registerAccount()
    const first = await readMailedToken()
    await site.call(changeEmail, { body: { email: `other.${email}` } }, newcomer)
    expect(await readSecurity(newcomer)).toMatchObject({ email, pending_email: `other.${email}` })
    await readMailedToken(`other.${email}`)
    await site.call(resendEmailConfirmation, {}, newcomer)
    const second = await readMailedToken(`other.${email}`, 2)
    expect(await failedReply(confirm(first))).toEqual(badLink)
    await confirm(second)
    expect(await readSecurity(newcomer)).toMatchObject({
      email: `other.${email}`,
      is_email_confirmed: true,
      pending_email: null,
    })
    // The first address was never confirmed, so it is not informed of the change.
    await waitForMailsTo(site, email, 1)
  })

  test('keeps the address of a change that is requested while the first mail is being sent', async () => {
    const quiet = await bootApp()
    const user = await signUp(quiet, username)
    await quiet.db`update users set email_confirmed_at = null where id = ${user.id}`
    let sending = Promise.resolve()
    await quiet.db.begin(async (tx) => {
      const token_hash = hashOpaqueToken(newOpaqueToken())
      await requestEmailChange(tx, { user_id: user.id, email, token_hash })
      sending = quiet.db.begin((other) =>
        mailConfirmation(other, quiet.app.deps, { user_id: user.id, email: user.email }),
      )
      await expect.poll(() => countLockWaits(quiet.db)).toBe(1)
    })
    await sending
    expect((await quiet.call(getAccountSecurity, {}, user)).pending_email).toBe(email)
    await quiet.close()
  })

  test('can still be confirmed after its password was changed', async () => {
    const newcomer = await registerAccount()
    const token = await readMailedToken()
    const body = {
      old_password: testPassword,
      new_password1: 'a new password',
      new_password2: 'a new password',
    }
    await site.call(changePassword, { body }, newcomer)
    await confirm(token)
  })

  test('gets no other mail until then', async () => {
    const newcomer = await registerAccount()
    await readMailedToken()
    const body = {
      old_password: testPassword,
      new_password1: 'a new password',
      new_password2: 'a new password',
    }
    await site.call(changePassword, { body }, newcomer)
    await site.call(requestPasswordReset, { body: { email } })
    const mails = await waitForMailsTo(site, email, 2)
    expect(mails.map(({ headers }) => headers.subject)).toEqual(
      Array(2).fill('Confirm your email address for Reelmark'),
    )
  })

  test('cannot be confirmed while it is banned', async () => {
    const { id } = await registerAccount()
    const token = await readMailedToken()
    await site.db`update users set banned_at = now() where id = ${id}`
    for (const call of [confirm, read]) expect(await failedReply(call(token))).toEqual(badLink)
  })
})

describe('an address that another account has confirmed', () => {
  test('can be used to register, and its owner gets a mail instead of a link', async () => {
    const owner = await signUp(site, `Owner${userCount}`)
    const newcomer = await registerAccount(username, owner.email.toUpperCase())
    const [mail] = await waitForMailsTo(site, owner.email)
    expect(mail?.headers.subject).toBe('This email address already has a Reelmark account')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(
      new RegExp(`confirm-email|${username}|${owner.username}`),
    )
    expect(await readSecurity(newcomer)).toMatchObject({ is_email_confirmed: false })
    expect((await readSecurity(owner)).is_email_confirmed).toBe(true)
  })

  test('cannot be confirmed by a second account, also concurrently', async () => {
    await registerAccount()
    const first = await readMailedToken()
    await registerAccount(`Second${userCount}`)
    const second = await readMailedToken(email, 2)
    const outcomes = await Promise.allSettled([confirm(first), confirm(second)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const users = await site.db`
      select from users where lower(email) = lower(${email}) and email_confirmed_at is not null`
    expect(users).toHaveLength(1)
  })
})

describe('with rate limits', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await bootApp({ settings: { rateLimitScale: 1 } })
  })
  afterAll(() => strict.close())
  const countMails = async () => (await strict.db`select from jobs.job where name = 'send-mail'`).length

  test('an address gets at most five links a day, from however many accounts, and the last link stays valid', async () => {
    const before = await countMails()
    for (let n = 0; n < 8; n++) {
      const user = await signUp(strict, `flood${n}`)
      await strict.db`update users set email = ${email}, email_confirmed_at = null where id = ${user.id}`
      await strict.db.begin((tx) => mailConfirmation(tx, strict.app.deps, { user_id: user.id, email }))
    }
    expect((await countMails()) - before).toBe(5)
    expect(await strict.db`select from email_confirmations where email = ${email}`).toHaveLength(5)
  })

  test('a user can request five links a day, to whatever addresses', async () => {
    const user = await signUp(strict, username)
    await strict.db`update users set email_confirmed_at = null where id = ${user.id}`
    for (let n = 0; n < 3; n++) await strict.call(changeEmail, { body: { email: `n${n}.${email}` } }, user)
    for (let n = 0; n < 2; n++) await strict.call(resendEmailConfirmation, {}, user)
    expect((await failedReply(strict.call(resendEmailConfirmation, {}, user))).status).toBe(429)
    const reply = await failedReply(strict.call(changeEmail, { body: { email: `n3.${email}` } }, user))
    expect(reply.status).toBe(429)
  })
})
