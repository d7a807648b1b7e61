import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'

let site: TestApp
let port: number
beforeAll(async () => {
  site = await bootApp({ settings: { publicUrl: 'https://reelmark.example' } })
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  port = (site.app.server.address() as AddressInfo).port
})
afterAll(() => site.close())

/** Sends bytes on a connection of their own and returns everything that the server sends before it closes it. */
async function sendBytes(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return received
}

const get = (headers: string, path = '/api/videos/') =>
  sendBytes(`GET ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
const post = (headers: string, body: string) =>
  sendBytes(
    `POST /api/token/ HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\n${headers}Connection: close\r\n\r\n${body}`,
  )

describe('a request', () => {
  test('with one Host header is served', async () => {
    expect(await get('Host: a.example\r\n')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await sendBytes('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.\d 200 /)
  })

  test.each([
    ['two Host headers', 'Host: a.example\r\nHost: b.example\r\n', '/api/videos/'],
    ['the same Host header twice', 'Host: a.example\r\nhost: a.example\r\n', '/api/videos/'],
    ['two Host headers and an unknown path', 'Host: a.example\r\nHost: b.example\r\n', '/nothing'],
    ['two Host headers and a picture', 'Host: a.example\r\nHost: b.example\r\n', '/media/default.jpg'],
    ['no Host header', '', '/api/videos/'],
    ['a header without a name', 'Host: a.example\r\n: x\r\n', '/api/videos/'],
    ['a space before the colon', 'Host: a.example\r\nX-A : x\r\n', '/api/videos/'],
    ['a folded header', 'Host: a.example\r\nX-A: x\r\n y\r\n', '/api/videos/'],
    ['NUL in a header', 'Host: a.example\r\nX-A: \0\r\n', '/api/videos/'],
    ['a bare carriage return', 'Host: a.example\r\nX-A: x\rX-B: y\r\n', '/api/videos/'],
    ['a space in the path', 'Host: a.example\r\n', '/api/videos/ x'],
  ])('with %s is refused with 400', async (_what, headers, path) => {
    expect(await get(headers, path)).toMatch(/^HTTP\/1\.1 400 /)
  })

  test.each([
    [
      'a length and chunks',
      'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n',
      '0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
    ],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n', '{}x'],
    ['a list of lengths', 'Content-Length: 2, 2\r\n', '{}'],
    ['a signed length', 'Content-Length: +2\r\n', '{}'],
    ['an unknown transfer coding', 'Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'],
    ['chunked as not the last coding', 'Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'],
    ['an invalid chunk size', 'Transfer-Encoding: chunked\r\n', '0x2\r\n{}\r\n0\r\n\r\n'],
    ['bytes after a chunk', 'Transfer-Encoding: chunked\r\n', '2\r\n{}xx\r\n0\r\n\r\n'],
  ])(
    'whose body has %s is refused with 400, and nothing after it is served',
    async (_what, headers, body) => {
      const received = await post(headers, body)
      expect(received).toMatch(/^HTTP\/1\.1 400 /)
      expect(received.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
    },
  )

  test('with a URL of more than 16 KB is refused with 431', async () => {
    expect(await get('Host: a.example\r\n', `/explore?q=${'a'.repeat(20_000)}`)).toMatch(/^HTTP\/1\.1 431 /)
  })

  test.each([
    ['a response', 'GET /api/videos/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    [
      'a response to a method without route',
      'PUT /api/videos/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    ],
    ['a redirect or missing page', 'GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['an undecodable path', 'GET /api/%ff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['a picture', 'GET /media/default.jpg HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['a missing picture', 'GET /media/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['a missing player', 'GET /embed/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    [
      'a redirected player',
      'GET /embed/1 HTTP/1.1\r\nHost: a\r\nSec-Fetch-Dest: document\r\nConnection: close\r\n\r\n',
    ],
    ['the documentation', 'GET /api/docs HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    [
      'a file of the documentation',
      'GET /api/docs/static/index.html HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    ],
    ['a health check', 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    [
      'a preflight request',
      'OPTIONS /api/videos/ HTTP/1.1\r\nHost: a\r\nOrigin: https://b\r\nConnection: close\r\n\r\n',
    ],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
    ['bytes that are not HTTP', 'nonsense\r\n\r\n'],
    ['too long headers', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('has a response with all security headers: %s', async (_what, bytes) => {
    const headers = (await sendBytes(bytes)).split('\r\n\r\n')[0]?.toLowerCase() ?? ''
    expect(headers).toContain('strict-transport-security: max-age=63072000')
    expect(headers).toContain('x-content-type-options: nosniff')
    expect(headers).toContain('cross-origin-resource-policy: same-origin')
    expect(headers).toContain('cross-origin-opener-policy: same-origin')
    expect(headers).toMatch(/content-security-policy: [^\r]*default-src 'none'/)
    expect(headers).toMatch(/content-security-policy: [^\r]*base-uri 'none'/)
    // A type that browsers read as text names its charset.
    expect(headers).not.toMatch(/content-type: (?:text\/[^\r;]+|application\/json)(?:\r|$)/)
  })
})

describe('a spelling of a path', () => {
  test.each([
    ['/api/auth/sessions/'],
    ['/%61pi/auth/sessions/'],
    ['/api/auth/%73essions'],
    ['http://a.example/api/auth/sessions/'],
    ['/api/nothing'],
    ['/%61pi/nothing'],
  ])('%s gets the policy of the API and is not stored', async (path) => {
    const received = await get('Host: a.example\r\n', path)
    expect(received).toContain(
      "content-security-policy: default-src 'none'; base-uri 'none'; form-action 'none'",
    )
    expect(received).toContain('cache-control: no-store')
  })
})

describe('a write that a browser makes', () => {
  const logIn = (headers: Record<string, string>) =>
    site.app.inject({
      method: 'POST',
      url: '/api/token/',
      headers: { 'content-type': 'application/json', ...headers },
      payload: '{"username":"alice","password":"wrong"}',
    })

  test.each(['cross-site', 'same-site'])('for a page of another site (%s) is refused', async (value) => {
    const reply = await logIn({ 'sec-fetch-site': value })
    expect([reply.statusCode, reply.json()]).toEqual([
      403,
      { detail: 'Requests from other sites are refused.', code: 'cross-site' },
    ])
  })

  test.each(['same-origin', 'none'])('for our own page or the user (%s) is served', async (value) => {
    expect((await logIn({ 'sec-fetch-site': value })).json().code).toBe('wrong-credentials')
  })

  test('for a page of another site may read, and cannot log in with any token', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await site.app.inject({ url: '/api/videos/', headers })).statusCode).toBe(200)
    for (const authorization of ['Bearer x', 'Bearer rmk_x'])
      expect((await logIn({ ...headers, authorization })).json().code).toBe('cross-site')
  })

  test('gets no permission for other sites to read the response', async () => {
    const reply = await site.app.inject({ url: '/api/videos/', headers: { origin: 'https://evil.example' } })
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})
