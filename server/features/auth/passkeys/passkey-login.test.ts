import { logIn } from '@reelmark/contract/accounts.ts'
import {
  beginAddingPasskey,
  beginPasskeyLogin,
  beginPasskeyReauthentication,
  listPasskeys,
  logInWithPasskey,
  reauthenticateWithPasskey,
} from '@reelmark/contract/passkeys.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createAuthenticator,
  type TamperOptions,
  type TestAuthenticator,
} from '../../../testing/software-authenticator.fixture.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { logInWithTestPasskey, registerTestPasskey } from '../../../testing/test-passkeys.ts'
import { errorReply, failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let phone: TestAuthenticator
let userCount = 0
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
  phone = createAuthenticator()
})

const add = (
  viewer: { access: string },
  authenticator = phone,
  options: { name?: string; lies?: TamperOptions } = {},
) => registerTestPasskey(site, viewer, authenticator, options)
const signIn = (authenticator = phone, tampering: TamperOptions = {}, options: { remember?: boolean } = {}) =>
  logInWithTestPasskey(site, authenticator, tampering, options)

/** Passes the first step of a login by password, for a user with a second factor. */
async function passFirstStep({ username, password }: TestUser, remember = true) {
  const { status, body } = await failedReply(site.call(logIn, { body: { username, password, remember } }))
  expect(status).toBe(403)
  return body as { ticket: string; methods: string[] }
}

async function reauthenticateWith(
  viewer: { access: string },
  authenticator = phone,
  tampering: TamperOptions = {},
) {
  const { ticket, options } = await site.call(beginPasskeyReauthentication, {}, viewer)
  return site.call(
    reauthenticateWithPasskey,
    { body: { ticket, credential: authenticator.get(options, tampering) } },
    viewer,
  )
}

describe('signing in with a passkey', () => {
  test('needs neither username nor password, and records the use', async () => {
    await add(alice)
    const { options } = await site.call(beginPasskeyLogin, { body: {} })
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(options.allowCredentials).toBeUndefined()
    const pair = await signIn()
    expect(pair.username).toBe(alice.username)
    const { results } = await site.call(listPasskeys, { query: {} }, pair)
    expect(results[0]?.last_used_at).not.toBeNull()
    await signIn()
  })

  test('creates a session of the requested length', async () => {
    await add(alice)
    await signIn(phone, {}, { remember: false })
    const [session] = await site.db<{ remember: boolean; hours: number }[]>`
      select remember, round(extract(epoch from expires_at - now()) / 3600)::int as hours
        from sessions where user_id = ${alice.id} order by id desc limit 1`
    expect(session).toEqual({ remember: false, hours: 24 })
  })

  test.each<[string, TamperOptions]>([
    ['the signature is by another key', { wrongKey: true }],
    ['it is for another site', { rpId: 'evil.example' }],
    ['the origin is another site', { origin: 'http://localhost:3001' }],
    ['the page is framed by another site', { crossOrigin: true }],
    ['the challenge is a different one', { challenge: 'AAAA' }],
    ['it is the response to a registration', { type: 'webauthn.create' }],
    ['the user was not verified', { verified: false }],
    ['the user was not present', { present: false }],
    ['the counter did not increase', { counter: 1 }],
    ['the counter was reset', { counter: 0 }],
  ])('is refused if %s', async (_, tampering) => {
    await add(alice)
    expect(await failedReply(signIn(phone, tampering))).toEqual(errorReply('passkey-refused'))
    expect((await signIn()).username).toBe(alice.username)
  })

  test('is refused with the same error if the passkey does not exist', async () => {
    await add(alice)
    await site.db`delete from passkeys where user_id = ${alice.id}`
    expect(await failedReply(signIn())).toEqual(errorReply('passkey-refused'))
  })

  test('works with authenticators that do not count', async () => {
    const synced = createAuthenticator({ counts: false, synced: true })
    await add(alice, synced)
    await signIn(synced)
    expect((await signIn(synced)).username).toBe(alice.username)
  })

  test('accepts a challenge once, also with concurrent requests, and not again after a failure', async () => {
    await add(alice)
    const { ticket, options } = await site.call(beginPasskeyLogin, { body: {} })
    const body = { ticket, credential: phone.get(options) }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => site.call(logInWithPasskey, { body })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)

    const next = await site.call(beginPasskeyLogin, { body: {} })
    const unexpected = { ticket: next.ticket, credential: phone.get(next.options, { wrongKey: true }) }
    expect(await failedReply(site.call(logInWithPasskey, { body: unexpected }))).toEqual(
      errorReply('passkey-refused'),
    )
    const right = { ticket: next.ticket, credential: phone.get(next.options) }
    expect(await failedReply(site.call(logInWithPasskey, { body: right }))).toEqual(
      errorReply('ticket-expired'),
    )
  })

  test('accepts one of two responses with the same counter', async () => {
    await add(alice)
    const challenge = await Promise.all([1, 2].map(() => site.call(beginPasskeyLogin, { body: {} })))
    const bodies = challenge.map(({ ticket, options }) => ({
      ticket,
      credential: phone.get(options, { counter: 50 }),
    }))
    const results = await Promise.allSettled(bodies.map((body) => site.call(logInWithPasskey, { body })))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('tells banned users about the ban only after a valid signature', async () => {
    await add(alice)
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    expect(await failedReply(signIn())).toEqual(errorReply('banned'))
    expect(await failedReply(signIn(phone, { wrongKey: true }))).toEqual(errorReply('passkey-refused'))
  })
})

describe('a passkey as the second factor', () => {
  test('completes the login once, with the options of the first step', async () => {
    await add(alice)
    const firstStep = await passFirstStep(alice, false)
    expect(firstStep.methods).toEqual(['passkey', 'recovery_code'])
    const { ticket, options } = await site.call(beginPasskeyLogin, { body: { ticket: firstStep.ticket } })
    expect(options).toMatchObject({ userVerification: 'preferred' })
    expect(options.allowCredentials).toHaveLength(1)
    const credential = phone.get(options, { verified: false })
    await site.call(logInWithPasskey, { body: { ticket, credential, remember: true } })
    const [session] = await site.db`
      select remember from sessions where user_id = ${alice.id} order by id desc limit 1`
    expect(session).toEqual({ remember: false })
    const secondLogin = site.call(beginPasskeyLogin, { body: { ticket: firstStep.ticket } })
    expect(await failedReply(secondLogin)).toEqual(errorReply('ticket-expired'))
  })

  test('must belong to the user, and can be tried again', async () => {
    await add(alice)
    const bob = await signUp(site, `bob${userCount}`)
    const bobPhone = createAuthenticator()
    await add(bob, bobPhone)
    const firstStep = await passFirstStep(alice)
    const first = await site.call(beginPasskeyLogin, { body: { ticket: firstStep.ticket } })
    const credential = bobPhone.get({ ...first.options, allowCredentials: [] })
    const unexpected = site.call(logInWithPasskey, { body: { ticket: first.ticket, credential } })
    expect(await failedReply(unexpected)).toEqual(errorReply('passkey-refused'))
    const second = await site.call(beginPasskeyLogin, { body: { ticket: firstStep.ticket } })
    const right = { ticket: second.ticket, credential: phone.get(second.options) }
    expect((await site.call(logInWithPasskey, { body: right })).username).toBe(alice.username)
  })

  test('cannot replace a complete sign-in, and tickets of different flows cannot be combined', async () => {
    await add(alice)
    const firstStep = await passFirstStep(alice)
    const step = await site.call(beginPasskeyLogin, { body: { ticket: firstStep.ticket } })
    const credential = phone.get(step.options, { verified: false })
    const [firstTicket = ''] = step.ticket.split('.')
    const asWholeLogin = site.call(logInWithPasskey, { body: { ticket: firstTicket, credential } })
    expect(await failedReply(asWholeLogin)).toEqual(errorReply('ticket-expired'))

    const challenge = await site.call(beginPasskeyLogin, { body: {} })
    const mixed = {
      ticket: `${challenge.ticket}.${firstStep.ticket}`,
      credential: phone.get(challenge.options, { verified: false }),
    }
    expect(await failedReply(site.call(logInWithPasskey, { body: mixed }))).toEqual(
      errorReply('ticket-expired'),
    )

    const bob = await signUp(site, `bob${userCount}`)
    const bobPhone = createAuthenticator()
    await add(bob, bobPhone)
    const hisStep = await site.call(beginPasskeyLogin, {
      body: { ticket: (await passFirstStep(bob)).ticket },
    })
    const crossed = {
      ticket: `${hisStep.ticket.split('.')[0]}.${firstStep.ticket}`,
      credential: bobPhone.get(hisStep.options),
    }
    expect(await failedReply(site.call(logInWithPasskey, { body: crossed }))).toEqual(
      errorReply('ticket-expired'),
    )
  })

  test('is refused if the password was changed in the meantime', async () => {
    await add(alice)
    const firstStep = await passFirstStep(alice)
    const { ticket, options } = await site.call(beginPasskeyLogin, { body: { ticket: firstStep.ticket } })
    await site.db`update users set password_hash = 'another' where id = ${alice.id}`
    const lateLogin = site.call(logInWithPasskey, { body: { ticket, credential: phone.get(options) } })
    expect(await failedReply(lateLogin)).toEqual(errorReply('ticket-expired'))
  })
})

describe('reauthentication with a passkey', () => {
  const expireReauthentication = () =>
    site.db`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${alice.id}`

  test('allows sensitive changes in the current session only', async () => {
    await add(alice)
    const other = await signIn()
    await expireReauthentication()
    expect(await failedReply(site.call(beginAddingPasskey, {}, alice))).toMatchObject({
      status: 403,
      body: { methods: ['password', 'passkey'], second_factors: ['recovery_code'] },
    })
    await reauthenticateWith(alice)
    await site.call(beginAddingPasskey, {}, alice)
    expect(await failedReply(site.call(beginAddingPasskey, {}, other))).toMatchObject({ status: 403 })
  })

  test('requires a passkey of the user with user verification', async () => {
    await add(alice)
    const bob = await signUp(site, `bob${userCount}`)
    const bobPhone = createAuthenticator()
    await add(bob, bobPhone)
    await expireReauthentication()
    expect(await failedReply(reauthenticateWith(alice, phone, { verified: false }))).toEqual(
      errorReply('passkey-refused'),
    )
    const { ticket, options } = await site.call(beginPasskeyReauthentication, {}, alice)
    const credential = bobPhone.get({ ...options, allowCredentials: [] })
    const unexpected = site.call(reauthenticateWithPasskey, { body: { ticket, credential } }, alice)
    expect(await failedReply(unexpected)).toEqual(errorReply('passkey-refused'))
    const challenge = await site.call(beginPasskeyReauthentication, {}, alice)
    const crossed = { ticket: challenge.ticket, credential: phone.get(challenge.options) }
    expect(await failedReply(site.call(reauthenticateWithPasskey, { body: crossed }, bob))).toEqual(
      errorReply('ticket-expired'),
    )
    expect(await failedReply(site.call(beginAddingPasskey, {}, alice))).toMatchObject({ status: 403 })
  })
})

describe('a malformed credential', () => {
  const malformedTexts = fc.oneof(
    fc.constantFrom('', 'AAAA', '=', 'not base64!', 'x'.repeat(200_000), '\u0000', '"', '____'),
    fc.base64String(),
    // Nearly valid: base64url of JSON, and of CBOR that is truncated or deeply nested.
    fc.json().map((json) => Buffer.from(json).toString('base64url')),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    fc
      .constantFrom(
        'bf'.repeat(9_000),
        '81'.repeat(60_000),
        'a1'.repeat(500),
        'bbffffffffffffffff',
        '9bffffffffffffffff',
      )
      .map((hex) => Buffer.from(hex, 'hex').toString('base64url')),
  )
  const anyValue = fc.oneof(malformedTexts, fc.jsonValue({ maxDepth: 4 }))
  const responseFields = [
    'clientDataJSON',
    'authenticatorData',
    'signature',
    'userHandle',
    'attestationObject',
    'transports',
  ]
  const malformedField = fc.record({
    field: fc.constantFrom('id', 'rawId', 'type', 'response', 'clientExtensionResults', ...responseFields),
    value: anyValue,
  })

  test('is refused with 400 whichever field is malformed, and never causes an internal error', async () => {
    await add(alice)
    const unexpected: unknown[] = []
    await fc.assert(
      fc.asyncProperty(malformedField, fc.boolean(), async ({ field, value }, isRegistration) => {
        const challenge = await site.call(
          isRegistration ? beginAddingPasskey : beginPasskeyLogin,
          { body: {} },
          isRegistration ? alice : null,
        )
        const right = isRegistration
          ? createAuthenticator().create(challenge.options)
          : phone.get(challenge.options)
        const credential = responseFields.includes(field)
          ? { ...right, response: { ...right.response, [field]: value } }
          : { ...right, [field]: value }
        const reply = await site.app.inject({
          method: 'POST',
          url: isRegistration ? '/api/auth/passkeys/' : '/api/token/passkey/',
          headers: isRegistration ? { authorization: `Bearer ${alice.access}` } : {},
          payload: { ticket: challenge.ticket, credential, ...(isRegistration && { name: 'x' }) },
        })
        // The server does not read these fields.
        const ignored = [
          'userHandle',
          'transports',
          'clientExtensionResults',
          isRegistration ? 'signature' : 'attestationObject',
          isRegistration ? 'authenticatorData' : '',
        ]
        const isIgnored = ignored.includes(field) && [200, 201].includes(reply.statusCode)
        if (!isIgnored && ![400, 413].includes(reply.statusCode))
          unexpected.push({ field, value, status: reply.statusCode })
        if (reply.statusCode === 201) await site.db`delete from passkeys where name = 'x'`
      }),
      { numRuns: 120 },
    )
    expect(unexpected).toEqual([])
    expect((await signIn()).username).toBe(alice.username)
  })
})
