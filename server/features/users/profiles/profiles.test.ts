import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let bob: TestUser
let userCount = 0
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
  bob = await signUp(site, `bob${userCount}`)
})

const readProfile = (user: { username: string }, viewer: TestUser | null = null) =>
  site.call(getProfile, { params: { username: user.username } }, viewer)

/** Creates a bookmark of a new video in My Vault, and returns the id of the video. */
async function insertBookmark(
  user: TestUser,
  { access = 'public', status = 'visible' } = {},
): Promise<number> {
  const [video] = await site.db`
    insert into videos (canonical_url, source_url, host)
    values (${`https://example.org/${crypto.randomUUID()}`}, 'https://example.org/', 'example.org')
    returning id`
  await site.db`
    insert into bookmarks (user_id, video_id, collection_id, title, access)
    select ${user.id}, ${video?.id}, id, 'A film', ${access} from collections where user_id = ${user.id}`
  if (status !== 'visible') await site.db`update videos set status = ${status} where id = ${video?.id}`
  return video?.id
}

test('visitors see the public part of a profile and none of its settings', async () => {
  expect(await readProfile(alice)).toEqual({
    user_id: alice.id,
    id: alice.id,
    username: alice.username,
    avatar_url: '/media/default.jpg',
    bio: '',
    is_verified: false,
    is_moderator: false,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    followers_count: 0,
    following_count: 0,
    bookmarks_count: 0,
    likes_count: 0,
    collections: [expect.objectContaining({ name: 'My Vault', channels: [expect.anything()] })],
    is_followed: false,
    has_feed: true,
    is_blocked: false,
    mute_id: null,
    pins: [],
  })
})

test('the owner also sees the settings', async () => {
  expect(await readProfile(alice, alice)).toMatchObject({
    email: alice.email,
    default_bookmark_orientation: 'sfw',
    default_bookmark_collection: null,
    notify_on_follow: true,
    notify_on_own_video_bookmarked: true,
    notify_on_new_bookmark_from_followed_user: true,
    notify_on_own_video_liked: true,
  })
  expect(await readProfile(alice, bob)).not.toHaveProperty('email')
})

test('a profile is found by username in any case, with and without a final slash', async () => {
  const inUpperCase = await readProfile({ username: alice.username.toUpperCase() })
  expect(inUpperCase.username).toBe(alice.username)
  const withoutSlash = await site.app.inject(`/api/profile/${alice.username}`)
  expect(withoutSlash.statusCode).toBe(200)
})

test('unknown and banned users are not found', async () => {
  await site.db`update users set banned_at = now() where id = ${bob.id}`
  const missing = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }
  expect(await failedReply(readProfile({ username: 'nobody' }))).toEqual(missing)
  expect(await failedReply(readProfile(bob))).toEqual(missing)
  expect(await failedReply(readProfile(bob, alice))).toEqual(missing)
})

test('the number of bookmarks includes private and hidden ones for their owner only', async () => {
  await insertBookmark(alice)
  await insertBookmark(alice, { access: 'private' })
  await insertBookmark(alice, { status: 'hidden' })
  expect((await readProfile(alice)).bookmarks_count).toBe(1)
  expect((await readProfile(alice, bob)).bookmarks_count).toBe(1)
  expect((await readProfile(alice, alice)).bookmarks_count).toBe(3)
  await site.db`update collections set access = 'private' where user_id = ${alice.id}`
  expect((await readProfile(alice)).bookmarks_count).toBe(0)
  expect((await readProfile(alice, alice)).bookmarks_count).toBe(3)
})

test('the number of liked videos includes visible videos only', async () => {
  const [shown, hidden, secret] = [
    await insertBookmark(alice),
    await insertBookmark(alice, { status: 'hidden' }),
    await insertBookmark(alice, { access: 'private' }),
  ]
  for (const video of [shown, hidden, secret])
    await site.db`insert into likes (user_id, video_id) values (${bob.id}, ${video})`
  expect((await readProfile(bob)).likes_count).toBe(1)
  await site.db`update videos set status = 'visible' where id = ${hidden}`
  expect((await readProfile(bob)).likes_count).toBe(2)
})

test('a profile shows whether the viewer follows its owner', async () => {
  await site.db`insert into follows (follower_id, followee_id) values (${alice.id}, ${bob.id})`
  expect(await readProfile(bob, alice)).toMatchObject({ is_followed: true, followers_count: 1 })
  expect(await readProfile(alice, bob)).toMatchObject({ is_followed: false, following_count: 1 })
  expect((await readProfile(bob)).is_followed).toBe(false)
})

test('a profile takes one statement besides the authentication', async () => {
  site.statements.length = 0
  await readProfile(alice)
  expect(site.statements).toHaveLength(1)
  await readProfile(alice, bob)
  expect(site.statements).toHaveLength(3)
})
