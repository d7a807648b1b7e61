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
let crowd: TestUser[]
let alice: TestUser
let bob: TestUser
beforeAll(async () => {
  site = await bootApp()
  callers = createCallers(site)
  crowd = await Promise.all(Array.from({ length: 30 }, () => callers.person()))
})
afterAll(() => site.close())
beforeEach(async () => {
  alice = await callers.person()
  bob = await callers.person()
})

type Person = { id: number }
const toggle = ({ id }: Person, as: TestUser | null) => site.call(toggleFollow, { params: { id } }, as)
const follow = ({ id }: Person, as: TestUser | null) => site.call(followUser, { params: { id } }, as)
const unfollow = ({ id }: Person, as: TestUser | null) => site.call(unfollowUser, { params: { id } }, as)
const readStatus = ({ id }: Person, as: TestUser | null) => site.call(getFollowStatus, { params: { id } }, as)
const lists = { followers: listFollowers, following: listFollowing }
const list = (
  which: keyof typeof lists,
  { id }: Person,
  as: TestUser | null = null,
  query: { page?: number; page_size?: number; cursor?: string } = {},
) => site.call(lists[which], { params: { id }, query }, as)
const missing = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }
const on = { is_followed: true, followers_count: 1 }
const off = { is_followed: false, followers_count: 0 }

test('following and following no more answer what is then so', async () => {
  expect(await readStatus(alice, bob)).toEqual(off)
  expect(await toggle(alice, bob)).toEqual(on)
  expect(await readStatus(alice, bob)).toEqual(on)
  expect(await toggle(alice, bob)).toEqual(off)
  expect(await site.call(getProfile, { params: { username: alice.username } }, bob)).toMatchObject(off)
})

test('to follow twice, or to end what is not, changes nothing more', async () => {
  expect(await unfollow(alice, bob)).toEqual(off)
  for (let time = 0; time < 2; time++) expect(await follow(alice, bob)).toEqual(on)
  for (let time = 0; time < 2; time++) expect(await unfollow(alice, bob)).toEqual(off)
  expect(await counterMismatches(site)).toEqual([])
})

test('nobody follows themselves', async () => {
  const refused = {
    status: 400,
    body: { detail: "You can't do this to yourself.", code: 'cannot-target-self' },
  }
  for (const call of [toggle, follow, unfollow])
    expect(await failedReply(call(alice, alice))).toEqual(refused)
  expect(await readStatus(alice, alice)).toEqual(off)
})

test('somebody unknown, banned or gone is not there to follow, nor are their lists', async () => {
  await follow(alice, bob)
  await follow(bob, alice)
  await site.db`update users set banned_at = now() where id = ${bob.id}`
  const [closed] = await site.db<[{ id: number }]>`
    insert into users (username, email, banned_at, closed_at)
    values ('deleted-1', 'deleted-1@deleted.invalid', now(), now()) returning id`
  for (const who of [bob, closed, { id: 123_456_789 }, { id: Number.MAX_SAFE_INTEGER }]) {
    for (const call of [toggle, follow, unfollow, readStatus]) {
      expect(await failedReply(call(who, alice))).toEqual(missing)
    }
    for (const which of ['followers', 'following'] as const) {
      for (const as of [null, alice]) expect(await failedReply(list(which, who, as))).toEqual(missing)
    }
  }
  expect((await list('followers', alice)).results).toEqual([])
  expect((await list('following', alice)).results).toEqual([])
})

test('ids that are none, and nobody signed in, are told so', async () => {
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

test('anyone sees who follows whom, the latest first, and the viewer whom of them they follow', async () => {
  const [carol, dave] = [await callers.person(), await callers.person()]
  await follow(alice, bob)
  await follow(alice, carol)
  await follow(carol, dave)
  await site.db`update users set is_verified = true where id = ${carol.id}`
  const entry = (person: TestUser, more: object = {}) => ({
    id: person.id,
    username: person.username,
    avatar_url: '/media/default.jpg',
    is_verified: false,
    followed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    is_followed: false,
    ...more,
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

test('a long list is walked by its links there and back, whoever follows meanwhile', async () => {
  for (const person of crowd) await follow(alice, person)
  // Some at the very same moment: then the id decides.
  await site.db`update follows set created_at = date_trunc('hour', created_at) where followee_id = ${alice.id} and follower_id % 3 > 0`
  const expected = (
    await site.db<{ id: number }[]>`
      select follower_id as id from follows where followee_id = ${alice.id} order by created_at desc, follower_id desc`
  ).map(({ id }) => id)
  const go = async (link: string) => (await site.app.inject(link)).json<Awaited<ReturnType<typeof list>>>()
  const there: number[][] = []
  let page = await list('followers', alice, null, { page_size: 7 })
  for (;;) {
    there.push(page.results.map(({ id }) => id))
    expect(page.count).toBeGreaterThanOrEqual(30)
    if (page.next === null) break
    if (there.length === 1) await follow(alice, bob)
    page = await go(page.next)
  }
  expect(there.flat()).toEqual(expected)
  const back: number[][] = []
  for (;;) {
    back.unshift(page.results.map(({ id }) => id))
    if (page.previous === null) break
    page = await go(page.previous)
  }
  // Back at the top whoever came meanwhile is there too.
  expect(back.flat()).toEqual([bob.id, ...expected].slice(0, 7).concat(expected.slice(7)))
  await unfollow(alice, bob)
  const second = await list('followers', alice, null, { page: 2, page_size: 7 })
  expect(second.results.map(({ id }) => id)).toEqual(expected.slice(7, 14))
})

test('a page that is not there is answered as such', async () => {
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

test('each call is one statement, and one more for who asks', async () => {
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
    // Beside what is told of it, to people and to the other processes.
    expect(site.statements.filter((text) => !/^(begin|commit)|notif/.test(text))).toHaveLength(2)
  }
  site.statements.length = 0
  await list('followers', alice)
  expect(site.statements).toHaveLength(1)
})

test('two hundred follows each way at once: every count is right, and nobody waits in a circle', async () => {
  const told = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => {
      const [one, other] = [crowd[n % 8], crowd[(n * 3 + 1) % 8]] as [TestUser, TestUser]
      if (one === other) return null
      return [toggle, follow, unfollow][n % 3]?.(one, other)
    }),
  )
  expect(told.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await counterMismatches(site)).toEqual([])
})

test('thirty people who follow one person at once are told thirty different counts', async () => {
  const told = await Promise.all(crowd.map((person) => follow(bob, person)))
  expect(told.map(({ followers_count }) => followers_count).sort((a, b) => a - b)).toEqual(
    crowd.map((_, n) => n + 1),
  )
})
