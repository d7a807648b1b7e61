import { changePassword, logIn } from '@reelmark/contract/accounts.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { deleteAuthenticator, logInWithSecondFactor } from '@reelmark/contract/second-factor.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../../../app.ts'
import { createTicket } from '../../../core/auth/one-time-tickets.ts'
import { connect } from '../../../core/database/database.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { slowTimeouts } from '../../../testing/test-database.ts'
import {
  freezeClock,
  passLoginFirstStep,
  setUpAuthenticator,
  totpCode,
  waitForNextCode,
} from '../../../testing/test-second-factor.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let userCount = 0
let alice: TestUser
let secret: string
let recoveryCodes: string[]
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  freezeClock()
  userCount += 1
  alice = await signUp(site, `Alice${userCount}`)
  const app = await setUpAuthenticator(site, alice)
  secret = app.secret
  recoveryCodes = app.recovery_codes
  waitForNextCode()
})
afterEach(() => void vi.useRealTimers())

const badTicket = { status: 400, body: { detail: errors['ticket-expired'][1], code: 'ticket-expired' } }
const wrongCode = {
  status: 400,
  body: {
    code: 'invalid',
    verification_code: ['Incorrect code. Codes change every 30 seconds and work once.'],
  },
}
const wrongRecoveryCode = {
  status: 400,
  body: { code: 'invalid', verification_code: ['Incorrect or already used recovery code.'] },
}
const secondStep = (ticket: string, code: string) =>
  site.call(logInWithSecondFactor, { body: { ticket, verification_code: code } })
const openTicket = async (user = alice) => (await passLoginFirstStep(site, user)).ticket
const countSessions = async () =>
  (await site.db`select from sessions where user_id = ${alice.id} and ended_at is null`).length

describe('a user with an authenticator app', () => {
  test('must enter a code after the right password, which alone creates no session', async () => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/api/token/',
      payload: { username: alice.username, password: alice.password },
    })
    expect(reply.statusCode).toBe(403)
    expect(reply.json()).toEqual({
      detail: 'Two-step verification required.',
      code: 'second-factor-required',
      ticket: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['authenticator', 'recovery_code'],
    })
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(await countSessions()).toBe(1)
  })

  test('gets the usual error after a wrong password, without a hint at the app', async () => {
    const body = { username: alice.username, password: 'not this one' }
    expect(await failedReply(site.call(logIn, { body }))).toEqual({
      status: 401,
      body: { detail: 'Invalid username or password.', code: 'wrong-credentials' },
    })
  })

  test('can log in with a code, typed with spaces', async () => {
    const code = totpCode(secret)
    const signedIn = await secondStep(await openTicket(), ` ${code.slice(0, 3)} ${code.slice(3)} `)
    expect(signedIn).toEqual({
      access: expect.any(String),
      refresh: expect.any(String),
      username: alice.username,
    })
    expect(await countSessions()).toBe(2)
  })

  test.each([
    [true, 168],
    [false, 24],
  ])('with remember %s in the first step stays logged in for %i hours', async (remember, hours) => {
    await secondStep((await passLoginFirstStep(site, alice, remember)).ticket, totpCode(secret))
    const [row] = await site.db`
      select extract(epoch from expires_at - now())::float8 / 3600 as hours from sessions
       where user_id = ${alice.id} order by id desc limit 1`
    expect(row?.hours).toBeCloseTo(hours, 1)
  })

  test.each([-1, 0, 1])('can use the code of %i time steps from now', async (steps) => {
    waitForNextCode()
    await secondStep(await openTicket(), totpCode(secret, steps))
    expect(await countSessions()).toBe(2)
  })

  test.each([-2, 2, 1000])('cannot use the code of %i time steps from now', async (steps) => {
    waitForNextCode()
    waitForNextCode()
    expect(await failedReply(secondStep(await openTicket(), totpCode(secret, steps)))).toEqual(wrongCode)
    expect(await countSessions()).toBe(1)
  })

  test('cannot use a code twice, nor an older one afterwards', async () => {
    waitForNextCode()
    await secondStep(await openTicket(), totpCode(secret))
    expect(await failedReply(secondStep(await openTicket(), totpCode(secret)))).toEqual(wrongCode)
    expect(await failedReply(secondStep(await openTicket(), totpCode(secret, -1)))).toEqual(wrongCode)
    await secondStep(await openTicket(), totpCode(secret, 1))
  })

  test('cannot log in with the code that confirmed the app', async () => {
    expect(await failedReply(secondStep(await openTicket(), totpCode(secret, -1)))).toEqual(wrongCode)
  })

  test('can log in once with one code in several concurrent requests, with one ticket or several', async () => {
    const [first, second, third] = [await openTicket(), await openTicket(), await openTicket()]
    const tickets = [first, first, first, second, third, second]
    const outcomes = await Promise.allSettled(tickets.map((ticket) => secondStep(ticket, totpCode(secret))))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await countSessions()).toBe(2)
  })

  test('cannot use the code of another user', async () => {
    const bob = await signUp(site, `Bob${userCount}`)
    const { secret: bobSecret } = await setUpAuthenticator(site, bob)
    waitForNextCode()
    expect(await failedReply(secondStep(await openTicket(), totpCode(bobSecret)))).toEqual(wrongCode)
  })

  test('can log in at another process, which knows the used codes', async () => {
    const db = connect(site.databaseUrl, { ...slowTimeouts, max: 3 })
    const otherApp = await buildApp({ ...site.app.deps, db })
    const secondStepAtOther = (ticket: string, code: string) =>
      otherApp.inject({
        method: 'POST',
        url: '/api/token/second-factor/',
        payload: { ticket, verification_code: code },
      })
    try {
      const [first, second] = [await openTicket(), await openTicket()]
      expect((await secondStepAtOther(first, totpCode(secret))).statusCode).toBe(200)
      expect(await failedReply(secondStep(second, totpCode(secret)))).toEqual(wrongCode)
      const statuses = await Promise.all([
        secondStepAtOther(second, totpCode(secret, 1)).then(({ statusCode }) => statusCode),
        secondStep(await openTicket(), totpCode(secret, 1)).then(
          () => 200,
          ({ status }) => status,
        ),
      ])
      expect(statuses.sort()).toEqual([200, 400])
    } finally {
      await otherApp.close()
      await db.end({ timeout: 5 })
    }
  })
})

describe('a recovery code', () => {
  test('works once, in any case and with or without the dash', async () => {
    const [code = ''] = recoveryCodes
    await secondStep(await openTicket(), ` ${code.toUpperCase().replace('-', ' ')}`)
    expect(await failedReply(secondStep(await openTicket(), code))).toEqual(wrongRecoveryCode)
    await secondStep(await openTicket(), recoveryCodes[1] ?? '')
    expect(await site.db`select from recovery_codes where user_id = ${alice.id}`).toHaveLength(8)
  })

  test('works for one of two concurrent requests', async () => {
    const tickets = [await openTicket(), await openTicket()]
    const outcomes = await Promise.allSettled(
      tickets.map((ticket) => secondStep(ticket, recoveryCodes[0] ?? '')),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('is not offered if none are left', async () => {
    await site.db`delete from recovery_codes where user_id = ${alice.id}`
    expect((await passLoginFirstStep(site, alice)).methods).toEqual(['authenticator'])
  })

  test('is offered after the passkey to a user without an app', async () => {
    await site.db`delete from authenticators where user_id = ${alice.id}`
    await site.db`
      insert into passkeys (user_id, credential_id, public_key, name)
      values (${alice.id}, ${Buffer.from(alice.username)}, ${Buffer.from('key')}, 'A key')`
    const { methods, ticket } = await passLoginFirstStep(site, alice)
    expect(methods).toEqual(['passkey', 'recovery_code'])
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(wrongCode)
    await secondStep(ticket, recoveryCodes[0] ?? '')
  })
})

describe('the ticket of a login', () => {
  test('is invalid after five wrong codes, also for the right one', async () => {
    const ticket = await openTicket()
    for (let n = 0; n < limits.ticketAttemptsMax; n++) {
      expect(await failedReply(secondStep(ticket, totpCode(secret, 100 + n)))).toEqual(wrongCode)
    }
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
    await secondStep(await openTicket(), totpCode(secret))
  })

  test('allows five of twenty concurrent wrong codes', async () => {
    const ticket = await openTicket()
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) => failedReply(secondStep(ticket, totpCode(secret, 100 + n)))),
    )
    expect(
      outcomes.filter(({ body }) => body !== null && 'verification_code' in (body as object)),
    ).toHaveLength(5)
  })

  test('works once', async () => {
    const ticket = await openTicket()
    await secondStep(ticket, totpCode(secret))
    waitForNextCode()
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
  })

  test('expires after ten minutes, which does not use up the code', async () => {
    const ticket = await openTicket()
    await site.db`update one_time_tickets set expires_at = now() where user_id = ${alice.id}`
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
    await secondStep(await openTicket(), totpCode(secret))
  })

  test.each(['x', 'x'.repeat(200), '🔑', "'; drop table users; --"])('cannot be %s', async (ticket) => {
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
  })

  test('cannot be a ticket for another purpose', async () => {
    const ticket = await createTicket(site.db, 'passkey-login', { user_id: alice.id })
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
  })

  test('is invalid after the password was changed', async () => {
    const ticket = await openTicket()
    const new_password1 = 'another long walk'
    const body = { old_password: alice.password, new_password1, new_password2: new_password1 }
    await site.call(changePassword, { body }, alice)
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
    await secondStep(await openTicket({ ...alice, password: new_password1 }), totpCode(secret))
  })

  test('of a user who was banned meanwhile gets an error about the ban, if the code is right', async () => {
    const ticket = await openTicket()
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    expect(await failedReply(secondStep(ticket, totpCode(secret, 100)))).toEqual(wrongCode)
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual({
      status: 403,
      body: { detail: errors.banned[1], code: 'banned' },
    })
    expect(await countSessions()).toBe(1)
  })

  test('cannot be used with an app that was removed meanwhile', async () => {
    const ticket = await openTicket()
    await site.call(deleteAuthenticator, {}, alice)
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(wrongCode)
    expect(await failedReply(secondStep(ticket, recoveryCodes[0] ?? ''))).toEqual(wrongRecoveryCode)
    await site.call(logIn, { body: { username: alice.username, password: alice.password } })
  })

  test('is invalid after the account was deleted', async () => {
    const ticket = await openTicket()
    await site.db`delete from users where id = ${alice.id}`
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
  })
})

test.each([
  [''],
  ['   '],
  ['١٢٣٤٥٦'],
  ['123 45'],
  ['1e5'],
  ['-00001'],
  ['🔑🔑🔑🔑🔑🔑'],
  ['\0'],
  ['\ud800'],
  ['x'.repeat(51)],
  [null],
  [123456],
  [['123456']],
  [{}],
])('the code %j is refused with an error for the field', async (code) => {
  const { ticket } = await passLoginFirstStep(site, alice)
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/token/second-factor/',
    payload: { ticket, verification_code: code },
  })
  expect(reply.statusCode).toBe(400)
  expect(Object.keys(reply.json())).toEqual(['verification_code', 'code'])
})
