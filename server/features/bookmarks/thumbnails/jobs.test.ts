import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Outbound, OutboundResponse } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../../testing/test-users.ts'
import { fetchAndStoreThumbnail, thumbnailQueues } from './jobs.ts'
import { findPendingThumbnail } from './thumbnail-queries.ts'

let site: TestApp
let alice: TestUser
let tall: Buffer

/** The simulated web: by URL a picture, an HTTP status or an error. */
const web = new Map<string, Buffer | number | OutboundError>()
const requested: string[] = []
const outbound: Outbound = {
  async get(url) {
    requested.push(url)
    const found = web.get(url) ?? 404
    if (found instanceof OutboundError) throw found
    const response = { url, headers: {}, contentType: 'image/png' } satisfies Partial<OutboundResponse>
    return typeof found === 'number'
      ? { ...response, status: found, body: Buffer.alloc(0) }
      : { ...response, status: 200, body: found }
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

const videoState = async (id: number) =>
  (await site.db`select thumbnail_state as state, shape from videos where id = ${id}`)[0]
const bookmarkState = async (id: number) =>
  (await site.db`select thumbnail_state as state, shape from bookmarks where id = ${id}`)[0]

/** Fetches the pending thumbnail of a video without createPending for a job. */
async function fetchNow(id: number) {
  const pending = await findPendingThumbnail(site.db, { video_id: id })
  if (pending !== null) await fetchAndStoreThumbnail(site.app.deps, pending)
}

/** Creates a video with a pending thumbnail but no job, as an import or a crash leaves it. */
async function createPending(name: string, thumbnail: string | null, fields = {}) {
  const { video } = await saveFilm(site, alice, name, { video: fields })
  await site.db`
    update videos set thumbnail_state = 'pending', thumbnail_source_url = ${thumbnail} where id = ${video.id}`
  return video.id
}

test('a bookmark gets the thumbnail its owner named, in two sizes on our own origin, and its shape from the picture', async () => {
  web.set('https://img.example.org/tall.png', tall)
  const { id, video } = await saveFilm(site, alice, 'tall', {
    video: { thumbnail_url: 'https://img.example.org/tall.png' },
  })
  expect(video).toMatchObject({ thumbnail_url: null, shape: 'unknown' })
  await vi.waitFor(async () => expect(await bookmarkState(id)).toEqual({ state: 'ready', shape: 'portrait' }))
  expect(await videoState(video.id)).toEqual({ state: 'none', shape: null })
  const shown = (await site.call(getBookmark, { params: { id } })).video
  for (const url of [shown.thumbnail_url, shown.thumbnail_large_url]) {
    const picture = await site.app.inject(url ?? '')
    expect(picture.headers['content-type']).toBe('image/webp')
    expect((await sharp(picture.rawPayload).metadata()).format).toBe('webp')
  }
  expect(shown.thumbnail_url).not.toBe(shown.thumbnail_large_url)
})

test('if the named thumbnail does not exist, the host’s own is used', async () => {
  const id = await createPending('yt', 'https://img.example.org/gone.png', {
    source_url: 'https://www.youtube.com/shorts/aqz-KE-bpKQ',
  })
  await site.db`update videos set shape = 'landscape' where id = ${id}`
  web.set('https://i.ytimg.com/vi/aqz-KE-bpKQ/hqdefault.jpg', tall)
  await fetchNow(id)
  // The job that the save started may have fetched it first.
  const first = requested.indexOf('https://img.example.org/gone.png')
  expect(first).toBeGreaterThan(-1)
  expect(requested[first + 1]).toMatch(/aqz-KE-bpKQ/)
  // A known shape is not replaced by the picture's.
  expect((await videoState(id))?.shape).toBe('landscape')
})

test.each([
  {
    name: 'the larger copy',
    link: 'https://i.ytimg.com/vi/largest0001/hqdefault.jpg?x=1',
    copies: { 'https://i.ytimg.com/vi/largest0001/maxresdefault.jpg?x=1': [1280, 720] },
    stored: 'landscape',
    requests: 1,
  },
  {
    name: 'the named copy if there is no larger one',
    link: 'https://i.ytimg.com/vi/largest0002/hqdefault.jpg',
    copies: { 'https://i.ytimg.com/vi/largest0002/hqdefault.jpg': [360, 480] },
    stored: 'portrait',
    requests: 2,
  },
  {
    name: 'the named copy if a small picture stands for the larger one',
    link: 'https://i.ytimg.com/vi/largest0003/hqdefault.jpg',
    copies: {
      'https://i.ytimg.com/vi/largest0003/maxresdefault.jpg': [120, 90],
      'https://i.ytimg.com/vi/largest0003/hqdefault.jpg': [360, 480],
    },
    stored: 'portrait',
    requests: 2,
  },
  {
    name: 'the larger one of two that exist',
    link: 'https://s1.dmcdn.net/v/AbCd1/x240',
    copies: {
      'https://s1.dmcdn.net/v/AbCd1/x720': [1280, 720],
      'https://s1.dmcdn.net/v/AbCd1/x240': [240, 427],
    },
    stored: 'landscape',
    requests: 2,
  },
  {
    name: 'the larger copy although the named one is gone',
    link: 'https://i.vimeocdn.com/video/452001751-abc-d_295x166?region=us',
    copies: { 'https://i.vimeocdn.com/video/452001751-abc-d_1280?region=us': [640, 360] },
    stored: 'landscape',
    requests: 2,
  },
])(
  'of the copies that a host has of a picture, $name is stored',
  async ({ link, copies, stored, requests, name }) => {
    for (const [url, [width = 1, height = 1]] of Object.entries(copies)) {
      const size = { width, height, channels: 3 as const, background: '#336699' }
      web.set(url, await sharp({ create: size }).jpeg().toBuffer())
    }
    const id = await createPending(name, link)
    requested.length = 0
    await fetchNow(id)
    expect(await videoState(id)).toEqual({ state: 'ready', shape: stored })
    expect(requested).toHaveLength(requests)
  },
)

test('a stored picture stays when its host does not have it any more', async () => {
  const link = 'https://img.example.org/later-gone.png'
  web.set(link, tall)
  const id = await createPending('later gone', link)
  await fetchNow(id)
  const [before] = await site.db`select thumbnail_key from videos where id = ${id}`
  web.delete(link)
  await site.db`
    update videos set missing_since = now(), missing_found_at = now(), missing_since_bookmark_id = 0,
           missing_confirmed_bookmark_id = 9999999, updated_at = now() - interval '2 days' where id = ${id}`
  requested.length = 0
  // Another save, a collected copy, and the jobs that fetch what is missing.
  const bob = await signUp(site, 'saver')
  const saved = await saveFilm(site, bob, 'later gone', { video: { thumbnail_url: link } })
  for (const queue of thumbnailQueues(site.app.deps)) {
    if (queue.cron !== undefined) await queue.work({})
  }
  expect(requested).not.toContain(link)
  expect(await site.db`select thumbnail_key from videos where id = ${id}`).toEqual([before])
  const shown = (await site.call(getBookmark, { params: { id: saved.id } })).video
  expect(shown.thumbnail_url).toBe(`/media/${before?.thumbnail_key}`)
  expect((await site.app.inject(shown.thumbnail_url ?? '')).statusCode).toBe(200)
  // It becomes private: its bookmarks get copies of the stored picture.
  await site.db`update bookmarks set access = 'private' where video_id = ${id}`
  for (const queue of thumbnailQueues(site.app.deps)) {
    if (queue.cron !== undefined) await queue.work({})
  }
  const own = (await site.call(getBookmark, { params: { id: saved.id } }, bob)).video
  expect((await site.app.inject(own.thumbnail_url ?? '')).statusCode).toBe(200)
  expect(requested).not.toContain(link)
})

test('a link that is not a picture, or not a public address, fails without a retry', async () => {
  web.set('https://img.example.org/page', Buffer.from('<html>'))
  web.set('https://internal.example.org/', new OutboundError('not-public'))
  for (const link of [
    'https://img.example.org/page',
    'https://internal.example.org/',
    'https://img.example.org/404',
  ]) {
    const id = await createPending(link, link)
    await fetchNow(id)
    expect(await videoState(id), link).toMatchObject({ state: 'failed' })
  }
})

test('a thumbnail on a site that is down is retried for a day', async () => {
  web.set('https://down.example.org/a.png', new OutboundError('unreachable'))
  const id = await createPending('down', 'https://down.example.org/a.png')
  await expect(fetchNow(id)).rejects.toThrow("couldn't reach")
  expect(await videoState(id)).toMatchObject({ state: 'pending' })

  const retryJob = thumbnailQueues(site.app.deps).find(({ name }) => name === 'retry-pending-thumbnails')
  web.set('https://down.example.org/a.png', tall)
  await site.db`update videos set updated_at = now() - interval '1 hour' where id = ${id}`
  await retryJob?.work({})
  expect(await videoState(id)).toMatchObject({ state: 'ready' })

  const lost = await createPending('lost', 'https://down.example.org/b.png')
  await site.db`update videos set updated_at = now() - interval '25 hours' where id = ${lost}`
  await retryJob?.work({})
  expect(await videoState(lost)).toMatchObject({ state: 'failed' })
})

test('a failed thumbnail is fetched again after 1, 7 and 30 days, then given up, and a success ends the attempts', async () => {
  const link = 'https://img.example.org/late.png'
  const job = thumbnailQueues(site.app.deps).find(({ name }) => name === 'retry-pending-thumbnails')
  const readRetry = async (id: number) =>
    (
      await site.db`
        select thumbnail_state as state, round(extract(epoch from thumbnail_retry_at - now()) / 86400)::int as days
          from videos where id = ${id}`
    )[0]
  const passDays = (id: number, days: number) => site.db`
    update videos set thumbnail_retry_at = thumbnail_retry_at - make_interval(days => ${days}) where id = ${id}`

  const id = await createPending('late', link)
  await fetchNow(id)
  for (const days of [1, 7, 30]) {
    expect(await readRetry(id)).toEqual({ state: 'failed', days })
    await job?.work({})
    expect(await readRetry(id)).toEqual({ state: 'failed', days })
    requested.length = 0
    await passDays(id, days)
    await job?.work({})
    await vi.waitFor(async () => expect(requested).toContain(link))
    await vi.waitFor(async () => expect(await videoState(id)).toMatchObject({ state: 'failed' }))
  }
  expect(await readRetry(id)).toEqual({ state: 'failed', days: null })

  const other = await createPending('late success', link)
  await fetchNow(other)
  web.set(link, tall)
  await passDays(other, 1)
  await job?.work({})
  await vi.waitFor(async () => expect(await readRetry(other)).toEqual({ state: 'ready', days: null }))
  expect(await site.db`select from videos where id = ${other} and thumbnail_failures = 0`).toHaveLength(1)
})

test('a save that learns something else about the video does not forget the failures', async () => {
  const link = 'https://img.example.org/slow.png'
  web.set(link, new OutboundError('unreachable'))
  const id = await createPending('slow', link)
  await site.db`update videos set thumbnail_failures = 2 where id = ${id}`
  const bob = await signUp(site, 'bob')
  await site.db`
    insert into extractions (user_id, canonical_hash, duration) select ${bob.id}, canonical_hash, 77 from videos where id = ${id}`
  await saveFilm(site, bob, 'slow', { video: { duration: 77 } })
  expect(
    await site.db`select duration, thumbnail_state, thumbnail_failures from videos where id = ${id}`,
  ).toEqual([{ duration: 77, thumbnail_state: 'pending', thumbnail_failures: 2 }])
})

test('a failed thumbnail of a bookmark is fetched again, and a new link starts over', async () => {
  const link = 'https://img.example.org/late-own.png'
  const { id } = await saveFilm(site, alice, 'late own', { video: { thumbnail_url: link } })
  await vi.waitFor(async () => expect(await bookmarkState(id)).toMatchObject({ state: 'failed' }))
  web.set(link, tall)
  await site.db`update bookmarks set thumbnail_retry_at = now() where id = ${id}`
  await thumbnailQueues(site.app.deps)
    .find(({ name }) => name === 'retry-pending-thumbnails')
    ?.work({})
  await vi.waitFor(async () => expect(await bookmarkState(id)).toMatchObject({ state: 'ready' }))

  const body = { thumbnail_url: 'https://img.example.org/never.png' }
  await site.db`update bookmarks set thumbnail_failures = 3 where id = ${id}`
  await site.call(updateBookmark, { params: { id }, body }, alice)
  await vi.waitFor(async () => expect(await bookmarkState(id)).toMatchObject({ state: 'failed' }))
  expect(await site.db`select thumbnail_failures from bookmarks where id = ${id}`).toEqual([
    { thumbnail_failures: 1 },
  ])
})

test('a fetched thumbnail is discarded if its owner named another one in the meantime', async () => {
  const id = await createPending('raced', 'https://img.example.org/tall.png')
  const pending = await findPendingThumbnail(site.db, { video_id: id })
  await site.db`update videos set thumbnail_source_url = 'https://img.example.org/new.png' where id = ${id}`
  if (pending === null) throw new Error('no thumbnail is pending')
  await fetchAndStoreThumbnail(site.app.deps, pending)
  expect(await videoState(id)).toMatchObject({ state: 'pending' })
})

test('a bookmark whose own thumbnail cannot be fetched shows the video’s', async () => {
  const saved = await saveFilm(site, alice, 'own-gone', {
    video: { thumbnail_url: 'https://img.example.org/own-gone.png' },
  })
  await vi.waitFor(async () => expect(await bookmarkState(saved.id)).toMatchObject({ state: 'failed' }))
  await site.db`
    update videos set thumbnail_key = 's.webp', thumbnail_large_key = 'l.webp', thumbnail_state = 'ready'
     where id = ${saved.video.id}`
  const { video } = await site.call(getBookmark, { params: { id: saved.id } })
  expect(video).toMatchObject({ thumbnail_url: '/media/s.webp', thumbnail_large_url: '/media/l.webp' })
})
