import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type MaliciousProvider,
  type OidcTampering,
  startMaliciousProvider,
} from '../../../testing/malicious-oidc-provider.fixture.ts'
import { openBrowser } from '../../../testing/oidc-browser.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { errorReply } from '../../../testing/test-users.ts'

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

async function signIn(tampering: OidcTampering = {}) {
  const browser = openBrowser(site)
  const returned = provider.visit(await browser.beginRedirect())
  provider.tampering = tampering
  return browser.completeRedirect(returned)
}

const now = () => Math.floor(Date.now() / 1000)

test('a correct response of the provider is accepted', async () => {
  expect(await signIn()).toMatchObject({ status: 409, body: { email: 'zoe@example.org' } })
})

describe('signing in is refused', () => {
  test.each<[string, OidcTampering]>([
    ['with an id token of another sign-in', { claims: { nonce: 'another' } }],
    ['with an id token without a nonce', { claims: { nonce: undefined } }],
    ['with an id token for another audience', { claims: { aud: 'another' } }],
    [
      'with an id token for several audiences and another authorised party',
      { claims: { aud: ['reelmark', 'another'], azp: 'another' } },
    ],
    ['with an id token of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['with an id token without an issuer', { claims: { iss: undefined } }],
    ['with an expired id token', { claims: { iat: now() - 7200, exp: now() - 3600 } }],
    ['with an id token without an expiry', { claims: { exp: undefined } }],
    ['with an id token that is not valid yet', { claims: { nbf: now() + 3600 } }],
    ['with an id token without a subject', { claims: { sub: undefined } }],
    ['with a subject that is not a string', { claims: { sub: { id: 'zoe' } } }],
    ['with a subject that cannot be stored', { claims: { sub: 'z\0e' } }],
    ['with a subject that is too long', { claims: { sub: 'z'.repeat(256) } }],
    ['with an unsigned id token', { signature: 'none' }],
    ['with a truncated signature', { signature: 'cut off' }],
    ['with a signature of another key', { signature: 'wrong key' }],
    ['if the token response has no id token', { body: '{"access_token":"x","token_type":"bearer"}' }],
    ['if the token response is not JSON', { body: '<!doctype html>' }],
    ['if the token response is null', { body: 'null' }],
    ['if the code was used before', { status: 400, body: '{"error":"invalid_grant"}' }],
    [
      'if the userinfo is that of another subject',
      { claims: { email: undefined }, userinfo: { sub: 'another', email: 'a@b.c' } },
    ],
    ['if the userinfo is invalid', { claims: { email: undefined }, userinfo: 'broken' }],
  ])('%s', async (_, tampering) => {
    expect(await signIn(tampering)).toEqual(errorReply('sign-in-refused'))
    expect(await site.db`select from identities`).toHaveLength(0)
  })
})

describe('while the provider is unavailable', () => {
  test('signing in returns 503 within seconds, whatever the failure', async () => {
    const started = Date.now()
    expect(await signIn({ silent: true })).toEqual(errorReply('unavailable'))
    expect(Date.now() - started).toBeLessThan(30_000)
    expect(await signIn({ status: 502, body: 'Bad gateway' })).toEqual(errorReply('unavailable'))
    expect(await signIn({ body: `"${'x'.repeat(2_000_000)}"` })).toEqual(errorReply('unavailable'))
  })

  test.each<[string, OidcTampering['discovery']]>([
    ['does not respond', 'silent'],
    ['has an invalid document', 'broken'],
    ['names another issuer', { issuer: 'https://evil.example' }],
    ['has no authorisation endpoint', { authorization_endpoint: undefined }],
    ['has an invalid authorisation endpoint', { authorization_endpoint: 7 }],
  ])(
    'no redirect is made to a provider whose discovery %s, and the next attempt requests it again',
    async (_, discovery) => {
      const otherProvider = await startMaliciousProvider()
      const siteOfOther = await bootApp({ settings: { oidc: otherProvider.oidc } })
      otherProvider.tampering = { discovery: discovery as NonNullable<typeof discovery> }
      const start = () => siteOfOther.app.inject({ method: 'POST', url: '/api/token/oidc/start/' })
      const replies = await Promise.all([start(), start()])
      expect(replies.map(({ statusCode }) => statusCode)).toEqual([503, 503])
      // Concurrent requests share one discovery request.
      expect(otherProvider.requestedPaths).toHaveLength(1)
      otherProvider.tampering = {}
      expect((await start()).statusCode).toBe(200)
      await siteOfOther.close()
      await otherProvider.close()
    },
  )

  test('a provider that refuses connections gives 503', async () => {
    const otherProvider = await startMaliciousProvider()
    const siteOfOther = await bootApp({ settings: { oidc: otherProvider.oidc } })
    await otherProvider.close()
    const reply = await siteOfOther.app.inject({ method: 'POST', url: '/api/token/oidc/start/' })
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5'])
    await siteOfOther.close()
  })

  test('its discovery document stays valid, and is requested again after an hour', async () => {
    const hour = 60 * 60 * 1000
    const clock = vi.spyOn(Date, 'now')
    const startTime = Date.now()
    const start = async () =>
      (await site.app.inject({ method: 'POST', url: '/api/token/oidc/start/' })).statusCode
    try {
      expect(await start()).toBe(200)
      provider.requestedPaths.length = 0
      expect([await start(), provider.requestedPaths]).toEqual([200, []])
      provider.tampering = { discovery: 'broken' }
      clock.mockReturnValue(startTime + 2 * hour)
      expect([await start(), await start(), provider.requestedPaths.length]).toEqual([200, 200, 1])
      provider.tampering = {}
      clock.mockReturnValue(startTime + 3 * hour)
      expect([await start(), await start(), provider.requestedPaths.length]).toEqual([200, 200, 2])
    } finally {
      clock.mockRestore()
    }
  })

  test('an endpoint inside the local network is not requested', async () => {
    const internalService = await startMaliciousProvider()
    const otherProvider = await startMaliciousProvider()
    otherProvider.tampering = { discovery: { token_endpoint: `${internalService.oidc.issuer}token` } }
    const siteOfOther = await bootApp({ settings: { oidc: otherProvider.oidc } })
    const browser = openBrowser(siteOfOther)
    const returned = otherProvider.visit(await browser.beginRedirect())
    expect(await browser.completeRedirect(returned)).toEqual(errorReply('unavailable'))
    expect(internalService.requestedPaths).toEqual([])
    await siteOfOther.close()
    await Promise.all([internalService.close(), otherProvider.close()])
  })
})

test('the userinfo endpoint is requested only for new users', async () => {
  provider.requestedPaths.length = 0
  expect(
    await signIn({ claims: { email: undefined }, userinfo: { email: 'nina@example.org' } }),
  ).toMatchObject({
    status: 409,
    body: { email: 'nina@example.org', suggested_username: 'nina' },
  })
  expect(provider.requestedPaths).toContain('/userinfo')
  await site.db`
    with new_user as (insert into users (username, email) values ('nina', 'nina@example.org') returning id)
    insert into identities (user_id, issuer, subject) select id, ${provider.oidc.issuer}, 'zoe' from new_user`
  provider.requestedPaths.length = 0
  expect(await signIn({ claims: { email: undefined } })).toMatchObject({
    status: 200,
    body: { username: 'nina' },
  })
  expect(provider.requestedPaths).not.toContain('/userinfo')
})
