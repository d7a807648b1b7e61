/** Where users stopped watching, and their history. Both are private. */
import { blockUser } from '@reelmark/contract/blocks.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { listHistory } from '@reelmark/contract/history.ts'
import { getPosition, recordEnd, savePosition } from '@reelmark/contract/playback.ts'
import { getProfile, updateProfile } from '@reelmark/contract/profiles.ts'
import { clearWatched, markWatched } from '@reelmark/contract/watching.ts'
import { beforeEach, expect, test } from 'vitest'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice, bob } = await useSite()

let viewer: TestUser
let users = 0
beforeEach(async () => {
  viewer = await signUp(site, `viewer${users++}`)
})

let films = 0
const newFilm = async (owner: TestUser, access: 'public' | 'private' = 'public') =>
  saveFilm(site, owner, `seen ${films++}`, { bookmark: { access } })
const byId = (id: number) => ({ params: { id } })
const position = async (videoId: number, user = viewer) =>
  (await site.call(getPosition, byId(videoId), user)).seconds
const save = (videoId: number, seconds: number, user = viewer) =>
  site.call(savePosition, { ...byId(videoId), body: { seconds } }, user)
const setPaused = (is_history_paused: boolean) =>
  site.call(updateProfile, { params: { username: viewer.username }, body: { is_history_paused } }, viewer)
const history = async (user = viewer) => (await site.call(listHistory, { query: {} }, user)).results
const isWatched = async (bookmarkId: number) =>
  (await site.call(getBookmark, byId(bookmarkId), viewer)).is_watched

test('a position is stored per user and video, and replaced by later ones', async () => {
  const { video } = await newFilm(alice)
  expect(await position(video.id)).toBeNull()
  expect(await save(video.id, 12)).toEqual({ is_stored: true })
  await save(video.id, 754)
  expect(await position(video.id)).toBe(754)
  expect(await position(video.id, bob)).toBeNull()
  expect(await position(video.id, alice)).toBeNull()
})

test('a position in a video that the user may not see is neither stored nor shown', async () => {
  const { video } = await newFilm(alice, 'private')
  expect(await failedReply(save(video.id, 5))).toMatchObject({ status: 404 })
  expect(await failedReply(save(4_000_000_000, 5))).toMatchObject({ status: 404 })
  await save(video.id, 9, alice)
  expect(await position(video.id, alice)).toBe(9)
  const shown = await newFilm(alice)
  await save(shown.video.id, 7)
  await site.db`update videos set status = 'hidden' where id = ${shown.video.id}`
  expect(await position(shown.video.id)).toBeNull()
  for (const seconds of [0, -1, 1.5, 8_640_001]) {
    expect(await failedReply(save(video.id, seconds, alice))).toMatchObject({ status: 400 })
  }
})

test('the end of a video marks it as watched and forgets the position', async () => {
  const { id, video } = await newFilm(alice)
  await save(video.id, 40)
  expect(await site.call(recordEnd, byId(video.id), viewer)).toEqual({ is_watched: true })
  expect(await position(video.id)).toBeNull()
  expect(await isWatched(id)).toBe(true)
  await save(video.id, 41)
  await site.call(markWatched, byId(video.id), viewer)
  expect(await position(video.id)).toBeNull()
})

test('while the history is paused, nothing is stored automatically; marking by hand still works', async () => {
  const [first, second] = [await newFilm(alice), await newFilm(alice)]
  await save(first.video.id, 40)
  await setPaused(true)
  expect(await site.call(getProfile, { params: { username: viewer.username } }, viewer)).toMatchObject({
    is_history_paused: true,
  })
  expect(await site.call(getProfile, { params: { username: viewer.username } }, bob)).not.toHaveProperty(
    'is_history_paused',
  )
  expect(await save(first.video.id, 50)).toEqual({ is_stored: false })
  expect(await position(first.video.id)).toBe(40)
  expect(await site.call(recordEnd, byId(first.video.id), viewer)).toEqual({ is_watched: false })
  expect(await position(first.video.id)).toBeNull()
  expect(await isWatched(first.id)).toBe(false)
  await site.call(markWatched, byId(second.video.id), viewer)
  expect(await site.call(recordEnd, byId(second.video.id), viewer)).toEqual({ is_watched: true })
  await setPaused(false)
  expect(await save(first.video.id, 50)).toEqual({ is_stored: true })
})

test('the history lists watched videos, latest first, as the viewer’s own bookmark or the lead bookmark', async () => {
  const [first, second] = [await newFilm(alice), await newFilm(alice)]
  const own = await saveFilm(site, viewer, `seen ${films - 2}`, { bookmark: { access: 'private' } })
  expect(own.video.id).toBe(first.video.id)
  await site.call(markWatched, byId(first.video.id), viewer)
  await site.call(markWatched, byId(second.video.id), viewer)
  expect(await history()).toMatchObject([
    { id: second.id, video_id: second.video.id, is_watched: true, watched_at: expect.any(String) },
    { id: own.id, video_id: first.video.id },
  ])
  await site.call(recordEnd, byId(first.video.id), viewer)
  expect((await history()).map(({ id }) => id)).toEqual([own.id, second.id])
  expect(await history(bob)).toEqual([])
})

test('the history is read page by page, also after videos were added', async () => {
  const saved = []
  for (let n = 0; n < 5; n++) saved.push(await newFilm(alice))
  for (const { video } of saved) await site.call(markWatched, byId(video.id), viewer)
  const first = await site.call(listHistory, { query: { page_size: 2 } }, viewer)
  expect(first).toMatchObject({ count: 5, previous: null })
  await site.call(markWatched, byId((await newFilm(alice)).video.id), viewer)
  const follow = (link: string | null, page: number) => {
    const cursor = new URLSearchParams(link?.split('?')[1]).get('cursor') ?? ''
    return site.call(listHistory, { query: { page_size: 2, page, cursor } }, viewer)
  }
  const second = await follow(first.next, 2)
  const third = await follow(second.next, 3)
  const back = await follow(third.previous, 2)
  const ids = saved.map(({ id }) => id).reverse()
  expect([first, second, third].flatMap(({ results }) => results).map(({ id }) => id)).toEqual(ids)
  expect(back.results).toEqual(second.results)
})

test('the history leaves out hidden videos, lost ones and those of users whom the viewer blocked', async () => {
  const [hidden, lost, blocked] = [await newFilm(alice), await newFilm(alice), await newFilm(bob)]
  for (const { video } of [hidden, lost, blocked]) await site.call(markWatched, byId(video.id), viewer)
  await site.db`update videos set status = 'hidden' where id = ${hidden.video.id}`
  await site.db`update bookmarks set access = 'private' where id = ${lost.id}`
  expect((await history()).map(({ id }) => id)).toEqual([blocked.id])
  await site.call(blockUser, byId(bob.id), viewer)
  expect(await site.call(listHistory, { query: {} }, viewer)).toMatchObject({ count: 0, results: [] })
})

test('clearing the history removes marks and positions of that user only', async () => {
  const { id, video } = await newFilm(alice)
  await site.call(markWatched, byId(video.id), viewer)
  await save(video.id, 30)
  await save(video.id, 31, bob)
  expect(await site.call(clearWatched, {}, viewer)).toEqual({ cleared: 1 })
  expect(await position(video.id)).toBeNull()
  expect(await history()).toEqual([])
  expect(await isWatched(id)).toBe(false)
  expect(await position(video.id, bob)).toBe(31)
})

test('positions are deleted with the account', async () => {
  const { video } = await newFilm(alice)
  await save(video.id, 30)
  await site.db`delete from users where id = ${viewer.id}`
  expect(await site.db`select from playback_positions where video_id = ${video.id}`).toHaveLength(0)
})
