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
let films = 0
beforeAll(async () => {
  site = await bootApp()
  callers = createCallers(site)
})
afterAll(() => site.close())
beforeEach(async () => {
  alice = await callers.person()
  bob = await callers.person()
})

const of = ({ id }: { id: number }) => ({ params: { id } })
const block = (whom: { id: number }, as: TestUser | null) => site.call(blockUser, of(whom), as)
const unblock = (whom: { id: number }, as: TestUser | null) => site.call(unblockUser, of(whom), as)
const follow = (whom: { id: number }, as: TestUser) => site.call(followUser, of(whom), as)
const readProfile = ({ username }: TestUser, as: TestUser | null) =>
  site.call(getProfile, { params: { username } }, as)
const idsIn = async (reading: Promise<{ results: { id: number }[] }>) =>
  (await reading).results.map(({ id }) => id)
const missing = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }

test('to block, twice or once, and to block no more', async () => {
  for (let time = 0; time < 2; time++) expect(await block(bob, alice)).toEqual({ is_blocked: true })
  expect(await readProfile(bob, alice)).toMatchObject({ is_blocked: true })
  for (let time = 0; time < 2; time++) expect(await unblock(bob, alice)).toEqual({ is_blocked: false })
  expect(await readProfile(bob, alice)).toMatchObject({ is_blocked: false })
})

test('nobody blocks themselves, nor somebody who is not there', async () => {
  const refused = {
    status: 400,
    body: { detail: "You can't do this to yourself.", code: 'cannot-target-self' },
  }
  const banned = await callers.person()
  await site.db`update users set banned_at = now() where id = ${banned.id}`
  for (const call of [block, unblock]) {
    expect(await failedReply(call(alice, alice))).toEqual(refused)
    for (const who of [banned, { id: 123_456_789 }])
      expect(await failedReply(call(who, alice))).toEqual(missing)
    expect((await failedReply(call(bob, null))).status).toBe(401)
  }
  for (const id of ['0', '-1', 'x', '1.5', '9'.repeat(30)]) {
    const url = `/api/users/${id}/block/`
    const headers = { authorization: `Bearer ${bob.access}` }
    expect((await site.app.inject({ method: 'POST', url, headers })).statusCode, id).toBe(404)
  }
})

test('one’s blocks are listed, the latest first, and are one’s own alone', async () => {
  const carol = await callers.person()
  await block(bob, alice)
  await block(carol, alice)
  const listing = (query: object, as: TestUser | null = alice) => site.call(listBlocks, { query }, as)
  const entry = ({ id, username }: TestUser) => ({
    id,
    username,
    avatar_url: '/media/default.jpg',
    is_verified: false,
    blocked_at: expect.any(String),
  })
  const first = await listing({ page_size: 1 })
  expect(first).toMatchObject({ count: 2, previous: null, results: [entry(carol)] })
  const reply = await site.app.inject({
    url: first.next ?? '',
    headers: { authorization: `Bearer ${alice.access}` },
  })
  expect(reply.json()).toMatchObject({ count: 2, next: null, results: [entry(bob)] })
  expect(await listing({}, bob)).toMatchObject({ count: 0, results: [] })
  expect((await failedReply(listing({}, null))).status).toBe(401)
})

test('a block ends follows both ways, and none is made while it lasts', async () => {
  await follow(bob, alice)
  await follow(alice, bob)
  await block(bob, alice)
  expect(await counterMismatches(site)).toEqual([])
  for (const who of [alice, bob]) {
    expect(await readProfile(who, null)).toMatchObject({ followers_count: 0, following_count: 0 })
  }
  for (const [whom, as] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    for (const call of [followUser, unfollowUser, toggleFollow, getFollowStatus]) {
      expect(await failedReply(site.call(call, of(whom), as))).toEqual(missing)
    }
  }
  // Whichever way a follow comes.
  await site.db`insert into follows (follower_id, followee_id) values (${bob.id}, ${alice.id})`
  expect(await site.db`select from follows where follower_id = ${bob.id}`).toHaveLength(0)
  expect(await counterMismatches(site)).toEqual([])
  await unblock(bob, alice)
  expect(await follow(alice, bob)).toEqual({ is_followed: true, followers_count: 1 })
})

test('whoever is blocked finds the other nowhere, as if they were not there', async () => {
  const { id } = await saveFilm(site, alice, `blocks${++films}`)
  const { collection_id, channel_id } = await vaultDestination(site, alice)
  const ways: ((as: TestUser | null) => Promise<unknown>)[] = [
    (as) => readProfile(alice, as),
    (as) => site.call(getBookmark, { params: { id } }, as),
    (as) => site.call(listChannels, { params: { id: collection_id }, query: {} }, as),
    (as) => site.call(getCollection, { params: { id: collection_id } }, as),
    (as) => site.call(getChannel, { params: { id: channel_id } }, as),
    (as) => site.call(listFollowers, { ...of(alice), query: {} }, as),
    (as) => site.call(listFollowing, { ...of(alice), query: {} }, as),
  ]
  const finding = (as: TestUser | null) => Promise.all(ways.map((find) => find(as)))
  await block(bob, alice)
  for (const find of ways) expect(await failedReply(find(bob))).toEqual(missing)
  expect(await site.call(listCollections, { query: { user: alice.username } }, bob)).toMatchObject({
    count: 0,
    results: [],
  })
  // Word for word what is answered of somebody who never was.
  expect(await failedReply(readProfile({ ...alice, username: 'nobody-at-all' }, bob))).toEqual(missing)
  // Everyone else does, and moderators whoever blocked them.
  const moderator = await callers.person({ moderator: true })
  await block(moderator, alice)
  for (const as of [null, alice, await callers.person(), moderator]) await finding(as)
  // Whoever blocks still finds the other, to block them no more.
  expect(await readProfile(bob, alice)).toMatchObject({ is_blocked: true, is_followed: false })
  await unblock(bob, alice)
  await finding(bob)
})

test('neither is in the lists of people that the other sees', async () => {
  const carol = await callers.person()
  for (const person of [alice, bob]) {
    await follow(carol, person)
    await follow(person, carol)
  }
  const film = `blocks${++films}`
  const { video } = await saveFilm(site, alice, film)
  await saveFilm(site, bob, film)
  const everywhere = (as: TestUser) =>
    Promise.all([
      idsIn(site.call(listFollowers, { ...of(carol), query: {} }, as)),
      idsIn(site.call(listFollowing, { ...of(carol), query: {} }, as)),
      idsIn(site.call(listCollectors, { ...of(video), query: {} }, as)),
    ])
  await block(bob, alice)
  for (const ids of await everywhere(alice)) expect(ids).toEqual([alice.id])
  for (const ids of await everywhere(bob)) expect(ids).toEqual([bob.id])
  for (const ids of await everywhere(carol)) expect(ids).toEqual([bob.id, alice.id])
})

test('a blocked person may block back, and is still kept out once the other blocks them no more', async () => {
  await block(bob, alice)
  await block(alice, bob)
  await unblock(bob, alice)
  expect(await failedReply(readProfile(bob, alice))).toEqual(missing)
  expect(await readProfile(alice, bob)).toMatchObject({ is_blocked: true })
})

test('with an account its blocks go, and the other finds everything again', async () => {
  await block(bob, alice)
  await block(alice, bob)
  await site.db`delete from users where id = ${bob.id}`
  expect(await site.db`select from blocks where blocker_id = ${alice.id}`).toHaveLength(0)
})

test('a block that costs nobody a follow is one statement beside who asks', async () => {
  site.statements.length = 0
  await block(bob, alice)
  await unblock(bob, alice)
  expect(site.statements.filter((text) => !/pg_notify/.test(text))).toHaveLength(4)
})

test('follows and blocks at once: nobody follows across a block, and nobody waits in a circle', async () => {
  const crowd = await Promise.all(Array.from({ length: 8 }, () => callers.person()))
  const deeds = [followUser, blockUser, toggleFollow, unblockUser, followUser]
  const told = await Promise.allSettled(
    Array.from({ length: 300 }, (_, n) => {
      const [one, other] = [crowd[n % 8], crowd[(n * 5 + 3) % 8]] as [TestUser, TestUser]
      if (one === other) return null
      const deed = deeds[(n * 7) % 5] as typeof followUser
      return site.call(deed, of(one), other).catch((error: { status?: number }) => {
        if (error.status !== 404) throw error
      })
    }),
  )
  expect(told.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await site.db`select from follows where is_blocked_between(follower_id, followee_id)`).toHaveLength(
    0,
  )
  expect(await counterMismatches(site)).toEqual([])
})
