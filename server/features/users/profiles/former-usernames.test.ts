/** Former usernames: what they lead to, for which viewers, and texts and searches that contain them. */
import { changeUsername } from '@reelmark/contract/account-settings.ts'
import { blockUser } from '@reelmark/contract/blocks.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { createComment, listComments } from '@reelmark/contract/comments.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import { getProfile, updateProfile } from '@reelmark/contract/profiles.ts'
import { createSmartCollection, listSmartCollections } from '@reelmark/contract/smart-collections.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createVisitorCache } from '../../../core/http/visitor-cache.ts'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'
import { importBlocks } from '../../transfer/import-user-data.ts'

const site = await useEmptySite({ work: true, visitorCache: createVisitorCache(60_000) })
let userCount = 0
let former: string
let current: string
let alice: TestUser
let bob: TestUser
beforeEach(async () => {
  userCount += 1
  former = `Alice${userCount}`
  current = `Anna.B${userCount}`
  alice = await signUp(site, former)
  bob = await signUp(site, `bob${userCount}`)
})

const rename = (username = current, user = alice) =>
  site.call(changeUsername, { body: { username, password: user.password } }, user)
const readProfile = (username: string, viewer: TestUser | null = null) =>
  site.call(getProfile, { params: { username } }, viewer)
const list = async (query: ListingQuery, viewer: TestUser | null = null) =>
  (await site.call(listVideos, { query }, viewer)).results.map(({ title }) => title)
const configure = (body: object) => site.call(updateProfile, { params: { username: former }, body }, alice)
const missing = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }
const viewers: [string, () => TestUser | null][] = [
  ['a visitor', () => null],
  ['another user', () => bob],
  ['the user', () => alice],
]

describe('a profile', () => {
  test.each(viewers)('is found by its former name by %s, with the current one', async (_kind, getViewer) => {
    // Cached before the change.
    await readProfile(former, getViewer())
    await rename()
    for (const name of [former, former.toUpperCase(), current]) {
      const profile = await readProfile(name, getViewer())
      expect(profile).toMatchObject({ user_id: alice.id, username: current })
      expect(profile.email).toBe(getViewer() === alice ? alice.email : undefined)
    }
  })

  test('that the viewer may not see is not found by any name', async () => {
    await rename()
    await configure({ profile_visibility: 'members' })
    for (const name of [former, current]) {
      expect(await failedReply(readProfile(name))).toEqual(missing)
      expect(await readProfile(name, bob)).toMatchObject({ username: current })
    }
    await configure({ profile_visibility: 'only_me' })
    for (const name of [former, current]) {
      for (const viewer of [null, bob]) expect(await failedReply(readProfile(name, viewer))).toEqual(missing)
      expect(await readProfile(name, alice)).toMatchObject({ username: current })
    }
  })

  test.each([
    ['blocks the viewer', () => site.call(blockUser, { params: { id: bob.id } }, alice)],
    ['is banned', () => site.db`update users set banned_at = now() where id = ${alice.id}`],
  ])('of a user who %s is not found by any name', async (_what, hide) => {
    await rename()
    await hide()
    for (const name of [former, current]) {
      expect(await failedReply(readProfile(name, bob)), name).toEqual(missing)
      expect(await list({ user: name }, bob), name).toEqual([])
    }
  })

  test('is changed from a tab that uses the former name', async () => {
    await rename()
    expect(await configure({ bio: 'New here' })).toMatchObject({ username: current, bio: 'New here' })
    const ofOther = site.call(updateProfile, { params: { username: former }, body: { bio: 'x' } }, bob)
    expect(await failedReply(ofOther)).toMatchObject({ status: 403 })
  })
})

describe('lists', () => {
  test.each(viewers)('of a former name are those of the user for %s', async (_kind, getViewer) => {
    const viewer = getViewer()
    const liked = await saveFilm(site, bob, `liked${userCount}`)
    await saveFilm(site, alice, `public${userCount}`)
    await saveFilm(site, alice, `private${userCount}`, { bookmark: { access: 'private' } })
    await createDestination(site, alice, 'private')
    await site.call(toggleLike, { params: { id: liked.video.id } }, alice)
    const query = { q: 'public', scope: 'own' } as const
    for (const access of ['public', 'private'] as const)
      await site.call(createSmartCollection, { body: { name: access, access, query } }, alice)
    await rename()
    // Visitors' responses are cached first.
    for (const reader of [null, viewer]) {
      for (const query of [{}, { sort: 'newest' as const }]) {
        const byName = async (name: string) => ({
          saved: await list({ ...query, user: name }, reader),
          liked: await list({ ...query, liked_by: name }, reader),
          collections: await site.call(listCollections, { query: { user: name } }, reader),
          smart: await site.call(listSmartCollections, { query: { user: name } }, reader),
        })
        const expected = await byName(current)
        expect(expected.saved).toHaveLength(reader === alice ? 2 : 1)
        expect(expected.liked).toHaveLength(1)
        expect(expected.collections.count).toBe(reader === alice ? 2 : 1)
        expect(expected.smart.count).toBe(reader === alice ? 2 : 1)
        expect(await byName(former)).toEqual(expected)
      }
    }
  })

  test('of likes under a former name show a like that follows', async () => {
    const { video } = await saveFilm(site, bob, `later${userCount}`)
    await rename()
    expect(await list({ liked_by: former })).toEqual([])
    await site.call(toggleLike, { params: { id: video.id } }, alice)
    expect(await list({ liked_by: former })).toEqual([`Film later${userCount}`])
  })

  test('are searched by the current and the former name, and by the words of the current one', async () => {
    const title = `Film searched${userCount}`
    await saveFilm(site, alice, `searched${userCount}`)
    await saveFilm(site, bob, `other${userCount}`)
    expect(await list({ q: `user:${former}` })).toEqual([title])
    await rename()
    await vi.waitUntil(async () => (await list({ q: `user:${current}` })).length > 0, { timeout: 60_000 })
    expect(await list({ q: `user:${former}` })).toEqual([title])
    expect(await list({ q: `user:${former.toUpperCase()} searched${userCount}` })).toEqual([title])
    expect(await list({ q: `film -user:${former}` })).not.toContain(title)
    expect(await list({ q: `film -user:${former}` })).toContain(`Film other${userCount}`)
    expect(await list({ q: `"b${userCount}"`, literal: true })).toEqual([title])
    expect(await list({ q: `"${former}"`, literal: true })).toEqual([])
  })
})

describe('a feed', () => {
  test.each(['atom', 'rss', 'json'])('in the format %s is redirected with its parameter', async (format) => {
    await rename()
    const reply = await site.app.inject({ url: `/users/${former}/feed.${format}?adult=1&reader=7` })
    expect([reply.statusCode, reply.headers.location, reply.headers['cache-control']]).toEqual([
      301,
      `/users/${current}/feed.${format}?adult=1`,
      'no-cache',
    ])
    expect((await site.app.inject({ url: `/users/${current}/feed.${format}` })).statusCode).toBe(200)
  })

  test('is not redirected if visitors may not see the profile', async () => {
    await rename()
    await configure({ profile_visibility: 'members' })
    expect((await site.app.inject({ url: `/users/${former}/feed.atom` })).statusCode).toBe(404)
  })
})

describe('mentions', () => {
  const comment = async (content: string) => {
    const { video } = await saveFilm(site, bob, `mentioning${userCount}`)
    await site.call(createComment, { params: { id: video.id }, body: { content } }, bob)
    return video.id
  }
  const readMentions = async (videoId: number) => {
    const { results } = await site.call(listComments, { params: { id: videoId }, query: {} })
    return results[0]?.mentions
  }
  const countMentions = async (user: TestUser) => {
    const { results } = await site.call(listNotifications, { query: {} }, user)
    return results.filter(({ kind }) => kind === 'mention').length
  }

  test('by the former name still link, and their notifications stay', async () => {
    const videoId = await comment(`Thanks @${former}, and @${former.toLowerCase()}.`)
    expect(await countMentions(alice)).toBe(1)
    await rename()
    expect(await readMentions(videoId)).toEqual([former])
    expect(await countMentions(alice)).toBe(1)
  })

  test('in a description link too', async () => {
    const { id } = await saveFilm(site, bob, `described${userCount}`, {
      video: { description: `By @${former}` },
    })
    await rename()
    expect((await site.call(getBookmark, { params: { id } })).mentions).toEqual([former])
  })

  test('by the former name written afterwards link, but notify nobody', async () => {
    await rename()
    expect(await readMentions(await comment(`@${former}`))).toEqual([former])
    expect(await countMentions(alice)).toBe(0)
  })

  test('by the current name link and notify at once, also next to the former one', async () => {
    await rename()
    const videoId = await comment(`@${current} was @${former}`)
    expect((await readMentions(videoId))?.toSorted()).toEqual([former, current])
    expect(await countMentions(alice)).toBe(1)
  })

  test('written before a user took the name do not become theirs', async () => {
    const videoId = await comment(`Where is @${current}?`)
    await rename()
    expect(await readMentions(videoId)).toEqual([])
  })

  test('by a name that its user took back link again', async () => {
    const videoId = await comment(`Thanks @${former}`)
    await rename()
    await site.db`update former_usernames set changed_at = changed_at - interval '31 days'`
    await rename(former)
    expect(await readMentions(videoId)).toEqual([former])
  })
})

test('an import finds users by former names', async () => {
  await rename()
  await site.db.begin((tx) =>
    importBlocks(tx, bob.id, [
      { username: former.toUpperCase(), created_at: new Date().toISOString() },
      { username: current, created_at: new Date().toISOString() },
    ]),
  )
  expect(await site.db`select blocked_id from blocks where blocker_id = ${bob.id}`).toEqual([
    { blocked_id: alice.id },
  ])
})
