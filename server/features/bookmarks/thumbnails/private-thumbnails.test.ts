/** What the address of a thumbnail reveals about other users' bookmarks. */
import { createHash } from 'node:crypto'
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { type Bookmark, getBookmark } from '@reelmark/contract/bookmarks.ts'
import { collectBookmark, toggleWatchLater } from '@reelmark/contract/collect.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { beforeEach, expect, test } from 'vitest'
import { deleteQueuedPictures } from '../../../core/media/picture-deletion.ts'
import type { Outbound, OutboundResponse } from '../../../core/outbound/outbound.ts'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { createTestPicture } from '../../../testing/test-pictures.ts'
import {
  failedReply,
  grantStanding,
  signUp,
  signUpModerator,
  type TestUser,
} from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { copyThumbnails } from './copy-thumbnails.ts'
import { fetchAndStoreThumbnail } from './jobs.ts'
import { syncThumbnails } from './sync-thumbnails.ts'
import { findPendingThumbnail } from './thumbnail-queries.ts'

const scene = await createTestPicture(3)
const requested: string[] = []
/** The simulated web, where every link leads to the same picture. */
const outbound: Outbound = {
  async get(url) {
    requested.push(url)
    const response = { url, headers: {}, contentType: 'image/png' } satisfies Partial<OutboundResponse>
    return { ...response, status: 200, body: scene }
  },
  close: async () => {},
}
const { site, alice, bob } = await useSite({ outbound })
const { deps } = site.app
const { db } = site
const carol = await signUp(site, 'carol')
const mod = await signUpModerator(site, 'mod')

let number = 0
/** A link whose host has a standard thumbnail. Each test has its own. */
let link = ''
beforeEach(() => {
  number += 1
  link = `https://www.youtube.com/watch?v=abcdefgh${String(number).padStart(3, '0')}`
  requested.length = 0
})

const save = async (user: TestUser, access: 'public' | 'private') =>
  saveFilm(site, user, number, {
    video: { source_url: link },
    bookmark: { channel_id: (await vaultDestination(site, user)).channel_id, access },
  })
const read = ({ id }: { id: number }, as: TestUser) => site.call(getBookmark, { params: { id } }, as)
const fetchStatus = async (url: string | null) => (await site.app.inject(url ?? '/media/')).statusCode

/** Runs the jobs that are waiting for one bookmark and its video. */
async function runJobs({ id, video }: Bookmark): Promise<void> {
  await syncThumbnails(deps)
  for (const owner of [{ video_id: video.id }, { bookmark_id: id }]) {
    const pending = await findPendingThumbnail(db, owner)
    if (pending !== null) await fetchAndStoreThumbnail(deps, pending)
  }
  await deleteQueuedPictures(deps)
}

/** Returns the addresses of both sizes as the owner sees them. */
async function readUrls(bookmark: Bookmark, as: TestUser): Promise<string[]> {
  const { thumbnail_url, thumbnail_large_url } = (await read(bookmark, as)).video
  return [thumbnail_url ?? '', thumbnail_large_url ?? '']
}

test('the address of a thumbnail cannot be computed from the picture', async () => {
  const bookmark = await save(alice, 'public')
  await runJobs(bookmark)
  for (const url of await readUrls(bookmark, alice)) {
    const { rawPayload, statusCode } = await site.app.inject(url)
    expect(statusCode).toBe(200)
    for (const bytes of [rawPayload, scene]) {
      for (const algorithm of ['sha256', 'sha1', 'sha512']) {
        const hash = createHash(algorithm).update(bytes).digest('hex')
        expect(hash).not.toContain(url.slice('/media/'.length, -'.webp'.length))
        expect(await fetchStatus(`/media/${hash.slice(0, 40)}.webp`)).toBe(404)
      }
    }
  }
})

test('a private save has no thumbnail until its own one is fetched, whether or not another user has one', async () => {
  const first = await save(alice, 'private')
  expect(first.video.thumbnail_url).toBeNull()
  await runJobs(first)
  const requests = requested.length
  expect(requests).toBe(1)

  const second = await save(bob, 'private')
  expect(second.video.thumbnail_url).toBeNull()
  await runJobs(second)
  expect(requested).toHaveLength(2 * requests)
  const urls = [...(await readUrls(first, alice)), ...(await readUrls(second, bob))]
  expect(new Set(urls).size).toBe(4)
  for (const url of urls) expect(await fetchStatus(url)).toBe(200)

  // Once bob's bookmark is deleted, nothing at his addresses shows that alice still has one.
  await db`delete from bookmarks where id = ${second.id}`
  await deleteQueuedPictures(deps)
  expect(await Promise.all(urls.map(fetchStatus))).toEqual([200, 200, 404, 404])
})

test('a public save of a privately saved video has no thumbnail until it is fetched', async () => {
  const first = await save(alice, 'private')
  await runJobs(first)
  const second = await save(bob, 'public')
  expect(second.video.thumbnail_url).toBeNull()
  await runJobs(second)
  const [small = ''] = await readUrls(second, bob)
  expect(await fetchStatus(small)).toBe(200)
  expect((await readUrls(first, alice))[0]).not.toBe(small)
})

test('a public video has one thumbnail for everyone who saves it', async () => {
  const first = await save(alice, 'public')
  await runJobs(first)
  const second = await save(bob, 'private')
  expect(second.video.thumbnail_url).toBe((await readUrls(first, alice))[0])
  expect(requested).toHaveLength(1)
})

test('when the last public bookmark becomes private, its owners see the thumbnail at new addresses only', async () => {
  const first = await save(alice, 'public')
  await runJobs(first)
  const second = await save(bob, 'private')
  const before = await readUrls(first, alice)
  await site.call(updateBookmark, { params: { id: first.id }, body: { access: 'private' } }, alice)
  await runJobs(first)
  expect(await Promise.all(before.map(fetchStatus))).toEqual([404, 404])
  const after = [...(await readUrls(first, alice)), ...(await readUrls(second, bob))]
  expect(new Set([...before, ...after]).size).toBe(6)
  for (const url of after) expect(await fetchStatus(url)).toBe(200)
  expect(requested).toHaveLength(1)

  // Public again: others get the video's thumbnail, which is fetched again.
  await site.call(updateBookmark, { params: { id: first.id }, body: { access: 'public' } }, alice)
  await runJobs(first)
  const [video] = await db`select thumbnail_state as state from videos where id = ${first.video.id}`
  expect(video?.state).toBe('ready')
})

test('the address of a bookmark’s own thumbnail stops working when the bookmark becomes private', async () => {
  const bookmark = await saveFilm(site, alice, number, {
    video: { thumbnail_url: 'https://img.example.org/own.png' },
  })
  await runJobs(bookmark)
  const before = await readUrls(bookmark, alice)
  await site.call(updateBookmark, { params: { id: bookmark.id }, body: { access: 'private' } }, alice)
  await runJobs(bookmark)
  const after = await readUrls(bookmark, alice)
  expect(await Promise.all([...before, ...after].map(fetchStatus))).toEqual([404, 404, 200, 200])
})

test('the addresses of a hidden video’s thumbnails stop working for everyone who knew them', async () => {
  const shared = await save(alice, 'public')
  const own = await saveFilm(site, bob, number, {
    video: { source_url: link, thumbnail_url: 'https://img.example.org/own.png' },
    bookmark: { channel_id: (await vaultDestination(site, bob)).channel_id },
  })
  const secret = await save(carol, 'private')
  await runJobs(shared)
  await runJobs(own)
  const before = [...(await readUrls(shared, alice)), ...(await readUrls(own, bob))]
  expect(new Set(before).size).toBe(4)
  expect((await readUrls(secret, carol))[0]).toBe(before[0])
  expect(await Promise.all(before.map(fetchStatus))).toEqual([200, 200, 200, 200])

  await grantStanding(site, carol)
  const report = { video_id: shared.video.id, report_type: 'request_moderation' as const }
  expect((await site.call(createReport, { body: report }, carol)).is_hidden).toBe(true)
  await runJobs(own)
  expect(await Promise.all(before.map(fetchStatus))).toEqual([404, 404, 404, 404])
  expect(await failedReply(site.call(getBookmark, { params: { id: shared.id } }))).toMatchObject({
    status: 404,
  })
  // Owners and moderators see the pictures at addresses that nobody else has seen.
  const after = [
    ...(await readUrls(shared, alice)),
    ...(await readUrls(own, bob)),
    ...(await readUrls(secret, carol)),
    ...(await readUrls(shared, mod)),
  ]
  expect(new Set([...before, ...after]).size).toBe(8)
  expect(await Promise.all(after.map(fetchStatus))).toEqual(after.map(() => 200))
  expect(requested).toHaveLength(2)

  // Shown again, the pictures are at their new addresses for everyone.
  await db`update videos set status = 'visible' where id = ${shared.video.id}`
  await runJobs(own)
  expect((await site.call(getBookmark, { params: { id: shared.id } })).video.thumbnail_url).toBe(after[0])
})

test('the thumbnail of a video that a moderator removes directly is not at its old address', async () => {
  const bookmark = await save(alice, 'public')
  await runJobs(bookmark)
  const before = await readUrls(bookmark, alice)
  await db`update videos set status = 'removed' where id = ${bookmark.video.id}`
  await runJobs(bookmark)
  expect(await Promise.all(before.map(fetchStatus))).toEqual([404, 404])
})

test('a collected bookmark has its own copy of the thumbnail, which stays when the original is deleted', async () => {
  const original = await saveFilm(site, alice, number, {
    video: { thumbnail_url: 'https://img.example.org/own.png' },
  })
  await runJobs(original)
  const { collection_id } = await vaultDestination(site, bob)
  const copy = await site.call(
    collectBookmark,
    { body: { bookmark: original.id, collection: collection_id, access: 'private' } },
    bob,
  )
  await toggleAndCopy(original, copy)
  const [before, after] = [await readUrls(original, alice), await readUrls(copy, bob)]
  expect(new Set([...before, ...after]).size).toBe(4)
  expect(requested).toHaveLength(1)
  await db`delete from bookmarks where id = ${original.id}`
  await deleteQueuedPictures(deps)
  expect(await Promise.all([...before, ...after].map(fetchStatus))).toEqual([404, 404, 200, 200])
})

/** Runs the queued copies, and adds the video to alice's Watch Later, whose copy is made the same way. */
async function toggleAndCopy(original: Bookmark, copy: Bookmark): Promise<void> {
  const later = await site.call(toggleWatchLater, { params: { id: original.video.id } }, alice)
  const jobs = await db<{ data: { copies: { from: number; to: number }[] } }[]>`
    select data from jobs.job where name = 'copy-thumbnails' order by created_on`
  const copies = jobs.flatMap(({ data }) => data.copies)
  expect(copies).toEqual([
    { from: original.id, to: copy.id },
    { from: original.id, to: later.bookmark_id },
  ])
  expect(await copyThumbnails(deps, copies)).toEqual([])
}

test('thumbnails stored under a key computed from the picture get a new address, and the old one stops working', async () => {
  const [shared, own] = [await save(alice, 'public'), await save(bob, 'private')]
  const computed = `${createHash('sha256').update(scene).digest('hex').slice(0, 40)}.webp`
  await deps.media.put(computed, scene)
  const stored = db`thumbnail_key = ${computed}, thumbnail_large_key = ${computed}, thumbnail_state = 'ready'`
  await db`update videos set ${stored} where id = ${shared.video.id}`
  await db`update bookmarks set ${stored} where id = ${own.id}`
  // As the migration queues them.
  await db`insert into picture_syncs values ('video', ${shared.video.id}), ('bookmark', ${own.id})`
  await runJobs(shared)
  expect(await fetchStatus(`/media/${computed}`)).toBe(404)
  const urls = [...(await readUrls(shared, alice)), ...(await readUrls(own, bob))]
  expect(new Set(urls).size).toBe(4)
  for (const url of urls) expect(await fetchStatus(url)).toBe(200)
  expect((await db`select from picture_syncs`).count).toBe(0)
})

test('a thumbnail whose file is missing is fetched again when it is moved', async () => {
  const bookmark = await save(alice, 'public')
  await runJobs(bookmark)
  const [small = ''] = await readUrls(bookmark, alice)
  await deps.media.delete(small.slice('/media/'.length))
  await db`insert into picture_syncs values ('video', ${bookmark.video.id})`
  await runJobs(bookmark)
  expect(requested).toHaveLength(2)
  const [renewed = ''] = await readUrls(bookmark, alice)
  expect(await fetchStatus(renewed)).toBe(200)
})
