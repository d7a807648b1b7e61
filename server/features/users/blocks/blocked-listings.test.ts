/** Listings of random data (reference-model.fixture.ts) for a viewer with blocks and mutes, compared with a model. */
import { type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, signInAs, type TestUser } from '../../../testing/test-users.ts'
import { readAllPages } from '../../listing/read-all-pages.fixture.ts'
import {
  expectedIds,
  fillWithRandomData,
  type ReferenceModel,
  readReference,
  words,
} from '../../listing/reference-model.fixture.ts'

let site: TestApp
let reference: ReferenceModel
let viewer: Pick<TestUser, 'id' | 'access'>
/** User ids by username: user1 and so on. */
let ids: Map<string, number>
beforeAll(async () => {
  site = await bootApp()
  await fillWithRandomData(site.db)
  reference = await readReference(site.db)
  ids = new Map(reference.bookmarks.map(({ username, user_id }) => [username, user_id]))
  viewer = await signInAs(site, 'user1')
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db`delete from blocks`
  await site.db`delete from mutes`
  await site.db`update users set is_moderator = false`
})

const userIdByName = (name: string) => ids.get(name) ?? 0
const block = (blocker: string, blocked: string) =>
  site.db`insert into blocks (blocker_id, blocked_id) values (${userIdByName(blocker)}, ${userIdByName(blocked)})`
const muteUser = (name: string) =>
  site.db`insert into mutes (user_id, muted_id) values (${viewer.id}, ${userIdByName(name)})`
const muteTag = (tag: string) => site.db`insert into mutes (user_id, tag) values (${viewer.id}, ${tag})`

const filters = fc.record({
  sort: fc.constantFrom('all' as const, 'random' as const, 'following' as const),
  orientation: fc.constantFrom('all' as const, 'sfw' as const, 'straight' as const),
  q: fc.constantFrom(...words, 'ox -elk', 'tag:ox', '-tag:ox fly', 'user:user2', 'site:example.org'),
  tag: fc.constantFrom(...words),
  user: fc.constantFrom('user1', 'user2', 'user3', 'user5'),
  liked_by: fc.constantFrom('user1', 'user3', 'user4', 'user5'),
  channel: fc.integer({ min: 1, max: 24 }),
  collection: fc.integer({ min: 1, max: 24 }),
  following: fc.boolean(),
})
const names = [
  'sort',
  'orientation',
  'q',
  'tag',
  'user',
  'liked_by',
  'channel',
  'collection',
  'following',
] as const

/** Combinations of at most two filters, so that enough results remain for blocks and mutes to remove. */
const listings: fc.Arbitrary<ListingQuery> = fc
  .tuple(filters, fc.subarray([...names], { maxLength: 2 }), fc.integer({ min: 0, max: 2_147_483_647 }))
  .map(([all, chosen, seed]) => ({
    page_size: 25,
    seed,
    ...Object.fromEntries(chosen.map((name) => [name, all[name]])),
  }))

test('for any combination of filters, a listing omits blocked and muted content and nothing else', async () => {
  await block('user1', 'user2')
  await block('user3', 'user1')
  // A block that does not involve the viewer.
  await block('user4', 'user6')
  await muteUser('user5')
  await muteTag('bee')
  await muteTag('ox')
  reference = await readReference(site.db)
  let shortenedCount = 0
  await fc.assert(
    fc.asyncProperty(listings, async (query) => {
      const expected = expectedIds(reference, query, 'user1')
      const { ids: listedIds, count } = await readAllPages(site, query, viewer)
      expect(listedIds).toEqual(expected)
      expect(count).toBe(expected.length)
      if (expected.length < expectedIds({ ...reference, blocks: [], mutes: [] }, query, 'user1').length) {
        shortenedCount += 1
      }
    }),
    {
      numRuns: 200,
      seed: 11,
      examples: [[{ page_size: 7, seed: 1 }], [{ page_size: 7, seed: 1, sort: 'following' }]],
    },
  )
  expect(shortenedCount).toBeGreaterThan(40)
})

test('a moderator still sees the content of users who blocked them', async () => {
  await block('user1', 'user2')
  await block('user3', 'user1')
  await site.db`update users set is_moderator = true where id = ${viewer.id}`
  reference = await readReference(site.db)
  for (const query of [
    { page_size: 25 },
    { page_size: 25, user: 'user3' },
    { page_size: 25, liked_by: 'user3' },
  ]) {
    expect((await readAllPages(site, query, viewer)).ids).toEqual(expectedIds(reference, query, 'user1'))
  }
})

test('a listing takes one statement, which refers to blocks and mutes only if the viewer has any', async () => {
  const queries: ListingQuery[] = [
    {},
    { sort: 'random', seed: 1 },
    { sort: 'following' },
    { tag: 'ox' },
    { q: 'tag:ox' },
    { user: 'user2' },
    { liked_by: 'user4' },
    { channel: 1 },
  ]
  await block('user4', 'user6')
  for (const query of queries) {
    site.statements.length = 0
    await site.call(listVideos, { query }, viewer)
    expect(site.statements).toHaveLength(2)
    expect(site.statements[1]).not.toMatch(/blocks|mutes/)
  }
  await muteTag('nothing')
  for (const query of queries) {
    site.statements.length = 0
    await site.call(listVideos, { query }, viewer)
    expect(site.statements).toHaveLength(2)
    expect(site.statements[1]).toMatch(/blocks/)
  }
})

test('a page past the end of what remains after blocks is invalid', async () => {
  for (const name of ['user2', 'user3', 'user4', 'user5', 'user6', 'user7', 'user8'])
    await block('user1', name)
  const visibleCount = expectedIds({ ...reference, blocks: [], mutes: [] }, {}, 'user1').length
  expect(visibleCount).toBeGreaterThan(25)
  expect(
    (await failedReply(site.call(listVideos, { query: { page: 5, page_size: 100 } }, viewer))).body,
  ).toEqual({
    detail: 'Invalid page.',
    code: 'invalid-page',
  })
})
