import { blockUser } from '@reelmark/contract/blocks.ts'
import { searchCollections } from '@reelmark/contract/collections.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { searchProfiles } from '@reelmark/contract/profiles.ts'
import { getSuggestions } from '@reelmark/contract/suggestions.ts'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { recountCollections } from '../../collections/recount-collections.ts'

const { site, alice, bob } = await useSite()
let mara: TestUser

beforeAll(async () => {
  mara = await signUp(site, 'mara.lind')
  await saveFilm(site, alice, 1, { video: { title: 'Slow Café train', tags: ['cats', 'Café', 'slow tv'] } })
  await saveFilm(site, alice, 2, { video: { title: 'Cats at work', tags: ['cats'] } })
  await saveFilm(site, alice, 3, { video: { title: '東京タワーの夜', tags: ['東京タワー'] } })
  await saveFilm(site, mara, 4, { video: { title: 'Adult cinema', tags: ['cinema'], orientation: 'gay' } })
  await saveFilm(site, bob, 5, {
    video: { title: 'Cabin secrets', tags: ['cabin', 'cats'] },
    bookmark: { access: 'private' },
  })
  await site.db`
    insert into collections (user_id, name, access) values
      (${alice.id}, 'Café racers', 'public'), (${bob.id}, 'Cabins at the lake', 'private'), (${bob.id}, '東京の夜', 'public')`
})
afterEach(async () => {
  await site.db`delete from blocks`
  await site.db`delete from mutes`
})

const suggest = (q: string, user?: TestUser, orientation?: 'sfw' | 'gay') =>
  site.call(getSuggestions, { query: { q, ...(orientation && { orientation }) } }, user)
const names = async (q: string, user?: TestUser, orientation?: 'sfw' | 'gay') => {
  const found = await suggest(q, user, orientation)
  return {
    tags: found.tags.map(({ name }) => name),
    users: found.users.map(({ username }) => username),
    collections: found.collections.map(({ name }) => name),
    videos: found.videos.map(({ title }) => title),
  }
}
const nothing = { tags: [], users: [], collections: [], videos: [] }

test('tags, users, collections and titles are suggested by the beginning of a word, without case and accents', async () => {
  expect(await names('CA')).toEqual({
    tags: ['cats', 'café'],
    users: [],
    collections: ['Café racers'],
    videos: ['Cats at work', 'Slow Café train'],
  })
  expect(await names('tv')).toEqual({ ...nothing, tags: ['slow tv'] })
  expect(await names('li')).toEqual({ ...nothing, users: ['mara.lind'] })
  expect((await suggest('mara.l')).users).toMatchObject([
    { username: 'mara.lind', followers_count: 0, is_verified: false },
  ])
  expect((await suggest('cats')).tags).toEqual([{ name: 'cats', uses_count: 2 }])
  expect((await suggest('work')).videos).toMatchObject([
    { title: 'Cats at work', orientation: 'sfw', user_username: 'alice', is_public: true },
  ])
})

test('all words but the last must be complete', async () => {
  expect((await names('slow tr')).videos).toEqual(['Slow Café train'])
  expect((await names('train sl')).videos).toEqual(['Slow Café train'])
  expect((await names('slo train')).videos).toEqual([])
  expect((await names('slow t')).tags).toEqual(['slow tv'])
  expect((await names('slo tv')).tags).toEqual([])
})

test.each(['t', 'tag', 'u', 'user', 'si', 'site'])(
  'titles are not suggested for the operator %s',
  async (q) => {
    const { videos } = await names(q)
    expect(videos).toEqual(q === 't' ? ['Slow Café train'] : [])
  },
)

test('Japanese words are found within names and titles', async () => {
  expect(await names('タワー')).toMatchObject({ tags: ['東京タワー'], videos: ['東京タワーの夜'] })
  expect(await names('東京')).toMatchObject({ tags: ['東京タワー'], collections: ['東京の夜'] })
  expect(await names('夜')).toMatchObject({ collections: ['東京の夜'] })
})

test('an exact tag or username comes before more popular ones', async () => {
  await saveFilm(site, alice, 6, { video: { tags: ['cat'] } })
  expect((await names('cat')).tags).toEqual(['cat', 'cats'])
  expect((await names('CAT')).tags).toEqual(['cat', 'cats'])
  await signUp(site, 'mara')
  await site.db`update users set followers_count = 3 where id = ${mara.id}`
  expect((await names('mar')).users).toEqual(['mara.lind', 'mara'])
  expect((await names('Mara')).users).toEqual(['mara', 'mara.lind'])
  await site.db`update users set followers_count = 0 where id = ${mara.id}`
})

test('private tags, collections and titles are suggested to their owner only, and first', async () => {
  for (const user of [undefined, alice]) {
    expect(await names('cab', user)).toEqual(nothing)
    expect((await suggest('cats', user)).tags[0]?.uses_count).toBe(2)
  }
  expect(await names('cab', bob)).toEqual({
    tags: ['cabin'],
    users: [],
    collections: ['Cabins at the lake'],
    videos: ['Cabin secrets'],
  })
  expect((await suggest('cabin', bob)).tags).toEqual([{ name: 'cabin', uses_count: 0 }])
  expect((await names('ca', bob)).videos[0]).toBe('Cabin secrets')
  const [collection] = (await suggest('lake', bob)).collections
  expect(collection).toMatchObject({ access: 'private', user_username: 'bob' })
})

test('content of blocked and muted users, and muted tags, are left out', async () => {
  const all = await names('cin', bob)
  expect(all).toEqual({ ...nothing, tags: ['cinema'], videos: ['Adult cinema'] })
  await site.call(blockUser, { params: { id: bob.id } }, mara)
  expect(await names('cin', bob)).toEqual(nothing)
  expect((await names('mara.lind', bob)).users).toEqual([])
  await site.db`delete from blocks`
  await site.call(createMute, { body: { user_id: mara.id } }, bob)
  expect(await names('cin', bob)).toEqual(nothing)
  await site.db`delete from mutes`
  await site.call(createMute, { body: { tag: 'cinema' } }, bob)
  expect(await names('cin', bob)).toEqual(nothing)
  expect(await names('cin', alice)).toEqual(all)
})

test('an orientation leaves out videos of others, and sfw also tags of adult videos only', async () => {
  expect(await names('cin', undefined, 'gay')).toMatchObject({ tags: ['cinema'], videos: ['Adult cinema'] })
  expect(await names('cin', undefined, 'sfw')).toEqual(nothing)
  expect(await names('cab', bob, 'gay')).toMatchObject({ tags: [], videos: [] })
})

test('banned users and their collections are not suggested', async () => {
  await site.db`update users set banned_at = now() where id = ${alice.id}`
  try {
    expect(await names('ali')).toEqual(nothing)
    expect((await names('racers')).collections).toEqual([])
  } finally {
    await site.db`update users set banned_at = null where id = ${alice.id}`
  }
})

test.each([
  '',
  ' ',
  '%',
  '_',
  '\\',
  "'",
  '"',
  ':*',
  '!',
  '&|!()<->',
  '🎬',
  '\u0001',
  '\u200f\u202e',
  '\u0301',
  '-',
])('a text without words finds nothing: %j', async (q) => {
  expect(await names(q)).toEqual(nothing)
  for (const endpoint of [searchCollections, searchProfiles])
    expect((await site.call(endpoint, { query: { q } })).results).toEqual([])
})

test.each([
  '\u202ecats\u200f',
  'cats 🎬',
  'ｃ ats',
  `${'cats '.repeat(39)}cats`,
  'x'.repeat(200),
  '東'.repeat(200),
  '\u0301'.repeat(199),
  "cats':*A & !b",
  'cats\u0001',
  'cats\u00a0at',
])('an odd text never fails: %j', async (q) => {
  for (const user of [undefined, bob]) {
    for (const endpoint of [getSuggestions, searchCollections, searchProfiles]) {
      const query = new URLSearchParams({ q })
      const headers = user === undefined ? {} : { authorization: `Bearer ${user.access}` }
      const reply = await site.app.inject({ url: `/api${endpoint.path}?${query}`, headers })
      expect([200], reply.body).toContain(reply.statusCode)
    }
  }
})

test('direction marks and non-breaking spaces are not part of words', async () => {
  expect((await names('\u202ecats\u200f')).tags).toEqual(['cats'])
  expect((await names('cats\u00a0at')).videos).toEqual(['Cats at work'])
})

test('a text that is too long is refused', async () => {
  const reply = await site.app.inject(`/api/suggestions/?q=${'x'.repeat(201)}`)
  expect(reply.statusCode).toBe(400)
})

test('collections are found by name with cover, count and owner, the largest first and own private ones before', async () => {
  const small = await vaultDestination(site, bob)
  await saveFilm(site, bob, 7, { bookmark: { channel_id: small.channel_id } })
  await recountCollections(site.db)
  const found = await site.call(searchCollections, { query: { q: 'my vault' } })
  expect(found.results.map(({ user }) => user.username)).toEqual(['alice', 'bob', 'mara.lind', 'mara'])
  expect(found).toMatchObject({ count: 4, next: null, previous: null })
  expect(found.results[1]).toMatchObject({ name: 'My Vault', access: 'public', bookmarks_count: 1 })
  const page = await site.call(searchCollections, { query: { q: 'my vault', page: 2, page_size: 1 } })
  expect(page.results.map(({ user }) => user.username)).toEqual(['bob'])
  expect(page.previous).toBe('/api/collections/search/?q=my+vault&page=1&page_size=1')
  const own = await site.call(searchCollections, { query: { q: 'cab' } }, bob)
  expect(own.results.map(({ name }) => name)).toEqual(['Cabins at the lake'])
  for (const user of [undefined, alice])
    expect((await site.call(searchCollections, { query: { q: 'cab' } }, user)).results).toEqual([])
})

test('users are found by name with counts, the most followed first', async () => {
  const found = await site.call(searchProfiles, { query: { q: 'mara' } }, bob)
  expect(found.results.map(({ username }) => username)).toEqual(['mara', 'mara.lind'])
  expect(found.results[1]).toMatchObject({
    avatar_url: '/media/default.jpg',
    bio: '',
    followers_count: 0,
    // Her only bookmark is adult, and she does not count it for others.
    bookmarks_count: 0,
    is_followed: false,
  })
  await site.call(blockUser, { params: { id: bob.id } }, mara)
  expect((await site.call(searchProfiles, { query: { q: 'lind' } }, bob)).results).toEqual([])
})

test('the own bookmarks of a viewer are suggested with their collection, private ones and words in the index, too', async () => {
  const own = async (q: string, user?: TestUser, orientation?: 'sfw') =>
    (await suggest(q, user, orientation)).own.map(({ title, is_public }) => ({ title, is_public }))
  expect((await suggest('ca', bob)).own).toMatchObject([
    { title: 'Cabin secrets', collection_name: 'My Vault', is_public: false, user_username: 'bob' },
  ])
  expect(await own('CA', alice)).toEqual([
    { title: 'Cats at work', is_public: true },
    { title: 'Slow Café train', is_public: true },
  ])
  expect(await own('ca')).toEqual([])
  expect(await own('cinema', mara, 'sfw')).toEqual([])
  expect(await own('cinema', mara)).toEqual([{ title: 'Adult cinema', is_public: true }])
  // Older than the newest 300, which are compared with the text.
  await site.db`update bookmarks set created_at = now() - interval '1 year' where title = 'Cats at work'`
  for (let n = 0; n < 300; n++) await saveFilm(site, alice, `filler ${n}`, { video: { title: 'Filler' } })
  expect(await own('cat', alice)).toEqual([{ title: 'Cats at work', is_public: true }])
  await site.db`delete from bookmarks where title = 'Filler'`
})
