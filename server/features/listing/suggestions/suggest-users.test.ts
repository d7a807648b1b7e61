/** Users to follow, suggested by tags: those who save such videos publicly, and whom the viewer may see. */
import { blockUser } from '@reelmark/contract/blocks.ts'
import { followUser, unfollowUser } from '@reelmark/contract/follows.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { suggestUsers } from '@reelmark/contract/suggestions.ts'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice, bob } = await useSite()
let mara: TestUser
let nils: TestUser

const suggest = async (tags: string, orientation?: 'sfw', viewer = alice) =>
  (await site.call(suggestUsers, { query: { tags, ...(orientation && { orientation }) } }, viewer)).users
const names = async (...args: Parameters<typeof suggest>) =>
  (await suggest(...args)).map(({ username }) => username)

beforeAll(async () => {
  mara = await signUp(site, 'mara')
  nils = await signUp(site, 'nils')
  await saveFilm(site, mara, 1, { video: { tags: ['sea', 'storms'] } })
  await saveFilm(site, mara, 2, { video: { tags: ['sea'] } })
  await saveFilm(site, nils, 3, { video: { tags: ['sea'] } })
  await saveFilm(site, nils, 4, { video: { tags: ['night'], orientation: 'gay' } })
  await saveFilm(site, bob, 5, { video: { tags: ['sea'] }, bookmark: { access: 'private' } })
  await saveFilm(site, alice, 6, { video: { tags: ['sea', 'storms', 'night'] } })
})
afterEach(async () => {
  await site.db`delete from blocks`
  await site.db`delete from mutes`
  await site.db`update users set banned_at = null, suspended_until = null`
})

test('who used the tags most comes first, with the tags of their videos, and never the viewer', async () => {
  expect(await suggest('Storms, SEA,,sea')).toMatchObject([
    { username: 'mara', tags: ['sea', 'storms'], followers_count: 0, is_followed: false, is_verified: false },
    { username: 'nils', tags: ['sea'] },
  ])
  expect(await names('storms')).toEqual(['mara'])
  expect((await names('sea', undefined, bob)).sort()).toEqual(['alice', 'mara', 'nils'])
})

test('private bookmarks and unknown tags suggest no one', async () => {
  expect(await names('sea')).not.toContain('bob')
  expect(await names('no such tag')).toEqual([])
  expect(await names(' , ')).toEqual([])
  expect(await names(`it's, \\ " & | !`)).toEqual([])
})

test('adult videos count only if they are requested', async () => {
  expect(await names('night', 'sfw')).toEqual([])
  expect(await names('night')).toEqual(['nils'])
})

test('followed users are left out', async () => {
  await site.call(followUser, { params: { id: mara.id } }, alice)
  expect(await names('sea')).toEqual(['nils'])
  await site.call(unfollowUser, { params: { id: mara.id } }, alice)
  expect(await names('sea')).toEqual(['mara', 'nils'])
})

test('users whom a block separates, muted users, and users with muted tags only are left out', async () => {
  await site.call(blockUser, { params: { id: mara.id } }, alice)
  await site.call(blockUser, { params: { id: alice.id } }, nils)
  expect(await names('sea')).toEqual([])
  await site.db`delete from blocks`
  await site.call(createMute, { body: { user_id: mara.id } }, alice)
  expect(await names('sea')).toEqual(['nils'])
  await site.db`delete from mutes`
  await site.call(createMute, { body: { tag: 'storms' } }, alice)
  expect((await suggest('sea'))[0]?.tags).toEqual(['sea'])
  expect(await names('storms')).toEqual(['mara'])
})

test('banned and suspended users are left out', async () => {
  await site.db`update users set banned_at = now() where id = ${mara.id}`
  await site.db`update users set suspended_until = now() + interval '1 day' where id = ${nils.id}`
  expect(await names('sea')).toEqual([])
  await site.db`update users set suspended_until = now() - interval '1 day' where id = ${nils.id}`
  expect(await names('sea')).toEqual(['nils'])
})

test.each([
  { profile_visibility: 'members' },
  { profile_visibility: 'only_me' },
  { collector_visibility: 'only_me' },
] as const)('users with %o are left out', async (visibility) => {
  const setProfile = (body: object) =>
    site.call(updateProfile, { params: { username: mara.username }, body }, mara)
  await setProfile(visibility)
  expect(await names('sea')).toEqual(['nils'])
  await setProfile({ profile_visibility: 'everyone', collector_visibility: 'members' })
  expect(await names('sea')).toEqual(['mara', 'nils'])
})

test('tags beyond the tenth are ignored, and longer texts are refused', async () => {
  const unused = Array.from({ length: limits.pickedTagsMax }, (_, n) => `tag${n}`).join()
  expect(await names(`${unused},sea`)).toEqual([])
  expect(await failedReply(suggest('a'.repeat(1000)))).toMatchObject({ status: 400 })
})
