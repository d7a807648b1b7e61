/** Random searches of random data, for viewers of every kind, compared with a plain model (search-model.fixture.ts). */
import { type ListingQuery, sorts } from '@reelmark/contract/listing.ts'
import {
  bookmarkParts,
  bookmarkStates,
  type FilterTerm,
  type SearchTerm,
} from '@reelmark/contract/search-terms.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { signInAs, signUp, signUpModerator, type TestUser } from '../../testing/test-users.ts'
import { readAllPages } from './read-all-pages.fixture.ts'
import {
  expectedIds,
  fillWithRandomData,
  misspeltWords,
  noteWords,
  orientations,
  type ReferenceModel,
  readReference,
  readScores,
  tagNames,
  titleWords,
} from './reference-model.fixture.ts'
import { formatSearch } from './search-model.fixture.ts'
import { selectPopularBookmarks } from './search-ranking.ts'

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

type Viewer = Pick<TestUser, 'access'>

let site: TestApp
let reference: ReferenceModel
/** `user1` owns bookmarks and follows users, `user2` has blocks and mutes, `moderator` has a block, `newcomer` nothing. */
const users = new Map<string, Viewer>()

beforeAll(async () => {
  site = await bootApp()
  await fillWithRandomData(site.db)

  for (const username of ['user1', 'user2']) users.set(username, await signInAs(site, username))
  users.set('newcomer', await signUp(site, 'newcomer'))
  users.set('moderator', await signUpModerator(site, 'moderator'))
  const idOf = (username: string) => site.db`(select id from users where username = ${username})`
  for (const [blocker, blocked] of [
    ['user2', 'user3'],
    ['user4', 'user2'],
    ['user4', 'user6'],
    ['user4', 'moderator'],
    ['moderator', 'user5'],
  ] as const) {
    await site.db`insert into blocks (blocker_id, blocked_id) values (${idOf(blocker)}, ${idOf(blocked)})`
  }
  await site.db`insert into mutes (user_id, muted_id) values (${idOf('user2')}, ${idOf('user5')})`
  await site.db`insert into mutes (user_id, tag) select ${idOf('user2')}, unnest(array['bee', 'night fly'])`
  await selectPopularBookmarks(site.db)
  reference = await readReference(site.db)
})
afterAll(() => site.close())

const usernames = fc.constantFrom('user1', 'user2', 'user3', 'user4', 'user5')
const oneWord = fc.constantFrom(...titleWords, ...noteWords, 'user1', 'example', 'h2')
const texts: Record<SearchTerm['kind'], fc.Arbitrary<string>> = {
  word: fc.oneof(
    { weight: 6, arbitrary: oneWord },
    { weight: 2, arbitrary: fc.constantFrom(...misspeltWords) },
    { weight: 1, arbitrary: fc.constantFrom('-', '!!!', "'", '(', '%', '\\', '|') },
  ),
  phrase: fc.oneof(
    fc.array(oneWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    fc.constantFrom('night fly', 'h1 example org', 'ox elk', 'sci fi', '...'),
  ),
  tag: fc.constantFrom(...tagNames, 'night', 'unused'),
  user: fc.oneof(usernames, fc.constant('unknown')),
  site: fc.constantFrom('h1.example.org', 'example.org', 'm.tube-site.example.net', 'example.net', 'org'),
  channel: fc.constantFrom('elan films', 'Élan  FILMS', 'elan', 'ox', 'Strasse 4k', 'привет'),
  note: fc.constantFrom(...noteWords, 'elk', 'zebra', 'secret plan'),
}
const term: fc.Arbitrary<SearchTerm> = fc
  .constantFrom(...(Object.keys(texts) as SearchTerm['kind'][]))
  .chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      text: texts[kind],
      negated: fc.boolean().map((isNegated) => isNegated && kind !== 'phrase'),
    }),
  )
const negated = fc.boolean()
const condition: fc.Arbitrary<FilterTerm> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('before' as const, 'after' as const),
    // The random bookmarks were saved within the last 300 hours.
    time: fc.integer({ min: 0, max: 14 }).map((days) => `${daysAgo(days)}T00:00:00.000Z`),
    negated,
  }),
  fc.record({
    kind: fc.constantFrom('longer' as const, 'shorter' as const),
    seconds: fc.integer({ min: 0, max: 12 }).map((minutes) => minutes * 300),
    negated,
  }),
  fc.record({ kind: fc.constant('is' as const), state: fc.constantFrom(...bookmarkStates), negated }),
  fc.record({ kind: fc.constant('no' as const), part: fc.constantFrom(...bookmarkParts), negated }),
)
const filters = fc.record(
  {
    host: fc.constantFrom('h1.example.org', 'example.org'),
    min_duration: fc.constantFrom(0, 900),
    max_duration: fc.constantFrom(1200, 3000),
    saved_after: fc.integer({ min: 8, max: 12 }).map(daysAgo),
    saved_before: fc.integer({ min: 0, max: 6 }).map(daysAgo),
    orientation: fc.constantFrom('all' as const, ...(orientations as ['sfw'])),
    tag: fc.constantFrom(...tagNames),
    user: usernames,
    liked_by: usernames,
    channel: fc.integer({ min: 1, max: 24 }),
    collection: fc.integer({ min: 1, max: 24 }),
    following: fc.boolean(),
    access: fc.constantFrom('public' as const, 'private' as const),
    watched: fc.boolean(),
    untagged: fc.boolean(),
    no_picture: fc.boolean(),
    no_player: fc.boolean(),
  },
  { requiredKeys: [] },
)
const filterNames = [
  'host',
  'min_duration',
  'max_duration',
  'saved_after',
  'saved_before',
  'orientation',
  'tag',
  'user',
  'liked_by',
  'channel',
  'collection',
  'following',
  'access',
  'watched',
  'untagged',
  'no_picture',
  'no_player',
] as const
/** Few filters at a time, because many leave nothing to compare. */
const searches = fc.record({
  terms: fc.array(term, { maxLength: 3 }),
  conditions: fc.array(condition, { maxLength: 2 }),
  sort: fc.oneof(fc.constant(undefined), fc.constantFrom(...sorts)),
  filters: fc
    .tuple(filters, fc.subarray([...filterNames], { maxLength: 2 }))
    .map(([all, names]) => Object.fromEntries(names.map((name) => [name, all[name]])) as typeof all),
  seed: fc.integer({ min: 0, max: 2_147_483_647 }),
  viewer: fc.constantFrom(null, 'user1', 'user2', 'newcomer', 'moderator'),
})

/** Searches of users in their own bookmarks. */
const vaultSearches: typeof searches = searches.map((search) => {
  const { liked_by: _, following: __, ...filters } = search.filters
  return { ...search, filters: { ...filters, user: 'user1' as const }, viewer: 'user1' as const }
})

async function compareWithModel(
  options: { numRuns: number; seed?: number },
  inputs: typeof searches = searches,
) {
  let foundCount = 0
  await fc.assert(
    fc.asyncProperty(inputs, async ({ terms, conditions, filters, sort, seed, viewer: name }) => {
      const search = { terms, filters: conditions }
      // The feed of followed users has no other order.
      const isFeedOnly = filters.following === true && sort !== 'random'
      const hasManualOrder = filters.channel !== undefined || filters.collection !== undefined
      const order = isFeedOnly || (sort === 'manual' && !hasManualOrder) ? 'all' : sort
      const isFeed = order === 'following' || filters.following === true
      const username = isFeed ? (name ?? 'user1') : name
      const viewer = users.get(username ?? '') ?? null
      const query: ListingQuery = {
        ...filters,
        ...(order === undefined ? {} : { sort: order }),
        seed,
        q: formatSearch(search),
        page_size: 40,
      }
      const scores = await readScores(site.db, reference, query, username, search)
      const expected = expectedIds(reference, query, username, search, scores)
      const { ids, count } = await readAllPages(site, query, viewer)
      expect(ids).toEqual(expected)
      expect(count).toBe(expected.length)
      if (terms.length + conditions.length > 0 && expected.length > 0) foundCount += 1
    }),
    options,
  )
  // Most searches must find something: comparing empty lists proves little.
  expect(foundCount).toBeGreaterThan(options.numRuns / 4)
}

test('any search finds the bookmarks that its terms describe, in order, for every viewer', async () => {
  await compareWithModel({ numRuns: 150, seed: 20_261_122 })
})

test('a search in the viewer’s own bookmarks finds private ones and words of private notes', async () => {
  await compareWithModel({ numRuns: 150, seed: 20_261_122 }, vaultSearches)
})

describe('in a library in which every search finds many bookmarks', () => {
  beforeAll(async () => {
    // All bookmarks are in the sample by which searches decide between indexes.
    await site.db`update bookmarks set random_key = 0.002 + 0.013 * video_random_key(video_id)`
    reference = await readReference(site.db)
  })

  test('a search in the viewer’s own bookmarks finds the same', async () => {
    await compareWithModel({ numRuns: 100, seed: 20_261_123 }, vaultSearches)
  })

  test('orders by title, duration, saves and watching contain all bookmarks that a filter finds', async () => {
    const inOrder = vaultSearches.chain((search) =>
      fc
        .constantFrom(...(['title', 'longest', 'shortest', 'most_saved', 'last_watched'] as const))
        .map((sort) => ({ ...search, terms: search.terms.slice(0, 1), conditions: [], sort })),
    )
    await compareWithModel({ numRuns: 100, seed: 20_261_123 }, inOrder)
  })
})

test('the same holds for many other searches in own bookmarks', {
  tags: 'heavy',
  timeout: 300_000,
}, async () => {
  await compareWithModel({ numRuns: 1500 }, vaultSearches)
})

test('the same holds for many other searches', { tags: 'heavy', timeout: 300_000 }, async () => {
  await compareWithModel({ numRuns: 1500 })
})
