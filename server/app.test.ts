import { validate } from '@apidevtools/swagger-parser'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { failedReply, signUp } from './testing/test-users.ts'

let site: TestApp
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())

const get = (url: string, headers = {}) => site.app.inject({ method: 'GET', url, headers })
const post = (url: string, payload: string, headers: Record<string, string> = {}) =>
  site.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  })

describe('the site', () => {
  it('reports that it runs and that it can serve requests', async () => {
    expect((await get('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await get('/readyz')).statusCode).toBe(200)
  })

  it('describes every endpoint of its API in valid OpenAPI 3.1', async () => {
    const document = (await get('/api/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    await validate(structuredClone(document))
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/api/videos/', '/api/bookmarks/{id}/', '/api/token/', '/api/auth/register/']),
    )
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path as object))
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  })

  it('serves the API documentation at /api/docs', async () => {
    const page = await get('/api/docs/')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
  })

  it('responds to a path with and without its trailing slash', async () => {
    expect((await get('/api/videos')).json()).toEqual((await get('/api/videos/')).json())
  })

  it('sends its security headers with every response', async () => {
    for (const url of ['/api/videos/', '/api/nothing/', '/healthz']) {
      expect((await get(url)).headers, url).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      })
    }
    expect((await get('/api/videos/')).headers['strict-transport-security']).toBeUndefined()
  })

  it('sends Strict-Transport-Security only if it is served over https', async () => {
    const secure = await bootApp({ settings: { publicUrl: 'https://reelmark.example' } })
    const { headers } = await secure.app.inject('/healthz')
    expect(headers['strict-transport-security']).toMatch(/max-age=\d{7,}/)
    await secure.close()
  })

  it('explains what is wrong with a malformed request', async () => {
    expect((await get('/api/nothing/')).json()).toEqual({ detail: 'Not found.', code: 'not-found' })
    expect(await post('/api/token/', '{"username":')).toMatchObject({
      statusCode: 400,
      body: '{"detail":"The body isn\'t valid JSON.","code":"malformed-body"}',
    })
    for (const type of ['text/csv', 'text/plain', 'application/x-www-form-urlencoded']) {
      const reply = await post('/api/token/', '{}', { 'content-type': type })
      expect([reply.statusCode, reply.json()], type).toEqual([
        415,
        { detail: "This content type isn't supported.", code: 'unsupported-type' },
      ])
    }
    const deep = await post('/api/token/', `{"username":${'['.repeat(100)}${']'.repeat(100)}}`)
    expect(deep.json()).toEqual({
      non_field_errors: ['The body is nested too deeply.'],
      code: 'invalid',
    })
    const nested = await post('/api/token/', '[1,'.repeat(60_000))
    expect(nested).toMatchObject({
      statusCode: 400,
      body: '{"detail":"The body isn\'t valid JSON.","code":"malformed-body"}',
    })
    const long = await post('/api/token/', `{"username":[${'"a",'.repeat(5000)}"a"]}`)
    expect(long.json()).toEqual({ non_field_errors: ['The body has too many values.'], code: 'invalid' })
    const huge = JSON.stringify({ username: 'a'.repeat(300_000), password: 'x' })
    expect(await post('/api/token/', huge)).toMatchObject({ statusCode: 413 })
  })

  it('refuses invalid UTF-8 and names without a visible character', async () => {
    const { access } = await signUp(site, 'unicode')
    const send = (payload: Buffer | string) =>
      site.app.inject({
        method: 'POST',
        url: '/api/collections/',
        headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
        payload,
      })
    const brokenSite = await send(
      Buffer.from([...Buffer.from('{"name":"a'), 0xff, 0xc0, ...Buffer.from('"}')]),
    )
    expect([brokenSite.statusCode, brokenSite.json()]).toEqual([
      400,
      { detail: "The body isn't valid JSON.", code: 'malformed-body' },
    ])
    for (const name of [' ', '\u200b', '\u2060\u00ad', '\u3164', '\u2800', '\u0001\u0002', '\u202e']) {
      const blank = await send(JSON.stringify({ name }))
      expect(blank.json(), JSON.stringify(name)).toEqual({
        name: ['This field is required.'],
        code: 'invalid',
      })
    }
    for (const name of ['\u200dé', '💥', '🏳️‍🌈', '한', '.']) {
      expect((await send(JSON.stringify({ name }))).json()).toMatchObject({ name: name.normalize('NFC') })
    }
    expect((await send(`\ufeff{"name":"after a mark"}`)).statusCode).toBe(201)
  })

  it('responds to an undecodable path with a page or, for the API, with JSON', async () => {
    for (const url of ['/users/%ff', '/bookmarks/%', '/api/profile/%ff/']) {
      const { statusCode, headers } = await get(url)
      expect([statusCode, headers['content-type']], url).toEqual([
        404,
        url.startsWith('/api/') ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
      ])
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  it('names the authentication scheme if the token is missing or invalid', async () => {
    for (const headers of [{}, { authorization: 'Bearer none' }]) {
      const reply = await get('/api/collections/', headers)
      expect([reply.statusCode, reply.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    }
  })

  it('words field errors like Django REST framework, nested like the body', async () => {
    const ana = await signUp(site, 'ana')
    const reply = await post(
      '/api/bookmarks/',
      JSON.stringify({
        video: { source_url: 5, tags: ['ok', 7], extra: 1 },
        bookmark: { access: 'PRIVATE' },
      }),
      { authorization: `Bearer ${ana.access}` },
    )
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toEqual({
      code: 'invalid',
      video: {
        title: ['This field is required.'],
        source_url: ['Not a valid string.'],
        tags: { 1: ['Not a valid string.'] },
        extra: ['Unknown field.'],
      },
      bookmark: { access: ['Not a valid choice.'] },
    })
    expect((await post('/api/token/', '[]')).json()).toEqual({
      non_field_errors: ['Expected an object.'],
      code: 'invalid',
    })
  })

  it('responds with 404 to invalid ids and pages', async () => {
    for (const id of [
      '0',
      '-1',
      'abc',
      '1e3',
      '1e0',
      '0x1',
      '+1',
      '%201',
      '9'.repeat(30),
      '%00',
      '..%2f',
      '%',
      '%ff',
      'a'.repeat(600),
    ]) {
      expect((await get(`/api/bookmarks/${id}/`)).statusCode, id).toBe(404)
    }
    expect(await failedReply(site.call(getBookmark, { params: { id: 999_999 } }))).toEqual({
      status: 404,
      body: { detail: 'Not found.', code: 'not-found' },
    })
    for (const page of ['0', '-1', 'x', '2', '1000001', '1.5', '0x1', '1e0', '%2B1']) {
      expect((await get(`/api/videos/?page=${page}`)).json(), page).toEqual({
        detail: 'Invalid page.',
        code: 'invalid-page',
      })
    }
  })

  it('logs each request with its id and without secrets', async () => {
    site.log.length = 0
    const password = 'a secret password'
    await post('/api/token/', JSON.stringify({ username: 'ana', password }))
    await get('/api/collections/', { authorization: 'Bearer very.secret.token' })
    const lines = JSON.stringify(site.log)
    expect(lines).not.toContain(password)
    expect(lines).not.toContain('very.secret.token')
    expect(site.log.every((line) => typeof line.reqId === 'string')).toBe(true)
    expect(site.log.length).toBeGreaterThan(0)
  })

  it('reports an internal error with its request id and without details', async () => {
    const brokenSite = await bootApp()
    await brokenSite.db`alter table tags rename to no_tags`
    const reply = await brokenSite.app.inject('/api/tags/')
    expect(reply.statusCode).toBe(500)
    expect(reply.json()).toEqual({
      detail: 'Something went wrong on our side.',
      code: 'internal-error',
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const errorLines = brokenSite.log.filter((line) => line.level >= 50)
    expect(errorLines).toHaveLength(1)
    expect(errorLines[0]?.reqId).toBe(reply.json().request_id)
    brokenSite.log.length = 0
    await brokenSite.close()
  })

  it('responds with 503 while the database is unavailable, and is not ready', async () => {
    const siteWithoutDatabase = await bootApp()
    await siteWithoutDatabase.app.deps.db.end({ timeout: 0 })
    expect((await siteWithoutDatabase.app.inject('/readyz')).statusCode).toBe(503)
    const reply = await siteWithoutDatabase.app.inject('/api/videos/')
    expect(reply.statusCode).toBe(503)
    expect(reply.json().code).toBe('unavailable')
    expect(reply.headers['retry-after']).toBeDefined()
    expect((await siteWithoutDatabase.app.inject('/healthz')).statusCode).toBe(200)
    siteWithoutDatabase.log.length = 0
    await siteWithoutDatabase.close()
  })
})
