import { blockUser, listBlocks, unblockUser } from '@reelmark/contract/blocks.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { getChannel, getCollection, listChannels, listCollections } from '@reelmark/contract/collections.ts'
import {
  followUser,
  getFollowStatus,
  listCollectors,
  listFollowers,
  listFollowing,
  toggleFollow,
  unfollowUser,
} from '@reelmark/contract/follows.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Callers, createCallers } from '../../../testing/callers.ts'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let callers: Callers
let alice: TestUser
let bob: TestUser
let filmCount = 0
beforeAll(async () => {
  site = await bootApp()
  callers = createCallers(site)
})
afterAll(() => site.close())
beforeEach(async () => {
  alice = await callers.createUser()
  bob = await callers.createUser()
})

const byId = ({ id }: { id: number }) => ({ params: { id } })
const block = (target: { id: number }, viewer: TestUser | null) => site.call(blockUser, byId(target), viewer)
const unblock = (target: { id: number }, viewer: TestUser | null) =>
  site.call(unblockUser, byId(target), viewer)
const follow = (target: { id: number }, viewer: TestUser) => site.call(followUser, byId(target), viewer)
const readProfile = ({ username }: TestUser, viewer: TestUser | null) =>
  site.call(getProfile, { params: { username } }, viewer)
const readIds = async (page: Promise<{ results: { id: number }[] }>) =>
  (await page).results.map(({ id }) => id)
const missing = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }

test('blocking and unblocking are idempotent', async () => {
  for (let attempt = 0; attempt < 2; attempt++) expect(await block(bob, alice)).toEqual({ is_blocked: true })
  expect(await readProfile(bob, alice)).toMatchObject({ is_blocked: true })
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await unblock(bob, alice)).toEqual({ is_blocked: false })
  expect(await readProfile(bob, alice)).toMatchObject({ is_blocked: false })
})

test('users cannot block themselves, and blocking unknown or banned users returns 404', async () => {
  const refused = {
    status: 400,
    body: { detail: "You can't do this to yourself.", code: 'cannot-target-self' },
  }
  const banned = await callers.createUser()
  await site.db`update users set banned_at = now() where id = ${banned.id}`
  for (const call of [block, unblock]) {
    expect(await failedReply(call(alice, alice))).toEqual(refused)
    for (const user of [banned, { id: 123_456_789 }])
      expect(await failedReply(call(user, alice))).toEqual(missing)
    expect((await failedReply(call(bob, null))).status).toBe(401)
  }
  for (const id of ['0', '-1', 'x', '1.5', '9'.repeat(30)]) {
    const url = `/api/users/${id}/block/`
    const headers = { authorization: `Bearer ${bob.access}` }
    expect((await site.app.inject({ method: 'POST', url, headers })).statusCode, id).toBe(404)
  }
})

test('blocked users are listed latest first, for the user who blocked them only', async () => {
  const carol = await callers.createUser()
  await block(bob, alice)
  await block(carol, alice)
  const listBlocksFor = (query: object, viewer: TestUser | null = alice) =>
    site.call(listBlocks, { query }, viewer)
  const entry = ({ id, username }: TestUser) => ({
    id,
    username,
    avatar_url: '/media/default.jpg',
    is_verified: false,
    blocked_at: expect.any(String),
  })
  const first = await listBlocksFor({ page_size: 1 })
  expect(first).toMatchObject({ count: 2, previous: null, results: [entry(carol)] })
  const reply = await site.app.inject({
    url: first.next ?? '',
    headers: { authorization: `Bearer ${alice.access}` },
  })
  expect(reply.json()).toMatchObject({ count: 2, next: null, results: [entry(bob)] })
  expect(await listBlocksFor({}, bob)).toMatchObject({ count: 0, results: [] })
  expect((await failedReply(listBlocksFor({}, null))).status).toBe(401)
})

test('a block ends follows in both directions and prevents new ones until it is removed', async () => {
  await follow(bob, alice)
  await follow(alice, bob)
  await block(bob, alice)
  expect(await counterMismatches(site)).toEqual([])
  for (const user of [alice, bob]) {
    expect(await readProfile(user, null)).toMatchObject({ followers_count: 0, following_count: 0 })
  }
  for (const [target, viewer] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    for (const call of [followUser, unfollowUser, toggleFollow, getFollowStatus]) {
      expect(await failedReply(site.call(call, byId(target), viewer))).toEqual(missing)
    }
  }
  // Also for rows inserted in any other way.
  await site.db`insert into follows (follower_id, followee_id) values (${bob.id}, ${alice.id})`
  expect(await site.db`select from follows where follower_id = ${bob.id}`).toHaveLength(0)
  expect(await counterMismatches(site)).toEqual([])
  await unblock(bob, alice)
  expect(await follow(alice, bob)).toEqual({ is_followed: true, followers_count: 1 })
})

test('a blocked user gets 404 for the profile, bookmarks and collections of the user who blocked them', async () => {
  const { id } = await saveFilm(site, alice, `blocks${++filmCount}`)
  const { collection_id, channel_id } = await vaultDestination(site, alice)
  const reads: ((viewer: TestUser | null) => Promise<unknown>)[] = [
    (viewer) => readProfile(alice, viewer),
    (viewer) => site.call(getBookmark, { params: { id } }, viewer),
    (viewer) => site.call(listChannels, { params: { id: collection_id }, query: {} }, viewer),
    (viewer) => site.call(getCollection, { params: { id: collection_id } }, viewer),
    (viewer) => site.call(getChannel, { params: { id: channel_id } }, viewer),
    (viewer) => site.call(listFollowers, { ...byId(alice), query: {} }, viewer),
    (viewer) => site.call(listFollowing, { ...byId(alice), query: {} }, viewer),
  ]
  const readEverything = (viewer: TestUser | null) => Promise.all(reads.map((read) => read(viewer)))
  await block(bob, alice)
  for (const read of reads) expect(await failedReply(read(bob))).toEqual(missing)
  expect(await site.call(listCollections, { query: { user: alice.username } }, bob)).toMatchObject({
    count: 0,
    results: [],
  })
  // The same response as for a username that does not exist.
  expect(await failedReply(readProfile({ ...alice, username: 'nobody-at-all' }, bob))).toEqual(missing)
  // Other users still see everything, and moderators do even if they are blocked.
  const moderator = await callers.createUser({ moderator: true })
  await block(moderator, alice)
  for (const viewer of [null, alice, await callers.createUser(), moderator]) await readEverything(viewer)
  // The user who blocked can still open the profile, where they can unblock.
  expect(await readProfile(bob, alice)).toMatchObject({ is_blocked: true, is_followed: false })
  await unblock(bob, alice)
  await readEverything(bob)
})

test('users separated by a block are omitted from each other’s lists of followers and collectors', async () => {
  const carol = await callers.createUser()
  for (const user of [alice, bob]) {
    await follow(carol, user)
    await follow(user, carol)
  }
  const film = `blocks${++filmCount}`
  const { video } = await saveFilm(site, alice, film)
  await saveFilm(site, bob, film)
  const readLists = (viewer: TestUser) =>
    Promise.all([
      readIds(site.call(listFollowers, { ...byId(carol), query: {} }, viewer)),
      readIds(site.call(listFollowing, { ...byId(carol), query: {} }, viewer)),
      readIds(site.call(listCollectors, { ...byId(video), query: {} }, viewer)),
    ])
  await block(bob, alice)
  for (const ids of await readLists(alice)) expect(ids).toEqual([alice.id])
  for (const ids of await readLists(bob)) expect(ids).toEqual([bob.id])
  for (const ids of await readLists(carol)) expect(ids).toEqual([bob.id, alice.id])
})

test('two users can block each other, and each block lasts until it is removed', async () => {
  await block(bob, alice)
  await block(alice, bob)
  await unblock(bob, alice)
  expect(await failedReply(readProfile(bob, alice))).toEqual(missing)
  expect(await readProfile(alice, bob)).toMatchObject({ is_blocked: true })
})

test('blocks are deleted with an account', async () => {
  await block(bob, alice)
  await block(alice, bob)
  await site.db`delete from users where id = ${bob.id}`
  expect(await site.db`select from blocks where blocker_id = ${alice.id}`).toHaveLength(0)
})

test('blocking and unblocking take one statement each besides the authentication', async () => {
  site.statements.length = 0
  await block(bob, alice)
  await unblock(bob, alice)
  expect(site.statements.filter((text) => !/pg_notify/.test(text))).toHaveLength(4)
})

test('concurrent follows and blocks leave no follow across a block and cause no deadlock', {
  tags: 'heavy',
}, async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => callers.createUser()))
  const actions = [followUser, blockUser, toggleFollow, unblockUser, followUser]
  const outcomes = await Promise.allSettled(
    Array.from({ length: 300 }, (_, n) => {
      const [target, viewer] = [users[n % 8], users[(n * 5 + 3) % 8]] as [TestUser, TestUser]
      if (target === viewer) return null
      const action = actions[(n * 7) % 5] as typeof followUser
      return site.call(action, byId(target), viewer).catch((error: { status?: number }) => {
        if (error.status !== 404) throw error
      })
    }),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await site.db`select from follows where is_blocked_between(follower_id, followee_id)`).toHaveLength(
    0,
  )
  expect(await counterMismatches(site)).toEqual([])
})
