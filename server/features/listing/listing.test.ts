import {
  type ListingPage,
  type ListingQuery,
  listingOrders,
  listVideos,
  sorts,
} from '@reelmark/contract/listing.ts'
import { parseSearch } from '@reelmark/contract/search-terms.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { failedReply, signInAs, signUp, type TestUser } from '../../testing/test-users.ts'
import {
  expectedIds,
  fillWithRandomData,
  orientations,
  type ReferenceModel,
  readReference,
  readScores,
  words,
} from './reference-model.fixture.ts'

type Viewer = Pick<TestUser, 'username' | 'access'>

let site: TestApp
let reference: ReferenceModel
/** A signed-in user with random bookmarks, likes and follows. */
let viewer: Viewer

beforeAll(async () => {
  site = await bootApp()
  await fillWithRandomData(site.db)
  viewer = await signInAs(site, 'user1')
  reference = await readReference(site.db)
})
afterAll(() => site.close())

const page = (query: ListingQuery, user: Viewer | null = null) => site.call(listVideos, { query }, user)

const follow = async (link: string, user: Viewer | null): Promise<ListingPage> => {
  const reply = await site.app.inject({
    url: link,
    headers: user === null ? {} : { authorization: `Bearer ${user.access}` },
  })
  expect(reply.statusCode, link).toBe(200)
  return reply.json()
}

/** Reads all pages, from the first to the last by `next` and back by `previous`. */
async function walk(query: ListingQuery, user: Viewer | null) {
  const forward: number[][] = []
  let current = await page(query, user)
  const { count } = current
  for (;;) {
    forward.push(current.results.map(({ id }) => id))
    if (current.next === null) break
    current = await follow(current.next, user)
  }
  const backward: number[][] = []
  for (;;) {
    backward.unshift(current.results.map(({ id }) => id))
    if (current.previous === null) break
    current = await follow(current.previous, user)
  }
  return { forward, backward, count }
}

const listings = fc.record(
  {
    sort: fc.constantFrom(...sorts),
    seed: fc.integer({ min: 0, max: 2_147_483_647 }),
    orientation: fc.constantFrom('all' as const, ...(orientations as ['sfw'])),
    q: fc.oneof(
      fc.constantFrom(...words),
      fc.constantFrom(
        'ox elk',
        'ox -elk',
        'tag:ox',
        '-tag:ox fly',
        'user:user2',
        'site:h1.example.org bee',
        'site:example.org',
      ),
    ),
    tag: fc.constantFrom(...words),
    user: fc.constantFrom('user1', 'user2', 'user3'),
    liked_by: fc.constantFrom('user1', 'user4'),
    channel: fc.integer({ min: 1, max: 24 }),
    collection: fc.integer({ min: 1, max: 24 }),
    following: fc.boolean(),
    page_size: fc.constantFrom(3, 7, 25, 100),
  },
  { requiredKeys: ['page_size', 'seed'] },
)

/** Checks `numRuns` combinations of filters. */
async function checkListings(numRuns: number): Promise<void> {
  let maxPages = 0
  await fc.assert(
    fc.asyncProperty(listings, fc.boolean(), async ({ following, ...rest }, signedIn) => {
      // The manual order of a list in which nothing was moved is newest first.
      fc.pre(rest.sort !== 'manual' || rest.channel !== undefined || rest.collection !== undefined)
      const isOrdered = rest.sort === 'manual' || listingOrders.some((order) => order === rest.sort)
      const query = { ...rest, ...(following === undefined || isOrdered ? {} : { following }) }
      const needsViewer = query.sort === 'following' || query.following === true
      const user = signedIn || needsViewer ? viewer : null
      const search = parseSearch(query.q ?? '')
      const username = user?.username ?? null
      const scores = await readScores(site.db, reference, query, username, search)
      const expected = expectedIds(reference, query, username, search, scores)
      const { forward, backward, count } = await walk(query, user)
      expect(forward.flat()).toEqual(expected)
      expect(backward.flat()).toEqual(expected)
      expect(count).toBe(expected.length)
      maxPages = Math.max(maxPages, forward.length)
    }),
    { numRuns, seed: 7, examples: [[{ page_size: 3, seed: 1 }, false]] },
  )
  expect(maxPages).toBeGreaterThan(10)
}

test('a listing with any combination of filters contains the expected bookmarks in order, on every page', () =>
  checkListings(60))
test('and so do 250 combinations', { tags: 'heavy' }, () => checkListings(250))

test('a page requested by number is the one that the links lead to', async () => {
  for (const query of [{}, { sort: 'random', seed: 99 }, { user: 'user1' }, { liked_by: 'user4' }] as const) {
    const { forward } = await walk({ ...query, page_size: 7 }, viewer)
    for (const [index, ids] of forward.entries()) {
      const direct = await page({ ...query, page_size: 7, page: index + 1 }, viewer)
      expect(direct.results.map(({ id }) => id)).toEqual(ids)
    }
  }
  const { forward } = await walk({ sort: 'following', page_size: 7 }, viewer)
  const third = await page({ sort: 'following', page_size: 7, page: 3 }, viewer)
  expect(third.results.map(({ id }) => id)).toEqual(forward[2])
})

test('the pages before the last one of a random order are those after the first, wherever it begins', async () => {
  for (let start = 1; start <= 12; start++) {
    const seed = start * 178_000_000
    const { forward, backward } = await walk(
      { sort: 'random', orientation: 'straight', page_size: 3, seed },
      null,
    )
    expect(backward.flat(), String(seed)).toEqual(forward.flat())
  }
})

test('a new bookmark does not shift the page that a link leads to', async () => {
  const first = await page({ page_size: 5 })
  const second = await follow(first.next ?? '', null)
  const { id } = await saveFilm(site, await signUp(site, 'late'), 'new')
  const again = await follow(first.next ?? '', null)
  expect(again.results).toEqual(second.results)
  await site.db`delete from bookmarks where id = ${id}`
})

test('random pages with the same seed are disjoint, and a request without a seed gets a new one', async () => {
  const first = await page({ sort: 'random', page_size: 10 })
  expect(first.seed).toEqual(expect.any(Number))
  const { forward } = await walk({ sort: 'random', page_size: 10, seed: first.seed ?? 0 }, null)
  expect(forward[0]).toEqual(first.results.map(({ id }) => id))
  expect(new Set(forward.flat()).size).toBe(first.count)
  const orders = new Set<string>()
  for (let draw = 0; draw < 5; draw++) {
    const { results } = await page({ sort: 'random', page_size: 5 })
    orders.add(results.map(({ id }) => id).join())
  }
  expect(orders.size).toBeGreaterThan(1)
})

describe('an invalid page', () => {
  const invalid = { status: 404, body: { detail: 'Invalid page.', code: 'invalid-page' } }
  test.each(['0', '-1', '1.5', 'x', '', '1e3x', '99999', '999999999999999999999', '1000000'])(
    'page=%s is answered with 404',
    async (number) => {
      const reply = await site.app.inject(`/api/videos/?page=${number}`)
      expect({ status: reply.statusCode, body: reply.json() }).toEqual(invalid)
    },
  )
  test('is answered with 404 also for cursors that no listing returned', async () => {
    for (const cursor of ['x', 'a0_1_1; drop table users', 'a9_1_1', 'b0_NaN_1', `a0_1_${'9'.repeat(30)}`]) {
      expect(await failedReply(page({ cursor, page: 2 })), cursor).toEqual(invalid)
    }
  })
  test('does not include the first page of an empty listing, which is empty', async () => {
    expect(await page({ user: 'nobody' })).toMatchObject({
      count: 0,
      next: null,
      previous: null,
      results: [],
    })
    expect(await failedReply(page({ user: 'nobody', page: 2 }))).toEqual(invalid)
  })
})

test('a listing takes one statement, whatever its filters', async () => {
  const queries: ListingQuery[] = [
    {},
    { orientation: 'straight', page: 2, page_size: 5 },
    { sort: 'random' },
    { tag: 'ox' },
    { q: 'tag:ox' },
    { user: 'user2' },
    { liked_by: 'user4' },
    { channel: 1, collection: 1, user: 'user1', liked_by: 'user1', tag: 'ox' },
  ]
  for (const query of queries) {
    site.statements.length = 0
    await page(query)
    expect(site.statements, JSON.stringify(query)).toHaveLength(1)
  }
  site.statements.length = 0
  await page({ sort: 'following' }, viewer)
  // One for the session and one for the list.
  expect(site.statements).toHaveLength(2)
})

test('above 10,000 the count is an estimate and marked as one', async () => {
  await site.db`insert into listing_counts (orientation, count) values ('all', 1234567), ('sfw', 12000)`
  expect(await page({})).toMatchObject({ count: 1_234_567, count_is_estimate: true })
  // A stored count can be outdated, so below 20,000 it is not used.
  const { count, count_is_estimate } = await page({ orientation: 'sfw' })
  expect(count).toBe(expectedIds(reference, { orientation: 'sfw' }, null).length)
  expect(count_is_estimate).toBeUndefined()
  await site.db`update tags set listed_uses_count = 30000 where name = 'ox'`
  expect(await page({ tag: 'ox' })).toMatchObject({ count: 30_000, count_is_estimate: true })
  await site.db`update tags set listed_uses_count = null`
  await site.db`delete from listing_counts`
})
