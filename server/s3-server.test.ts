/** Pictures in a bucket of an independent S3 server (fauxqs), which does not check signatures: s3-credentials.test.ts does. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type FauxqsServer, startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findUsedKeys } from './core/media/picture-deletion.ts'
import { createMediaKey, type MediaStore, openMediaStore } from './core/media/store.ts'
import { checkMedia } from './media-check.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { saveFilm } from './testing/test-bookmarks.ts'
import { signUp, type TestUser } from './testing/test-users.ts'

const picture = Buffer.from('RIFF....WEBP a picture')

let s3: FauxqsServer
let port = 0
let site: TestApp
let alice: TestUser
let media: MediaStore

const startServer = async () => {
  s3 = await startFauxqs({ port, host: '127.0.0.1', logger: false, init: { buckets: ['media', 'empty'] } })
}
const bucketUrl = (bucket: string) => `s3://KEY:SECRET@127.0.0.1:${port}/${bucket}`

beforeAll(async () => {
  port = await findFreePort()
  await startServer()
  site = await bootApp({ settings: { s3Url: bucketUrl('media/pictures') } })
  alice = await signUp(site, 'alice')
  media = site.app.deps.media
})
afterAll(async () => {
  await site.close()
  await s3.stop()
})
beforeEach(async () => {
  s3.emptyBucket('media')
  await site.db`update videos set thumbnail_key = null, thumbnail_large_key = null`
})

/** Finds a port that stays the same when the server is stopped and started again. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function listAll(store: MediaStore): Promise<string[]> {
  const keys: string[] = []
  for await (const batch of store.list()) keys.push(...batch.map(({ key }) => key))
  return keys
}

/** Stores a thumbnail of a new film in both sizes, and returns its address. */
async function storeThumbnail(film: string): Promise<{ key: string; videoId: number }> {
  const { video } = await saveFilm(site, alice, film)
  const key = createMediaKey()
  await media.put(key, picture)
  await site.db`
    update videos set thumbnail_key = ${key}, thumbnail_large_key = ${key}, thumbnail_state = 'ready' where id = ${video.id}`
  return { key, videoId: video.id }
}

test('a picture is stored, found, read and deleted', async () => {
  const key = createMediaKey()
  expect([await media.get(key), await media.has(key)]).toEqual([null, false])
  await media.put(key, picture)
  await media.put(key, picture)
  expect(await media.has(key)).toBe(true)
  const found = await media.get(key)
  expect([found?.type, found?.bytes]).toEqual(['image/webp', picture.length])
  expect(found && (await buffer(found.stream)).equals(picture)).toBe(true)
  await media.delete(key)
  await media.delete(key)
  expect([await media.get(key), await media.has(key)]).toEqual([null, false])
})

test('a bucket with more pictures than a list contains is listed completely, below its prefix only', async () => {
  const keys = Array.from({ length: 1203 }, () => createMediaKey()).sort()
  for (let start = 0; start < keys.length; start += 100) {
    await Promise.all(keys.slice(start, start + 100).map((key) => media.put(key, picture)))
  }
  const elsewhere = openMediaStore({ dataDir: '', s3Url: bucketUrl('media') })
  await elsewhere.put(createMediaKey(), picture)
  expect(await listAll(media)).toEqual(keys)
  expect(await listAll(openMediaStore({ dataDir: '', s3Url: bucketUrl('empty') }))).toEqual([])
})

test('the site sends a picture, and 304 to browsers that have it', async () => {
  const { key } = await storeThumbnail('sent')
  const sent = await site.app.inject(`/media/${key}`)
  expect([sent.statusCode, sent.headers['content-type'], sent.headers['content-length']]).toEqual([
    200,
    'image/webp',
    String(picture.length),
  ])
  expect(sent.rawPayload.equals(picture)).toBe(true)
  const headers = { 'if-none-match': String(sent.headers.etag) }
  expect((await site.app.inject({ url: `/media/${key}`, headers })).statusCode).toBe(304)
  expect((await site.app.inject(`/media/${createMediaKey()}`)).statusCode).toBe(404)
})

test('the check finds and repairs pictures without rows and rows without pictures', async () => {
  const stored = await storeThumbnail('stored')
  const lost = await storeThumbnail('lost')
  await media.delete(lost.key)
  expect(await checkMedia({ db: site.db, media }, { repair: false })).toMatchObject({
    missing: { videos: 1, bookmarks: 0, users: 0 },
  })
  await checkMedia({ db: site.db, media }, { repair: true })
  expect(await findUsedKeys(site.db, [stored.key, lost.key])).toEqual([stored.key])
  expect(await listAll(media)).toEqual([stored.key])
})

test('a bucket that does not exist is an error', async () => {
  const store = openMediaStore({ dataDir: '', s3Url: bucketUrl('no-such-bucket') })
  await expect(store.put(createMediaKey(), picture)).rejects.toThrow(
    /responded 404 to PUT: the bucket of S3_URL does not exist/,
  )
})

test('while the server is away pictures are unavailable, and they are back when it is', async () => {
  const { key } = await storeThumbnail('away')
  await s3.stop()
  const away = await site.app.inject(`/media/${key}`)
  expect([away.statusCode, away.headers['retry-after']]).toEqual([503, '5'])
  expect(site.log.map(({ msg }) => msg)).toContain('the picture store is unavailable')
  await expect(media.put(createMediaKey(), picture)).rejects.toThrow()
  await startServer()
  await media.put(key, picture)
  expect((await site.app.inject(`/media/${key}`)).statusCode).toBe(200)
})
