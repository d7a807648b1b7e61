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
let people = 0
let alice: TestUser
let secret: string
let recoveryCodes: string[]
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  freezeClock()
  people += 1
  alice = await signUp(site, `Alice${people}`)
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
const openOne = async (person = alice) => (await passLoginFirstStep(site, person)).ticket
const sessions = async () =>
  (await site.db`select from sessions where user_id = ${alice.id} and ended_at is null`).length

describe('somebody with an authenticator app', () => {
  test('is asked for its code after the right password, and is not signed in by that alone', async () => {
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
    expect(await sessions()).toBe(1)
  })

  test('is told nothing of it after a wrong password', async () => {
    const body = { username: alice.username, password: 'not this one' }
    expect(await failedReply(site.call(logIn, { body }))).toEqual({
      status: 401,
      body: { detail: 'Invalid username or password.', code: 'wrong-credentials' },
    })
  })

  test('gets in by its code, as it is typed', async () => {
    const code = totpCode(secret)
    const signedIn = await secondStep(await openOne(), ` ${code.slice(0, 3)} ${code.slice(3)} `)
    expect(signedIn).toEqual({
      access: expect.any(String),
      refresh: expect.any(String),
      username: alice.username,
    })
    expect(await sessions()).toBe(2)
  })

  test.each([
    [true, 168],
    [false, 24],
  ])('with remember %s stays signed in for %i hours, as said in the first step', async (remember, hours) => {
    await secondStep((await passLoginFirstStep(site, alice, remember)).ticket, totpCode(secret))
    const [row] = await site.db`
      select extract(epoch from expires_at - now())::float8 / 3600 as hours from sessions
       where user_id = ${alice.id} order by id desc limit 1`
    expect(row?.hours).toBeCloseTo(hours, 1)
  })

  test.each([-1, 0, 1])('gets in by the code of %i steps from now', async (steps) => {
    waitForNextCode()
    await secondStep(await openOne(), totpCode(secret, steps))
    expect(await sessions()).toBe(2)
  })

  test.each([-2, 2, 1000])('does not by the code of %i steps from now', async (steps) => {
    waitForNextCode()
    waitForNextCode()
    expect(await failedReply(secondStep(await openOne(), totpCode(secret, steps)))).toEqual(wrongCode)
    expect(await sessions()).toBe(1)
  })

  test('gets in once by a code, and never by an older one after', async () => {
    waitForNextCode()
    await secondStep(await openOne(), totpCode(secret))
    expect(await failedReply(secondStep(await openOne(), totpCode(secret)))).toEqual(wrongCode)
    expect(await failedReply(secondStep(await openOne(), totpCode(secret, -1)))).toEqual(wrongCode)
    await secondStep(await openOne(), totpCode(secret, 1))
  })

  test('cannot log in by the code that set it up', async () => {
    expect(await failedReply(secondStep(await openOne(), totpCode(secret, -1)))).toEqual(wrongCode)
  })

  test('gets in once, of many at once by one code, with one ticket or several', async () => {
    const [one, two, three] = [await openOne(), await openOne(), await openOne()]
    const tickets = [one, one, one, two, three, two]
    const answers = await Promise.allSettled(tickets.map((ticket) => secondStep(ticket, totpCode(secret))))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await sessions()).toBe(2)
  })

  test('cannot use another person’s code', async () => {
    const bob = await signUp(site, `Bob${people}`)
    const { secret: bobs } = await setUpAuthenticator(site, bob)
    waitForNextCode()
    expect(await failedReply(secondStep(await openOne(), totpCode(bobs)))).toEqual(wrongCode)
  })

  test('gets in at another process, where a used code is known to be used', async () => {
    const db = connect(site.databaseUrl, { ...slowTimeouts, max: 3 })
    const other = await buildApp({ ...site.app.deps, db, readDb: db })
    const atOther = (ticket: string, code: string) =>
      other.inject({
        method: 'POST',
        url: '/api/token/second-factor/',
        payload: { ticket, verification_code: code },
      })
    try {
      const [first, second] = [await openOne(), await openOne()]
      expect((await atOther(first, totpCode(secret))).statusCode).toBe(200)
      expect(await failedReply(secondStep(second, totpCode(secret)))).toEqual(wrongCode)
      const both = await Promise.all([
        atOther(second, totpCode(secret, 1)).then(({ statusCode }) => statusCode),
        secondStep(await openOne(), totpCode(secret, 1)).then(
          () => 200,
          ({ status }) => status,
        ),
      ])
      expect(both.sort()).toEqual([200, 400])
    } finally {
      await other.close()
      await db.end({ timeout: 5 })
    }
  })
})

describe('a recovery code', () => {
  test('lets its owner in once, however it is typed', async () => {
    const [code = ''] = recoveryCodes
    await secondStep(await openOne(), ` ${code.toUpperCase().replace('-', ' ')}`)
    expect(await failedReply(secondStep(await openOne(), code))).toEqual(wrongRecoveryCode)
    await secondStep(await openOne(), recoveryCodes[1] ?? '')
    expect(await site.db`select from recovery_codes where user_id = ${alice.id}`).toHaveLength(8)
  })

  test('lets one in, of two who use it at once', async () => {
    const tickets = [await openOne(), await openOne()]
    const answers = await Promise.allSettled(
      tickets.map((ticket) => secondStep(ticket, recoveryCodes[0] ?? '')),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('is not offered when there are none left', async () => {
    await site.db`delete from recovery_codes where user_id = ${alice.id}`
    expect((await passLoginFirstStep(site, alice)).methods).toEqual(['authenticator'])
  })

  test('of somebody with only a passkey is offered after that', async () => {
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
  test('is over after five wrong codes, also for the right one', async () => {
    const ticket = await openOne()
    for (let n = 0; n < limits.ticketAttemptsMax; n++) {
      expect(await failedReply(secondStep(ticket, totpCode(secret, 100 + n)))).toEqual(wrongCode)
    }
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
    await secondStep(await openOne(), totpCode(secret))
  })

  test('is over after five wrong codes at once', async () => {
    const ticket = await openOne()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => failedReply(secondStep(ticket, totpCode(secret, 100 + n)))),
    )
    expect(
      answers.filter(({ body }) => body !== null && 'verification_code' in (body as object)),
    ).toHaveLength(5)
  })

  test('works once', async () => {
    const ticket = await openOne()
    await secondStep(ticket, totpCode(secret))
    waitForNextCode()
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
  })

  test('is over after ten minutes, and leaves the code good', async () => {
    const ticket = await openOne()
    await site.db`update one_time_tickets set expires_at = now() where user_id = ${alice.id}`
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
    await secondStep(await openOne(), totpCode(secret))
  })

  test.each(['x', 'x'.repeat(200), '🔑', "'; drop table users; --"])('is not %s', async (ticket) => {
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
  })

  test('is not one of another purpose', async () => {
    const ticket = await createTicket(site.db, 'passkey-login', { user_id: alice.id })
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
  })

  test('is over once the password was changed', async () => {
    const ticket = await openOne()
    const new_password1 = 'another long walk'
    const body = { old_password: alice.password, new_password1, new_password2: new_password1 }
    await site.call(changePassword, { body }, alice)
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(badTicket)
    await secondStep(await openOne({ ...alice, password: new_password1 }), totpCode(secret))
  })

  test('of somebody banned since tells so to whoever has the code, and lets nobody in', async () => {
    const ticket = await openOne()
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    expect(await failedReply(secondStep(ticket, totpCode(secret, 100)))).toEqual(wrongCode)
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual({
      status: 403,
      body: { detail: errors.banned[1], code: 'banned' },
    })
    expect(await sessions()).toBe(1)
  })

  test('asks for what there is: a removed app lets nobody in', async () => {
    const ticket = await openOne()
    await site.call(deleteAuthenticator, {}, alice)
    expect(await failedReply(secondStep(ticket, totpCode(secret)))).toEqual(wrongCode)
    expect(await failedReply(secondStep(ticket, recoveryCodes[0] ?? ''))).toEqual(wrongRecoveryCode)
    await site.call(logIn, { body: { username: alice.username, password: alice.password } })
  })

  test('is over with the account', async () => {
    const ticket = await openOne()
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
])('the code %j is refused at its field', async (code) => {
  const { ticket } = await passLoginFirstStep(site, alice)
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/token/second-factor/',
    payload: { ticket, verification_code: code },
  })
  expect(reply.statusCode).toBe(400)
  expect(Object.keys(reply.json())).toEqual(['verification_code', 'code'])
})
