import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCorpus } from '../../testing/corpora.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { createMediaKey } from './store.ts'

let site: TestApp
const picture = Buffer.from('RIFF????WEBP')
const key = createMediaKey()

beforeAll(async () => {
  site = await bootApp()
  await site.app.deps.media.put(key, picture)
})
afterAll(() => site.close())

test('a picture is served with its type and may be cached for a day', async () => {
  const reply = await site.app.inject(`/media/${key}`)
  expect(reply.statusCode).toBe(200)
  expect(reply.body).toBe('RIFF????WEBP')
  expect(reply.headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=86400',
    'x-content-type-options': 'nosniff',
  })
  expect((await site.app.inject({ method: 'HEAD', url: `/media/${key}` })).statusCode).toBe(200)
})

test('a cached picture is revalidated without sending it again, until it is deleted', async () => {
  const { media } = site.app.deps
  const other = createMediaKey()
  await media.put(other, picture)
  const { etag } = (await site.app.inject(`/media/${other}`)).headers
  for (const value of [String(etag), `"x", W/${etag}`]) {
    const reply = await site.app.inject({ url: `/media/${other}`, headers: { 'if-none-match': value } })
    expect([reply.statusCode, reply.body]).toEqual([304, ''])
    expect(reply.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=86400' })
  }
  const changed = await site.app.inject({ url: `/media/${other}`, headers: { 'if-none-match': '"x"' } })
  expect(changed.statusCode).toBe(200)
  await media.delete(other)
  for (const headers of [{ 'if-none-match': String(etag) }, {}]) {
    const reply = await site.app.inject({ url: `/media/${other}`, headers })
    expect(reply.statusCode).toBe(404)
    expect(reply.headers['cache-control'] ?? '').not.toMatch(/max-age=[1-9]/)
  }
})

test('a default avatar is served', async () => {
  const reply = await site.app.inject('/media/default.jpg')
  expect(reply.headers['content-type']).toBe('image/jpeg')
  expect(reply.rawPayload.subarray(0, 2).toString('hex')).toBe('ffd8')
})

test('unknown and invalid names respond 404', async () => {
  for (const name of [
    'thumbnails/1.webp',
    '',
    'thumbnails',
    'x.html',
    `${key}/..`,
    `${key}%00`,
    `${key}%0a`,
  ]) {
    expect((await site.app.inject(`/media/${name}`)).statusCode, name).toBe(404)
  }
})

const traversal = openCorpus('security/traversal')
test.skipIf(!traversal.exists)('no path leads outside the store', async () => {
  const paths = traversal
    .bytes('traversal.txt')
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '')
  expect(paths.length).toBeGreaterThan(50)
  for (const path of paths) {
    for (const url of [`/media/${path}`, `/media/${encodeURIComponent(path)}`, `/media/${key}/${path}`]) {
      const reply = await site.app.inject({ url })
      expect([400, 404], url).toContain(reply.statusCode)
      expect(reply.body, url).not.toMatch(/root:|\[fonts\]/)
    }
  }
})
