/** Following collections, channels and tags: the calls, the list of followed ones, numbers of followers and notifications. */
import { deleteAccount } from '@reelmark/contract/account-settings.ts'
import { blockUser } from '@reelmark/contract/blocks.ts'
import {
  deleteCollection,
  getChannel,
  getCollection,
  updateCollection,
} from '@reelmark/contract/collections.ts'
import {
  followChannel,
  followCollection,
  followTag,
  getTagFollowStatus,
  listFollowedLists,
  unfollowChannel,
  unfollowCollection,
  unfollowTag,
} from '@reelmark/contract/followed-lists.ts'
import { followUser, listFollowing } from '@reelmark/contract/follows.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDestination, type TestDestination } from '../../../testing/test-bookmarks.ts'
import {
  failedReply,
  signUp,
  signUpModerator,
  type TestUser,
  testPassword,
} from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'
import { countForDigest } from '../../notifications/queries.ts'

const site = await useEmptySite()
let round = 0
let owner: TestUser
let fan: TestUser
let films: TestDestination
beforeEach(async () => {
  round += 1
  owner = await signUp(site, `owner${round}`)
  fan = await signUp(site, `fan${round}`)
  films = await createDestination(site, owner)
})

const collection = () => ({ params: { id: films.collection_id } })
const channel = () => ({ params: { id: films.channel_id } })
const follow = (as = fan) => site.call(followCollection, collection(), as)
const unfollow = (as = fan) => site.call(unfollowCollection, collection(), as)
const followed = async (as = fan, query = {}) =>
  (await site.call(listFollowedLists, { query }, as)).results.map(({ kind, name }) => `${kind} ${name}`)
const missing = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }
const setAccess = (access: 'public' | 'private') =>
  site.call(updateCollection, { ...collection(), body: { access } }, owner)

test('following and unfollowing can be repeated and return the status, which pages show too', async () => {
  const one = { is_followed: true, followers_count: 1 }
  const none = { is_followed: false, followers_count: 0 }
  expect(await unfollow()).toEqual(none)
  for (let n = 0; n < 2; n++) expect(await follow()).toEqual(one)
  for (let n = 0; n < 2; n++) expect(await site.call(followChannel, channel(), fan)).toEqual(one)
  expect(await site.call(getCollection, collection(), fan)).toMatchObject(one)
  expect(await site.call(getChannel, channel(), fan)).toMatchObject(one)
  expect(await site.call(getCollection, collection(), owner)).toMatchObject({ ...one, is_followed: false })
  expect(await site.call(getCollection, collection())).toMatchObject({ ...one, is_followed: false })
  expect(await unfollow()).toEqual(none)
  expect(await site.call(unfollowChannel, channel(), fan)).toEqual(none)
  expect(await site.call(getChannel, channel(), fan)).toMatchObject(none)
})

test('a tag is followed whatever its case, and an invalid one is refused', async () => {
  const tag = `Night Sky ${round}`
  const status = (name: string) => site.call(getTagFollowStatus, { query: { tag: name } }, fan)
  expect(await status(tag)).toEqual({ is_followed: false })
  for (const name of [tag, tag.toUpperCase()]) {
    expect(await site.call(followTag, { body: { tag: name } }, fan)).toEqual({ is_followed: true })
  }
  expect(await status(tag.toLowerCase())).toEqual({ is_followed: true })
  expect(await followed()).toEqual([`tag ${tag.toLowerCase()}`])
  expect(await site.call(unfollowTag, { body: { tag } }, fan)).toEqual({ is_followed: false })
  expect(await followed()).toEqual([])
  for (const name of ['\u200b', 'İ'.repeat(50)]) {
    expect((await failedReply(site.call(followTag, { body: { tag: name } }, fan))).status).toBe(400)
  }
})

test('the list names collections, channels and tags, latest first, page by page and by kind', async () => {
  await follow()
  await site.call(followChannel, channel(), fan)
  await site.call(followTag, { body: { tag: 'sea' } }, fan)
  await site.db`update followed_lists set created_at = date_trunc('hour', created_at) where user_id = ${fan.id}`
  const all = await site.call(listFollowedLists, { query: {} }, fan)
  const user = {
    id: owner.id,
    username: owner.username,
    avatar_url: '/media/default.jpg',
    is_verified: false,
  }
  const shared = { id: expect.any(Number), followed_at: expect.any(String) }
  expect(all).toEqual({
    count: 3,
    next: null,
    previous: null,
    results: [
      { ...shared, kind: 'tag', name: 'sea', container_id: null, collection_name: null, user: null },
      {
        ...shared,
        kind: 'channel',
        name: 'A channel',
        container_id: films.channel_id,
        collection_name: 'Another',
        user,
      },
      {
        ...shared,
        kind: 'collection',
        name: 'Another',
        container_id: films.collection_id,
        collection_name: null,
        user,
      },
    ],
  })
  const ids: number[] = []
  let page = await site.call(listFollowedLists, { query: { page_size: 2 } }, fan)
  for (;;) {
    ids.push(...page.results.map(({ id }) => id))
    if (page.next === null) break
    page = (
      await site.app.inject({ url: page.next, headers: { authorization: `Bearer ${fan.access}` } })
    ).json()
  }
  expect(ids).toEqual(all.results.map(({ id }) => id))
  expect(await followed(fan, { kind: 'tag' })).toEqual(['tag sea'])
  expect(await followed(fan, { kind: 'container' })).toEqual(['channel A channel', 'collection Another'])
  expect(await followed(owner)).toEqual([])
})

test('own and unknown collections are refused', async () => {
  for (const endpoint of [followCollection, unfollowCollection]) {
    expect((await failedReply(site.call(endpoint, collection(), owner))).body).toMatchObject({
      code: 'cannot-target-self',
    })
    expect(await failedReply(site.call(endpoint, { params: { id: 4_000_000_000 } }, fan))).toEqual(missing)
  }
  expect((await failedReply(site.call(followChannel, channel(), owner))).status).toBe(400)
  expect(await site.db`select from followed_lists where user_id = ${owner.id}`).toHaveLength(0)
})

test('no more lists than the maximum are followed, and following one again is no error', async () => {
  await site.db`
    insert into followed_lists (user_id, tag)
    select ${fan.id}, 'tag ' || n from generate_series(1, ${limits.followedListsMax}::int) n`
  expect((await failedReply(follow())).body).toMatchObject({ code: 'limit-reached' })
  expect((await failedReply(site.call(followTag, { body: { tag: 'one more' } }, fan))).status).toBe(409)
  expect(await site.call(followTag, { body: { tag: 'tag 7' } }, fan)).toEqual({ is_followed: true })
  await site.call(unfollowTag, { body: { tag: 'tag 7' } }, fan)
  expect(await follow()).toMatchObject({ is_followed: true })
})

describe('a followed collection that its follower may not see any more', () => {
  const ways: Record<string, () => Promise<unknown>> = {
    'because it is private': () => setAccess('private'),
    'because its owner blocks the follower': () => site.call(blockUser, { params: { id: fan.id } }, owner),
    'because its owner is banned': () => site.db`update users set banned_at = now() where id = ${owner.id}`,
    'because it was deleted': () => site.call(deleteCollection, { ...collection(), query: {} }, owner),
  }
  test.each(Object.entries(ways))('%s is like one that never existed', async (_, hide) => {
    await follow()
    await site.call(followChannel, channel(), fan)
    await site.call(followTag, { body: { tag: 'sea' } }, fan)
    await hide()
    expect(await site.call(listFollowedLists, { query: {} }, fan)).toMatchObject({
      count: 1,
      results: [{ kind: 'tag' }],
    })
    for (const [endpoint, input] of [
      [followCollection, collection()],
      [unfollowCollection, collection()],
      [followChannel, channel()],
      [unfollowChannel, channel()],
    ] as const) {
      expect(await failedReply(site.call(endpoint, input, fan)), endpoint.path).toEqual(missing)
    }
  })

  test('is followed again once it is public again, but not after a block', async () => {
    await follow()
    await setAccess('private')
    expect(await followed()).toEqual([])
    await setAccess('public')
    expect(await followed()).toEqual(['collection Another'])
    expect(await site.call(getCollection, collection(), fan)).toMatchObject({ is_followed: true })
    // A block in either direction ends the follow.
    await site.call(blockUser, { params: { id: owner.id } }, fan)
    await site.db`delete from blocks where blocker_id = ${fan.id}`
    expect(await followed()).toEqual([])
    expect(await site.call(getCollection, collection(), owner)).toMatchObject({ followers_count: 0 })
  })
})

test('a hidden profile has public collections that can be followed, and hides their number of followers', async () => {
  await follow()
  const moderator = await signUpModerator(site, `mod${round}`)
  const member = await signUp(site, `member${round}`)
  const counts = async () =>
    Promise.all(
      [null, member, moderator, owner].map(
        async (as) => (await site.call(getCollection, collection(), as)).followers_count,
      ),
    )
  const hide = (settings: object) =>
    site.call(updateProfile, { params: { username: owner.username }, body: settings }, owner)
  expect(await counts()).toEqual([1, 1, 1, 1])
  await hide({ followers_visibility: 'members' })
  expect(await counts()).toEqual([0, 1, 1, 1])
  await hide({ followers_visibility: 'only_me' })
  expect(await counts()).toEqual([0, 0, 0, 1])
  await hide({ followers_visibility: 'everyone', profile_visibility: 'only_me' })
  expect(await counts()).toEqual([0, 0, 0, 1])
  expect(await followed()).toEqual(['collection Another'])
  expect(await unfollow()).toEqual({ is_followed: false, followers_count: 0 })
  expect(await follow()).toEqual({ is_followed: true, followers_count: 0 })
})

describe('the owner', () => {
  const notifications = async () =>
    (await site.call(listNotifications, { query: {} }, owner)).results.map(({ kind, container, actors }) => ({
      kind,
      container,
      actors: actors.map(({ username }) => username),
    }))
  const ofCollection = () => ({ kind: 'collection', id: films.collection_id, name: 'Another' })

  test('is notified once of each follower and container, until the follow ends', async () => {
    const other = await signUp(site, `other${round}`)
    await follow()
    await follow(other)
    await unfollow()
    await follow()
    await site.call(followChannel, channel(), fan)
    expect(await notifications()).toEqual([
      {
        kind: 'collection_follow',
        container: { kind: 'channel', id: films.channel_id, name: 'A channel' },
        actors: [fan.username],
      },
      { kind: 'collection_follow', container: ofCollection(), actors: [other.username, fan.username] },
    ])
    await unfollow(other)
    await site.call(unfollowChannel, channel(), fan)
    expect(await notifications()).toEqual([
      { kind: 'collection_follow', container: ofCollection(), actors: [fan.username] },
    ])
  })

  test('chooses it for the site and for mail', async () => {
    const choose = (settings: object) =>
      site.call(updateProfile, { params: { username: owner.username }, body: settings }, owner)
    await choose({ notify_on_collection_follow: false, notify_by_email: 'daily' })
    await follow()
    expect(await notifications()).toEqual([])
    expect(await countForDigest(site.db, owner.id, new Date(0))).toEqual([
      { kind: 'collection_follow', count: 1 },
    ])
    await choose({ notify_on_collection_follow: true, mail_on_collection_follow: false })
    await site.call(followChannel, channel(), fan)
    expect(await notifications()).toHaveLength(1)
    expect(await countForDigest(site.db, owner.id, new Date(0))).toEqual([
      { kind: 'collection_follow', count: 1 },
    ])
  })

  test('is not notified of users who hide whom they follow, and mutes them', async () => {
    await site.call(
      updateProfile,
      { params: { username: fan.username }, body: { following_visibility: 'only_me' } },
      fan,
    )
    await follow()
    const muted = await signUp(site, `muted${round}`)
    await site.db`insert into mutes (user_id, muted_id) values (${owner.id}, ${muted.id})`
    await follow(muted)
    expect(await notifications()).toEqual([])
  })
})

test('what others follow is not in the list of users whom they follow', async () => {
  await follow()
  await site.call(followUser, { params: { id: owner.id } }, fan)
  const { count } = await site.call(listFollowing, { params: { id: fan.id }, query: {} }, owner)
  expect(count).toBe(1)
})

test('deleting an account deletes what it follows and the followers of its collections', async () => {
  await follow()
  await site.call(followTag, { body: { tag: 'sea' } }, fan)
  const other = await signUp(site, `other${round}`)
  await follow(other)
  await site.call(deleteAccount, { body: { password: testPassword } }, fan)
  expect(await site.db`select from followed_lists where user_id = ${fan.id}`).toHaveLength(0)
  expect(await site.call(getCollection, collection(), owner)).toMatchObject({ followers_count: 1 })
  await site.call(deleteAccount, { body: { password: testPassword } }, owner)
  expect(await site.db`select from followed_lists where user_id = ${other.id}`).toHaveLength(0)
})

test('following at the same time as a block, a deletion and each other neither fails nor leaves a follow', async () => {
  const fans = await Promise.all(Array.from({ length: 6 }, (_, n) => signUp(site, `crowd${round}x${n}`)))
  const theirs = await Promise.all(fans.map((user) => createDestination(site, user)))
  const refused = (error: { status?: number }) => {
    if (error.status !== 404) throw error
  }
  await Promise.all(
    fans.flatMap((user, n) => [
      follow(user).catch(refused),
      site.call(blockUser, { params: { id: user.id } }, owner),
      site.call(followCollection, { params: { id: theirs[n]?.collection_id ?? 0 } }, owner).catch(refused),
      site.call(followChannel, { params: { id: theirs[(n + 1) % 6]?.channel_id ?? 0 } }, user).catch(refused),
    ]),
  )
  expect(
    await site.db`
      select from followed_lists f join collections c on c.id = f.collection_id
       where ${owner.id} in (f.user_id, c.user_id)`,
  ).toHaveLength(0)
  const [first] = theirs
  await Promise.all([
    site.call(
      deleteCollection,
      { params: { id: first?.collection_id ?? 0 }, query: {} },
      fans[0] as TestUser,
    ),
    ...fans
      .slice(1)
      .map((user) =>
        site.call(followCollection, { params: { id: first?.collection_id ?? 0 } }, user).catch(refused),
      ),
  ])
  expect(
    await site.db`select from followed_lists where collection_id = ${first?.collection_id ?? 0}`,
  ).toHaveLength(0)
})
