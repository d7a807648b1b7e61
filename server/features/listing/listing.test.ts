import { type ListingPage, type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import {
  expectedIds,
  fillWithRandomData,
  orientations,
  type ReferenceModel,
  readReference,
  words,
} from './reference-model.fixture.ts'

let site: TestApp
let reference: ReferenceModel
/** Signed in: one of those whom chance gave bookmarks, likes and follows. */
let viewer: TestUser

beforeAll(async () => {
  site = await bootApp()
  await fillWithRandomData(site.db)
  // user1 signs in with somebody else's password.
  viewer = await signUp(site, 'helper')
  const session = await signUp(site, 'other')
  await site.db`update sessions set user_id = (select id from users where username = 'user1') where user_id = ${session.id}`
  const { access } = await refreshed(session)
  viewer = { ...session, username: 'user1', access }
  reference = await readReference(site.db)
})
afterAll(() => site.close())

async function refreshed(person: TestUser) {
  const reply = await site.app.inject({
    method: 'POST',
    url: '/api/token/refresh/',
    payload: { refresh: person.refresh },
  })
  return reply.json<{ access: string }>()
}

const page = (query: ListingQuery, as: TestUser | null = null) => site.call(listVideos, { query }, as)

const follow = async (link: string, as: TestUser | null): Promise<ListingPage> => {
  const reply = await site.app.inject({
    url: link,
    headers: as === null ? {} : { authorization: `Bearer ${as.access}` },
  })
  expect(reply.statusCode, link).toBe(200)
  return reply.json()
}

/** All pages, from the first by `next` to the end and from there by `previous` to the first. */
async function walk(query: ListingQuery, as: TestUser | null) {
  const there: number[][] = []
  let current = await page(query, as)
  const { count } = current
  for (;;) {
    there.push(current.results.map(({ id }) => id))
    if (current.next === null) break
    current = await follow(current.next, as)
  }
  const back: number[][] = []
  for (;;) {
    back.unshift(current.results.map(({ id }) => id))
    if (current.previous === null) break
    current = await follow(current.previous, as)
  }
  return { there, back, count }
}

const listings = fc.record(
  {
    sort: fc.constantFrom('all' as const, 'random' as const, 'following' as const),
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

test('any listing, of any filters together, holds what it should, in order, on every page', async () => {
  let fullest = 0
  await fc.assert(
    fc.asyncProperty(listings, fc.boolean(), async (query, signedIn) => {
      const follows = query.sort === 'following' || query.following === true
      const as = signedIn || follows ? viewer : null
      const expected = expectedIds(reference, query, as?.username ?? null)
      const { there, back, count } = await walk(query, as)
      expect(there.flat()).toEqual(expected)
      expect(back.flat()).toEqual(expected)
      expect(count).toBe(expected.length)
      fullest = Math.max(fullest, there.length)
    }),
    { numRuns: 250, seed: 7, examples: [[{ page_size: 3, seed: 1 }, false]] },
  )
  expect(fullest).toBeGreaterThan(10)
})

test('a page asked for by its number is the one that the links lead to', async () => {
  for (const query of [{}, { sort: 'random', seed: 99 }, { user: 'user1' }, { liked_by: 'user4' }] as const) {
    const { there } = await walk({ ...query, page_size: 7 }, viewer)
    for (const [index, ids] of there.entries()) {
      const direct = await page({ ...query, page_size: 7, page: index + 1 }, viewer)
      expect(direct.results.map(({ id }) => id)).toEqual(ids)
    }
  }
  const { there } = await walk({ sort: 'following', page_size: 7 }, viewer)
  const third = await page({ sort: 'following', page_size: 7, page: 3 }, viewer)
  expect(third.results.map(({ id }) => id)).toEqual(there[2])
})

test('what was saved meanwhile shifts no page that is reached by its link', async () => {
  const first = await page({ page_size: 5 })
  const second = await follow(first.next ?? '', null)
  const { id } = await saveFilm(site, await signUp(site, 'late'), 'new')
  const again = await follow(first.next ?? '', null)
  expect(again.results).toEqual(second.results)
  await site.db`delete from bookmarks where id = ${id}`
})

test('random pages of one seed are disjoint, and without a seed one is drawn', async () => {
  const first = await page({ sort: 'random', page_size: 10 })
  expect(first.seed).toEqual(expect.any(Number))
  const { there } = await walk({ sort: 'random', page_size: 10, seed: first.seed ?? 0 }, null)
  expect(there[0]).toEqual(first.results.map(({ id }) => id))
  expect(new Set(there.flat()).size).toBe(first.count)
  const orders = new Set<string>()
  for (let draw = 0; draw < 5; draw++) {
    const { results } = await page({ sort: 'random', page_size: 5 })
    orders.add(results.map(({ id }) => id).join())
  }
  expect(orders.size).toBeGreaterThan(1)
})

describe('a page that is not there', () => {
  const invalid = { status: 404, body: { detail: 'Invalid page.', code: 'invalid-page' } }
  test.each(['0', '-1', '1.5', 'x', '', '1e3x', '99999', '999999999999999999999', '1000000'])(
    'page=%s is answered as such',
    async (number) => {
      const reply = await site.app.inject(`/api/videos/?page=${number}`)
      expect({ status: reply.statusCode, body: reply.json() }).toEqual(invalid)
    },
  )
  test('nor does a cursor lead anywhere that no listing wrote', async () => {
    for (const cursor of ['x', 'a0_1_1; drop table users', 'a9_1_1', 'b0_NaN_1', `a0_1_${'9'.repeat(30)}`]) {
      expect(await failedReply(page({ cursor, page: 2 })), cursor).toEqual(invalid)
    }
  })
  test('of an empty listing the first page is there, and empty', async () => {
    expect(await page({ user: 'nobody' })).toMatchObject({
      count: 0,
      next: null,
      previous: null,
      results: [],
    })
    expect(await failedReply(page({ user: 'nobody', page: 2 }))).toEqual(invalid)
  })
})

test('a listing is one statement, whatever is asked for', async () => {
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
  // And who asks.
  expect(site.statements).toHaveLength(2)
})

test('past 10,000 the count is an estimate and says so', async () => {
  await site.db`insert into listing_counts (orientation, count) values ('all', 1234567), ('sfw', 12000)`
  expect(await page({})).toMatchObject({ count: 1_234_567, count_is_estimate: true })
  // A counter may be late: below 20,000 it is not believed.
  const { count, count_is_estimate } = await page({ orientation: 'sfw' })
  expect(count).toBe(expectedIds(reference, { orientation: 'sfw' }, null).length)
  expect(count_is_estimate).toBeUndefined()
  await site.db`update tags set listed_uses_count = 30000 where name = 'ox'`
  expect(await page({ tag: 'ox' })).toMatchObject({ count: 30_000, count_is_estimate: true })
  await site.db`update tags set listed_uses_count = null`
  await site.db`delete from listing_counts`
})
