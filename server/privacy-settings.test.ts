/**
 * Every privacy setting on every way in: what a user hides is empty or missing for everyone it is hidden from, exactly as
 * if it did not exist (docs/decisions/0052-privacy-settings.md). Server-rendered pages contain only what a visitor gets here;
 * what the visitor cache serves is compared in shared-responses.test.ts.
 */
import { createComment } from '@reelmark/contract/comments.ts'
import { defaultPrivacy, type PrivacySettings, type Visibility } from '@reelmark/contract/privacy-settings.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { createSmartCollection } from '@reelmark/contract/smart-collections.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countForDigest } from './features/notifications/queries.ts'
import { readExportOnlyList } from './features/transfer/export-account.ts'
import { saveFilm } from './testing/test-bookmarks.ts'
import { signUp, signUpModerator, type TestUser } from './testing/test-users.ts'
import { useEmptySite } from './testing/use-site.ts'

const site = await useEmptySite()
/** Hides things. Saved a public film that Cara saved first, likes it, follows Cara and is followed by Finn. */
let owen: TestUser
/** Like Owen, but without likes, follows and bookmarks: what a hidden list looks like. */
let none: TestUser
let cara: TestUser
let finn: TestUser
let eve: TestUser
let mod: TestUser
let film: { id: number; video: { id: number } }
/** Public ones of Owen. */
let smartCollections: { own: number; liked: number }

beforeAll(async () => {
  ;[owen, none, cara, finn, eve] = (await Promise.all(
    ['owen', 'none', 'cara', 'finn', 'eve'].map((name) => signUp(site, name)),
  )) as [TestUser, TestUser, TestUser, TestUser, TestUser]
  mod = await signUpModerator(site, 'mod')
  film = await saveFilm(site, cara, 1, { video: { title: 'Walrus' } })
  await post(cara, `/users/${mod.id}/follow/`)
  await post(owen, `/users/${cara.id}/follow/`)
  await post(finn, `/users/${owen.id}/follow/`)
  await post(owen, `/videos/${film.video.id}/like/`)
  await saveFilm(site, owen, 1, { video: { title: 'Walrus' } })
  const createSmart = async (scope: 'own' | 'liked') => {
    const body = { name: scope, access: 'public', query: { scope } } as const
    return (await site.call(createSmartCollection, { body }, owen)).id
  }
  smartCollections = { own: await createSmart('own'), liked: await createSmart('liked') }
  await site.call(
    createComment,
    { params: { id: film.video.id }, body: { content: 'Good one, @owen' } },
    finn,
  )
})
beforeEach(() => change(defaultPrivacy))

const request = (method: 'GET' | 'POST', as: TestUser | null, url: string) =>
  site.app.inject({
    method,
    url: `/api${url}`,
    ...(as !== null && { headers: { authorization: `Bearer ${as.access}` } }),
  })
const read = async (as: TestUser | null, url: string) => {
  const reply = await request('GET', as, url)
  return { status: reply.statusCode, body: reply.json() }
}
const post = async (as: TestUser, url: string) => (await request('POST', as, url)).statusCode
const change = (body: Partial<PrivacySettings>) =>
  site.call(updateProfile, { params: { username: 'owen' }, body }, owen)

type Names = { username: string }[]
const names = (users: Names) => users.map(({ username }) => username)
const hasOwen = (users: Names | undefined) => users !== undefined && names(users).includes('owen')

interface Way {
  /** Whether the way shows what the setting hides. Visitors are null. */
  shows: (as: TestUser | null) => Promise<boolean>
  /** Whether visitors use it, too. */
  forVisitors?: true
  /** Whether the owner of the setting does not use it. */
  notForOwner?: true
  /** Whether it is open only if everyone may see, even to members. */
  onlyIfEveryone?: true
}

const counted = (url: string) => async (as: TestUser | null) => ((await read(as, url)).body.count ?? 0) > 0
const inProfile = (name: string) => async (as: TestUser | null) =>
  ((await read(as, '/profile/owen/')).body[name] ?? 0) > 0
const found = (url: string) => async (as: TestUser | null) => (await read(as, url)).status === 200
const notified = (kind: string) => async () =>
  (await read(cara, '/notifications/')).body.results.some(
    (item: { kind: string; actors: Names }) => item.kind === kind && hasOwen(item.actors),
  )
const inDigest = (kind: string) => async () => {
  await site.db`update notifications set read_at = case when kind = ${kind} then null else now() end`
  return (await countForDigest(site.db, cara.id, new Date(0))).length > 0
}
const followersOf = (id: () => number, list: string) => async (as: TestUser | null) =>
  hasOwen((await read(as, `/users/${id()}/${list}/`)).body.results)

const inSmartCollection = (scope: keyof typeof smartCollections) => async (as: TestUser | null) =>
  await counted(`/videos/?smart_collection=${smartCollections[scope]}`)(as)

/** The ways to each thing. Those to a list are ways to the profile, too: hiding the profile hides its lists. */
const ways: Record<'likes' | 'following' | 'followers' | 'collector' | 'profile', Record<string, Way>> = {
  likes: {
    'the list': { shows: counted('/videos/?liked_by=owen'), forVisitors: true },
    'the list with a filter': { shows: counted('/videos/?liked_by=OWEN&orientation=sfw'), forVisitors: true },
    'the list with a search': { shows: counted('/videos/?liked_by=owen&q=walrus'), forVisitors: true },
    'a page of it': {
      shows: async (as) =>
        (await read(as, '/videos/?liked_by=owen&sort=oldest&page_size=1')).body.results.length > 0,
      forVisitors: true,
    },
    'a smart collection of likes': { shows: inSmartCollection('liked'), forVisitors: true },
    'the number in the profile': { shows: inProfile('likes_count'), forVisitors: true },
    'the notification': { shows: notified('own_video_liked'), notForOwner: true },
    'the digest': { shows: inDigest('own_video_liked'), notForOwner: true },
  },
  following: {
    'the list': { shows: async (as) => await counted(`/users/${owen.id}/following/`)(as), forVisitors: true },
    'the number in the profile': { shows: inProfile('following_count'), forVisitors: true },
    "the other user's followers": { shows: followersOf(() => cara.id, 'followers'), forVisitors: true },
    'the notification': { shows: notified('follow'), notForOwner: true },
    'the digest': { shows: inDigest('follow'), notForOwner: true },
    "the other user's export": {
      shows: async () => {
        const lines = await readExportOnlyList(site.db, 'followers', cara.id, { at: '-infinity', id: 0 }, 10)
        return lines.some(({ line }) => line.includes('owen'))
      },
      notForOwner: true,
    },
  },
  followers: {
    'the list': { shows: async (as) => await counted(`/users/${owen.id}/followers/`)(as), forVisitors: true },
    'the number in the profile': { shows: inProfile('followers_count'), forVisitors: true },
    'the number in a search': {
      shows: async (as) => (await read(as, '/users/search/?q=owen')).body.results[0]?.followers_count > 0,
      forVisitors: true,
    },
    'the number in suggestions': {
      shows: async (as) => (await read(as, '/suggestions/?q=owen')).body.users[0]?.followers_count > 0,
      forVisitors: true,
      onlyIfEveryone: true,
    },
    'the order of a search': {
      shows: async () => {
        const [row] =
          await site.db`select shown_followers_count > 0 as shown from users where id = ${owen.id}`
        return row?.shown
      },
      forVisitors: true,
      onlyIfEveryone: true,
    },
    'the status': {
      shows: async (as) => (await read(as, `/users/${owen.id}/follow-status/`)).body.followers_count > 0,
    },
    "the follower's list": { shows: followersOf(() => finn.id, 'following'), forVisitors: true },
  },
  collector: {
    'the collectors of a video': {
      shows: async (as) =>
        hasOwen((await read(as, `/videos/${film.video.id}/users-bookmarked/`)).body.results),
    },
    'the notification': { shows: notified('own_video_bookmarked'), notForOwner: true },
    'the digest': { shows: inDigest('own_video_bookmarked'), notForOwner: true },
  },
  profile: {
    'the profile': { shows: found('/profile/owen/'), forVisitors: true },
    'the bookmarks': { shows: counted('/videos/?user=owen'), forVisitors: true },
    'a search in the bookmarks': { shows: counted('/videos/?user=Owen&q=walrus'), forVisitors: true },
    'a random list': { shows: counted('/videos/?user=owen&sort=random&seed=3'), forVisitors: true },
    'a search for user:': { shows: counted('/videos/?q=user:owen'), forVisitors: true },
    'a search by relevance for user:': {
      shows: counted('/videos/?q=walrus user:Owen&sort=relevance'),
      forVisitors: true,
    },
    'a search for the name': {
      shows: counted('/videos/?q=owen&literal=true'),
      forVisitors: true,
      onlyIfEveryone: true,
    },
    'the collections': { shows: counted('/collections/?user=owen'), forVisitors: true },
    'the smart collections': { shows: counted('/smart-collections/?user=owen'), forVisitors: true },
    'a smart collection of bookmarks': { shows: inSmartCollection('own'), forVisitors: true },
    'a mention in a comment': {
      shows: async (as) =>
        (await read(as, `/videos/${film.video.id}/comments/`)).body.results[0].mentions.length > 0,
      forVisitors: true,
      onlyIfEveryone: true,
    },
    'a search for users': {
      shows: async (as) => hasOwen((await read(as, '/users/search/?q=ow')).body.results),
      forVisitors: true,
    },
    'a suggestion': {
      shows: async (as) => hasOwen((await read(as, '/suggestions/?q=ow')).body.users),
      forVisitors: true,
      notForOwner: true,
    },
    'a suggestion while a mention is typed': {
      shows: async (as) => hasOwen((await read(as, '/suggestions/mentions/?q=ow')).body.users),
      notForOwner: true,
    },
    'the status': { shows: async (as) => found(`/users/${owen.id}/follow-status/`)(as), notForOwner: true },
    'the list of followers': {
      shows: async (as) => found(`/users/${owen.id}/followers/`)(as),
      forVisitors: true,
    },
  },
}
/** Owen's profile contains a list if both settings allow it. */
const levels = { everyone: 2, members: 1, only_me: 0 } satisfies Record<Visibility, number>
const settings = Object.keys(ways) as (keyof typeof ways)[]

describe.each(settings)('who sees a user’s %s', (setting) => {
  const choices: Visibility[] =
    setting === 'collector' ? ['members', 'only_me'] : ['everyone', 'members', 'only_me']
  test.each(choices)('%s', async (choice) => {
    await change({ [`${setting}_visibility`]: choice })
    // Hiding the profile hides its lists on all their ways.
    const tested =
      setting === 'profile' ? Object.values(ways).flatMap(Object.entries) : Object.entries(ways[setting])
    const wrong: string[] = []
    for (const [name, { shows, forVisitors, notForOwner, onlyIfEveryone }] of tested as [string, Way][]) {
      const expected = {
        visitor: levels[choice] === 2,
        member: onlyIfEveryone ? levels[choice] === 2 : levels[choice] > 0,
        owner: onlyIfEveryone ? levels[choice] === 2 : true,
      }
      if (forVisitors && (await shows(null)) !== expected.visitor) wrong.push(`${name} for visitors`)
      if ((await shows(eve)) !== expected.member) wrong.push(`${name} for members`)
      if (!notForOwner && (await shows(owen)) !== expected.owner) wrong.push(`${name} for the owner`)
    }
    expect(wrong).toEqual([])
  })
})

test('a hidden profile is the same as a missing one, and hidden lists as those of a user without any', async () => {
  await site.db`update collections set access = 'private' where user_id in (${owen.id}, ${none.id})`
  await change({ profile_visibility: 'only_me' })
  const missing = (url: string) => url.replace('owen', 'nobody').replace(String(owen.id), '790001')
  for (const url of [
    '/profile/owen/',
    '/videos/?user=owen',
    '/videos/?liked_by=owen',
    '/collections/?user=owen',
    '/smart-collections/?user=owen',
    `/users/${owen.id}/followers/`,
    `/users/${owen.id}/following/`,
    '/videos/?user=owen&page=2',
  ]) {
    const withoutName = (text: unknown) => JSON.parse(JSON.stringify(text).replaceAll('owen', 'nobody'))
    expect(withoutName(await read(null, url))).toEqual(await read(null, missing(url)))
    expect(withoutName(await read(eve, url))).toEqual(await read(eve, missing(url)))
  }
  for (const action of ['follow', 'toggle-follow', 'unfollow', 'block', 'unblock']) {
    expect(await post(eve, `/users/${owen.id}/${action}/`), action).toBe(404)
    expect(await post(eve, `/users/790001/${action}/`), action).toBe(404)
  }
  // Who followed before can still end it.
  expect(await post(finn, `/users/${owen.id}/unfollow/`)).toBe(200)
  expect(await post(finn, `/users/${owen.id}/follow/`)).toBe(404)
  await change({
    profile_visibility: 'everyone',
    likes_visibility: 'only_me',
    following_visibility: 'only_me',
    followers_visibility: 'only_me',
  })
  await post(finn, `/users/${owen.id}/follow/`)
  const lists = (user: TestUser) => [
    `/videos/?liked_by=${user.username}`,
    `/users/${user.id}/followers/`,
    `/users/${user.id}/following/`,
    `/users/${user.id}/followers/?page=2`,
  ]
  for (const [n, url] of lists(owen).entries())
    expect(await read(eve, url)).toEqual(await read(eve, lists(none)[n] ?? ''))
  await site.db`update collections set access = 'public' where user_id in (${owen.id}, ${none.id})`
})

test('public bookmarks, comments and collections of a hidden profile stay public and show the name', async () => {
  const { id } = await saveFilm(site, owen, 2)
  await change({ profile_visibility: 'only_me' })
  for (const viewer of [null, eve]) {
    expect((await read(viewer, `/bookmarks/${id}/`)).body.user).toMatchObject({ username: 'owen' })
    const { results } = (await read(viewer, '/videos/?q=%22film 2%22')).body
    expect(results).toMatchObject([{ user_username: 'owen' }])
  }
  // Everyone who can read the name can block it.
  expect(await post(eve, `/users/${owen.id}/block/`)).toBe(200)
  expect(await post(eve, `/users/${owen.id}/unblock/`)).toBe(200)
  await site.db`update bookmarks set deleted_at = now() where id = ${id}`
})

test('moderators see every profile, but no more lists than other members', async () => {
  await change({ profile_visibility: 'only_me', likes_visibility: 'everyone' })
  expect((await read(mod, '/profile/owen/')).body).toMatchObject({ username: 'owen', likes_count: 0 })
  expect((await read(mod, '/videos/?user=owen&q=walrus')).body.count).toBe(1)
  expect((await read(mod, '/videos/?q=user:owen')).body.count).toBe(1)
  expect((await read(mod, '/videos/?liked_by=owen')).body.count).toBe(0)
})

test('hidden likes and follows notify nobody, also not later', async () => {
  await change({
    likes_visibility: 'only_me',
    following_visibility: 'only_me',
    collector_visibility: 'only_me',
  })
  const { id, video } = await saveFilm(site, eve, 'late')
  await post(owen, `/videos/${video.id}/like/`)
  await post(owen, `/users/${eve.id}/follow/`)
  await saveFilm(site, owen, 'late')
  await change(defaultPrivacy)
  expect((await read(eve, '/notifications/')).body.results).toEqual([])
  await post(owen, `/users/${eve.id}/unfollow/`)
  await site.db`update bookmarks set deleted_at = now() where video_id = ${video.id} and id <> ${id}`
})

test('public numbers leave out adult bookmarks and likes unless their owner counts them', async () => {
  const adult = await saveFilm(site, owen, 'adult', { video: { orientation: 'gay' } })
  await post(owen, `/videos/${adult.video.id}/like/`)
  const { collection } = adult
  const counts = async (as: TestUser | null) => {
    const { bookmarks_count, likes_count } = (await read(as, '/profile/owen/')).body
    const inSearch = (await read(as, '/users/search/?q=owen')).body.results[0].bookmarks_count
    const ofCollection = (await read(as, `/collections/${collection.id}/`)).body
    const [channel] = ofCollection.channels
    return [bookmarks_count, likes_count, inSearch, ofCollection.bookmarks_count, channel.bookmarks_count]
  }
  const [own, withoutAdult] = [await counts(owen), await counts(null)]
  expect(await counts(eve)).toEqual(withoutAdult)
  expect([own[0] - withoutAdult[0], own[1] - withoutAdult[1], own[3] - withoutAdult[3]]).toEqual([1, 1, 1])
  await change({ counts_adult: true })
  expect((await counts(null)).map((count, n) => count - (withoutAdult[n] ?? 0))).toEqual([1, 1, 1, 1, 1])
  // Lists count what they list.
  await change({ counts_adult: false })
  const { count, results } = (await read(null, '/videos/?user=owen')).body
  expect(count).toBe(results.length)
  await site.db`update bookmarks set deleted_at = now() where id = ${adult.id}`
})

test('a setting that does not exist, or of another user, is refused', async () => {
  const patch = (as: TestUser, body: object) =>
    site.app.inject({
      method: 'PATCH',
      url: '/api/profile/owen/',
      headers: { authorization: `Bearer ${as.access}` },
      payload: body,
    })
  for (const body of [
    { likes_visibility: 'nobody' },
    { collector_visibility: 'everyone' },
    { counts_adult: 'x' },
  ])
    expect((await patch(owen, body)).statusCode).toBe(400)
  expect((await patch(eve, { likes_visibility: 'only_me' })).statusCode).toBe(403)
  expect((await read(eve, '/profile/owen/')).body).not.toHaveProperty('likes_visibility')
})
