import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { discardImport } from '@reelmark/contract/imports.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { useSite } from '../../testing/use-site.ts'
import { emptyFile, sampleBookmark } from './full-account.fixture.ts'

const { site, alice } = await useSite({ work: true })

const post = (body: string | Buffer, headers: Record<string, string> = {}, user = alice) =>
  site.app.inject({
    method: 'POST',
    url: '/api/transfer/imports/',
    headers: { authorization: `Bearer ${user.access}`, 'content-type': 'application/json', ...headers },
    payload: body,
  })

describe('an invalid file', () => {
  const text = (change: object) => JSON.stringify({ ...emptyFile, ...change })
  test.each([
    ['', { detail: expect.any(String) }],
    ['nonsense', { detail: "The file isn't a JSON object." }],
    ['[]', { detail: "The file isn't a JSON object." }],
    ['{"bookmarks":[{]}', { detail: expect.any(String) }],
    [`{"bookmarks":${'['.repeat(1_000_000)}`, { bookmarks: ['This is nested too deeply.'] }],
    [text({ version: 2 }), { version: expect.any(Array) }],
    [text({ bookmarks: 7 }), { bookmarks: ['Expected a list of items.'] }],
    [text({ collections: undefined }), { collections: ['This field is required.'] }],
    [text({ more: 1 }), { more: ['Unknown field.'] }],
    [text({}).replace('{', '{"__proto__":{"is_moderator":true},'), { ['__proto__']: ['Unknown field.'] }],
    [
      text({ bookmarks: [sampleBookmark('https://a.example.org/'), sampleBookmark('javascript:alert(1)')] }),
      { bookmarks: { 1: { video: { source_url: ['Enter a valid URL.'] } } } },
    ],
    [
      text({ bookmarks: [sampleBookmark('https://a.example.org/', { title: 'a\0b' })] }),
      { bookmarks: { 0: { title: ["This contains characters we can't store."] } } },
    ],
    [
      text({ bookmarks: [{ ...sampleBookmark('https://a.example.org/'), user_id: 1 }] }),
      { bookmarks: { 0: { user_id: ['Unknown field.'] } } },
    ],
    [text({ likes: [null, 3] }), { likes: { 0: expect.any(Array), 1: expect.any(Array) } }],
    [text({ exported_at: 'yesterday' }), { exported_at: expect.any(Array) }],
  ])('%.50s is refused with the errors by field', async (body, expected) => {
    const reply = await post(body)
    expect(reply.statusCode).toBe(400)
    const errors = reply.json()
    for (const [field, problem] of Object.entries(expected)) expect(errors[field]).toEqual(problem)
    expect(await site.db`select from imports where user_id = ${alice.id}`).toHaveLength(0)
    expect(await site.db`select from import_parts`).toHaveLength(0)
  })

  test('is answered with its first fifty errors; a wrong type, encoding or size has its own status', async () => {
    const wrong = await post(text({ likes: Array(100_000).fill(0) }))
    expect(Object.keys(wrong.json().likes)).toHaveLength(50)
    expect((await post('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).statusCode).toBe(415)
    expect((await post('x', { 'content-encoding': 'gzip' })).statusCode).toBe(400)
    const large = await post('{}', { 'content-length': String(limits.importMax + 1) })
    expect(large.statusCode).toBe(413)
    expect(large.json()).toEqual({ detail: 'The file is larger than 128 MB.', code: 'too-large' })
    const longTexts = Array<string>(34).fill(`"${'x'.repeat(3.9 * 1024 * 1024)}"`)
    const packed = await post(gzipSync(`{"comments":[${longTexts}]}`), { 'content-encoding': 'gzip' })
    expect(packed.statusCode).toBe(413)
    const unknown = await site.app.inject({ method: 'POST', url: '/api/transfer/imports/', payload: {} })
    expect(unknown.statusCode).toBe(401)
    const fine = await post(gzipSync(JSON.stringify(emptyFile)), { 'content-encoding': 'gzip' })
    expect(fine.statusCode).toBe(201)
    expect(fine.json()).toMatchObject({ state: 'review', total: 2 })
    await site.call(discardImport, { params: { id: fine.json().id } }, alice)
  })
})

describe('a file that is refused before it was read completely', () => {
  let port: number
  beforeAll(async () => {
    await site.app.listen({ host: '127.0.0.1', port: 0 })
    port = (site.app.server.address() as AddressInfo).port
  })

  /** Returns the statuses of an upload and of a request sent right after it on the same connection, as a proxy does. */
  async function uploadThenRequest(body: Buffer, headers: Record<string, string>): Promise<number[]> {
    const lines = Object.entries({ ...headers, 'content-length': body.length }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST /api/transfer/imports/ HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${lines.join('')}\r\n`,
    )
    socket.write(body)
    socket.write('GET /api/auth/sign-in-methods/ HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    let responses = ''
    socket.on('data', (chunk) => {
      responses += chunk
    })
    await once(socket, 'close', { signal: AbortSignal.timeout(4000) }).finally(() => socket.destroy())
    return [...responses.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  }

  const signedIn = () => ({ authorization: `Bearer ${alice.access}` })
  // Expands to 640 MB from 620 KB: concatenated gzip files are a valid gzip file.
  const member = gzipSync(Buffer.alloc(16 * 1024 * 1024, ' '))
  const bomb = Buffer.concat([gzipSync('{"x":"'), ...Array<Buffer>(40).fill(member)])

  test('leaves the connection usable for the next request', async () => {
    const garbage = Buffer.alloc(5_000_000, 'a')
    expect(await uploadThenRequest(garbage, signedIn())).toEqual([400, 200])
    expect(await uploadThenRequest(garbage, {})).toEqual([401, 200])
  })

  test('is not decompressed any further', async () => {
    const packed = { 'content-encoding': 'gzip' }
    expect(await uploadThenRequest(bomb, { ...packed, ...signedIn() })).toEqual([400, 200])
    expect(await uploadThenRequest(bomb, packed)).toEqual([401, 200])
  })
})
