import { createAccessToken } from '@reelmark/contract/access-tokens.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'

const crossSite = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }

let site: TestApp
let alice: TestUser
let token: string
beforeAll(async () => {
  site = await bootApp()
  alice = await signUp(site, 'alice')
  const body = { name: 'A page', scopes: ['read' as const], expires_in_days: null }
  token = (await site.call(createAccessToken, { body }, alice)).token
})
afterAll(() => site.close())

/** Sends a request of a page of another origin and returns its status, error code and CORS headers. */
async function send(
  method: 'GET' | 'POST' | 'PATCH' | 'OPTIONS',
  path: string,
  headers: Record<string, string> = {},
  payload?: object,
) {
  const reply = await site.app.inject({
    method,
    url: `/api${path}`,
    headers: { ...crossSite, ...headers },
    ...(payload && { payload }),
  })
  const cors = Object.entries(reply.headers).filter(([name]) => name.startsWith('access-control'))
  const code = reply.body.startsWith('{') ? (reply.json().code ?? null) : null
  return { status: reply.statusCode, code, cors: Object.fromEntries(cors), headers: reply.headers }
}
const withToken = (value = token) => ({ authorization: `Bearer ${value}` })
const readable = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'idempotency-replayed, retry-after',
}

describe('a page of another origin', () => {
  test('is told once, for two hours, which methods and headers it may use, and never with cookies', async () => {
    const question = {
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization',
    }
    const { status, cors } = await send('OPTIONS', '/bookmarks/1/', question)
    expect([status, cors]).toEqual([
      204,
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
        'access-control-allow-headers': 'authorization, content-type, idempotency-key',
        'access-control-max-age': '7200',
      },
    ])
  })

  test('reads replies and errors to its access token', async () => {
    expect(await send('GET', '/videos/', withToken())).toMatchObject({ status: 200, cors: readable })
    expect(await send('GET', '/videos/', withToken('rmk_unknown'))).toMatchObject({
      status: 401,
      code: 'invalid-token',
      cors: readable,
    })
    expect(await send('POST', '/collections/', withToken(), { name: 'x' })).toMatchObject({
      status: 403,
      code: 'insufficient-scope',
      cors: readable,
    })
    expect(await send('GET', '/bookmarks/999999/', withToken())).toMatchObject({
      status: 404,
      cors: readable,
    })
  })

  test('reads no reply to a visitor, a cookie or a session', async () => {
    for (const headers of [{}, { cookie: 'device=x' }, withToken(alice.access), withToken('x')])
      expect((await send('GET', '/videos/', headers as Record<string, string>)).cors).toEqual({})
  })

  test('writes nothing with a session or as a visitor', async () => {
    const body = { name: 'Elsewhere' }
    expect(await send('POST', '/collections/', withToken(alice.access), body)).toMatchObject({
      status: 403,
      code: 'cross-site',
      cors: {},
    })
    expect(await send('POST', '/collections/', {}, body)).toMatchObject({ code: 'cross-site', cors: {} })
  })

  test('calls nothing that is open to anyone by adding a token, except to exchange a code', async () => {
    const login = { username: 'alice', password: alice.password }
    expect(await send('POST', '/token/', withToken(), login)).toMatchObject({
      status: 403,
      code: 'cross-site',
      cors: {},
    })
    const exchange = {
      grant_type: 'authorization_code',
      code: 'x',
      code_verifier: 'x'.repeat(43),
      client_id: 'a-page',
    }
    expect(await send('POST', '/auth/connections/token/', {}, exchange)).toMatchObject({
      status: 400,
      code: 'invalid-connection-code',
      cors: readable,
    })
  })

  test('cannot use its token for the account, its sessions or its tokens', async () => {
    expect(await send('GET', '/auth/tokens/', withToken())).toMatchObject({
      status: 403,
      code: 'insufficient-scope',
    })
  })
})

test('OPTIONS without a question about another origin is not found', async () => {
  expect(await send('OPTIONS', '/videos/')).toMatchObject({ status: 404, code: 'not-found', cors: {} })
})
