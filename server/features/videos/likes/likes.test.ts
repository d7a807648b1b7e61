import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { getLikeStatus, toggleLike } from '@reelmark/contract/likes.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCallers } from '../../../testing/callers.ts'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUpModerator, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let users: TestUser[]
let alice: TestUser
let bob: TestUser
let films = 0
beforeAll(async () => {
  site = await bootApp()
  const { createUser } = createCallers(site)
  users = await Promise.all(Array.from({ length: 60 }, () => createUser()))
})
afterAll(() => site.close())
beforeEach(() => {
  alice = users[0] as TestUser
  bob = users[1] as TestUser
})

const film = (owner: TestUser, access: 'public' | 'private' = 'public') =>
  saveFilm(site, owner, `liked${++films}`, { bookmark: { access } })
const like = (id: number, viewer: TestUser | null) => site.call(toggleLike, { params: { id } }, viewer)
const readStatus = (id: number, viewer: TestUser | null) =>
  site.call(getLikeStatus, { params: { id } }, viewer)
const missing = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }

test('a like is shown to the user who gave it, and is counted for everyone', async () => {
  const { id, video } = await film(alice)
  expect(await readStatus(video.id, bob)).toEqual({ is_liked: false, likes_count: 0 })
  expect(await like(video.id, bob)).toEqual({ is_liked: true, likes_count: 1 })
  expect(await like(video.id, alice)).toEqual({ is_liked: true, likes_count: 2 })
  expect(await readStatus(video.id, bob)).toEqual({ is_liked: true, likes_count: 2 })
  expect(await site.call(getBookmark, { params: { id } }, bob)).toMatchObject({
    is_liked: true,
    video: { likes_count: 2 },
  })
  expect(await site.call(getBookmark, { params: { id } })).toMatchObject({ is_liked: false })
  expect(await like(video.id, bob)).toEqual({ is_liked: false, likes_count: 1 })
  expect(await site.call(getBookmark, { params: { id } }, bob)).toMatchObject({
    is_liked: false,
    video: { likes_count: 1 },
  })
})

test('reading the like status takes two statements, and liking with the notification seven', async () => {
  const { video } = await film(alice)
  await readStatus(video.id, bob)
  site.statements.length = 0
  await readStatus(video.id, bob)
  expect(site.statements).toHaveLength(2)
  await like(video.id, bob)
  // The session, the transaction with the like and the notification, and the messages to owner and other processes.
  const kinds = site.statements
    .slice(2)
    .map((text) => /^(begin|commit)|notification|pg_notify|^\W*select|with visible/.exec(text)?.[0].trim())
  expect(kinds).toHaveLength(7)
})

test('a video that the viewer may not see is answered as if it did not exist', async () => {
  const secret = (await film(alice, 'private')).video.id
  const hidden = (await film(alice)).video.id
  const removed = (await film(alice)).video.id
  const trashed = await film(alice, 'private')
  await site.db`update videos set status = 'hidden' where id = ${hidden}`
  await site.db`update videos set status = 'removed' where id = ${removed}`
  await site.db`update bookmarks set deleted_at = now() where id = ${trashed.id}`
  for (const id of [secret, hidden, removed, trashed.video.id, 123_456_789]) {
    expect(await failedReply(readStatus(id, bob)), String(id)).toEqual(missing)
    expect(await failedReply(like(id, bob)), String(id)).toEqual(missing)
  }
  expect(
    await site.db`select from likes where user_id = ${bob.id} and video_id = any(${[secret, hidden, removed]})`,
  ).toHaveLength(0)

  // The owner sees both and can like the one under review. A like of the private one would be public once another user
  // saves the video publicly, and reveal that its owner had it before.
  expect(await like(hidden, alice)).toEqual({ is_liked: true, likes_count: 1 })
  expect(await readStatus(secret, alice)).toEqual({ is_liked: false, likes_count: 0 })
  expect(await failedReply(like(secret, alice))).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(await failedReply(like(removed, alice))).toEqual(missing)
  const moderator = await signUpModerator(site, 'likes-moderator')
  expect(await readStatus(hidden, moderator)).toEqual({ is_liked: false, likes_count: 1 })
  expect(await failedReply(readStatus(secret, moderator))).toEqual(missing)
})

test('a like of a video that is not public is neither listed nor counted until the video is public again', async () => {
  const own = await film(alice)
  await like(own.video.id, bob)
  const isListedFor = async (viewer: TestUser | null) => {
    const { results, count } = await site.call(listVideos, { query: { liked_by: bob.username } }, viewer)
    expect(results).toHaveLength(count)
    const profile = await site.call(getProfile, { params: { username: bob.username } }, viewer)
    expect(profile.likes_count).toBe(count)
    return results.some(({ video_id }) => video_id === own.video.id)
  }
  expect(await isListedFor(null)).toBe(true)
  await site.db`update bookmarks set access = 'private' where id = ${own.id}`
  for (const viewer of [null, bob, alice]) expect(await isListedFor(viewer)).toBe(false)
  expect(await failedReply(readStatus(own.video.id, bob))).toEqual(missing)
  await site.db`update bookmarks set access = 'public' where id = ${own.id}`
  await site.db`update videos set status = 'hidden' where id = ${own.video.id}`
  for (const viewer of [null, bob, alice]) expect(await isListedFor(viewer)).toBe(false)
  await site.db`update videos set status = 'visible' where id = ${own.video.id}`
  for (const viewer of [null, bob, alice]) expect(await isListedFor(viewer)).toBe(true)
})

test('invalid ids are answered with 404, and visitors with 401', async () => {
  const { video } = await film(alice)
  expect((await failedReply(like(video.id, null))).status).toBe(401)
  expect((await failedReply(readStatus(video.id, null))).status).toBe(401)
  for (const id of ['0', '-1', 'x', '1.5', '9'.repeat(30), '%00']) {
    for (const [method, path] of [
      ['GET', 'like-status'],
      ['POST', 'like'],
    ] as const) {
      const reply = await site.app.inject({
        method,
        url: `/api/videos/${id}/${path}/`,
        headers: { authorization: `Bearer ${bob.access}` },
      })
      expect([reply.statusCode, reply.json()], id).toEqual([404, missing.body])
    }
  }
})

test('two hundred concurrent likes and unlikes of three videos leave correct counters and no deadlock', {
  tags: 'heavy',
}, async () => {
  const videos = (await Promise.all([film(alice), film(alice), film(alice)])).map(({ video }) => video.id)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => like(videos[n % 3] as number, users[(n * 7) % 60] as TestUser)),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await counterMismatches(site)).toEqual([])
})

test('sixty users who like one video concurrently get sixty different counts', {
  tags: 'heavy',
}, async () => {
  const { video } = await film(alice)
  const liked = await Promise.all(users.map((user) => like(video.id, user)))
  expect(liked.map(({ likes_count }) => likes_count).sort((a, b) => a - b)).toEqual(
    users.map((_, n) => n + 1),
  )
  const unliked = await Promise.all(users.map((user) => like(video.id, user)))
  expect(unliked.map(({ likes_count }) => likes_count).sort((a, b) => a - b)).toEqual(users.map((_, n) => n))
  expect(await counterMismatches(site)).toEqual([])
})

test('twenty concurrent calls by one user end as liked or not liked, with the matching count', async () => {
  const { video } = await film(alice)
  const replies = await Promise.all(Array.from({ length: 20 }, () => like(video.id, bob)))
  for (const { likes_count } of replies) expect([0, 1]).toContain(likes_count)
  const { is_liked, likes_count } = await readStatus(video.id, bob)
  expect(likes_count).toBe(is_liked ? 1 : 0)
  expect(await counterMismatches(site)).toEqual([])
})
