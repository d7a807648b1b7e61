/** Users who are suggested while a name is typed after `@`: only those whom the viewer may see, the nearest first. */
import { blockUser } from '@reelmark/contract/blocks.ts'
import { createComment, createReply } from '@reelmark/contract/comments.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { suggestMentions } from '@reelmark/contract/suggestions.ts'
import { beforeAll, expect, test } from 'vitest'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice, bob } = await useSite()
let videoId: number
let popular: TestUser
let followed: TestUser
let commenter: TestUser
let replier: TestUser

const suggest = async (q: string, user = bob, video?: number) =>
  (await site.call(suggestMentions, { query: { q, ...(video !== undefined && { video }) } }, user)).users.map(
    ({ username }) => username,
  )

beforeAll(async () => {
  popular = await signUp(site, 'kim.popular')
  followed = await signUp(site, 'kim.followed')
  commenter = await signUp(site, 'kim-commenter')
  replier = await signUp(site, 'kim_replier')
  await site.db`update users set followers_count = 9 where id = ${popular.id}`
  await site.call(followUser, { params: { id: followed.id } }, bob)
  videoId = (await saveFilm(site, alice, 'discussed')).video.id
  const first = { params: { id: videoId }, body: { content: 'First' } }
  const { id } = await site.call(createComment, first, commenter)
  await site.call(createReply, { params: { id }, body: { content: 'Second' } }, replier)
})

test('participants of the discussion come first, then followed users, then the most followed', async () => {
  expect((await suggest('ki', bob, videoId)).slice(2)).toEqual(['kim.followed', 'kim.popular'])
  expect((await suggest('ki', bob, videoId)).slice(0, 2).sort()).toEqual(['kim-commenter', 'kim_replier'])
  expect((await suggest('KIM', bob)).slice(0, 2)).toEqual(['kim.followed', 'kim.popular'])
  expect((await suggest('kim', alice))[0]).toBe('kim.popular')
  await signUp(site, 'kim')
  expect((await suggest('kim', bob, videoId))[0]).toBe('kim')
})

test('a name is found by the beginning of its words, at most five are suggested, and never the user themselves', async () => {
  expect(await suggest('kim.fol')).toEqual(['kim.followed'])
  expect(await suggest('repl')).toEqual(['kim_replier'])
  expect(await suggest('bob')).toEqual([])
  expect(await suggest('...')).toEqual([])
  await signUp(site, 'kim.sixth')
  expect(await suggest('kim')).toHaveLength(5)
})

test('users who hide their profile, and those whom a block, a mute or a ban separates, are not suggested', async () => {
  const setProfile = (profile_visibility: 'everyone' | 'only_me') =>
    site.call(
      updateProfile,
      { params: { username: commenter.username }, body: { profile_visibility } },
      commenter,
    )
  await setProfile('only_me')
  expect(await suggest('kim-c', bob, videoId)).toEqual([])
  await setProfile('everyone')
  expect(await suggest('kim-c', bob, videoId)).toEqual(['kim-commenter'])
  await site.call(blockUser, { params: { id: bob.id } }, commenter)
  expect(await suggest('kim-c', bob, videoId)).toEqual([])
  await site.call(blockUser, { params: { id: replier.id } }, bob)
  expect(await suggest('kim_r', bob, videoId)).toEqual([])
  await site.call(createMute, { body: { user_id: followed.id } }, bob)
  expect(await suggest('kim.f', bob, videoId)).toEqual([])
  await site.db`update users set banned_at = now() where id = ${popular.id}`
  expect(await suggest('kim.p', bob, videoId)).toEqual([])
  await site.db`update users set banned_at = null where id = ${popular.id}`
})

test('participants of a discussion that the viewer may not see do not come first', async () => {
  const eve = await signUp(site, 'eve')
  const order = await suggest('ki', eve)
  expect((await suggest('ki', eve, videoId))[0]).not.toBe(order[0])
  await site.db`update videos set status = 'hidden' where id = ${videoId}`
  expect(await suggest('ki', eve, videoId)).toEqual(order)
  const moderator = await signUpModerator(site, 'moderator')
  expect(await suggest('ki', moderator, videoId)).not.toEqual(order)
  await site.db`update videos set status = 'visible' where id = ${videoId}`
  expect(await suggest('ki', eve, 1)).toEqual(order)
})

test('a text that is too short or too long is refused', async () => {
  for (const q of ['k', 'k'.repeat(31)]) expect(await failedReply(suggest(q))).toMatchObject({ status: 400 })
})
