import {
  followUser,
  getFollowStatus,
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
import { failedReply, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let callers: Callers
let users: TestUser[]
let alice: TestUser
let bob: TestUser
beforeAll(async () => {
  site = await bootApp()
  callers = createCallers(site)
  users = await Promise.all(Array.from({ length: 30 }, () => callers.createUser()))
})
afterAll(() => site.close())
beforeEach(async () => {
  alice = await callers.createUser()
  bob = await callers.createUser()
})

type UserId = { id: number }
const toggle = ({ id }: UserId, viewer: TestUser | null) =>
  site.call(toggleFollow, { params: { id } }, viewer)
const follow = ({ id }: UserId, viewer: TestUser | null) => site.call(followUser, { params: { id } }, viewer)
const unfollow = ({ id }: UserId, viewer: TestUser | null) =>
  site.call(unfollowUser, { params: { id } }, viewer)
const readStatus = ({ id }: UserId, viewer: TestUser | null) =>
  site.call(getFollowStatus, { params: { id } }, viewer)
const lists = { followers: listFollowers, following: listFollowing }
const list = (
  kind: keyof typeof lists,
  { id }: UserId,
  viewer: TestUser | null = null,
  query: { page?: number; page_size?: number; cursor?: string } = {},
) => site.call(lists[kind], { params: { id }, query }, viewer)
const missing = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }
const followed = { is_followed: true, followers_count: 1 }
const notFollowed = { is_followed: false, followers_count: 0 }

test('following and unfollowing return the new status', async () => {
  expect(await readStatus(alice, bob)).toEqual(notFollowed)
  expect(await toggle(alice, bob)).toEqual(followed)
  expect(await readStatus(alice, bob)).toEqual(followed)
  expect(await toggle(alice, bob)).toEqual(notFollowed)
  expect(await site.call(getProfile, { params: { username: alice.username } }, bob)).toMatchObject(
    notFollowed,
  )
})

test('following and unfollowing are idempotent', async () => {
  expect(await unfollow(alice, bob)).toEqual(notFollowed)
  for (let attempt = 0; attempt < 2; attempt++) expect(await follow(alice, bob)).toEqual(followed)
  for (let attempt = 0; attempt < 2; attempt++) expect(await unfollow(alice, bob)).toEqual(notFollowed)
  expect(await counterMismatches(site)).toEqual([])
})

test('users cannot follow themselves', async () => {
  const refused = {
    status: 400,
    body: { detail: "You can't do this to yourself.", code: 'cannot-target-self' },
  }
  for (const call of [toggle, follow, unfollow])
    expect(await failedReply(call(alice, alice))).toEqual(refused)
  expect(await readStatus(alice, alice)).toEqual(notFollowed)
})

test('unknown, banned and deleted users cannot be followed, and their lists are not found', async () => {
  await follow(alice, bob)
  await follow(bob, alice)
  await site.db`update users set banned_at = now() where id = ${bob.id}`
  const [closed] = await site.db<[{ id: number }]>`
    insert into users (username, email, banned_at, closed_at)
    values ('deleted-1', 'deleted-1@deleted.invalid', now(), now()) returning id`
  for (const user of [bob, closed, { id: 123_456_789 }, { id: Number.MAX_SAFE_INTEGER }]) {
    for (const call of [toggle, follow, unfollow, readStatus]) {
      expect(await failedReply(call(user, alice))).toEqual(missing)
    }
    for (const kind of ['followers', 'following'] as const) {
      for (const viewer of [null, alice]) expect(await failedReply(list(kind, user, viewer))).toEqual(missing)
    }
  }
  expect((await list('followers', alice)).results).toEqual([])
  expect((await list('following', alice)).results).toEqual([])
})

test('invalid ids return 404, and visitors get 401', async () => {
  for (const call of [toggle, follow, unfollow, readStatus]) {
    expect((await failedReply(call(alice, null))).status).toBe(401)
  }
  for (const id of ['0', '-1', 'x', '1.5', '9'.repeat(30), '%00']) {
    for (const path of [
      'POST toggle-follow',
      'POST follow',
      'POST unfollow',
      'GET follow-status',
      'GET followers',
      'GET following',
    ]) {
      const [method = '', name] = path.split(' ')
      const reply = await site.app.inject({
        method: method as 'GET',
        url: `/api/users/${id}/${name}/`,
        headers: { authorization: `Bearer ${bob.access}` },
      })
      expect([reply.statusCode, reply.json()], `${path} ${id}`).toEqual([404, missing.body])
    }
  }
})

test('everyone sees who follows whom, latest first, and whom of them the viewer follows', async () => {
  const [carol, dave] = [await callers.createUser(), await callers.createUser()]
  await follow(alice, bob)
  await follow(alice, carol)
  await follow(carol, dave)
  await site.db`update users set is_verified = true where id = ${carol.id}`
  const entry = (user: TestUser, overrides: object = {}) => ({
    id: user.id,
    username: user.username,
    avatar_url: '/media/default.jpg',
    is_verified: false,
    followed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    is_followed: false,
    ...overrides,
  })
  const verified = { is_verified: true }
  expect(await list('followers', alice)).toEqual({
    count: 2,
    next: null,
    previous: null,
    results: [entry(carol, verified), entry(bob)],
  })
  expect((await list('followers', alice, dave)).results).toEqual([
    entry(carol, { ...verified, is_followed: true }),
    entry(bob),
  ])
  expect((await list('following', carol)).results).toEqual([entry(alice)])
  expect((await list('following', dave, dave)).results).toEqual([
    entry(carol, { ...verified, is_followed: true }),
  ])
})

test('links lead through a long list forwards and backwards, even if it grows in the meantime', async () => {
  for (const user of users) await follow(alice, user)
  // Several follows share a timestamp, so that the id must break the tie.
  await site.db`update follows set created_at = date_trunc('hour', created_at) where followee_id = ${alice.id} and follower_id % 3 > 0`
  const expected = (
    await site.db<{ id: number }[]>`
      select follower_id as id from follows where followee_id = ${alice.id} order by created_at desc, follower_id desc`
  ).map(({ id }) => id)
  const loadPage = async (link: string) =>
    (await site.app.inject(link)).json<Awaited<ReturnType<typeof list>>>()
  const idsForward: number[][] = []
  let page = await list('followers', alice, null, { page_size: 7 })
  for (;;) {
    idsForward.push(page.results.map(({ id }) => id))
    expect(page.count).toBeGreaterThanOrEqual(30)
    if (page.next === null) break
    if (idsForward.length === 1) await follow(alice, bob)
    page = await loadPage(page.next)
  }
  expect(idsForward.flat()).toEqual(expected)
  const idsBackward: number[][] = []
  for (;;) {
    idsBackward.unshift(page.results.map(({ id }) => id))
    if (page.previous === null) break
    page = await loadPage(page.previous)
  }
  // Back at the beginning, the list includes the new follower.
  expect(idsBackward.flat()).toEqual([bob.id, ...expected].slice(0, 7).concat(expected.slice(7)))
  await unfollow(alice, bob)
  const second = await list('followers', alice, null, { page: 2, page_size: 7 })
  expect(second.results.map(({ id }) => id)).toEqual(expected.slice(7, 14))
})

test('a page past the end or an invalid cursor returns an error', async () => {
  const invalid = { status: 404, body: { detail: 'Invalid page.', code: 'invalid-page' } }
  expect(await list('followers', alice)).toMatchObject({ count: 0, next: null, previous: null, results: [] })
  expect(await failedReply(list('followers', alice, null, { page: 2 }))).toEqual(invalid)
  for (const cursor of ['x', 'a9_1_1', 'a1_1_1', 'b0_NaN_1', `a0_1_${'9'.repeat(30)}`]) {
    expect(await failedReply(list('following', alice, null, { page: 2, cursor })), cursor).toEqual(invalid)
  }
  for (const page of ['0', '-1', 'x', '999999999999999999999']) {
    const reply = await site.app.inject(`/api/users/${alice.id}/followers/?page=${page}`)
    expect([reply.statusCode, reply.json()]).toEqual([404, invalid.body])
  }
})

test('each call takes one statement besides the authentication', async () => {
  await list('followers', alice, bob)
  for (const call of [
    () => readStatus(alice, bob),
    () => follow(alice, bob),
    () => toggle(alice, bob),
    () => unfollow(alice, bob),
    () => list('followers', alice, bob),
    () => list('following', alice, bob),
  ]) {
    site.statements.length = 0
    await call()
    // Not counting notifications of users and other processes.
    expect(site.statements.filter((text) => !/^(begin|commit)|notif/.test(text))).toHaveLength(2)
  }
  site.statements.length = 0
  await list('followers', alice)
  expect(site.statements).toHaveLength(1)
})

test('two hundred concurrent follows in both directions leave correct counters and cause no deadlock', {
  tags: 'heavy',
}, async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => {
      const [target, viewer] = [users[n % 8], users[(n * 3 + 1) % 8]] as [TestUser, TestUser]
      if (target === viewer) return null
      return [toggle, follow, unfollow][n % 3]?.(target, viewer)
    }),
  )
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await counterMismatches(site)).toEqual([])
})

test('thirty concurrent followers of one user get thirty different counts', async () => {
  const results = await Promise.all(users.map((user) => follow(bob, user)))
  expect(results.map(({ followers_count }) => followers_count).sort((a, b) => a - b)).toEqual(
    users.map((_, n) => n + 1),
  )
})
