/** The trash is searched, filtered, ordered and paged like other lists of own bookmarks. */
import { listTrash, trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { listingOrders } from '@reelmark/contract/listing.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { markWatched } from '@reelmark/contract/watching.ts'
import { beforeAll, expect, test } from 'vitest'
import { createDestination, saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'

type Query = Input<typeof listTrash>['query']

const { site, alice, bob } = await useSite()
const other = await createDestination(site, alice)
const later = await createDestination(site, alice, 'private')
await site.db`update collections set is_watch_later = true where id = ${later.collection_id}`

/** All four are trashed, in the order of their titles. None was saved in that order. */
beforeAll(async () => {
  const trash = async (user: typeof alice, id: number) => site.call(trashBookmark, { params: { id } }, user)
  const birch = await saveFilm(site, alice, 'birch', {
    video: {
      title: 'birch walk',
      duration: 60,
      orientation: 'gay',
      tags: ['sea'],
      embed_url: 'https://player.example.org/birch',
    },
    bookmark: { access: 'private', private_note: 'Gift for Kim' },
  })
  const dune = await saveFilm(site, alice, 'dune', {
    video: { title: 'dune climb', duration: 600, thumbnail_url: 'https://films.example.org/dune.jpg' },
    bookmark: other,
  })
  const amber = await saveFilm(site, alice, 'amber', {
    video: { title: 'amber walk', duration: 90, tags: ['sea', 'storm'] },
  })
  const cedar = await saveFilm(site, alice, 'cedar', {
    video: {
      source_url: 'https://www.youtube.com/watch?v=eRsGyueVLvQ',
      title: 'cedar climb',
      description: 'By the sea',
    },
    bookmark: later,
  })
  // The others match everything that the trashed ones match, but are not in Alice's trash.
  const saved = {
    video: { title: 'amber birch cedar dune walk climb', duration: 90, tags: ['sea', 'storm'] },
  }
  await saveFilm(site, alice, 'saved', {
    ...saved,
    bookmark: { access: 'private', private_note: 'Gift for Kim' },
  })
  const bobs = await saveFilm(site, bob, 'of-bob', { ...saved, bookmark: { private_note: 'Gift for Kim' } })
  // Counts of saves and likes are those of videos that others can see.
  for (const film of ['amber', 'dune']) await saveFilm(site, bob, film, { video: { title: 'Of Bob' } })
  await saveFilm(site, await signUp(site, 'cara'), 'dune')
  for (const user of [alice, bob]) await site.call(toggleLike, { params: { id: dune.video.id } }, user)
  await site.call(toggleLike, { params: { id: amber.video.id } }, bob)
  await site.call(markWatched, { params: { id: cedar.video.id } }, alice)
  await site.call(markWatched, { params: { id: amber.video.id } }, alice)
  await site.db`
    update videos set missing_since = now(), missing_found_at = now(), missing_since_bookmark_id = ${birch.id},
                      missing_confirmed_bookmark_id = ${birch.id}
     where id = ${birch.video.id}`
  for (const [n, { id }] of [amber, birch, cedar, dune].entries()) {
    await trash(alice, id)
    await site.db`
      update bookmarks set deleted_at = now() - make_interval(hours => ${10 - n}::int), created_at = ${`2024-0${((n * 2) % 5) + 1}-01`}
       where id = ${id}`
  }
  await trash(bob, bobs.id)
})

const list = (query: Query, viewer = alice) => site.call(listTrash, { query }, viewer)
/** Returns the first words of the titles. */
const find = async (query: Query) => {
  const { results, count } = await list({ literal: true, ...query })
  expect(count).toBe(results.length)
  return results.map(({ title }) => title.split(' ')[0]).join(' ')
}

test.each<[string, Query, string]>([
  ['everything, the latest deleted first', {}, 'dune cedar birch amber'],
  ['a word', { q: 'walk' }, 'birch amber'],
  ['words in any order', { q: 'climb dune' }, 'dune'],
  ['a phrase', { q: '"cedar climb"' }, 'cedar'],
  ['no phrase across fields', { q: '"climb by"' }, ''],
  ['a word of a description', { q: 'by' }, 'cedar'],
  ['a word of a private note', { q: 'kim' }, 'birch'],
  ['words of a note and of the title', { q: 'gift birch' }, 'birch'],
  ['a note', { q: 'note:"kim gift"' }, 'birch'],
  ['everything without a word in the note', { q: '-note:kim' }, 'dune cedar amber'],
  ['everything without a word', { q: '-walk' }, 'dune cedar'],
  ['a word but not another', { q: 'walk -amber' }, 'birch'],
  ['a tag', { tag: 'sea' }, 'birch amber'],
  ['a tag in the search', { q: 'tag:storm' }, 'amber'],
  ['a host', { host: 'youtube.com' }, 'cedar'],
  ['a site in the search', { q: 'site:films.example.org' }, 'dune birch amber'],
  ['the owner', { q: 'user:alice' }, 'dune cedar birch amber'],
  ['an orientation', { orientation: 'gay' }, 'birch'],
  ['another orientation', { orientation: 'sfw' }, 'dune cedar amber'],
  ['adult content', { q: 'is:adult' }, 'birch'],
  ['a collection', { collection: other.collection_id }, 'dune'],
  ['a channel', { channel: other.channel_id }, 'dune'],
  ['a least duration', { min_duration: 90 }, 'dune amber'],
  ['a greatest duration', { max_duration: 90 }, 'birch amber'],
  ['a duration in the search', { q: 'shorter:90s' }, 'birch'],
  ['dates from', { saved_after: '2024-03-01' }, 'cedar birch'],
  ['dates before', { saved_before: '2024-03-01' }, 'dune amber'],
  ['a month', { q: 'after:2024-02 before:2024-04' }, 'dune birch'],
  ['private bookmarks', { access: 'private' }, 'cedar birch'],
  ['bookmarks that are not private', { access: 'public' }, 'dune amber'],
  ['watched videos', { watched: true }, 'cedar amber'],
  ['videos not watched yet', { watched: false }, 'dune birch'],
  ['bookmarks without a tag', { untagged: true }, 'dune cedar'],
  ['bookmarks with a tag', { q: '-no:tag' }, 'birch amber'],
  ['bookmarks without a picture', { no_picture: true }, 'birch amber'],
  ['bookmarks without a player', { no_player: true }, 'dune amber'],
  ['gone videos', { q: 'is:gone' }, 'birch'],
  ['Watch Later', { q: 'is:later' }, 'cedar'],
  ['several filters and a word', { q: 'walk', tag: 'sea', max_duration: 90, access: 'public' }, 'amber'],
])('the trash finds %s', async (_name, query, found) => expect(await find(query)).toBe(found))

const orders: Record<(typeof listingOrders)[number], string> = {
  newest: 'dune cedar birch amber',
  oldest: 'amber birch cedar dune',
  most_saved: 'dune amber cedar birch',
  most_liked: 'dune amber cedar birch',
  longest: 'dune amber birch cedar',
  shortest: 'birch amber dune cedar',
  title: 'amber birch cedar dune',
  last_watched: 'amber cedar dune birch',
  relevance: 'dune cedar birch amber',
}
test.each(listingOrders)(
  'the trash in the order %s is the same as a whole and page by page, also in a search',
  async (sort) => {
    expect(await find({ sort })).toBe(orders[sort])
    for (const search of [{}, { q: '-nothing' }]) {
      const pages: string[] = []
      let query: Query | null = { ...search, sort, page_size: 1 }
      while (query !== null) {
        const { results, count, next }: Awaited<ReturnType<typeof list>> = await list(query)
        expect([results.length, count]).toEqual([1, 4])
        pages.push(results[0]?.title.split(' ')[0] ?? '')
        const url = next === null ? null : new URL(next, 'http://x').searchParams
        query =
          url === null ? null : { ...query, page: Number(url.get('page')), cursor: url.get('cursor') ?? '' }
      }
      // By relevance, a search also compares how many saved the videos.
      expect(pages.join(' ')).toBe(sort === 'relevance' ? await find({ ...search, sort }) : orders[sort])
    }
  },
)

test('the trash has the best matches first by relevance', async () => {
  expect(await find({ q: 'sea', sort: 'relevance' })).toMatch(/ cedar$/)
})

test('the trash finds similar words for misspelt ones', async () => {
  expect(await list({ q: 'cedat' })).toMatchObject({
    count: 1,
    results: [{ title: 'cedar climb' }],
    corrected: [{ word: 'cedat', replacements: ['cedar'] }],
  })
})

test('others find nothing of it in their own trash', async () => {
  expect((await list({ q: 'kim' }, bob)).results).toMatchObject([{ user_username: 'bob' }])
  expect((await list({ collection: other.collection_id }, bob)).count).toBe(0)
  expect((await list({ q: 'user:alice' }, bob)).count).toBe(0)
})
