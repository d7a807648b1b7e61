/** Listings of the site of chance (listing/reference.fixture.ts), as people see them whom blocks and mutes concern. */
import { type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCallers } from '../../../testing/callers.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { failedReply, type TestUser } from '../../../testing/test-users.ts'
import {
  expectedIds,
  fillWithRandomData,
  type ReferenceModel,
  readReference,
  words,
} from '../../listing/reference-model.fixture.ts'

let site: TestApp
let reference: ReferenceModel
let viewer: TestUser
/** user1's id and so on. */
let ids: Map<string, number>
beforeAll(async () => {
  site = await bootApp()
  await fillWithRandomData(site.db)
  const helper = await createCallers(site).person()
  reference = await readReference(site.db)
  ids = new Map(reference.bookmarks.map(({ username, user_id }) => [username, user_id]))
  // user1 signs in by somebody else's session.
  await site.db`update sessions set user_id = ${idOf('user1')} where user_id = ${helper.id}`
  const { sign } = createCallers(site)
  viewer = { ...helper, id: idOf('user1'), username: 'user1' }
  viewer.access = await sign(viewer)
})
afterAll(() => site.close())
beforeEach(async () => {
  await site.db`delete from blocks`
  await site.db`delete from mutes`
  await site.db`update users set is_moderator = false`
})

const idOf = (name: string) => ids.get(name) ?? 0
const block = (one: string, other: string) =>
  site.db`insert into blocks (blocker_id, blocked_id) values (${idOf(one)}, ${idOf(other)})`
const muteUser = (name: string) =>
  site.db`insert into mutes (user_id, muted_id) values (${viewer.id}, ${idOf(name)})`
const muteTag = (tag: string) => site.db`insert into mutes (user_id, tag) values (${viewer.id}, ${tag})`

async function walk(query: ListingQuery) {
  const found: number[] = []
  let page = await site.call(listVideos, { query }, viewer)
  for (;;) {
    found.push(...page.results.map(({ id }) => id))
    if (page.next === null) return { found, count: page.count }
    const headers = { authorization: `Bearer ${viewer.access}` }
    page = (await site.app.inject({ url: page.next, headers })).json()
  }
}

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

/** Of a few filters each: with more hardly anything is left to be out of sight. */
const listings: fc.Arbitrary<ListingQuery> = fc
  .tuple(filters, fc.subarray([...names], { maxLength: 2 }), fc.integer({ min: 0, max: 2_147_483_647 }))
  .map(([all, chosen, seed]) => ({
    page_size: 25,
    seed,
    ...Object.fromEntries(chosen.map((name) => [name, all[name]])),
  }))

/** What is left for user1 of a listing, row by row. */
function remaining(query: ListingQuery, blocked: string[], muted: string[], tags: string[]): number[] {
  if (blocked.includes(query.liked_by ?? '')) return []
  const isFeed = query.sort === 'following' || query.following === true
  const inContainer = [query.user, query.channel, query.collection].some((each) => each !== undefined)
  // On pages that one opens oneself nothing is muted.
  const isChosen = inContainer || (query.liked_by !== undefined && !isFeed)
  const asked = [query.tag, query.q === 'tag:ox' ? 'ox' : undefined]
  const rows = new Map(reference.bookmarks.map((row) => [row.id, row]))
  const unseen = isChosen ? blocked : [...blocked, ...muted]
  return expectedIds(reference, query, 'user1', unseen).filter((id) => {
    const row = rows.get(id)
    if (row === undefined || blocked.includes(row.username)) return false
    if (isChosen) return true
    return (
      !muted.includes(row.username) && !row.tags.some((tag) => tags.includes(tag) && !asked.includes(tag))
    )
  })
}

test('no listing, of any filters together, holds what is blocked either way or muted, and none lacks anything else', async () => {
  await block('user1', 'user2')
  await block('user3', 'user1')
  // Whom it does not concern.
  await block('user4', 'user6')
  await muteUser('user5')
  await muteTag('bee')
  await muteTag('ox')
  // A block ends follows.
  reference = await readReference(site.db)
  let shorter = 0
  await fc.assert(
    fc.asyncProperty(listings, async (query) => {
      const expected = remaining(query, ['user2', 'user3'], ['user5'], ['bee', 'ox'])
      const { found, count } = await walk(query)
      expect(found).toEqual(expected)
      expect(count).toBe(expected.length)
      if (expected.length < expectedIds(reference, query, 'user1').length) shorter += 1
    }),
    {
      numRuns: 200,
      seed: 11,
      examples: [[{ page_size: 7, seed: 1 }], [{ page_size: 7, seed: 1, sort: 'following' }]],
    },
  )
  expect(shorter).toBeGreaterThan(40)
})

test('a moderator still comes across those who blocked them', async () => {
  await block('user1', 'user2')
  await block('user3', 'user1')
  await site.db`update users set is_moderator = true where id = ${viewer.id}`
  for (const query of [
    { page_size: 25 },
    { page_size: 25, user: 'user3' },
    { page_size: 25, liked_by: 'user3' },
  ]) {
    expect((await walk(query)).found).toEqual(remaining(query, ['user2'], [], []))
  }
})

test('for whom no block and no mute concerns, a listing is the same statement as ever, for others one as well', async () => {
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

test('an empty page past what is left is no page', async () => {
  for (const name of ['user2', 'user3', 'user4', 'user5', 'user6', 'user7', 'user8'])
    await block('user1', name)
  const own = expectedIds(reference, {}, 'user1').length
  expect(own).toBeGreaterThan(25)
  expect(
    (await failedReply(site.call(listVideos, { query: { page: 5, page_size: 100 } }, viewer))).body,
  ).toEqual({
    detail: 'Invalid page.',
    code: 'invalid-page',
  })
})
