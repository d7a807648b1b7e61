/** Every error response carries its code: declared errors, errors of the framework, and as documented in OpenAPI. */
import { type ErrorName, errors } from '@reelmark/contract/protocol/errors.ts'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError, InvalidFields, registerErrors } from './core/http/errors.ts'
import { loadEndpoints } from './testing/contract-endpoints.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { signUp, type TestUser } from './testing/test-users.ts'

const table = Object.entries(errors) as [ErrorName, readonly [number, string]][]
const contract = await loadEndpoints()

describe('a declared error', () => {
  let app: FastifyInstance
  beforeAll(async () => {
    app = Fastify()
    registerErrors(app)
    for (const group of ['accounts', 'reports']) {
      app.get<{ Params: { code: ErrorName } }>(
        `/${group}/:code`,
        { schema: { tags: [group] } },
        async ({ params }) => {
          throw new ApiError(params.code, { extra: 7 })
        },
      )
    }
    app.get('/fields', async () => {
      throw new InvalidFields({ video: { title: ['Too long.'] }, non_field_errors: ['Odd.'] })
    })
    await app.ready()
  })
  afterAll(() => app.close())

  test.each(table)('%s is sent with its status, text and code', async (code, [status, detail]) => {
    const reply = await app.inject(`/accounts/${code}`)
    expect([reply.statusCode, reply.json()]).toEqual([status, { detail, extra: 7, code }])
    const reported = await app.inject(`/reports/${code}`)
    expect(reported.json()).toEqual({ error: detail, detail, extra: 7, code })
  })

  test('about fields lists the fields next to the code', async () => {
    const reply = await app.inject('/fields')
    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      { video: { title: ['Too long.'] }, non_field_errors: ['Odd.'], code: 'invalid' },
    ])
  })
})

describe('the error of a request', () => {
  let site: TestApp
  let alice: TestUser
  beforeAll(async () => {
    site = await bootApp()
    alice = await signUp(site, 'alice')
  })
  afterAll(() => site.close())

  const send = (method: 'GET' | 'POST', url: string, payload?: string, type = 'application/json') =>
    site.app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${alice.access}`,
        ...(payload !== undefined && { 'content-type': type }),
      },
      ...(payload !== undefined && { payload }),
    })
  const large = JSON.stringify({ name: 'x'.repeat(300_000) })

  test.each<[string, ErrorName, () => ReturnType<typeof send>]>([
    ['to an unknown path', 'not-found', () => send('GET', '/api/nothing/')],
    ['to a path that cannot be decoded', 'not-found', () => send('GET', '/api/bookmarks/%ff/')],
    ['with an invalid id', 'not-found', () => send('GET', '/api/bookmarks/abc/')],
    ['with an invalid page', 'invalid-page', () => send('GET', '/api/videos/?page=x')],
    ['with an invalid query', 'invalid', () => send('GET', '/api/videos/?page_size=1000')],
    ['with invalid JSON', 'malformed-body', () => send('POST', '/api/collections/', '{')],
    ['with an empty body', 'invalid', () => send('POST', '/api/collections/', '')],
    [
      'with an unknown content type',
      'unsupported-type',
      () => send('POST', '/api/collections/', 'x', 'text/plain'),
    ],
    ['with a body that is too large', 'too-large', () => send('POST', '/api/collections/', large)],
    ['with a wrong field', 'invalid', () => send('POST', '/api/collections/', '{"name":1}')],
    ['with a body that is no object', 'invalid', () => send('POST', '/api/collections/', '[]')],
    [
      'with a wrong field, about a report',
      'invalid',
      () => send('POST', '/api/report/', '{"report_type":"x"}'),
    ],
    [
      'without a token',
      'unauthenticated',
      () =>
        site.app.inject({
          method: 'POST',
          url: '/api/collections/',
          headers: { 'content-type': 'application/json' },
          payload: '{',
        }),
    ],
  ])('%s has the code %s', async (_, code, request) => {
    const reply = await request()
    expect([reply.statusCode, reply.json().code]).toEqual([errors[code][0], code])
  })

  test('above the rate limit has the code rate-limited', async () => {
    const limited = await bootApp({ settings: { rateLimitScale: 1 } })
    const bob = await signUp(limited, 'bob')
    const sendReply = () =>
      limited.app.inject({
        method: 'POST',
        url: '/api/comments/1/replies/',
        headers: { authorization: `Bearer ${bob.access}` },
        payload: { content: 'Hello' },
      })
    let reply = await sendReply()
    for (let attempt = 0; reply.statusCode !== 429 && attempt < 200; attempt++) reply = await sendReply()
    expect([reply.statusCode, reply.json().code]).toEqual([429, 'rate-limited'])
    await limited.close()
  })
})

test('no field of a request body has the name of a key of error responses', () => {
  // `code` and `error` are OAuth's names; their errors are not shown for a field.
  const exceptions = ['logInWithOidc', 'addIdentity', 'exchangeConnectionCode']
  const conflicting = contract.filter(([name, { body }]) => {
    const fields = Object.keys((body as { properties?: object } | undefined)?.properties ?? {})
    return !exceptions.includes(name) && fields.some((field) => ['code', 'detail', 'error'].includes(field))
  })
  expect(conflicting.map(([name]) => name)).toEqual([])
})
