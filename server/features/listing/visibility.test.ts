import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { listChannels, listCollections } from '@reelmark/contract/collections.ts'
import { type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import {
  createDestination,
  saveFilm,
  type TestDestination,
  vaultDestination,
} from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../testing/test-users.ts'

let site: TestApp
let owner: TestUser
let friend: TestUser
let moderator: TestUser
let vault: TestDestination
let closed: TestDestination

/** One bookmark of the owner for each reason not to show it, and one that everyone may see. */
const films = { open: 0, own: 0, shut: 0, hidden: 0, trashed: 0, removed: 0 }
/** A word for each bookmark, not similar to the others. */
const words = {
  open: 'meadow',
  own: 'walrus',
  shut: 'cinnamon',
  hidden: 'telegraph',
  trashed: 'umbrella',
  removed: 'quicksilver',
}

beforeAll(async () => {
  site = await bootApp()
  owner = await signUp(site, 'owner')
  friend = await signUp(site, 'friend')
  moderator = await signUpModerator(site, 'moderator')
  vault = await vaultDestination(site, owner)
  closed = await createDestination(site, owner, 'private')
  for (const name of Object.keys(films) as (keyof typeof films)[]) {
    const destination = name === 'shut' ? closed : vault
    const { id } = await saveFilm(site, owner, name, {
      video: { title: `Film ${words[name]}`, tags: [words[name], 'common'] },
      bookmark: { channel_id: destination.channel_id, access: name === 'own' ? 'private' : 'public' },
    })
    films[name] = id
  }
  const video = (id: number) => site.db`(select video_id from bookmarks where id = ${id})`
  await site.db`insert into likes (user_id, video_id) select ${friend.id}, video_id from bookmarks`
  await site.db`insert into follows (follower_id, followee_id) values (${friend.id}, ${owner.id})`
  await site.db`update videos set status = 'hidden' where id = ${video(films.hidden)}`
  await site.db`update videos set status = 'removed' where id = ${video(films.removed)}`
  await site.db`update bookmarks set deleted_at = now() where id = ${films.trashed}`
})
afterAll(() => site.close())

const listIds = async (query: Partial<ListingQuery>, viewer: TestUser | null) => {
  const page = await site.call(listVideos, { query }, viewer)
  const ids = page.results.map(({ id }) => id)
  // A count must not reveal hidden bookmarks either.
  expect(page.count).toBe(ids.length)
  return ids.sort((a, b) => a - b)
}

const publicLists: [string, () => Partial<ListingQuery>][] = [
  ['Explore', () => ({})],
  ['Explore by orientation', () => ({ orientation: 'sfw' })],
  ['a random listing', () => ({ sort: 'random' })],
  ['a search', () => ({ q: 'film' })],
  ['a search by user', () => ({ q: 'user:owner' })],
  ['a search by site', () => ({ q: 'site:films.example.org' })],
  ['a misspelt search', () => ({ q: 'filmm' })],
  ['a tag', () => ({ tag: 'common' })],
  ['likes', () => ({ liked_by: 'friend' })],
]
const ownPages: [string, () => Partial<ListingQuery>, (keyof typeof films)[]][] = [
  ['the profile', () => ({ user: 'Owner' }), ['open', 'own', 'shut', 'hidden']],
  [
    'the profile in random order',
    () => ({ user: 'owner', sort: 'random' }),
    ['open', 'own', 'shut', 'hidden'],
  ],
  ['the collection', () => ({ collection: vault.collection_id }), ['open', 'own', 'hidden']],
  ['the channel', () => ({ channel: vault.channel_id }), ['open', 'own', 'hidden']],
  ['the private collection', () => ({ collection: closed.collection_id }), ['shut']],
  ['the private channel', () => ({ channel: closed.channel_id }), ['shut']],
  [
    'the videos of a profile that another user likes',
    () => ({ user: 'owner', liked_by: 'friend' }),
    ['open', 'own', 'shut', 'hidden'],
  ],
  ['a search on the profile', () => ({ user: 'owner', q: 'film' }), ['open', 'own', 'shut', 'hidden']],
]

describe.each(publicLists)('in %s', (_name, query) => {
  test('private, hidden, removed and trashed bookmarks are missing, also for their owner', async () => {
    for (const viewer of [null, friend, moderator, owner])
      expect(await listIds(query(), viewer)).toEqual([films.open])
  })
})

describe.each(ownPages)('on %s', (_name, query, expected) => {
  test('others see public bookmarks', async () => {
    const open = expected.includes('open') ? [films.open] : []
    for (const viewer of [null, friend, moderator]) expect(await listIds(query(), viewer)).toEqual(open)
  })
  test('the owner also sees private and hidden ones', async () => {
    expect(await listIds(query(), owner)).toEqual(expected.map((name) => films[name]).sort((a, b) => a - b))
  })
})

test('a feed shows public bookmarks of followed users, and requires an account', async () => {
  expect(await listIds({ sort: 'following' }, friend)).toEqual([films.open])
  expect(await listIds({ following: true, sort: 'random' }, friend)).toEqual([films.open])
  expect(await listIds({ following: true, user: 'owner' }, friend)).toEqual([films.open])
  expect(await listIds({ sort: 'following' }, owner)).toEqual([])
  expect((await failedReply(listIds({ sort: 'following' }, null))).status).toBe(401)
  expect((await failedReply(listIds({ following: true }, null))).status).toBe(401)
})

test('a bookmark that the viewer may not see answers 404; owners see their own, moderators hidden and removed ones', async () => {
  const visibleTo = async (viewer: TestUser | null) => {
    const names: string[] = []
    for (const [name, id] of Object.entries(films)) {
      const outcome = await site
        .call(getBookmark, { params: { id } }, viewer)
        .then(() => null)
        .catch((error: unknown) => failedReply(Promise.reject(error)))
      if (outcome === null) names.push(name)
      else expect(outcome).toEqual({ status: 404, body: { detail: 'Not found.', code: 'not-found' } })
    }
    return names
  }
  expect(await visibleTo(null)).toEqual(['open'])
  expect(await visibleTo(friend)).toEqual(['open'])
  expect(await visibleTo(moderator)).toEqual(['open', 'hidden', 'removed'])
  expect(await visibleTo(owner)).toEqual(['open', 'own', 'shut', 'hidden'])
})

test('a private collection and its channels are visible to their owner only', async () => {
  const countsFor = async (viewer: TestUser | null) => {
    const { results, count } = await site.call(listCollections, { query: { user: 'owner' } }, viewer)
    expect(results).toHaveLength(count)
    return results.map(({ access, bookmarks_count, channels }) => [
      access,
      bookmarks_count,
      channels[0]?.bookmarks_count,
    ])
  }
  expect(await countsFor(null)).toEqual([['public', 1, 1]])
  expect(await countsFor(moderator)).toEqual([['public', 1, 1]])
  // The owner's counts also include videos that a moderator removed, until they are purged.
  expect((await countsFor(owner)).map(([access]) => access)).toEqual(['public', 'private'])
  expect(await site.call(listCollections, { query: {} }, friend)).toMatchObject({ count: 1 })
  expect((await failedReply(site.call(listCollections, { query: {} }))).status).toBe(401)

  const channels = (viewer: TestUser | null) =>
    site.call(listChannels, { params: { id: closed.collection_id }, query: {} }, viewer)
  expect((await channels(owner)).results.map(({ bookmarks_count }) => bookmarks_count)).toEqual([1])
  expect((await failedReply(channels(friend))).status).toBe(404)
  expect((await failedReply(channels(moderator))).status).toBe(404)
})
