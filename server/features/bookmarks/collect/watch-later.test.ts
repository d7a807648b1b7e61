/** Watch Later, and watched videos. */

import { blockUser } from '@reelmark/contract/blocks.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { toggleWatchLater } from '@reelmark/contract/collect.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { clearWatched, markWatched, unmarkWatched } from '@reelmark/contract/watching.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'

const site = await useEmptySite()
let alice: TestUser
let bob: TestUser
let userCount = 0

beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
  bob = await signUp(site, `bob${userCount}`)
})

const byId = (id: number) => ({ params: { id } })
const saveTo = (film: number | string, options: Parameters<typeof saveFilm>[3] = {}, user = alice) =>
  saveFilm(site, user, `${userCount}-${film}`, options)

describe('Watch Later', () => {
  const toggle = (id: number, user = bob) => site.call(toggleWatchLater, byId(id), user)

  test('adds a video with the first call and removes it with the next, in a private collection created on first use', async () => {
    const { video } = await saveTo(1, { bookmark: { tags: ['x'] } })
    const added = await toggle(video.id)
    expect(added).toMatchObject({ is_in_watch_later: true, bookmark_id: expect.any(Number) })
    expect(await site.call(getBookmark, byId(added.bookmark_id ?? 0), bob)).toMatchObject({
      title: video.title,
      is_public: false,
      is_in_watch_later: true,
      collection: { id: added.collection_id, name: 'Watch Later', access: 'private' },
    })
    expect(await failedReply(site.call(getBookmark, byId(added.bookmark_id ?? 0), alice))).toMatchObject({
      status: 404,
    })
    const own = await site.call(listCollections, { query: {} }, bob)
    expect(own.results.map(({ name, is_watch_later }) => [name, is_watch_later])).toEqual([
      ['My Vault', false],
      ['Watch Later', true],
    ])
    expect(await site.call(listCollections, { query: { user: bob.username } })).toMatchObject({ count: 1 })
    expect(await toggle(video.id)).toMatchObject({ is_in_watch_later: false, bookmark_id: null })
    expect(await toggle(video.id)).toEqual(added)
    expect(await counterMismatches(site)).toEqual([])
  })

  test('is not counted in the profile of its owner, and lists can leave it out', async () => {
    const { video } = await saveTo(1)
    const own = await saveTo(2, {}, bob)
    await toggle(video.id)
    const find = async (query: ListingQuery) => {
      const { results, count } = await site.call(listVideos, { query: { user: bob.username, ...query } }, bob)
      expect(count).toBe(results.length)
      return results.map(({ video_id }) => video_id)
    }
    expect(await find({})).toEqual([video.id, own.video.id])
    expect(await find({ watch_later: false })).toEqual([own.video.id])
    expect(await find({ watch_later: true })).toEqual([video.id])
    expect(await find({ q: 'is:later' })).toEqual([video.id])
    const profile = () => site.call(getProfile, { params: { username: bob.username } }, bob)
    expect(await profile()).toMatchObject({ bookmarks_count: 1 })
    // Users without a Watch Later, and the bookmarks of others, have nothing to leave out.
    const { results } = await site.call(
      listVideos,
      { query: { user: bob.username, watch_later: false } },
      alice,
    )
    expect(results.map(({ video_id }) => video_id)).toEqual([own.video.id])
  })

  test('answers 404 for a video that the user may not see, and creates nothing', async () => {
    const { video } = await saveTo(1, { bookmark: { access: 'private' } })
    expect(await failedReply(toggle(video.id))).toMatchObject({ status: 404 })
    expect(await failedReply(toggle(1e9))).toMatchObject({ status: 404 })
    expect((await site.call(listCollections, { query: {} }, bob)).count).toBe(1)
    expect(await toggle(video.id, alice)).toMatchObject({ is_in_watch_later: true })
  })

  test('copies nothing from a user who blocked the viewer, but from another saver', async () => {
    const carol = await signUp(site, `carol${userCount}`)
    const { video } = await saveTo(1, { video: { title: 'By Alice' }, bookmark: { tags: ['alices'] } })
    await saveTo(1, { video: { title: 'By Carol' }, bookmark: { tags: ['carols'] } }, carol)
    await site.call(blockUser, byId(bob.id), alice)
    const { bookmark_id } = await toggle(video.id)
    expect(await site.call(getBookmark, byId(bookmark_id ?? 0), bob)).toMatchObject({
      title: 'By Carol',
      tags: [{ name: 'carols' }],
    })
  })

  test('answers 404 for a video that only users who blocked the viewer saved', async () => {
    const { video } = await saveTo(1)
    await site.call(blockUser, byId(bob.id), alice)
    expect(await failedReply(toggle(video.id))).toMatchObject({ status: 404 })
  })

  test('toggled ten times concurrently creates one collection and ends without the video', async () => {
    const { video } = await saveTo(1)
    await Promise.all(Array.from({ length: 10 }, () => toggle(video.id)))
    const [row] = await site.db`
      select count(distinct c.id)::int as collections, count(b.id) filter (where b.deleted_at is null)::int as saved,
             count(b.id)::int as rows
        from collections c left join bookmarks b on b.collection_id = c.id
       where c.user_id = ${bob.id} and c.is_watch_later`
    expect(row).toEqual({ collections: 1, saved: 0, rows: 1 })
  })
})

test('a video that a user marks as watched is marked for that user only, in lists and on its page', async () => {
  const { id, video } = await saveTo(1)
  const watchedFor = async (viewer: TestUser | null) => {
    const { results } = await site.call(listVideos, { query: { user: alice.username } }, viewer)
    const bookmark = await site.call(getBookmark, byId(id), viewer)
    return [results[0]?.is_watched ?? false, bookmark.is_watched]
  }
  expect(await site.call(markWatched, byId(video.id), bob)).toEqual({ is_watched: true })
  await site.call(markWatched, byId(video.id), bob)
  expect(await watchedFor(bob)).toEqual([true, true])
  for (const other of [alice, null]) expect(await watchedFor(other)).toEqual([false, false])
  expect(await site.call(unmarkWatched, byId(video.id), bob)).toEqual({ is_watched: false })
  expect(await watchedFor(bob)).toEqual([false, false])
  const secret = await saveTo(2, { bookmark: { access: 'private' } })
  expect(await failedReply(site.call(markWatched, byId(secret.video.id), bob))).toMatchObject({ status: 404 })
  expect(await failedReply(site.call(markWatched, byId(secret.video.id)))).toMatchObject({ status: 401 })
})

test('clearing the watched videos removes all marks of that user and none of others', async () => {
  await site.db`
    with created as (
      insert into videos (canonical_url, source_url, host)
      select link, link, 'many.example.org'
        from (select 'https://many.example.org/watched/' || n as link from generate_series(1, 5001) n) links
      returning id)
    insert into watched_videos (user_id, video_id) select ${bob.id}, id from created`
  const { video } = await saveTo(1)
  await site.call(markWatched, byId(video.id), alice)
  await site.call(markWatched, byId(video.id), bob)
  expect(await site.call(clearWatched, {}, bob)).toEqual({ cleared: 5002 })
  expect(await site.call(clearWatched, {}, bob)).toEqual({ cleared: 0 })
  expect(await site.db`select user_id from watched_videos where video_id = ${video.id}`).toEqual([
    { user_id: alice.id },
  ])
  expect((await failedReply(site.call(clearWatched, {}))).status).toBe(401)
})
