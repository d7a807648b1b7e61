/**
 * Every privacy setting on every way in (privacy-ways.fixture.ts): what a user hides is empty or missing for everyone it is
 * hidden from, exactly as if it did not exist (docs/decisions/0052-privacy-settings.md). Rendered pages are tested in
 * e2e/rendered-privacy.test.ts; what the visitor cache serves is compared in shared-responses.test.ts.
 */
import { defaultPrivacy, type Visibility } from '@reelmark/contract/privacy-settings.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPrivacyScene } from './privacy-scene.fixture.ts'
import { listWays, type Way } from './privacy-ways.fixture.ts'
import { saveFilm } from './testing/test-bookmarks.ts'
import type { TestUser } from './testing/test-users.ts'
import { useEmptySite } from './testing/use-site.ts'

const site = await useEmptySite()
const scene = await createPrivacyScene(site)
const { owen, none, finn, eve, mod, read, post, change } = scene
const ways = listWays(scene)
beforeEach(() => change(defaultPrivacy))

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
    expect((await post(eve, `/users/${owen.id}/${action}/`)).status, action).toBe(404)
    expect((await post(eve, `/users/790001/${action}/`)).status, action).toBe(404)
  }
  // Who followed before can still end it.
  expect((await post(finn, `/users/${owen.id}/unfollow/`)).status).toBe(200)
  expect((await post(finn, `/users/${owen.id}/follow/`)).status).toBe(404)
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
  expect((await post(eve, `/users/${owen.id}/block/`)).status).toBe(200)
  expect((await post(eve, `/users/${owen.id}/unblock/`)).status).toBe(200)
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
    const profile = (await read(as, '/profile/owen/')).body
    const [inSearch] = (await read(as, '/users/search/?q=owen')).body.results
    const ofCollection = (await read(as, `/collections/${collection.id}/`)).body
    const [inList] = (await read(as, '/collections/?user=owen')).body.results
    const [inChannels] = (await read(as, `/collections/${collection.id}/channels/`)).body.results
    const named = (await read(as, '/collections/search/?q=vault')).body.results
    const found = named.find(({ id }: { id: number }) => id === collection.id)
    return {
      likes: profile.likes_count,
      profile: profile.bookmarks_count,
      'search for users': inSearch.bookmarks_count,
      collection: ofCollection.bookmarks_count,
      'its channel': ofCollection.channels[0].bookmarks_count,
      'list of channels': inChannels.bookmarks_count,
      'list of collections': inList.bookmarks_count,
      'channel in the list': inList.channels[0].bookmarks_count,
      'search for collections': found.bookmarks_count,
    } as Record<string, number>
  }
  const withoutAdult = await counts(null)
  const withAdult = Object.fromEntries(Object.entries(withoutAdult).map(([way, count]) => [way, count + 1]))
  expect(await counts(eve)).toEqual(withoutAdult)
  // The search for users shows its owner the public number, too.
  const inUserSearch = withoutAdult['search for users']
  expect(await counts(owen)).toEqual({ ...withAdult, 'search for users': inUserSearch })
  await change({ counts_adult: true })
  for (const viewer of [null, eve, owen]) expect(await counts(viewer)).toEqual(withAdult)
  // Searches show the stored numbers of large collections.
  await site.db`update collections set visible_count = 300, visible_sfw_count = 299 where id = ${collection.id}`
  expect(await counts(eve)).toMatchObject({ 'search for users': 300, 'search for collections': 300 })
  // Lists count what they list.
  await change({ counts_adult: false })
  expect(await counts(eve)).toMatchObject({ 'search for users': 299, 'search for collections': 299 })
  const { count, results } = (await read(null, '/videos/?user=owen')).body
  expect(count).toBe(results.length)
  await site.db`update bookmarks set deleted_at = now() where id = ${adult.id}`
  await site.db`update collections set visible_count = 0, visible_sfw_count = 0 where id = ${collection.id}`
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
