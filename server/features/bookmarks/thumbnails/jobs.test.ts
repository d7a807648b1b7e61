import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Outbound, OutboundResponse } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../../testing/test-users.ts'
import { fetchAndStoreThumbnail, thumbnailQueues } from './jobs.ts'
import { findPendingPicture } from './thumbnail-queries.ts'

let site: TestApp
let alice: TestUser
let tall: Buffer

/** A web of pictures: by address, what comes of asking for it. */
const web = new Map<string, Buffer | number | OutboundError>()
const asked: string[] = []
const outbound: Outbound = {
  async get(url) {
    asked.push(url)
    const there = web.get(url) ?? 404
    if (there instanceof OutboundError) throw there
    const answer = { url, headers: {}, contentType: 'image/png' } satisfies Partial<OutboundResponse>
    return typeof there === 'number'
      ? { ...answer, status: there, body: Buffer.alloc(0) }
      : { ...answer, status: 200, body: there }
  },
  close: async () => {},
}

beforeAll(async () => {
  site = await bootApp({ outbound, work: true })
  alice = await signUp(site, 'alice')
  tall = await sharp({ create: { width: 900, height: 1600, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
})
afterAll(() => site.close())

const readState = async (id: number) =>
  (await site.db`select thumbnail_state as state, shape from videos where id = ${id}`)[0]
const ownStateOf = async (id: number) =>
  (await site.db`select thumbnail_state as state, shape from bookmarks where id = ${id}`)[0]

/** The one that waits, done now and not by the loop. */
async function fetchNow(id: number) {
  const pending = await findPendingPicture(site.db, { video_id: id })
  if (pending !== null) await fetchAndStoreThumbnail(site.app.deps, pending)
}

/** A video whose picture waits, without a job: as an import or a crash leaves it. */
async function waiting(name: string, thumbnail: string | null, more = {}) {
  const { video } = await saveFilm(site, alice, name, { video: more })
  await site.db`
    update videos set thumbnail_state = 'pending', thumbnail_source_url = ${thumbnail} where id = ${video.id}`
  return video.id
}

test('a bookmark gets the thumbnail its owner named, in two sizes on our own origin, and its shape from it', async () => {
  web.set('https://img.example.org/tall.png', tall)
  const { id, video } = await saveFilm(site, alice, 'tall', {
    video: { thumbnail_url: 'https://img.example.org/tall.png' },
  })
  expect(video).toMatchObject({ thumbnail_url: null, shape: 'unknown' })
  await vi.waitFor(async () => expect(await ownStateOf(id)).toEqual({ state: 'ready', shape: 'portrait' }))
  expect(await readState(video.id)).toEqual({ state: 'none', shape: null })
  const shown = (await site.call(getBookmark, { params: { id } })).video
  for (const url of [shown.thumbnail_url, shown.thumbnail_large_url]) {
    const picture = await site.app.inject(url ?? '')
    expect(picture.headers['content-type']).toBe('image/webp')
    expect((await sharp(picture.rawPayload).metadata()).format).toBe('webp')
  }
  expect(shown.thumbnail_url).not.toBe(shown.thumbnail_large_url)
})

test('where the named picture is none, the host’s own is taken', async () => {
  const id = await waiting('yt', 'https://img.example.org/gone.png', {
    source_url: 'https://www.youtube.com/shorts/aqz-KE-bpKQ',
  })
  await site.db`update videos set shape = 'landscape' where id = ${id}`
  web.set('https://i.ytimg.com/vi/aqz-KE-bpKQ/hqdefault.jpg', tall)
  asked.length = 0
  await fetchNow(id)
  expect(asked[0]).toBe('https://img.example.org/gone.png')
  expect(asked[1]).toMatch(/aqz-KE-bpKQ/)
  // The shape was known, and stays.
  expect((await readState(id))?.shape).toBe('landscape')
})

test('what is no picture, or not public, is given up at once', async () => {
  web.set('https://img.example.org/page', Buffer.from('<html>'))
  web.set('https://internal.example.org/', new OutboundError('not-public'))
  for (const link of [
    'https://img.example.org/page',
    'https://internal.example.org/',
    'https://img.example.org/404',
  ]) {
    const id = await waiting(link, link)
    await fetchNow(id)
    expect(await readState(id), link).toMatchObject({ state: 'failed' })
  }
})

test('a site that is down is asked again later, for a day', async () => {
  web.set('https://down.example.org/a.png', new OutboundError('unreachable'))
  const id = await waiting('down', 'https://down.example.org/a.png')
  await expect(fetchNow(id)).rejects.toThrow("couldn't reach")
  expect(await readState(id)).toMatchObject({ state: 'pending' })

  const left = thumbnailQueues(site.app.deps).find(({ name }) => name === 'retry-pending-thumbnails')
  web.set('https://down.example.org/a.png', tall)
  await site.db`update videos set updated_at = now() - interval '1 hour' where id = ${id}`
  await left?.work({})
  expect(await readState(id)).toMatchObject({ state: 'ready' })

  const lost = await waiting('lost', 'https://down.example.org/b.png')
  await site.db`update videos set updated_at = now() - interval '25 hours' where id = ${lost}`
  await left?.work({})
  expect(await readState(lost)).toMatchObject({ state: 'failed' })
})

test('a picture fetched for one address is not kept when another was named meanwhile', async () => {
  const id = await waiting('raced', 'https://img.example.org/tall.png')
  const pending = await findPendingPicture(site.db, { video_id: id })
  await site.db`update videos set thumbnail_source_url = 'https://img.example.org/new.png' where id = ${id}`
  if (pending === null) throw new Error('nothing waits')
  await fetchAndStoreThumbnail(site.app.deps, pending)
  expect(await readState(id)).toMatchObject({ state: 'pending' })
})

test('a bookmark whose own thumbnail cannot be fetched shows the video’s', async () => {
  const saved = await saveFilm(site, alice, 'own-gone', {
    video: { thumbnail_url: 'https://img.example.org/own-gone.png' },
  })
  await vi.waitFor(async () => expect(await ownStateOf(saved.id)).toMatchObject({ state: 'failed' }))
  await site.db`
    update videos set thumbnail_key = 's.webp', thumbnail_large_key = 'l.webp', thumbnail_state = 'ready'
     where id = ${saved.video.id}`
  const { video } = await site.call(getBookmark, { params: { id: saved.id } })
  expect(video).toMatchObject({ thumbnail_url: '/media/s.webp', thumbnail_large_url: '/media/l.webp' })
})
