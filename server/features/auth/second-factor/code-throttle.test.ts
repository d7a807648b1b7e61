import { errors } from '@reelmark/contract/protocol/errors.ts'
import {
  beginAuthenticator,
  confirmAuthenticator,
  renewRecoveryCodes,
} from '@reelmark/contract/second-factor.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { buildApp } from '../../../app.ts'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
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
  site = await bootApp({ work: true, settings: { rateLimitScale: 1, trustProxy: ['loopback'] } })
})
afterAll(() => site.close())
beforeEach(async () => {
  freezeClock()
  userCount += 1
  await site.db`truncate rate_limits`
  alice = await signUp(site, `Alice${userCount}`)
  const app = await setUpAuthenticator(site, alice)
  secret = app.secret
  recoveryCodes = app.recovery_codes
  waitForNextCode()
})
afterEach(() => void vi.useRealTimers())

const tooMany = { detail: errors['login-rate-limited'][1], code: 'login-rate-limited' }

async function secondStep(
  code: string,
  { address = '192.0.2.1', device = '', app = site.app, ticket = '' } = {},
) {
  return app.inject({
    method: 'POST',
    url: '/api/token/second-factor/',
    headers: { 'x-forwarded-for': address, ...(device && { cookie: `device=${device}` }) },
    payload: { ticket: ticket || (await passLoginFirstStep(site, alice)).ticket, verification_code: code },
  })
}

/** Tries wrong codes, each with a new ticket and from a new address. */
async function tryWrongCodes(count: number, source: { device?: string } = {}): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) {
    const address = `198.18.0.${n}`
    statuses.push((await secondStep(totpCode(secret, 100 + n), { address, ...source })).statusCode)
  }
  return statuses
}

test('after twenty wrong codes further ones are refused, whatever the ticket and the address', async () => {
  expect(await tryWrongCodes(22)).toEqual([...Array(20).fill(400), 429, 429])
  const otherApp = await buildApp(site.app.deps)
  const refused = await secondStep(totpCode(secret), { address: '203.0.113.1', app: otherApp })
  await otherApp.close()
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toEqual(tooMany)
  // A twentieth of a day, in seconds.
  expect(refused.headers['retry-after']).toBe('4320')
})

test('the owner can still log in on a trusted device, and anywhere with a recovery code', async () => {
  const device = String((await secondStep(totpCode(secret))).cookies[0]?.value)
  await tryWrongCodes(21)
  waitForNextCode()
  expect((await secondStep(totpCode(secret), { device, address: '198.18.0.1' })).statusCode).toBe(200)
  expect((await secondStep(recoveryCodes[0] ?? '', { address: '203.0.113.1' })).statusCode).toBe(200)
})

test('a trusted device has twenty attempts of its own', async () => {
  const device = String((await secondStep(totpCode(secret))).cookies[0]?.value)
  expect(await tryWrongCodes(21, { device })).toEqual([...Array(20).fill(400), 429])
  waitForNextCode()
  expect((await secondStep(totpCode(secret))).statusCode).toBe(200)
})

test('the trusted device of another account does not count as trusted', async () => {
  const mallory = await signUp(site, `Mallory${userCount}`)
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/token/',
    payload: { username: mallory.username, password: mallory.password },
  })
  await tryWrongCodes(21)
  const device = String(reply.cookies[0]?.value)
  expect((await secondStep(totpCode(secret), { device })).statusCode).toBe(429)
})

test('wrong recovery codes are counted per address', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 21; n++) statuses.push((await secondStep('aaaaa-aaaaa')).statusCode)
  expect(statuses).toEqual([...Array(20).fill(400), 429])
  expect((await secondStep(recoveryCodes[0] ?? '')).statusCode).toBe(429)
  expect((await secondStep(totpCode(secret))).statusCode).toBe(200)
})

test('neither successful logins nor expired tickets are counted', async () => {
  for (let n = 0; n < 25; n++) {
    const { ticket } = await passLoginFirstStep(site, alice)
    expect((await secondStep(totpCode(secret), { ticket })).statusCode).toBe(200)
    expect((await secondStep(totpCode(secret), { ticket })).json()).toEqual({
      detail: errors['ticket-expired'][1],
      code: 'ticket-expired',
    })
    waitForNextCode()
  }
})

test('the owner is informed of repeated failures by mail, at most once a day', async () => {
  await tryWrongCodes(24)
  const device = String((await secondStep(recoveryCodes[0] ?? '')).cookies[0]?.value)
  await tryWrongCodes(22, { device })
  vi.useRealTimers()
  const mails = await waitForMailsTo(site, alice.email, 3)
  const warnings = mails.filter(({ text }) =>
    text
      .replace(/\s+/g, ' ')
      .includes('Your password was entered correctly, but two-step verification failed repeatedly'),
  )
  expect(warnings).toHaveLength(1)
  // A job loop that was polling when the clock was reset pauses for as long as it was reset.
})

test('confirming an authenticator app allows twenty attempts per hour', async () => {
  const bob = await signUp(site, `Bob${userCount}`)
  const { secret: bobSecret } = await site.call(beginAuthenticator, {}, bob)
  const confirm = (code: string) =>
    failedReply(site.call(confirmAuthenticator, { body: { verification_code: code } }, bob))
  for (let n = 0; n < 20; n++) expect((await confirm(totpCode(bobSecret, 100 + n))).status).toBe(400)
  expect(await confirm(totpCode(bobSecret))).toEqual({
    status: 429,
    body: { detail: errors['rate-limited'][1], code: 'rate-limited' },
  })
})

test('the second factor can be changed thirty times per hour, since each change sends a mail', async () => {
  const renew = () => site.call(renewRecoveryCodes, {}, alice)
  // One was used to begin the setup.
  for (let n = 0; n < 29; n++) await renew()
  expect(await failedReply(renew())).toEqual({
    status: 429,
    body: { detail: errors['rate-limited'][1], code: 'rate-limited' },
  })
})
