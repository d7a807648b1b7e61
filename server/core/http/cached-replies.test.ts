import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createAccessToken } from '@reelmark/contract/access-tokens.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { createVisitorCache } from './visitor-cache.ts'

let site: TestApp
let url: string
let ana: TestUser
beforeAll(async () => {
  site = await bootApp({
    visitorCache: createVisitorCache(60_000),
    settings: { rateLimitScale: 1, trustProxy: ['loopback'] },
  })
  ana = await signUp(site, 'ana')
  for (let n = 0; n < 5; n++) await saveFilm(site, ana, `Film ${n} – “größer”`)
  url = `${await site.app.listen({ port: 0, host: '127.0.0.1' })}/api/videos/`
})
afterAll(() => site.close())

interface Response {
  statusCode: number | undefined
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Requests the list over a connection of its own, because injected requests do not pass Node's server. */
async function listing(
  headers: OutgoingHttpHeaders | string[] = {},
  method = 'GET',
  address = url,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  request(address, { method, headers, agent: false }, (response) => {
    const { statusCode, headers } = response
    buffer(response).then((body) => resolve({ statusCode, headers, body }), reject)
  })
    .on('error', reject)
    .end()
  return await promise
}

const hits = () => site.app.deps.visitorCache.statistics().hits

describe('a cached response for visitors', () => {
  test('has the status, headers and body of the response that created it', async () => {
    const { headers: first, ...created } = await listing()
    const { headers: second, ...cached } = await listing()
    expect(cached.statusCode).toBe(created.statusCode)
    expect(cached.body.equals(created.body)).toBe(true)
    expect(cached.body.toString()).toContain('Film 4 – “größer”')
    expect({ ...second, date: '' }).toEqual({ ...first, date: '' })
    expect(second['content-security-policy']).toContain("default-src 'none'")
    expect(second['cache-control']).toBe('no-store')
  })

  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['BR;q=0, GZIP', 'gzip', gunzipSync],
  ])(
    'is compressed for "%s" as %s, later without compressing it again',
    async (accepted, encoding, decode) => {
      const { body } = await listing()
      // Compressed for each request until the compressed response is stored, which then has a length.
      await vi.waitFor(async () =>
        expect((await listing({ 'accept-encoding': accepted })).headers).toHaveProperty('content-length'),
      )
      const reply = await listing({ 'accept-encoding': accepted })
      expect(reply.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
      expect(decode(reply.body).equals(body)).toBe(true)
      expect(Number(reply.headers['content-length'])).toBe(reply.body.length)
      expect(reply.body.length).toBeLessThan(body.length / 2)
    },
  )

  test('is not compressed for clients that accept no encoding that the site has', async () => {
    const { body } = await listing()
    for (const accepted of ['identity', 'zstd', '', 'br;q=0']) {
      const reply = await listing({ 'accept-encoding': accepted })
      expect(reply.headers['content-encoding']).toBeUndefined()
      expect(reply.body.equals(body)).toBe(true)
    }
  })

  test('counts as one call of its address, and as one hit', async () => {
    await listing()
    const consume = vi.spyOn(site.app.processBuckets, 'consume')
    const before = hits()
    await listing({ 'x-forwarded-for': '203.0.113.7' })
    expect(consume.mock.calls.map(([key]) => key)).toEqual(['request 203.0.113.7', 'read 203.0.113.7'])
    expect(hits()).toBe(before + 1)
    consume.mockRestore()
  })

  test('does not answer other methods, tokens, and malformed requests', async () => {
    await listing()
    expect((await listing({ authorization: 'Bearer x' })).statusCode).toBe(401)
    expect((await listing({}, 'HEAD')).body.length).toBe(0)
    expect((await listing({}, 'POST')).statusCode).toBe(404)
    expect((await listing(['host', 'a.example', 'host', 'b.example'])).statusCode).toBe(400)
  })
})

describe('a cached response for a signed-in user', () => {
  const bearer = (user: TestUser) => ({ authorization: `Bearer ${user.access}` })
  const like = async (user: TestUser, title: string) => {
    const { results } = JSON.parse((await listing(bearer(user))).body.toString())
    const { video_id } = results.find((item: { title: string }) => item.title.includes(title))
    await site.call(toggleLike, { params: { id: video_id } }, user)
  }

  test('has the status, headers and body of the response that Fastify sends', async () => {
    const ben = await signUp(site, 'ben')
    await like(ben, 'Film 2')
    for (const user of [ana, ben]) {
      // Until the process has applied what the like changed.
      await expect
        .poll(async () => {
          const before = hits()
          await listing(bearer(user))
          return hits() - before
        })
        .toBe(1)
      const { statusCode, headers, body } = await listing(bearer(user))
      const injected = await site.app.inject({ url: '/api/videos/', headers: bearer(user) })
      expect(statusCode).toBe(injected.statusCode)
      expect(body.equals(injected.rawPayload)).toBe(true)
      expect(body.toString()).toContain('Film 4 – “größer”')
      expect(body.toString().match(/"is_liked":true/g) ?? []).toHaveLength(user === ben ? 1 : 0)
      // Each connection is used once here.
      expect({ ...headers, date: '', connection: '' }).toEqual({
        ...injected.headers,
        date: '',
        connection: '',
      })
    }
  })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed as %s, for each user if they marked something', async (encoding, decode) => {
    const cid = await signUp(site, `cid${encoding}`)
    for (let n = 0; n < 3; n++) {
      const plain = await listing(bearer(cid))
      const reply = await listing({ ...bearer(cid), 'accept-encoding': encoding })
      expect(reply.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
      expect(decode(reply.body).equals(plain.body)).toBe(true)
      if (n === 1) await like(cid, 'Film 3')
    }
  })

  test('counts as one call of its address and of its user', async () => {
    await listing(bearer(ana))
    const consume = vi.spyOn(site.app.processBuckets, 'consume')
    await listing({ ...bearer(ana), 'x-forwarded-for': '203.0.113.8' })
    expect(consume.mock.calls.map(([key]) => key)).toEqual(['request 203.0.113.8', `read user ${ana.id}`])
    consume.mockRestore()
  })

  test('is not sent to a session that ended, a banned user and an access token', async () => {
    const dora = await signUp(site, 'dora')
    await listing(bearer(dora))
    expect((await listing(bearer(dora))).statusCode).toBe(200)
    await site.db`update users set banned_at = now() where id = ${dora.id}`
    expect((await listing(bearer(dora))).statusCode).toBe(401)
    await site.db`update users set banned_at = null where id = ${dora.id}`
    await site.db`update sessions set ended_at = now() where user_id = ${dora.id}`
    const ended = await listing(bearer(dora))
    expect(ended.statusCode).toBe(401)
    expect(JSON.parse(ended.body.toString()).code).toBe('invalid-token')
    const token = await site.call(
      createAccessToken,
      { body: { name: 'A program', scopes: ['read'], expires_in_days: null } },
      ana,
    )
    const forProgram = await listing({ authorization: `Bearer ${token.token}` })
    expect(forProgram.headers).toHaveProperty('access-control-allow-origin', '*')
    expect((await listing(bearer(ana))).headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('is read together with the user, and a response that must be created reads the user once', async () => {
    site.app.deps.visitorCache.drop('everything')
    site.statements.length = 0
    await listing(bearer(ana))
    expect(site.statements.filter((statement) => statement.includes('from sessions s'))).toHaveLength(1)
    site.statements.length = 0
    await listing(bearer(ana))
    expect(site.statements).toHaveLength(1)
  })
})

test('a request that the limit of the endpoint refuses takes one token from the limit of all requests', async () => {
  // 3 tokens for reads, 6 for all requests.
  const strict = await bootApp({
    visitorCache: createVisitorCache(60_000),
    settings: { rateLimitScale: 0.001 },
  })
  const address = `${await strict.app.listen({ port: 0, host: '127.0.0.1' })}/api/videos/`
  for (let n = 0; n < 5; n++) await listing({}, 'GET', address)
  const last = await strict.app.inject({
    method: 'POST',
    url: '/api/auth/email-confirmation/read/',
    payload: { token: 'unknown' },
  })
  expect(last.json()).toMatchObject({ code: 'invalid-email-link' })
  await strict.close()
})
