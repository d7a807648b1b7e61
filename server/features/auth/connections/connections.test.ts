import { createHash, randomBytes } from 'node:crypto'
import { listAccessTokens } from '@reelmark/contract/access-tokens.ts'
import { logOut } from '@reelmark/contract/accounts.ts'
import {
  createConnectionCode,
  endConnection,
  exchangeConnectionCode,
  getConnection,
  type parameterFormats,
} from '@reelmark/contract/connections.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { waitForMailsTo } from '../../../testing/outbox.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let userCount = 0
beforeAll(async () => {
  site = await bootApp({ work: true })
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
})

type CodeBody = Input<typeof createConnectionCode>['body']
type ExchangeBody = Input<typeof exchangeConnectionCode>['body']

const code_verifier = randomBytes(32).toString('base64url')
const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
const redirect_uri = 'http://127.0.0.1:43210/callback?from=browser'

const allow = async (options: Partial<CodeBody> = {}, viewer: { access: string } | null = alice) => {
  const body: CodeBody = {
    client_id: 'reelmark-cli',
    scopes: ['write', 'read'],
    code_challenge,
    code_challenge_method: 'S256',
    expires_in_days: 90,
    ...options,
  }
  return (await site.call(createConnectionCode, { body }, viewer)).code
}
const exchange = (code: string, options: Partial<ExchangeBody> = {}) =>
  site.call(exchangeConnectionCode, {
    body: {
      grant_type: 'authorization_code',
      code,
      code_verifier,
      client_id: 'reelmark-cli',
      ...options,
    },
  })
const listTokens = async () => (await site.call(listAccessTokens, { query: {} }, alice)).results
const readEmail = async (access: string) =>
  (await site.call(getProfile, { params: { username: alice.username } }, { access })).email
const invalidCode = {
  status: 400,
  body: {
    detail: 'The code is invalid, has expired or was used. Connect again.',
    code: 'invalid-connection-code',
  },
}

describe('a program that a user allowed', () => {
  test('gets an access token with the allowed scopes, of which the owner is informed', async () => {
    const reply = await exchange(await allow())
    expect(reply).toEqual({
      access_token: expect.stringMatching(/^rmk_[\w-]{43}$/),
      token_type: 'Bearer',
      scope: 'read write',
      username: alice.username,
    })
    expect(await readEmail(reply.access_token)).toBe(alice.email)
    const [token] = await listTokens()
    expect(token).toMatchObject({
      name: 'Reelmark command-line client · Unknown device',
      scopes: ['read', 'write'],
      hint: reply.access_token.slice(0, 8),
    })
    const days = (Date.parse(token?.expires_at ?? '') - Date.parse(token?.created_at ?? '')) / 86_400_000
    expect(days).toBeCloseTo(90, 1)
    const [mail] = await waitForMailsTo(site, alice.email)
    expect(mail?.text).toContain('An access token was created for your account.')
  })

  test('names its token after itself and the browser in which it was allowed', async () => {
    const reply = await site.app.inject({
      method: 'POST',
      url: '/api/auth/connections/',
      headers: {
        authorization: `Bearer ${alice.access}`,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36',
      },
      payload: {
        client_id: 'my-script',
        scopes: ['read'],
        code_challenge,
        code_challenge_method: 'S256',
        expires_in_days: null,
      },
    })
    const { scope } = await exchange(reply.json().code, { client_id: 'my-script' })
    expect(scope).toBe('read')
    expect(await listTokens()).toMatchObject([
      { name: 'my-script · Chrome on Linux', scopes: ['read'], expires_at: null },
    ])
  })

  test('reads which account it may use, and how', async () => {
    const { access_token } = await exchange(await allow({ scopes: ['write'] }))
    expect(await site.call(getConnection, {}, { access: access_token })).toEqual({
      username: alice.username,
      scopes: ['write'],
      expires_at: expect.any(String),
    })
    expect((await failedReply(site.call(getConnection, {}, alice))).body).toMatchObject({ code: 'forbidden' })
  })

  test('revokes its own token to log out, and no other', async () => {
    const [first, second] = [await exchange(await allow()), await exchange(await allow())]
    await site.call(endConnection, {}, { access: first.access_token })
    expect((await failedReply(readEmail(first.access_token))).status).toBe(401)
    expect(await readEmail(second.access_token)).toBe(alice.email)
    expect(await listTokens()).toHaveLength(1)
  })
})

describe('a code', () => {
  test('works once: a second use revokes the token, and is logged as a sign of a takeover', async () => {
    const code = await allow()
    const { access_token } = await exchange(code)
    site.log.length = 0
    expect(await failedReply(exchange(code))).toEqual(invalidCode)
    expect((await failedReply(readEmail(access_token))).status).toBe(401)
    expect(site.log.filter(({ event }) => event === 'connection-code-reused')).toMatchObject([
      { outcome: 'access-token-deleted', target_id: alice.id },
    ])
    expect(await failedReply(exchange(code))).toEqual(invalidCode)
  })

  test('that two programs exchange at once leaves no valid token', async () => {
    const code = await allow()
    const outcomes = await Promise.allSettled([exchange(code), exchange(code)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await listTokens()).toEqual([])
  })

  test('expires after a minute', async () => {
    const code = await allow()
    const [ticket] = await site.db`
      update one_time_tickets set expires_at = expires_at - interval '60 seconds' where user_id = ${alice.id}
      returning expires_at <= now() as expired`
    expect(ticket).toEqual({ expired: true })
    expect(await failedReply(exchange(code))).toEqual(invalidCode)
  })

  test.each<[string, Partial<ExchangeBody>]>([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['another program', { client_id: 'reelmark-extension' }],
    ['another address', { redirect_uri: 'http://127.0.0.1:43211/callback?from=browser' }],
    ['no address', { redirect_uri: undefined as never }],
  ])('is refused with %s, and cannot be tried again', async (_what, options) => {
    const code = await allow({ redirect_uri })
    expect(await failedReply(exchange(code, { redirect_uri, ...options }))).toEqual(invalidCode)
    expect(await failedReply(exchange(code, { redirect_uri }))).toEqual(invalidCode)
    expect(await listTokens()).toEqual([])
  })

  test('that was made up is refused', async () => {
    expect(await failedReply(exchange('x'))).toEqual(invalidCode)
  })

  test('is worthless once the session that allowed it has ended', async () => {
    const code = await allow()
    await site.call(logOut, { body: { refresh: alice.refresh } })
    expect((await failedReply(exchange(code))).body).toMatchObject({ code: 'invalid-token' })
  })

  test('is stored as a hash only', async () => {
    const code = await allow()
    const rows = await site.db<{ row: string }[]>`select t::text as row from one_time_tickets t`
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ row }) => row.includes(code))).toEqual([])
    expect(site.statements.filter((text) => text.includes(code))).toEqual([])
  })
})

describe('allowing a program', () => {
  test('needs a recently authenticated session', async () => {
    expect((await failedReply(allow({}, null))).status).toBe(401)
    const { access_token } = await exchange(await allow())
    expect((await failedReply(allow({}, { access: access_token }))).body).toMatchObject({
      code: 'insufficient-scope',
    })
    await site.db`update sessions set authenticated_at = now() - interval '15 minutes' where user_id = ${alice.id}`
    expect((await failedReply(allow())).body).toMatchObject({ code: 'reauthentication-required' })
  })

  test('is refused at the maximum number of tokens, also when it was reached meanwhile', async () => {
    const code = await allow()
    await site.db`
      insert into access_tokens (user_id, hash, hint, name, scopes)
      select ${alice.id}, sha256((${alice.id} || ' connections ' || n)::bytea), 'rmk_abcd', 'old', '{read}'
        from generate_series(1, 50) n`
    const limitReached = {
      status: 409,
      body: { detail: "You've reached the limit. Delete one first.", code: 'limit-reached' },
    }
    expect(await failedReply(allow())).toEqual(limitReached)
    expect(await failedReply(exchange(code))).toEqual(limitReached)
  })

  test.each<[keyof typeof parameterFormats | 'scopes' | 'code_challenge_method', unknown]>([
    ['client_id', ''],
    ['client_id', '<b>cli</b>'],
    ['client_id', 'x'.repeat(51)],
    ['scopes', []],
    ['scopes', ['moderate']],
    ['scopes', ['feed']],
    ['scopes', ['read', 'read']],
    ['code_challenge', code_challenge.slice(1)],
    ['code_challenge', `${code_challenge.slice(1)}=`],
    ['code_challenge_method', 'plain'],
    ['redirect_uri', 'https://evil.example/callback'],
    ['redirect_uri', 'http://localhost:8080/'],
    ['redirect_uri', 'https://127.0.0.1:8080/'],
    ['redirect_uri', 'http://127.0.0.1/'],
    ['redirect_uri', 'http://127.0.0.1:0/'],
    ['redirect_uri', 'http://127.0.0.1:65536/'],
    ['redirect_uri', 'http://127.0.0.1:8080'],
    ['redirect_uri', 'http://127.0.0.1:8080@evil.example/'],
    ['redirect_uri', 'http://127.0.0.1:8080\\@evil.example/'],
    ['redirect_uri', 'http://127.0.0.1:8080/#x'],
    ['redirect_uri', 'http://127.0.0.1:8080/a b'],
    ['redirect_uri', 'http://127.0.0.1.evil.example:8080/'],
    ['redirect_uri', 'http://[::1].evil.example:8080/'],
    ['redirect_uri', 'javascript:alert(1)'],
    ['redirect_uri', `http://127.0.0.1:8080/${'x'.repeat(500)}`],
  ])('with %s as %j is refused with an error for the field', async (field, value) => {
    const { status, body } = await failedReply(allow({ [field]: value }))
    expect([status, Object.keys(body as object)]).toEqual([400, [field, 'code']])
  })

  test.each(['http://127.0.0.1:1/', 'http://127.0.0.1:65535/a/b?c=d%20e', 'http://[::1]:8080/callback'])(
    'may take the answer to %s',
    async (address) => {
      const code = await allow({ redirect_uri: address })
      expect((await exchange(code, { redirect_uri: address })).username).toBe(alice.username)
    },
  )
})
