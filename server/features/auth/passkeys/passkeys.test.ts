import { logIn } from '@reelmark/contract/accounts.ts'
import {
  addPasskey,
  beginAddingPasskey,
  beginPasskeyLogin,
  deletePasskey,
  listPasskeys,
  renamePasskey,
} from '@reelmark/contract/passkeys.ts'
import { errors } from '@reelmark/contract/protocol/errors.ts'
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

const refused = (name: 'passkey-refused' | 'ticket-expired' | 'last-sign-in-method' | 'not-found') => ({
  status: errors[name][0],
  body: { detail: errors[name][1], code: name },
})
const add = (as: { access: string }, device = phone, more: { name?: string; lies?: TamperOptions } = {}) =>
  registerTestPasskey(site, as, device, more)
const signIn = (device = phone, tampering: TamperOptions = {}, more: { remember?: boolean } = {}) =>
  logInWithTestPasskey(site, device, tampering, more)

describe('adding a passkey', () => {
  test('asks for one that needs nothing typed, and tells neither name nor id to the authenticator', async () => {
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
    const again = await site.call(beginAddingPasskey, {}, alice)
    expect((again.options.user as { id: string }).id).toBe(handle)
    expect(again.options.challenge).not.toBe(options.challenge)
    const bob = await signUp(site, `bob${people}`)
    const his = await site.call(beginAddingPasskey, {}, bob)
    expect((his.options.user as { id: string }).id).not.toBe(handle)
  })

  test('answers it with recovery codes the first time', async () => {
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

  test('makes recovery codes once when two are added at once', async () => {
    const both = await Promise.all([add(alice), add(alice, createAuthenticator())])
    expect(both.filter(({ recovery_codes }) => recovery_codes !== null)).toHaveLength(1)
  })

  test.each<[string, TamperOptions]>([
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
  ])('refuses one made %s', async (_, tampering) => {
    const created = add(alice, phone, { lies: tampering })
    const { status, body } = await failedReply(created)
    expect(status).toBe(400)
    // An id that is none for the contract is told at its field.
    if (tampering.credentialId?.length !== 0) expect(body).toEqual(refused('passkey-refused').body)
    expect((await site.call(listPasskeys, { query: {} }, alice)).count).toBe(0)
  })

  test('takes each challenge once, from whom it was given, for what it was given', async () => {
    const { ticket, options } = await site.call(beginAddingPasskey, {}, alice)
    const body = { ticket, credential: phone.create(options), name: 'Phone' }
    await site.call(addPasskey, { body }, alice)
    expect(await failedReply(site.call(addPasskey, { body }, alice))).toEqual(refused('ticket-expired'))

    const bob = await signUp(site, `bob${people}`)
    const hers = await site.call(beginAddingPasskey, {}, alice)
    const stolen = { ticket: hers.ticket, credential: createAuthenticator().create(hers.options), name: 'x' }
    expect(await failedReply(site.call(addPasskey, { body: stolen }, bob))).toEqual(refused('ticket-expired'))

    const other = await site.call(beginPasskeyLogin, { body: {} })
    const wrong = { ...stolen, ticket: other.ticket }
    expect(await failedReply(site.call(addPasskey, { body: wrong }, bob))).toEqual(refused('ticket-expired'))
  })

  test('refuses one that somebody else has', async () => {
    await add(alice)
    const bob = await signUp(site, `bob${people}`)
    const credentialId = phone.passkeys[0]?.id as Buffer
    const again = add(bob, createAuthenticator(), { lies: { credentialId } })
    expect(await failedReply(again)).toEqual(refused('passkey-refused'))
    expect((await signIn()).username).toBe(alice.username)
  })

  test(`stops at ${limits.passkeysMax}, also when the last two come at once`, async () => {
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

  test('asks for a session that showed who it is, and for one at all', async () => {
    await site.db`update sessions set authenticated_at = now() - interval '1 hour' where user_id = ${alice.id}`
    expect(await failedReply(site.call(deletePasskey, { params: { id: 1 } }, alice))).toMatchObject({
      status: 403,
    })
    expect(await failedReply(site.call(beginAddingPasskey, {}, alice))).toMatchObject({
      body: { confirm: ['password'] },
    })
    expect(await failedReply(site.call(listPasskeys, { query: {} }))).toMatchObject({ status: 401 })
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
    expect(await failedReply(site.call(listPasskeys, { query: { page: 2 } }, alice))).toMatchObject({
      status: 404,
    })
  })

  test('are nobody else’s', async () => {
    const { passkey } = await add(alice)
    const bob = await signUp(site, `bob${people}`)
    const params = { id: passkey.id }
    expect((await site.call(listPasskeys, { query: {} }, bob)).count).toBe(0)
    expect(await failedReply(site.call(renamePasskey, { params, body: { name: 'His' } }, bob))).toEqual(
      refused('not-found'),
    )
    expect(await failedReply(site.call(deletePasskey, { params }, bob))).toEqual(refused('not-found'))
    expect((await site.call(listPasskeys, { query: {} }, alice)).results[0]?.name).toBe('Phone')
  })

  test('go, and with the last the recovery codes', async () => {
    const codes = () => site.db`select from recovery_codes where user_id = ${alice.id}`
    const first = await add(alice)
    const second = await add(alice, createAuthenticator(), { name: 'Laptop' })
    await site.call(deletePasskey, { params: { id: first.passkey.id } }, alice)
    expect(await codes()).toHaveLength(limits.recoveryCodesCount)
    expect(await failedReply(signIn())).toEqual(refused('passkey-refused'))
    await site.call(deletePasskey, { params: { id: second.passkey.id } }, alice)
    expect(await codes()).toHaveLength(0)
    await site.call(logIn, { body: { username: alice.username, password: alice.password } })
  })

  test('stay where there is no other way in, also when the last two go at once', async () => {
    const first = await add(alice)
    await site.db`update users set password_hash = null where id = ${alice.id}`
    const remove = (id: number) => site.call(deletePasskey, { params: { id } }, alice)
    expect(await failedReply(remove(first.passkey.id))).toEqual(refused('last-sign-in-method'))
    // Another site's word lets them in only while that site is asked.
    await site.db`
      insert into identities (user_id, issuer, subject) values (${alice.id}, 'https://gone.example/', ${alice.username})`
    expect(await failedReply(remove(first.passkey.id))).toEqual(refused('last-sign-in-method'))
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
    const { passkey } = await registerTestPasskey(working, bob, phone, { name: 'My phone' })
    await working.call(deletePasskey, { params: { id: passkey.id } }, bob)
    const texts = (await waitForMailsTo(working, bob.email, 2)).map(({ text }) => text).join()
    expect(texts).toContain('A passkey was added to your account (My phone)')
    expect(texts).toContain('A passkey was removed from your account (My phone)')
  } finally {
    await working.close()
  }
})

test('a passkey is for the host name that people type, and for no other origin on it', async () => {
  const publicUrl = 'https://videos.example:8443'
  const there = await bootApp({ settings: { publicUrl } })
  const bob = await signUp(there, 'bob')
  const his = createAuthenticator({ origin: publicUrl })
  await registerTestPasskey(there, bob, his)
  expect(his.passkeys[0]?.rpId).toBe('videos.example')
  expect((await logInWithTestPasskey(there, his)).username).toBe('bob')
  const elsewhere = logInWithTestPasskey(there, his, { origin: 'https://videos.example' })
  expect(await failedReply(elsewhere)).toEqual(refused('passkey-refused'))
  await there.close()
})
