/** Two hundred concurrent users on one video and one profile: counters equal their rows, and no call fails. */
import { blockUser, unblockUser } from '@reelmark/contract/blocks.ts'
import { followUser, toggleFollow, unfollowUser } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCallers } from '../../../testing/callers.ts'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import type { TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let celebrity: TestUser
let crowd: TestUser[]
beforeAll(async () => {
  site = await bootApp()
  const callers = createCallers(site)
  celebrity = await callers.createUser()
  crowd = await Promise.all(Array.from({ length: 200 }, () => callers.createUser()))
})
afterAll(() => site.close())

const celebrityParams = () => ({ params: { id: celebrity.id } })
const callAll = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
/** Ignores 404, which is the answer if one user blocked the other. */
const orNotFound = (calling: Promise<unknown>) =>
  calling.catch((error: { status?: number }) => {
    if (error.status !== 404) throw error
  })

test('two hundred users like one video, and half of them unlike it again, without an error', async () => {
  const { video } = await saveFilm(site, celebrity, 'for everyone')
  const like = (user: TestUser) => site.call(toggleLike, { params: { id: video.id } }, user)
  const failed = await callAll(
    crowd.map(async (user, n) => {
      await like(user)
      if (n % 2 === 0) await like(user)
    }),
  )
  expect(failed).toEqual([])
  const [row] = await site.db`select likes_count from videos where id = ${video.id}`
  expect(row?.likes_count).toBe(100)
  expect(await counterMismatches(site)).toEqual([])
  // Every liker is stored once; those who unliked are left out when the notification is read.
  const [actors] = await site.db`
    select count(*) from notification_actors a join notifications n on n.id = a.notification_id
     where n.user_id = ${celebrity.id} and n.video_id = ${video.id}`
  expect(actors?.count).toBe(200)
})

test('two hundred users follow, unfollow and block one user, who blocks some of them, without an error', async () => {
  const failed = await callAll(
    crowd.flatMap((user, n) => [
      orNotFound(site.call(followUser, celebrityParams(), user)),
      ...(n % 3 === 0 ? [orNotFound(site.call(unfollowUser, celebrityParams(), user))] : []),
      ...(n % 5 === 0 ? [site.call(blockUser, { params: { id: user.id } }, celebrity)] : []),
      ...(n % 7 === 0 ? [site.call(blockUser, celebrityParams(), user)] : []),
      ...(n % 10 === 0 ? [site.call(unblockUser, { params: { id: user.id } }, celebrity)] : []),
      ...(n % 11 === 0 ? [orNotFound(site.call(toggleFollow, { params: { id: user.id } }, celebrity))] : []),
    ]),
  )
  expect(failed).toEqual([])
  expect(await site.db`select from follows where is_blocked_between(follower_id, followee_id)`).toHaveLength(
    0,
  )
  expect(await counterMismatches(site)).toEqual([])
  const [row] = await site.db`select followers_count from users where id = ${celebrity.id}`
  expect(row?.followers_count).toBeGreaterThan(50)
})
