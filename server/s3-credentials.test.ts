/** Wrong credentials of S3_URL: a server whose signatures are checked with the code of Amazon's SDK. */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { SignatureV4 } from '@smithy/signature-v4'
import { type FauxqsServer, startFauxqs } from 'fauxqs'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMediaKey, openMediaStore } from './core/media/store.ts'
import { runAdminCommand } from './testing/admin-command.ts'
import { startRealServer } from './testing/real-server.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { signUp } from './testing/test-users.ts'

const secret = 'a/secret+with@signs'
/** How far the clock of the S3 server is ahead, in milliseconds. */
let clockAhead = 0

class Sha256 {
  private readonly hash: Hash | Hmac
  constructor(key?: unknown) {
    this.hash = key === undefined ? createHash('sha256') : createHmac('sha256', key as Buffer)
  }
  update(data: Uint8Array | string) {
    this.hash.update(data)
  }
  reset() {}
  async digest() {
    return this.hash.digest()
  }
}

const signer = new SignatureV4({
  credentials: { accessKeyId: 'KEY', secretAccessKey: secret },
  region: 'eu-west-1',
  service: 's3',
  sha256: Sha256 as never,
  uriEscapePath: false,
})

/** Returns the error that Amazon's servers respond with to a request; null if its signature is right. */
async function findError(request: IncomingMessage, body: Buffer): Promise<string | null> {
  const { authorization = '', 'x-amz-date': date = '' } = request.headers
  const [, keyId, names = ''] = /Credential=([^/]+)\/.*SignedHeaders=([^,]+)/.exec(authorization) ?? []
  if (keyId !== 'KEY') return 'InvalidAccessKeyId'
  const [, year, month, day, hour, minute, second] = /^(....)(..)(..)T(..)(..)(..)Z$/.exec(String(date)) ?? []
  const signingDate = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Math.abs(Date.now() + clockAhead - signingDate.getTime()) > 15 * 60_000) return 'RequestTimeTooSkewed'
  if (request.headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex')) {
    return 'XAmzContentSHA256Mismatch'
  }
  const url = new URL(request.url ?? '', 'http://s3')
  const { headers } = await signer.sign(
    {
      method: request.method ?? '',
      protocol: 'http:',
      hostname: 's3',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(names.split(';').map((name) => [name, String(request.headers[name])])),
      body,
    },
    { signingDate },
  )
  return headers.authorization?.replaceAll(' ', '') === authorization.replaceAll(' ', '')
    ? null
    : 'SignatureDoesNotMatch'
}

let s3: FauxqsServer
const front = createServer(async (request, reply: ServerResponse) => {
  const body = await buffer(request)
  const code = await findError(request, body)
  if (code !== null) {
    reply.writeHead(403, { 'content-type': 'application/xml' })
    return reply.end(
      request.method === 'HEAD' ? '' : `<Error><Code>${code}</Code><Message>No.</Message></Error>`,
    )
  }
  const { method, url, headers } = request
  const passed = httpRequest({ host: '127.0.0.1', port: s3.port, method, path: url, headers }, (response) => {
    reply.writeHead(response.statusCode ?? 500, response.headers)
    response.pipe(reply)
  })
  passed.end(body)
})
let site: TestApp
let host = ''
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'reelmark-s3-'))
  s3 = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false, init: { buckets: ['media'] } })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  host = `127.0.0.1:${(front.address() as AddressInfo).port}`
  site = await bootApp({ settings: { s3Url: s3Url({ secret: 'wrong' }) } })
})
afterAll(async () => {
  await site.close()
  front.close()
  await s3.stop()
  await rm(folder, { recursive: true })
})

const s3Url = ({ key = 'KEY', secret: given = secret } = {}) =>
  `s3://${key}:${encodeURIComponent(given)}@${host}/media/pictures?region=eu-west-1`

const openStore = (options?: { key?: string; secret?: string }) =>
  openMediaStore({ dataDir: '', s3Url: s3Url(options) })

test('the right credentials store, find, list and delete pictures', async () => {
  const store = openStore()
  const key = createMediaKey()
  await store.check()
  await store.put(key, Buffer.from('RIFF....WEBP'))
  const listed: string[] = []
  for await (const batch of store.list()) listed.push(...batch.map((picture) => picture.key))
  expect([await store.has(key), (await store.get(key))?.bytes, listed]).toEqual([true, 12, [key]])
  await store.delete(key)
  expect(await store.has(key)).toBe(false)
})

const wrongSecret = /^The S3 server responded 403 to GET: the secret of S3_URL is not that of its key\./

test('a wrong secret, a wrong key and a wrong clock are named', async () => {
  await expect(openStore({ secret: 'wrong' }).check()).rejects.toThrow(wrongSecret)
  await expect(openStore({ key: 'OTHER' }).check()).rejects.toThrow(
    'The S3 server responded 403 to GET: it does not know the key of S3_URL (InvalidAccessKeyId).',
  )
  clockAhead = 20 * 60_000
  await expect(openStore().check()).rejects.toThrow(/wrong by more than 15 minutes \(RequestTimeTooSkewed\)/)
  clockAhead = 0
})

test('media check tells the operator', async () => {
  const env = { S3_URL: s3Url({ secret: 'wrong' }) }
  const { code, stderr } = await runAdminCommand(site, folder, ['media', 'check'], { env })
  expect(code).toBe(1)
  expect(stderr).toMatch(/the secret of S3_URL is not that of its key/)
  expect(stderr).not.toMatch(/wrong'|\n {2,}at /)
})

test('users get 503, whatever they do with pictures', async () => {
  const alice = await signUp(site, 'alice')
  const headers = { 'if-none-match': `"${createMediaKey()}"` }
  const key = headers['if-none-match'].slice(1, -1)
  const seen = await site.app.inject(`/media/${createMediaKey()}`)
  const seenAgain = await site.app.inject({ url: `/media/${key}`, headers })
  const form = new FormData()
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  form.append('avatar', new Blob([Uint8Array.from(png)], { type: 'image/png' }))
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  const uploaded = await site.app.inject({
    method: 'PATCH',
    url: `/api/profile/${alice.username}/`,
    headers: {
      'content-type': request.headers.get('content-type') ?? '',
      authorization: `Bearer ${alice.access}`,
    },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  expect([seen, seenAgain, uploaded].map(({ statusCode }) => statusCode)).toEqual([503, 503, 503])
  expect(uploaded.json().code).toBe('unavailable')
  expect(uploaded.body).not.toMatch(/S3|secret/)
})

test('the start of a site warns, and the site starts', { tags: 'heavy', timeout: 300_000 }, async () => {
  const server = await startRealServer(path.join(folder, 'site'), { S3_URL: s3Url({ secret: 'wrong' }) })
  await expect
    .poll(server.output, { timeout: 60_000 })
    .toMatch(/the secret of S3_URL is not that of its key.*pictures can be neither stored nor shown/)
  expect(server.output()).not.toContain('"wrong"')
  expect(await server.stop()).toBe(0)
})
