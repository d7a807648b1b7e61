import { type ListingQuery, listingOrders, listVideos } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { expect, test } from 'vitest'
import { saveFilm, vaultDestination } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'
import { saveManyFilms } from './many-films.fixture.ts'
import { mostSavedVideos, sortedOwn } from './own-saves.ts'
import { readAllPages } from './read-all-pages.fixture.ts'
import { withoutTriggers } from './without-triggers.fixture.ts'

const { site, alice, bob } = await useSite()

const page = (query: ListingQuery, user: TestUser | null = null) => site.call(listVideos, { query }, user)

const readAllIds = async (query: ListingQuery) => (await readAllPages(site, query, null)).ids

test.each<[ListingQuery, string, string]>([
  [{ saved_after: 'tomorrow' }, 'saved_after', 'Must be a date such as 2025-01-31.'],
  [{ saved_before: '2025-02-30' }, 'saved_before', 'Must be a date such as 2025-01-31.'],
  [{ saved_after: '2025-02', saved_before: '2025-02-01' }, 'saved_before', 'Must be later than saved_after.'],
  [{ min_duration: 60, max_duration: 59 }, 'max_duration', 'Must be at least min_duration.'],
  [
    { sort: 'oldest', following: true },
    'sort',
    'The bookmarks of followed users are in the order newest or random.',
  ],
])('the parameters %j are refused with a message about %s', async (query, field, message) => {
  expect(await failedReply(page(query, alice))).toEqual({
    status: 400,
    body: { [field]: [message], code: 'invalid' },
  })
})

test.each([
  'min_duration=-1',
  'max_duration=8640001',
  'min_duration=long',
  'sort=best',
  'saved_after=2025-01-01T00',
])('%s is refused', async (parameter) => {
  expect((await site.app.inject(`/api/videos/?${parameter}`)).statusCode).toBe(400)
})

test('a cursor of another order is answered with 404', async () => {
  for (let film = 0; film < 3; film++) await saveFilm(site, bob, `Film ${film}`)
  const cursors = new Map<string, string>()
  for (const sort of listingOrders) {
    const { next } = await page({ sort, page_size: 1 })
    cursors.set(sort, new URLSearchParams(next?.split('?')[1]).get('cursor') ?? '')
  }
  const cursor = cursors.get('title') ?? ''
  expect(cursor).toMatch(/^a0_~/)
  expect((await failedReply(page({ sort: 'longest', page: 2, cursor }))).status).toBe(404)
  expect(
    (await failedReply(page({ sort: 'title', page: 2, cursor: cursors.get('newest') ?? '' }))).status,
  ).toBe(404)
  // Whatever the cursor contains, no statement fails.
  for (const sort of listingOrders) {
    for (const text of ['a0_0.5_1', 'a1_9007199254740991_1', 'b2_1e15_1', 'a0_~_1', 'b1_~w6k_1']) {
      const { statusCode } = await site.app.inject({
        url: '/api/videos/',
        query: { sort, cursor: text, page: '2' },
      })
      expect([200, 404], `${sort} ${text}`).toContain(statusCode)
    }
  }
})

test('titles are ordered without case, accents and punctuation', async () => {
  const carol = await signUp(site, 'carol')
  for (const title of ['zebra', 'Émile', '“Delta”', 'echo', '(alpha)', 'Ärger', '10 ants']) {
    await saveFilm(site, carol, title, { video: { title } })
  }
  const { results } = await page({ user: 'carol', sort: 'title' })
  expect(results.map(({ title }) => title)).toEqual([
    '10 ants',
    '(alpha)',
    'Ärger',
    '“Delta”',
    'echo',
    'Émile',
    'zebra',
  ])
})

test(`of more than ${limits.sortedMax} bookmarks, a profile has all in the order; filtered, it has the newest in it, then the others`, {
  tags: 'heavy',
}, async () => {
  const { db } = site
  const { collection_id } = await vaultDestination(site, alice)
  const total = limits.sortedMax + 60
  await saveManyFilms(
    db,
    alice,
    collection_id,
    { first: 1_000_001, last: 1_000_000 + total, lastPublic: 2_000_000 },
    {
      title: db`'Part ' || n * 7919 % 5000`,
      orientation: db`'sfw'`,
      createdAt: db`now() - n * interval '1 minute'`,
      duration: db`n * 7919 % 5000`,
      savesCount: db`1`,
      likesCount: db`0`,
    },
  )
  await db`analyze bookmarks, videos`
  const rows = await db<{ id: number; duration: number }[]>`
    select b.id, b.effective_duration as duration from bookmarks b
     where b.user_id = ${alice.id} order by b.created_at desc, b.id desc`
  const longest = (part: readonly { id: number; duration: number }[]) =>
    part.toSorted((a, b) => b.duration - a.duration || b.id - a.id)
  const idsOf = (part: readonly { id: number }[]) => part.map(({ id }) => id)
  const query = { user: 'alice', sort: 'longest', page_size: 100 } as const
  expect(await readAllIds(query)).toEqual(idsOf(longest(rows)))
  expect((await page(query)).count_is_estimate).toBe(true)
  expect(await readAllIds({ ...query, orientation: 'sfw' })).toEqual(
    idsOf([...longest(rows.slice(0, limits.sortedMax)), ...rows.slice(limits.sortedMax)]),
  )
})

test('own bookmarks by saves begin with the most saved videos of the site, and then the newest others are sorted', {
  tags: 'heavy',
}, async () => {
  const { db } = site
  const dave = await signUp(site, 'dave')
  const { collection_id } = await vaultDestination(site, dave)
  const total = mostSavedVideos + sortedOwn.inIndex + 700
  const first = 3_000_001
  await saveManyFilms(
    db,
    dave,
    collection_id,
    { first, last: first + total - 1, lastPublic: first + total },
    {
      title: db`'Part ' || n`,
      orientation: db`'sfw'`,
      createdAt: db`now() - n * interval '1 minute'`,
      duration: db`n % 5000`,
      // Far more than other tests use, with ties.
      savesCount: db`1000 + n * 7919 % 1500`,
      likesCount: db`0`,
    },
  )
  await db`analyze bookmarks, videos`
  const rows = await db<{ id: number; saves: number }[]>`
    select b.id, v.saves_count as saves from bookmarks b join videos v on v.id = b.video_id
     where b.user_id = ${dave.id} order by b.created_at desc, b.id desc`
  const sorted = (part: readonly { id: number; saves: number }[]) =>
    part.toSorted((a, b) => b.saves - a.saves || b.id - a.id)
  const threshold = sorted(rows)[mostSavedVideos]?.saves ?? 0
  const [newest, older] = [rows.slice(0, sortedOwn.inIndex), rows.slice(sortedOwn.inIndex)]
  const isOther = ({ saves }: { saves: number }) => saves <= threshold
  const expected = [
    ...sorted(rows.filter((row) => !isOther(row))),
    ...sorted(newest.filter(isOther)),
    ...older.filter(isOther),
  ]
  const { ids } = await readAllPages(site, { user: 'dave', sort: 'most_saved', page_size: 100 }, dave)
  expect(ids).toEqual(expected.map(({ id }) => id))

  // A search reads each match to count them, and sorts all of them, although they are more than the newest of a list without words.
  await withoutTriggers(db, async (tx) => {
    await tx`update bookmarks set search_vector = to_tsvector('reelmark', 'chosen') where user_id = ${dave.id} and id % 3 > 0`
  })
  await db`analyze bookmarks`
  const chosen = rows.filter(({ id }) => id % 3 > 0)
  expect(chosen.length).toBeGreaterThan(sortedOwn.inIndex)
  const found = await readAllPages(
    site,
    { user: 'dave', q: 'chosen', sort: 'most_saved', page_size: 100 },
    dave,
  )
  expect(found.ids).toEqual(sorted(chosen).map(({ id }) => id))
})
