import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp } from '../../testing/test-users.ts'
import { createVisitorCache } from './visitor-cache.ts'

let site: TestApp
let url: string
beforeAll(async () => {
  site = await bootApp({
    visitorCache: createVisitorCache(60_000),
    settings: { rateLimitScale: 1, trustProxy: ['loopback'] },
  })
  const ana = await signUp(site, 'ana')
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
async function listing(headers: OutgoingHttpHeaders | string[] = {}, method = 'GET'): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  request(url, { method, headers, agent: false }, (response) => {
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
