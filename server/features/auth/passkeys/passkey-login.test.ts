import { logIn } from '@reelmark/contract/accounts.ts'
import {
  beginAddingPasskey,
  beginPasskeyLogin,
  beginPasskeyReauthentication,
  listPasskeys,
  logInWithPasskey,
  reauthenticateWithPasskey,
} from '@reelmark/contract/passkeys.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createAuthenticator,
  type TamperOptions,
  type TestAuthenticator,
} from '../../../testing/software-authenticator.fixture.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { logInWithTestPasskey, registerTestPasskey } from '../../../testing/test-passkeys.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let phone: TestAuthenticator
let people = 0
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `alice${people}`)
  phone = createAuthenticator()
})

const refused = (name: 'passkey-refused' | 'ticket-expired' | 'banned') => ({
  status: errors[name][0],
  body: { detail: errors[name][1], code: name },
})
const add = (as: { access: string }, device = phone, more: { name?: string; lies?: TamperOptions } = {}) =>
  registerTestPasskey(site, as, device, more)
const signIn = (device = phone, tampering: TamperOptions = {}, more: { remember?: boolean } = {}) =>
  logInWithTestPasskey(site, device, tampering, more)

/** The first step of a login by password, of somebody who has a second factor. */
async function halfLogIn({ username, password }: TestUser, remember = true) {
  const { status, body } = await failedReply(site.call(logIn, { body: { username, password, remember } }))
  expect(status).toBe(403)
  return body as { ticket: string; methods: string[] }
}

async function confirmWith(as: { access: string }, device = phone, tampering: TamperOptions = {}) {
  const { ticket, options } = await site.call(beginPasskeyReauthentication, {}, as)
  return site.call(
    reauthenticateWithPasskey,
    { body: { ticket, credential: device.get(options, tampering) } },
    as,
  )
}

describe('signing in by a passkey', () => {
  test('needs no name and no password, and writes the use down', async () => {
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

  test('remembers the session for as long as is said', async () => {
    await add(alice)
    await signIn(phone, {}, { remember: false })
    const [session] = await site.db<{ remember: boolean; hours: number }[]>`
      select remember, round(extract(epoch from expires_at - now()) / 3600)::int as hours
        from sessions where user_id = ${alice.id} order by id desc limit 1`
    expect(session).toEqual({ remember: false, hours: 24 })
  })

  test.each<[string, TamperOptions]>([
    ['somebody else signs', { wrongKey: true }],
    ['it is for another site', { rpId: 'evil.example' }],
    ['the page is another site’s', { origin: 'http://localhost:3001' }],
    ['the page is framed by another site', { crossOrigin: true }],
    ['the challenge is another', { challenge: 'AAAA' }],
    ['it was said when making a passkey', { type: 'webauthn.create' }],
    ['nobody looked at the user', { verified: false }],
    ['nobody was there', { present: false }],
    ['it counts as its copy did', { counter: 1 }],
    ['it has stopped counting', { counter: 0 }],
  ])('is refused where %s', async (_, tampering) => {
    await add(alice)
    expect(await failedReply(signIn(phone, tampering))).toEqual(refused('passkey-refused'))
    expect((await signIn()).username).toBe(alice.username)
  })

  test('is refused alike where there is no such passkey', async () => {
    await add(alice)
    await site.db`delete from passkeys where user_id = ${alice.id}`
    expect(await failedReply(signIn())).toEqual(refused('passkey-refused'))
  })

  test('works with authenticators that do not count', async () => {
    const synced = createAuthenticator({ counts: false, synced: true })
    await add(alice, synced)
    await signIn(synced)
    expect((await signIn(synced)).username).toBe(alice.username)
  })

  test('takes a challenge once, of many at once too, and a failed one not again', async () => {
    await add(alice)
    const { ticket, options } = await site.call(beginPasskeyLogin, { body: {} })
    const body = { ticket, credential: phone.get(options) }
    const many = await Promise.allSettled(
      Array.from({ length: 8 }, () => site.call(logInWithPasskey, { body })),
    )
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)

    const next = await site.call(beginPasskeyLogin, { body: {} })
    const wrong = { ticket: next.ticket, credential: phone.get(next.options, { wrongKey: true }) }
    expect(await failedReply(site.call(logInWithPasskey, { body: wrong }))).toEqual(
      refused('passkey-refused'),
    )
    const right = { ticket: next.ticket, credential: phone.get(next.options) }
    expect(await failedReply(site.call(logInWithPasskey, { body: right }))).toEqual(refused('ticket-expired'))
  })

  test('of two answers with one count of uses lets one in', async () => {
    await add(alice)
    const begun = await Promise.all([1, 2].map(() => site.call(beginPasskeyLogin, { body: {} })))
    const bodies = begun.map(({ ticket, options }) => ({
      ticket,
      credential: phone.get(options, { counter: 50 }),
    }))
    const results = await Promise.allSettled(bodies.map((body) => site.call(logInWithPasskey, { body })))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('is not for the banned, who are told so once they have shown who they are', async () => {
    await add(alice)
    await site.db`update users set banned_at = now() where id = ${alice.id}`
    expect(await failedReply(signIn())).toEqual(refused('banned'))
    expect(await failedReply(signIn(phone, { wrongKey: true }))).toEqual(refused('passkey-refused'))
  })
})

describe('a passkey as the second step', () => {
  test('finishes the login that was begun, as it was begun, once', async () => {
    await add(alice)
    const half = await halfLogIn(alice, false)
    expect(half.methods).toEqual(['passkey', 'recovery_code'])
    const { ticket, options } = await site.call(beginPasskeyLogin, { body: { ticket: half.ticket } })
    expect(options).toMatchObject({ userVerification: 'preferred' })
    expect(options.allowCredentials).toHaveLength(1)
    const credential = phone.get(options, { verified: false })
    await site.call(logInWithPasskey, { body: { ticket, credential, remember: true } })
    const [session] = await site.db`
      select remember from sessions where user_id = ${alice.id} order by id desc limit 1`
    expect(session).toEqual({ remember: false })
    const again = site.call(beginPasskeyLogin, { body: { ticket: half.ticket } })
    expect(await failedReply(again)).toEqual(refused('ticket-expired'))
  })

  test('takes no passkey of anybody else, and may be tried again', async () => {
    await add(alice)
    const bob = await signUp(site, `bob${people}`)
    const his = createAuthenticator()
    await add(bob, his)
    const half = await halfLogIn(alice)
    const first = await site.call(beginPasskeyLogin, { body: { ticket: half.ticket } })
    const credential = his.get({ ...first.options, allowCredentials: [] })
    const wrong = site.call(logInWithPasskey, { body: { ticket: first.ticket, credential } })
    expect(await failedReply(wrong)).toEqual(refused('passkey-refused'))
    const second = await site.call(beginPasskeyLogin, { body: { ticket: half.ticket } })
    const right = { ticket: second.ticket, credential: phone.get(second.options) }
    expect((await site.call(logInWithPasskey, { body: right })).username).toBe(alice.username)
  })

  test('does not stand for a whole sign-in, nor the ticket of one for a second step', async () => {
    await add(alice)
    const half = await halfLogIn(alice)
    const step = await site.call(beginPasskeyLogin, { body: { ticket: half.ticket } })
    const credential = phone.get(step.options, { verified: false })
    const [own = ''] = step.ticket.split('.')
    const whole = site.call(logInWithPasskey, { body: { ticket: own, credential } })
    expect(await failedReply(whole)).toEqual(refused('ticket-expired'))

    const begun = await site.call(beginPasskeyLogin, { body: {} })
    const mixed = {
      ticket: `${begun.ticket}.${half.ticket}`,
      credential: phone.get(begun.options, { verified: false }),
    }
    expect(await failedReply(site.call(logInWithPasskey, { body: mixed }))).toEqual(refused('ticket-expired'))

    const bob = await signUp(site, `bob${people}`)
    const his = createAuthenticator()
    await add(bob, his)
    const hisStep = await site.call(beginPasskeyLogin, {
      body: { ticket: (await halfLogIn(bob)).ticket },
    })
    const crossed = {
      ticket: `${hisStep.ticket.split('.')[0]}.${half.ticket}`,
      credential: his.get(hisStep.options),
    }
    expect(await failedReply(site.call(logInWithPasskey, { body: crossed }))).toEqual(
      refused('ticket-expired'),
    )
  })

  test('is over where the password was changed meanwhile', async () => {
    await add(alice)
    const half = await halfLogIn(alice)
    const { ticket, options } = await site.call(beginPasskeyLogin, { body: { ticket: half.ticket } })
    await site.db`update users set password_hash = 'another' where id = ${alice.id}`
    const late = site.call(logInWithPasskey, { body: { ticket, credential: phone.get(options) } })
    expect(await failedReply(late)).toEqual(refused('ticket-expired'))
  })
})

describe('confirming by a passkey', () => {
  const expire = () =>
    site.db`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${alice.id}`

  test('opens what asks for it, in this session alone', async () => {
    await add(alice)
    const other = await signIn()
    await expire()
    expect(await failedReply(site.call(beginAddingPasskey, {}, alice))).toMatchObject({
      status: 403,
      body: { confirm: ['password', 'passkey'] },
    })
    await confirmWith(alice)
    await site.call(beginAddingPasskey, {}, alice)
    expect(await failedReply(site.call(beginAddingPasskey, {}, other))).toMatchObject({ status: 403 })
  })

  test('takes only a passkey of one’s own, that looked at the user', async () => {
    await add(alice)
    const bob = await signUp(site, `bob${people}`)
    const his = createAuthenticator()
    await add(bob, his)
    await expire()
    expect(await failedReply(confirmWith(alice, phone, { verified: false }))).toEqual(
      refused('passkey-refused'),
    )
    const { ticket, options } = await site.call(beginPasskeyReauthentication, {}, alice)
    const credential = his.get({ ...options, allowCredentials: [] })
    const wrong = site.call(reauthenticateWithPasskey, { body: { ticket, credential } }, alice)
    expect(await failedReply(wrong)).toEqual(refused('passkey-refused'))
    const begun = await site.call(beginPasskeyReauthentication, {}, alice)
    const crossed = { ticket: begun.ticket, credential: phone.get(begun.options) }
    expect(await failedReply(site.call(reauthenticateWithPasskey, { body: crossed }, bob))).toEqual(
      refused('ticket-expired'),
    )
    expect(await failedReply(site.call(beginAddingPasskey, {}, alice))).toMatchObject({ status: 403 })
  })
})

describe('what is no credential', () => {
  const texts = fc.oneof(
    fc.constantFrom('', 'AAAA', '=', 'not base64!', 'x'.repeat(200_000), '\u0000', '"', '____'),
    fc.base64String(),
    // Nearly right: as base64url of JSON, and of CBOR that promises more than it holds or is nested deep.
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
  const anything = fc.oneof(texts, fc.jsonValue({ maxDepth: 4 }))
  const parts = [
    'clientDataJSON',
    'authenticatorData',
    'signature',
    'userHandle',
    'attestationObject',
    'transports',
  ]
  const broken = fc.record({
    part: fc.constantFrom('id', 'rawId', 'type', 'response', 'clientExtensionResults', ...parts),
    value: anything,
  })

  test('is refused with 400 in every place, never a fault of ours', async () => {
    await add(alice)
    const wrong: unknown[] = []
    await fc.assert(
      fc.asyncProperty(broken, fc.boolean(), async ({ part, value }, makes) => {
        const begun = await site.call(
          makes ? beginAddingPasskey : beginPasskeyLogin,
          { body: {} },
          makes ? alice : null,
        )
        const right = makes ? createAuthenticator().create(begun.options) : phone.get(begun.options)
        const credential = parts.includes(part)
          ? { ...right, response: { ...right.response, [part]: value } }
          : { ...right, [part]: value }
        const reply = await site.app.inject({
          method: 'POST',
          url: makes ? '/api/auth/passkeys/' : '/api/token/passkey/',
          headers: makes ? { authorization: `Bearer ${alice.access}` } : {},
          payload: { ticket: begun.ticket, credential, ...(makes && { name: 'x' }) },
        })
        // What we do not look into may say anything.
        const ignored = [
          'userHandle',
          'transports',
          'clientExtensionResults',
          makes ? 'signature' : 'attestationObject',
          makes ? 'authenticatorData' : '',
        ]
        const fine = ignored.includes(part) && [200, 201].includes(reply.statusCode)
        if (!fine && ![400, 413].includes(reply.statusCode))
          wrong.push({ part, value, status: reply.statusCode })
        if (reply.statusCode === 201) await site.db`delete from passkeys where name = 'x'`
      }),
      { numRuns: 120 },
    )
    expect(wrong).toEqual([])
    expect((await signIn()).username).toBe(alice.username)
  })
})
