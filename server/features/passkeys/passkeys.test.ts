import { logIn } from '@reelmark/contract/accounts.ts'
import { errors } from '@reelmark/contract/errors.ts'
import { limits } from '@reelmark/contract/limits.ts'
import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  listPasskeys,
  removePasskey,
  renamePasskey,
} from '@reelmark/contract/passkeys.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/app.ts'
import {
  type AuthenticatorInTest,
  createAuthenticator,
  type Lies,
} from '../../testing/authenticator.fixture.ts'
import { mailsTo } from '../../testing/outbox.ts'
import { addPasskeyOf, logInWith } from '../../testing/passkeys.ts'
import { failure, type PersonInTest, signUp } from '../../testing/people.ts'

let site: TestApp
let alice: PersonInTest
let phone: AuthenticatorInTest
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

const refused = (name: 'passkey-refused' | 'bad-ticket' | 'last-way-in' | 'not-found') => ({
  status: errors[name][0],
  body: { detail: errors[name][1] },
})
const add = (as: { access: string }, device = phone, more: { name?: string; lies?: Lies } = {}) =>
  addPasskeyOf(site, as, device, more)
const signIn = (device = phone, lies: Lies = {}, more: { remember?: boolean } = {}) =>
  logInWith(site, device, lies, more)

describe('adding a passkey', () => {
  test('asks for one that needs nothing typed, and tells neither name nor id to the authenticator', async () => {
    const { options } = await site.call(beginPasskey, {}, alice)
    expect(options).toMatchObject({
      rp: { name: 'Reelmark', id: 'localhost' },
      user: { name: alice.username },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    const handle = (options.user as { id: string }).id
    expect(Buffer.from(handle, 'base64url')).toHaveLength(32)
    const again = await site.call(beginPasskey, {}, alice)
    expect((again.options.user as { id: string }).id).toBe(handle)
    expect(again.options.challenge).not.toBe(options.challenge)
    const bob = await signUp(site, `bob${people}`)
    const his = await site.call(beginPasskey, {}, bob)
    expect((his.options.user as { id: string }).id).not.toBe(handle)
  })

  test('answers it with recovery codes the first time', async () => {
    const first = await add(alice, phone, { name: ' My phone ' })
    expect(first.passkey).toMatchObject({ name: 'My phone', is_synced: false, last_used_at: null })
    expect(first.recovery_codes).toHaveLength(limits.recoveryCodes)
    const laptop = createAuthenticator({ counts: false, synced: true })
    const second = await add(alice, laptop, { name: 'Laptop' })
    expect(second.passkey.is_synced).toBe(true)
    expect(second.recovery_codes).toBeNull()
    const { options } = await site.call(beginPasskey, {}, alice)
    expect(options.excludeCredentials).toHaveLength(2)
    expect(() => phone.create(options)).toThrow('already')
  })

  test('makes recovery codes once when two are added at once', async () => {
    const both = await Promise.all([add(alice), add(alice, createAuthenticator())])
    expect(both.filter(({ recovery_codes }) => recovery_codes !== null)).toHaveLength(1)
  })

  test.each<[string, Lies]>([
    ['for another site', { rpId: 'evil.example' }],
    ['from another origin', { origin: 'https://evil.example' }],
    ['with another challenge', { challenge: 'AAAA' }],
    ['as an answer to a login', { type: 'webauthn.get' }],
    ['without looking at the user', { verified: false }],
    ['without the user there', { present: false }],
    ['with an attestation nobody asked for', { fmt: 'android-key' }],
    ['with an unknown attestation', { fmt: 'made-up' }],
    ['with an unknown algorithm', { algorithm: -9999 }],
    ['with an empty id', { credentialId: Buffer.alloc(0) }],
    ['with a far too long id', { credentialId: Buffer.alloc(1024, 7) }],
  ])('refuses one made %s', async (_, lies) => {
    const made = add(alice, phone, { lies })
    const { status, body } = await failure(made)
    expect(status).toBe(400)
    // An id that is none for the contract is told at its field.
    if (lies.credentialId?.length !== 0) expect(body).toEqual(refused('passkey-refused').body)
    expect((await site.call(listPasskeys, { query: {} }, alice)).count).toBe(0)
  })

  test('takes each challenge once, from whom it was given, for what it was given', async () => {
    const { ticket, options } = await site.call(beginPasskey, {}, alice)
    const body = { ticket, credential: phone.create(options), name: 'Phone' }
    await site.call(addPasskey, { body }, alice)
    expect(await failure(site.call(addPasskey, { body }, alice))).toEqual(refused('bad-ticket'))

    const bob = await signUp(site, `bob${people}`)
    const hers = await site.call(beginPasskey, {}, alice)
    const stolen = { ticket: hers.ticket, credential: createAuthenticator().create(hers.options), name: 'x' }
    expect(await failure(site.call(addPasskey, { body: stolen }, bob))).toEqual(refused('bad-ticket'))

    const other = await site.call(beginPasskeyLogin, { body: {} })
    const wrong = { ...stolen, ticket: other.ticket }
    expect(await failure(site.call(addPasskey, { body: wrong }, bob))).toEqual(refused('bad-ticket'))
  })

  test('refuses one that somebody else has', async () => {
    await add(alice)
    const bob = await signUp(site, `bob${people}`)
    const credentialId = phone.passkeys[0]?.id as Buffer
    const again = add(bob, createAuthenticator(), { lies: { credentialId } })
    expect(await failure(again)).toEqual(refused('passkey-refused'))
    expect((await signIn()).username).toBe(alice.username)
  })

  test(`stops at ${limits.passkeysMax}, also when the last two come at once`, async () => {
    const { ticket, options } = await site.call(beginPasskey, {}, alice)
    await site.db`
      insert into passkeys (user_id, credential_id, public_key, name)
      select ${alice.id}, decode(md5(${alice.username} || n), 'hex'), '\\x00', 'P' || n
        from generate_series(1, ${limits.passkeysMax - 1}) n`
    const last = await site.call(beginPasskey, {}, alice)
    const results = await Promise.allSettled(
      [
        { ticket, credential: phone.create(options) },
        { ticket: last.ticket, credential: createAuthenticator().create(last.options) },
      ].map((body) => site.call(addPasskey, { body: { ...body, name: 'Last' } }, alice)),
    )
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await failure(site.call(beginPasskey, {}, alice))).toMatchObject({ status: 409 })
  })

  test('asks for a session that showed who it is, and for one at all', async () => {
    await site.db`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${alice.id}`
    expect(await failure(site.call(removePasskey, { params: { id: 1 } }, alice))).toMatchObject({
      status: 403,
    })
    expect(await failure(site.call(beginPasskey, {}, alice))).toMatchObject({
      body: { confirm: ['password'] },
    })
    expect(await failure(site.call(listPasskeys, { query: {} }))).toMatchObject({ status: 401 })
  })
})

describe('one’s passkeys', () => {
  test('are listed, the newest first, and renamed', async () => {
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
    expect(await failure(site.call(listPasskeys, { query: { page: 2 } }, alice))).toMatchObject({
      status: 404,
    })
  })

  test('are nobody else’s', async () => {
    const { passkey } = await add(alice)
    const bob = await signUp(site, `bob${people}`)
    const params = { id: passkey.id }
    expect((await site.call(listPasskeys, { query: {} }, bob)).count).toBe(0)
    expect(await failure(site.call(renamePasskey, { params, body: { name: 'His' } }, bob))).toEqual(
      refused('not-found'),
    )
    expect(await failure(site.call(removePasskey, { params }, bob))).toEqual(refused('not-found'))
    expect((await site.call(listPasskeys, { query: {} }, alice)).results[0]?.name).toBe('Phone')
  })

  test('go, and with the last the recovery codes', async () => {
    const codes = () => site.db`select from recovery_codes where user_id = ${alice.id}`
    const first = await add(alice)
    const second = await add(alice, createAuthenticator(), { name: 'Laptop' })
    await site.call(removePasskey, { params: { id: first.passkey.id } }, alice)
    expect(await codes()).toHaveLength(limits.recoveryCodes)
    expect(await failure(signIn())).toEqual(refused('passkey-refused'))
    await site.call(removePasskey, { params: { id: second.passkey.id } }, alice)
    expect(await codes()).toHaveLength(0)
    await site.call(logIn, { body: { username: alice.username, password: alice.password } })
  })

  test('stay where there is no other way in, also when the last two go at once', async () => {
    const first = await add(alice)
    await site.db`update users set password_hash = null where id = ${alice.id}`
    const remove = (id: number) => site.call(removePasskey, { params: { id } }, alice)
    expect(await failure(remove(first.passkey.id))).toEqual(refused('last-way-in'))
    // Another site's word lets them in only while that site is asked.
    await site.db`
      insert into identities (user_id, issuer, subject) values (${alice.id}, 'https://gone.example/', ${alice.username})`
    expect(await failure(remove(first.passkey.id))).toEqual(refused('last-way-in'))
    const second = await add(alice, createAuthenticator())
    const both = await Promise.allSettled([remove(first.passkey.id), remove(second.passkey.id)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await site.call(listPasskeys, { query: {} }, alice)).count).toBe(1)
  })
})

test('the owner is told by mail of what was added and removed', async () => {
  // With background work: on the other site it would wait behind all the other tests' mails.
  const working = await bootApp({ work: true })
  try {
    const bob = await signUp(working, 'bob')
    const { passkey } = await addPasskeyOf(working, bob, phone, { name: 'My phone' })
    await working.call(removePasskey, { params: { id: passkey.id } }, bob)
    const texts = (await mailsTo(working, bob.email, 2)).map(({ text }) => text).join()
    expect(texts).toContain('added a passkey (My phone)')
    expect(texts).toContain('removed a passkey (My phone)')
  } finally {
    await working.close()
  }
})

test('a passkey is for the host name that people type, and for no other origin on it', async () => {
  const publicUrl = 'https://videos.example:8443'
  const there = await bootApp({ settings: { publicUrl } })
  const bob = await signUp(there, 'bob')
  const his = createAuthenticator({ origin: publicUrl })
  await addPasskeyOf(there, bob, his)
  expect(his.passkeys[0]?.rpId).toBe('videos.example')
  expect((await logInWith(there, his)).username).toBe('bob')
  const elsewhere = logInWith(there, his, { origin: 'https://videos.example' })
  expect(await failure(elsewhere)).toEqual(refused('passkey-refused'))
  await there.close()
})
