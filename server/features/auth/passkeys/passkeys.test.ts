import { logIn } from '@reelmark/contract/accounts.ts'
import {
  addPasskey,
  beginAddingPasskey,
  beginPasskeyLogin,
  deletePasskey,
  listPasskeys,
  renamePasskey,
} from '@reelmark/contract/passkeys.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { waitForMailsTo } from '../../../testing/outbox.ts'
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
  device = phone,
  options: { name?: string; lies?: TamperOptions } = {},
) => registerTestPasskey(site, viewer, device, options)
const signIn = (device = phone, tampering: TamperOptions = {}, options: { remember?: boolean } = {}) =>
  logInWithTestPasskey(site, device, tampering, options)

describe('adding a passkey', () => {
  test('requests a discoverable credential, with an opaque user handle', async () => {
    const { options } = await site.call(beginAddingPasskey, {}, alice)
    expect(options).toMatchObject({
      rp: { name: 'Reelmark', id: 'localhost' },
      user: { name: alice.username },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    const handle = (options.user as { id: string }).id
    expect(Buffer.from(handle, 'base64url')).toHaveLength(32)
    const secondTime = await site.call(beginAddingPasskey, {}, alice)
    expect((secondTime.options.user as { id: string }).id).toBe(handle)
    expect(secondTime.options.challenge).not.toBe(options.challenge)
    const bob = await signUp(site, `bob${userCount}`)
    const bobPhone = await site.call(beginAddingPasskey, {}, bob)
    expect((bobPhone.options.user as { id: string }).id).not.toBe(handle)
  })

  test('returns recovery codes for the first passkey only', async () => {
    const first = await add(alice, phone, { name: ' My phone ' })
    expect(first.passkey).toMatchObject({ name: 'My phone', is_synced: false, last_used_at: null })
    expect(first.recovery_codes).toHaveLength(limits.recoveryCodesCount)
    const laptop = createAuthenticator({ counts: false, synced: true })
    const second = await add(alice, laptop, { name: 'Laptop' })
    expect(second.passkey.is_synced).toBe(true)
    expect(second.recovery_codes).toBeNull()
    const { options } = await site.call(beginAddingPasskey, {}, alice)
    expect(options.excludeCredentials).toHaveLength(2)
    expect(() => phone.create(options)).toThrow('An excluded passkey exists.')
  })

  test('creates recovery codes once if two passkeys are added concurrently', async () => {
    const outcomes = await Promise.all([add(alice), add(alice, createAuthenticator())])
    expect(outcomes.filter(({ recovery_codes }) => recovery_codes !== null)).toHaveLength(1)
  })

  test.each<[string, TamperOptions]>([
    ['for another site', { rpId: 'evil.example' }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['with another challenge', { challenge: 'AAAA' }],
    ['as the response to a login', { type: 'webauthn.get' }],
    ['without user verification', { verified: false }],
    ['without user presence', { present: false }],
    ['with an attestation that was not requested', { fmt: 'android-key' }],
    ['with an unknown attestation', { fmt: 'made-up' }],
    ['with an unknown algorithm', { algorithm: -9999 }],
    ['with an empty id', { credentialId: Buffer.alloc(0) }],
    ['with a far too long id', { credentialId: Buffer.alloc(1024, 7) }],
  ])('refuses a credential created %s', async (_, tampering) => {
    const created = add(alice, phone, { lies: tampering })
    const { status, body } = await failedReply(created)
    expect(status).toBe(400)
    // An id that does not match the schema is reported for its field.
    if (tampering.credentialId?.length !== 0) expect(body).toEqual(errorReply('passkey-refused').body)
    expect((await site.call(listPasskeys, { query: {} }, alice)).count).toBe(0)
  })

  test('accepts each challenge once, from the user and for the purpose it was created for', async () => {
    const { ticket, options } = await site.call(beginAddingPasskey, {}, alice)
    const body = { ticket, credential: phone.create(options), name: 'Phone' }
    await site.call(addPasskey, { body }, alice)
    expect(await failedReply(site.call(addPasskey, { body }, alice))).toEqual(errorReply('ticket-expired'))

    const bob = await signUp(site, `bob${userCount}`)
    const ofAlice = await site.call(beginAddingPasskey, {}, alice)
    const stolen = {
      ticket: ofAlice.ticket,
      credential: createAuthenticator().create(ofAlice.options),
      name: 'x',
    }
    expect(await failedReply(site.call(addPasskey, { body: stolen }, bob))).toEqual(
      errorReply('ticket-expired'),
    )

    const other = await site.call(beginPasskeyLogin, { body: {} })
    const wrong = { ...stolen, ticket: other.ticket }
    expect(await failedReply(site.call(addPasskey, { body: wrong }, bob))).toEqual(
      errorReply('ticket-expired'),
    )
  })

  test('refuses a credential that another user has', async () => {
    await add(alice)
    const bob = await signUp(site, `bob${userCount}`)
    const credentialId = phone.passkeys[0]?.id as Buffer
    const secondTime = add(bob, createAuthenticator(), { lies: { credentialId } })
    expect(await failedReply(secondTime)).toEqual(errorReply('passkey-refused'))
    expect((await signIn()).username).toBe(alice.username)
  })

  test(`is limited to ${limits.passkeysMax} passkeys, also with concurrent requests`, async () => {
    const { ticket, options } = await site.call(beginAddingPasskey, {}, alice)
    await site.db`
      insert into passkeys (user_id, credential_id, public_key, name)
      select ${alice.id}, decode(md5(${alice.username} || n), 'hex'), '\\x00', 'P' || n
        from generate_series(1, ${limits.passkeysMax - 1}) n`
    const last = await site.call(beginAddingPasskey, {}, alice)
    const results = await Promise.allSettled(
      [
        { ticket, credential: phone.create(options) },
        { ticket: last.ticket, credential: createAuthenticator().create(last.options) },
      ].map((body) => site.call(addPasskey, { body: { ...body, name: 'Last' } }, alice)),
    )
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await failedReply(site.call(beginAddingPasskey, {}, alice))).toMatchObject({ status: 409 })
  })

  test('requires a recently authenticated session', async () => {
    await site.db`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${alice.id}`
    expect(await failedReply(site.call(deletePasskey, { params: { id: 1 } }, alice))).toMatchObject({
      status: 403,
    })
    expect(await failedReply(site.call(beginAddingPasskey, {}, alice))).toMatchObject({
      body: { methods: ['password'] },
    })
    expect(await failedReply(site.call(listPasskeys, { query: {} }))).toMatchObject({ status: 401 })
  })
})

describe('existing passkeys', () => {
  test('are listed, newest first, and can be renamed', async () => {
    const { passkey } = await add(alice)
    await add(alice, createAuthenticator(), { name: 'Laptop' })
    const renamed = await site.call(
      renamePasskey,
      { params: { id: passkey.id }, body: { name: 'Old' } },
      alice,
    )
    expect(renamed).toEqual({ ...passkey, name: 'Old' })
    const { count, results } = await site.call(listPasskeys, { query: {} }, alice)
    expect(count).toBe(2)
    expect(results.map(({ name }) => name)).toEqual(['Laptop', 'Old'])
    expect(await failedReply(site.call(listPasskeys, { query: { page: 2 } }, alice))).toMatchObject({
      status: 404,
    })
  })

  test('are visible to their owner only', async () => {
    const { passkey } = await add(alice)
    const bob = await signUp(site, `bob${userCount}`)
    const params = { id: passkey.id }
    expect((await site.call(listPasskeys, { query: {} }, bob)).count).toBe(0)
    expect(await failedReply(site.call(renamePasskey, { params, body: { name: 'His' } }, bob))).toEqual(
      errorReply('not-found'),
    )
    expect(await failedReply(site.call(deletePasskey, { params }, bob))).toEqual(errorReply('not-found'))
    expect((await site.call(listPasskeys, { query: {} }, alice)).results[0]?.name).toBe('Phone')
  })

  test('can be deleted; recovery codes are deleted with the last one', async () => {
    const readRecoveryCodes = () => site.db`select from recovery_codes where user_id = ${alice.id}`
    const first = await add(alice)
    const second = await add(alice, createAuthenticator(), { name: 'Laptop' })
    await site.call(deletePasskey, { params: { id: first.passkey.id } }, alice)
    expect(await readRecoveryCodes()).toHaveLength(limits.recoveryCodesCount)
    expect(await failedReply(signIn())).toEqual(errorReply('passkey-refused'))
    await site.call(deletePasskey, { params: { id: second.passkey.id } }, alice)
    expect(await readRecoveryCodes()).toHaveLength(0)
    await site.call(logIn, { body: { username: alice.username, password: alice.password } })
  })

  test('cannot be deleted if there is no other sign-in method, also with concurrent requests', async () => {
    const first = await add(alice)
    await site.db`update users set password_hash = null where id = ${alice.id}`
    const remove = (id: number) => site.call(deletePasskey, { params: { id } }, alice)
    expect(await failedReply(remove(first.passkey.id))).toEqual(errorReply('last-sign-in-method'))
    // An identity counts as a sign-in method only if its provider is configured.
    await site.db`
      insert into identities (user_id, issuer, subject) values (${alice.id}, 'https://unconfigured.example/', ${alice.username})`
    expect(await failedReply(remove(first.passkey.id))).toEqual(errorReply('last-sign-in-method'))
    const second = await add(alice, createAuthenticator())
    const outcomes = await Promise.allSettled([remove(first.passkey.id), remove(second.passkey.id)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await site.call(listPasskeys, { query: {} }, alice)).count).toBe(1)
  })
})

test('the owner gets a mail when a passkey is added or removed', async () => {
  // A site with a worker of its own. On the shared site, the mails of all other tests would come first.
  const siteWithWorker = await bootApp({ work: true })
  try {
    const bob = await signUp(siteWithWorker, 'bob')
    const { passkey } = await registerTestPasskey(siteWithWorker, bob, phone, { name: 'My phone' })
    await siteWithWorker.call(deletePasskey, { params: { id: passkey.id } }, bob)
    const texts = (await waitForMailsTo(siteWithWorker, bob.email, 2)).map(({ text }) => text).join()
    expect(texts).toContain('A passkey was added to your account.')
    expect(texts).toContain('A passkey was removed from your account.')
  } finally {
    await siteWithWorker.close()
  }
})

test('a passkey is valid for the configured host and origin only', async () => {
  const publicUrl = 'https://videos.example:8443'
  const secureSite = await bootApp({ settings: { publicUrl } })
  const bob = await signUp(secureSite, 'bob')
  const bobPhone = createAuthenticator({ origin: publicUrl })
  await registerTestPasskey(secureSite, bob, bobPhone)
  expect(bobPhone.passkeys[0]?.rpId).toBe('videos.example')
  expect((await logInWithTestPasskey(secureSite, bobPhone)).username).toBe('bob')
  const otherOrigin = logInWithTestPasskey(secureSite, bobPhone, { origin: 'https://videos.example' })
  expect(await failedReply(otherOrigin)).toEqual(errorReply('passkey-refused'))
  await secureSite.close()
})
