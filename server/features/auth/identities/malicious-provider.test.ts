import { errors } from '@reelmark/contract/protocol/errors.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type MaliciousProvider,
  type OidcTampering,
  startMaliciousProvider,
} from '../../../testing/malicious-oidc-provider.fixture.ts'
import { openBrowser } from '../../../testing/oidc-browser.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'

let site: TestApp
let provider: MaliciousProvider
beforeAll(async () => {
  provider = await startMaliciousProvider()
  site = await bootApp({ settings: { oidc: provider.oidc } })
})
afterAll(async () => {
  await site.close()
  await provider.close()
})
beforeEach(() => {
  provider.tampering = {}
})

const answer = (name: 'sign-in-refused' | 'unavailable') => ({
  status: errors[name][0],
  body: { detail: errors[name][1], code: name },
})

async function signIn(tampering: OidcTampering = {}) {
  const browser = openBrowser(site)
  const returned = provider.visit(await browser.beginRedirect())
  provider.tampering = tampering
  return browser.completeRedirect(returned)
}

const now = () => Math.floor(Date.now() / 1000)

test('what it says is believed while it is true', async () => {
  expect(await signIn()).toMatchObject({ status: 409, body: { email: 'zoe@example.org' } })
})

describe('is refused', () => {
  test.each<[string, OidcTampering]>([
    ['an id token of another sign-in', { claims: { nonce: 'another' } }],
    ['one of no sign-in', { claims: { nonce: undefined } }],
    ['one for another site', { claims: { aud: 'another' } }],
    [
      'one for several, of which another is meant',
      { claims: { aud: ['reelmark', 'another'], azp: 'another' } },
    ],
    ['one of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['one of no issuer', { claims: { iss: undefined } }],
    ['one that is over', { claims: { iat: now() - 7200, exp: now() - 3600 } }],
    ['one that never ends', { claims: { exp: undefined } }],
    ['one that is not yet', { claims: { nbf: now() + 3600 } }],
    ['one of nobody', { claims: { sub: undefined } }],
    ['one of a subject that is no text', { claims: { sub: { id: 'zoe' } } }],
    ['one of a subject that cannot be kept', { claims: { sub: 'z\0e' } }],
    ['one of a far too long subject', { claims: { sub: 'z'.repeat(256) } }],
    ['one without a signature', { signature: 'none' }],
    ['one of which the signature is cut off', { signature: 'cut off' }],
    ['one that somebody else signed', { signature: 'wrong key' }],
    ['an answer that holds no id token', { body: '{"access_token":"x","token_type":"bearer"}' }],
    ['an answer that is none', { body: '<!doctype html>' }],
    ['an answer that is null', { body: 'null' }],
    ['a code that was used', { status: 400, body: '{"error":"invalid_grant"}' }],
    ['more of somebody else', { claims: { email: undefined }, userinfo: { sub: 'another', email: 'a@b.c' } }],
    ['more that is none', { claims: { email: undefined }, userinfo: 'broken' }],
  ])('%s', async (_, tampering) => {
    expect(await signIn(tampering)).toEqual(answer('sign-in-refused'))
    expect(await site.db`select from identities`).toHaveLength(0)
  })
})

describe('while the other site is away', () => {
  test('people are told so within seconds, whatever it does', async () => {
    const started = Date.now()
    expect(await signIn({ silent: true })).toEqual(answer('unavailable'))
    expect(Date.now() - started).toBeLessThan(30_000)
    expect(await signIn({ status: 502, body: 'Bad gateway' })).toEqual(answer('unavailable'))
    expect(await signIn({ body: `"${'x'.repeat(2_000_000)}"` })).toEqual(answer('unavailable'))
  })

  test.each<[string, OidcTampering['discovery']]>([
    ['says nothing', 'silent'],
    ['says something else', 'broken'],
    ['says to be another', { issuer: 'https://evil.example' }],
    ['names no place to go', { authorization_endpoint: undefined }],
    ['names a place that is none', { authorization_endpoint: 7 }],
  ])(
    'nobody is sent to one that %s of itself, and the next try asks again',
    async (_, discovery) => {
      const other = await startMaliciousProvider()
      const fresh = await bootApp({ settings: { oidc: other.oidc } })
      other.tampering = { discovery: discovery as NonNullable<typeof discovery> }
      const start = () => fresh.app.inject({ method: 'POST', url: '/api/token/oidc/start/' })
      const replies = await Promise.all([start(), start()])
      expect(replies.map(({ statusCode }) => statusCode)).toEqual([503, 503])
      // Those who come at once wait for one answer.
      expect(other.asked).toHaveLength(1)
      other.tampering = {}
      expect((await start()).statusCode).toBe(200)
      await fresh.close()
      await other.close()
    },
    20_000,
  )

  test('one that is not there at all gives 503', async () => {
    const other = await startMaliciousProvider()
    const fresh = await bootApp({ settings: { oidc: other.oidc } })
    await other.close()
    const reply = await fresh.app.inject({ method: 'POST', url: '/api/token/oidc/start/' })
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5'])
    await fresh.close()
  })

  test('what was known of it stays good, and is asked anew after an hour', async () => {
    const hour = 60 * 60 * 1000
    const later = vi.spyOn(Date, 'now')
    const at = Date.now()
    const start = async () =>
      (await site.app.inject({ method: 'POST', url: '/api/token/oidc/start/' })).statusCode
    try {
      expect(await start()).toBe(200)
      provider.asked.length = 0
      expect([await start(), provider.asked]).toEqual([200, []])
      provider.tampering = { discovery: 'broken' }
      later.mockReturnValue(at + 2 * hour)
      expect([await start(), await start(), provider.asked.length]).toEqual([200, 200, 1])
      provider.tampering = {}
      later.mockReturnValue(at + 3 * hour)
      expect([await start(), await start(), provider.asked.length]).toEqual([200, 200, 2])
    } finally {
      later.mockRestore()
    }
  })

  test('what it names inside our network is not gone to', async () => {
    const inside = await startMaliciousProvider()
    const other = await startMaliciousProvider()
    other.tampering = { discovery: { token_endpoint: `${inside.oidc.issuer}token` } }
    const fresh = await bootApp({ settings: { oidc: other.oidc } })
    const browser = openBrowser(fresh)
    const returned = other.visit(await browser.beginRedirect())
    expect(await browser.completeRedirect(returned)).toEqual(answer('unavailable'))
    expect(inside.asked).toEqual([])
    await fresh.close()
    await Promise.all([inside.close(), other.close()])
  })
})

test('more of somebody is asked only of those who are new', async () => {
  provider.asked.length = 0
  expect(
    await signIn({ claims: { email: undefined }, userinfo: { email: 'nina@example.org' } }),
  ).toMatchObject({
    status: 409,
    body: { email: 'nina@example.org', suggested_username: 'nina' },
  })
  expect(provider.asked).toContain('/userinfo')
  await site.db`
    with made as (insert into users (username, email) values ('nina', 'nina@example.org') returning id)
    insert into identities (user_id, issuer, subject) select id, ${provider.oidc.issuer}, 'zoe' from made`
  provider.asked.length = 0
  expect(await signIn({ claims: { email: undefined } })).toMatchObject({
    status: 200,
    body: { username: 'nina' },
  })
  expect(provider.asked).not.toContain('/userinfo')
})
