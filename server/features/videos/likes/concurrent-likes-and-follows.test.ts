/** Two hundred people at once, at one video and at one person: every count is that of its rows, and nobody meets an error. */
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

const atCelebrity = () => ({ params: { id: celebrity.id } })
const callAll = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
/** Across a block the other is not there. */
const orNotFound = (calling: Promise<unknown>) =>
  calling.catch((error: { status?: number }) => {
    if (error.status !== 404) throw error
  })

test('two hundred people like one video, and every other takes it back meanwhile', async () => {
  const { video } = await saveFilm(site, celebrity, 'for everyone')
  const like = (who: TestUser) => site.call(toggleLike, { params: { id: video.id } }, who)
  const failed = await callAll(
    crowd.map(async (who, n) => {
      await like(who)
      if (n % 2 === 0) await like(who)
    }),
  )
  expect(failed).toEqual([])
  const [row] = await site.db`select likes_count from videos where id = ${video.id}`
  expect(row?.likes_count).toBe(100)
  expect(await counterMismatches(site)).toEqual([])
  // Each once in what is told; who took it back is left out where it is read.
  const [told] = await site.db`
    select count(*) from notification_actors a join notifications n on n.id = a.notification_id
     where n.user_id = ${celebrity.id} and n.video_id = ${video.id}`
  expect(told?.count).toBe(200)
})

test('two hundred people follow one person and no more, who blocks some of them meanwhile, and is blocked', async () => {
  const failed = await callAll(
    crowd.flatMap((who, n) => [
      orNotFound(site.call(followUser, atCelebrity(), who)),
      ...(n % 3 === 0 ? [orNotFound(site.call(unfollowUser, atCelebrity(), who))] : []),
      ...(n % 5 === 0 ? [site.call(blockUser, { params: { id: who.id } }, celebrity)] : []),
      ...(n % 7 === 0 ? [site.call(blockUser, atCelebrity(), who)] : []),
      ...(n % 10 === 0 ? [site.call(unblockUser, { params: { id: who.id } }, celebrity)] : []),
      ...(n % 11 === 0 ? [orNotFound(site.call(toggleFollow, { params: { id: who.id } }, celebrity))] : []),
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
