/** What users find in their own bookmarks, and that filters by private properties reveal nothing about those of others. */
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'

import { followUser } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import { markWatched } from '@reelmark/contract/watching.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDestination, saveFilm } from '../../testing/test-bookmarks.ts'
import { signUpModerator, type TestUser } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'

const { site, alice, bob } = await useSite()
const plain = await saveFilm(site, alice, 'plain', { video: { title: 'plain', tags: ['sea'], duration: 90 } })
const bare = await saveFilm(site, alice, 'bare', {
  video: { title: 'bare', embed_url: 'https://player.example.org/1' },
})

describe('others', () => {
  let moderator: TestUser
  const queries: ListingQuery[] = []
  const filters: ListingQuery[] = [
    { access: 'private' },
    { access: 'public' },
    { watched: true },
    { watched: false },
    { untagged: true },
    { no_picture: true },
    { no_player: true },
    ...['kim', '-kim', 'note:kim', '-note:kim', 'note:"gift kim"', 'sea kim', '-sea note:kim'].map((q) => ({
      q,
    })),
    ...['is:private', '-is:private', 'no:tag', '-no:tag', 'no:picture', '-no:picture', '-no:player'].map(
      (q) => ({ q }),
    ),
    ...['is:watched', 'is:unwatched'].map((q) => ({ q })),
    { sort: 'last_watched' },
    { q: 'sea', sort: 'last_watched' },
  ]

  beforeAll(async () => {
    moderator = await signUpModerator(site, 'moderator')
    for (const id of [plain.video.id, bare.video.id]) await site.call(toggleLike, { params: { id } }, alice)
    await site.call(followUser, { params: { id: alice.id } }, bob)
    const { collection, channel } = plain
    const lists: ListingQuery[] = [
      {},
      { user: 'alice' },
      { collection: collection.id },
      { channel: channel?.id ?? 0 },
      { liked_by: 'alice' },
      { following: true },
    ]
    queries.push(...lists.flatMap((list) => filters.map((filter) => ({ ...list, ...filter }))))
  })

  const read = async (query: ListingQuery, viewer: TestUser | null) => {
    const isFeed = query.following === true
    if (isFeed && (viewer === null || query.sort !== undefined)) return null
    return site.call(listVideos, { query }, viewer)
  }
  const readAll = async () => {
    const replies: unknown[] = []
    for (const query of queries) {
      for (const viewer of [null, bob, moderator]) replies.push([query, await read(query, viewer)])
    }
    return replies
  }

  test('find nothing by filters of private properties, and their negations exclude nothing', async () => {
    for (const list of [{ user: 'alice' }, { liked_by: 'alice' }, { collection: plain.collection.id }, {}]) {
      const titles = async (query: ListingQuery) =>
        (await site.call(listVideos, { query: { ...list, ...query } }, bob)).results.map(({ title }) => title)
      const all = await titles({})
      expect(all).toHaveLength(2)
      for (const q of ['is:private', 'no:tag', 'no:picture', 'no:player', 'note:kim']) {
        expect(await titles({ q }), q).toEqual([])
        expect(await titles({ q: `-${q}` }), `-${q}`).toEqual(all)
      }
      for (const name of ['untagged', 'no_picture', 'no_player'] as const) {
        expect(await titles({ [name]: true }), name).toEqual([])
      }
    }
  })

  test('get replies that do not depend on the private properties of a bookmark', async () => {
    const before = await readAll()
    const closed = await createDestination(site, alice, 'private')
    for (const { id } of [plain, bare]) {
      await site.call(updateBookmark, { params: { id }, body: { private_note: 'gift for kim' } }, alice)
    }
    await site.call(markWatched, { params: { id: plain.video.id } }, alice)
    await saveFilm(site, alice, 'secret', { video: { title: 'secret sea' }, bookmark: closed })
    await saveFilm(site, alice, 'untagged', { video: { title: 'kim' }, bookmark: { access: 'private' } })
    const after = await readAll()
    expect(after).toEqual(before)
  })
})

describe('owners', () => {
  const find = async (query: ListingQuery) => {
    const { results, count } = await site.call(listVideos, { query: { user: 'ALICE', ...query } }, alice)
    expect(count).toBe(results.length)
    return results.map(({ title }) => title).sort()
  }

  test.each<[string, ListingQuery, string[]]>([
    ['words of a private note', { q: 'kim' }, ['bare', 'kim', 'plain']],
    ['words of a note and of the title', { q: 'gift bare' }, ['bare']],
    ['words of the note only', { q: 'note:KIM' }, ['bare', 'plain']],
    ['all words of a quoted text in a note', { q: 'note:"kim gift"' }, ['bare', 'plain']],
    ['a phrase in a note', { q: '"gift for kim"' }, ['bare', 'plain']],
    ['no phrase across title and note', { q: '"bare gift"' }, []],
    ['everything without a word in the note', { q: '-note:kim' }, ['kim', 'secret sea']],
    ['private bookmarks', { access: 'private' }, ['kim', 'secret sea']],
    ['private bookmarks with a word', { access: 'private', q: 'sea' }, ['secret sea']],
    ['bookmarks that are not private', { access: 'public' }, ['bare', 'plain']],
    ['watched videos', { watched: true }, ['plain']],
    ['videos not watched yet', { watched: false, access: 'public' }, ['bare']],
    ['bookmarks without a tag', { untagged: true }, ['bare', 'kim', 'secret sea']],
    ['bookmarks with a tag', { q: '-no:tag' }, ['plain']],
    ['bookmarks without a player', { no_player: true }, ['kim', 'plain', 'secret sea']],
    ['a duration', { max_duration: 90 }, ['plain']],
    ['a tag', { tag: 'sea' }, ['plain']],
    ['a host', { host: 'example.org', untagged: true, access: 'public' }, ['bare']],
  ])('find %s', async (_name, query, titles) => expect(await find(query)).toEqual(titles))

  test('find their bookmarks by a note: filter in a search of all bookmarks', async () => {
    const { results } = await site.call(listVideos, { query: { q: 'note:kim' } }, alice)
    expect(results.map(({ title }) => title).sort()).toEqual(['bare', 'plain'])
  })

  test('find a bookmark without a picture unless it or its video has one or is waiting for one', async () => {
    const lacking = async () => (await find({ no_picture: true })).includes('bare')
    const video = (values: string) =>
      site.db.unsafe(`update videos set ${values} where id = ${bare.video.id}`)
    const bookmark = (values: string) =>
      site.db.unsafe(`update bookmarks set ${values} where id = ${bare.id}`)
    const stored = "thumbnail_key = 'k', thumbnail_large_key = 'l'"
    const none = 'thumbnail_key = null, thumbnail_large_key = null'
    expect(await lacking()).toBe(true)
    for (const change of [video, bookmark]) {
      await change("thumbnail_state = 'pending'")
      expect(await lacking()).toBe(false)
      await change("thumbnail_state = 'failed'")
      expect(await lacking()).toBe(true)
      await change(stored)
      expect(await lacking()).toBe(false)
      await change(none)
      expect(await lacking()).toBe(true)
    }
  })

  test('see the videos that they watched, the latest first, and then the others, the newest first', async () => {
    await site.call(markWatched, { params: { id: bare.video.id } }, alice)
    const query: ListingQuery = { user: 'alice', sort: 'last_watched', page_size: 2 }
    const first = await site.call(listVideos, { query }, alice)
    const cursor = new URL(first.next ?? '', 'http://x').searchParams.get('cursor') ?? ''
    const second = await site.call(listVideos, { query: { ...query, page: 2, cursor } }, alice)
    const titles = [...first.results, ...second.results].map(({ title }) => title)
    expect(titles).toEqual(['bare', 'plain', 'kim', 'secret sea'])
  })
})

test('lists of own bookmarks name the collection of each; other lists do not', async () => {
  const collectionIds = async (query: ListingQuery, viewer: TestUser | null) => {
    const { results } = await site.call(listVideos, { query }, viewer)
    return results.map((item) => item.collection_id)
  }
  expect(await collectionIds({ user: 'alice', q: 'plain' }, alice)).toEqual([plain.collection.id])
  expect(await collectionIds({ user: 'alice' }, alice)).not.toContain(undefined)
  for (const [query, viewer] of [
    [{ user: 'alice' }, bob],
    [{ user: 'alice' }, null],
    [{}, alice],
  ] as const) {
    expect(new Set(await collectionIds(query, viewer))).toEqual(new Set([undefined]))
  }
})
