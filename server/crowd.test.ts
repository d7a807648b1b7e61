/** Two hundred people at once, at one video and at one person: every count is that of its rows, and nobody meets an error. */
import { blockUser, unblockUser } from '@reelmark/contract/blocks.ts'
import { followUser, toggleFollow, unfollowUser } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootApp, type TestApp } from './testing/app.ts'
import { openCallers } from './testing/callers.ts'
import { differences } from './testing/counters.ts'
import type { PersonInTest } from './testing/people.ts'
import { save } from './testing/saving.ts'

let site: TestApp
let star: PersonInTest
let crowd: PersonInTest[]
beforeAll(async () => {
  site = await bootApp()
  const callers = openCallers(site)
  star = await callers.person()
  crowd = await Promise.all(Array.from({ length: 200 }, () => callers.person()))
})
afterAll(() => site.close())

const atStar = () => ({ params: { id: star.id } })
const allOf = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
/** Across a block the other is not there. */
const orMissing = (calling: Promise<unknown>) =>
  calling.catch((error: { status?: number }) => {
    if (error.status !== 404) throw error
  })

test('two hundred people like one video, and every other takes it back meanwhile', async () => {
  const { video } = await save(site, star, 'for everyone')
  const like = (who: PersonInTest) => site.call(toggleLike, { params: { id: video.id } }, who)
  const failed = await allOf(
    crowd.map(async (who, n) => {
      await like(who)
      if (n % 2 === 0) await like(who)
    }),
  )
  expect(failed).toEqual([])
  const [row] = await site.db`select likes_count from videos where id = ${video.id}`
  expect(row?.likes_count).toBe(100)
  expect(await differences(site)).toEqual([])
  // Each once in what is told; who took it back is left out where it is read.
  const [told] = await site.db`
    select count(*) from notification_actors a join notifications n on n.id = a.notification_id
     where n.user_id = ${star.id} and n.video_id = ${video.id}`
  expect(told?.count).toBe(200)
})

test('two hundred people follow one person and no more, who blocks some of them meanwhile, and is blocked', async () => {
  const failed = await allOf(
    crowd.flatMap((who, n) => [
      orMissing(site.call(followUser, atStar(), who)),
      ...(n % 3 === 0 ? [orMissing(site.call(unfollowUser, atStar(), who))] : []),
      ...(n % 5 === 0 ? [site.call(blockUser, { params: { id: who.id } }, star)] : []),
      ...(n % 7 === 0 ? [site.call(blockUser, atStar(), who)] : []),
      ...(n % 10 === 0 ? [site.call(unblockUser, { params: { id: who.id } }, star)] : []),
      ...(n % 11 === 0 ? [orMissing(site.call(toggleFollow, { params: { id: who.id } }, star))] : []),
    ]),
  )
  expect(failed).toEqual([])
  expect(await site.db`select from follows where is_blocked_between(follower_id, followee_id)`).toHaveLength(
    0,
  )
  expect(await differences(site)).toEqual([])
  const [row] = await site.db`select followers_count from users where id = ${star.id}`
  expect(row?.followers_count).toBeGreaterThan(50)
})
