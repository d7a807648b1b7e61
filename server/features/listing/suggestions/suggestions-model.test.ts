/** Suggestions for random texts and random data, compared with a plain model, as a visitor and signed in. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { getSuggestions } from '@reelmark/contract/suggestions.ts'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { signInAs, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'
import {
  fillWithRandomData,
  type ReferenceModel,
  readReference,
  tagNames,
  titleWords,
} from '../reference-model.fixture.ts'
import { wordsOf } from '../search-model.fixture.ts'

const site = await useEmptySite()
let reference: ReferenceModel
let viewer: Pick<TestUser, 'access'>
let collections: { id: number; name: string; owner: string; access: string; count: number }[]
let users: { username: string; followers: number }[]

beforeAll(async () => {
  await fillWithRandomData(site.db)
  await site.db`update users set username = 'user8.' || (${titleWords}::text[])[1] where username = 'user8'`
  await site.db`
    update collections set visible_count = id % 4,
           name = (${titleWords}::text[])[1 + id % 16] || ' ' || (${titleWords}::text[])[1 + id * 7 % 16]`
  viewer = await signInAs(site, 'user1')
  reference = await readReference(site.db)
  collections = await site.db`
    select c.id, c.name, u.username as owner, c.access, c.visible_count as count
      from collections c join users u on u.id = c.user_id`
  users = await site.db`select username, followers_count as followers from users`
})

type Bookmark = ReferenceModel['bookmarks'][number]
const isPublic = (b: Bookmark) => b.access === 'public' && b.collection_access === 'public' && !b.deleted
const isVisible = (b: Bookmark) => isPublic(b) && b.status === 'visible'
const newestFirst = (a: Bookmark, b: Bookmark) => b.micros - a.micros || b.id - a.id

/** Whether a name contains all words of a text, of which the last may be incomplete. */
function matches(text: string, name: string): boolean {
  const [words, named] = [wordsOf(text), wordsOf(name)]
  const last = words.pop()
  if (last === undefined) return false
  return words.every((word) => named.includes(word)) && named.some((word) => word.startsWith(last))
}

function listedVideos(): Bookmark[] {
  const leads = new Map<number, number>()
  for (const { video_id, id } of reference.bookmarks.filter(isPublic)) {
    leads.set(video_id, Math.min(id, leads.get(video_id) ?? Number.POSITIVE_INFINITY))
  }
  return reference.bookmarks.filter((b) => isVisible(b) && leads.get(b.video_id) === b.id)
}

/** Returns the bookmarks that only their owner sees. */
function privateBookmarks(username: string | null): Bookmark[] {
  return reference.bookmarks.filter(
    (b) => b.username === username && !isPublic(b) && !b.deleted && b.status !== 'removed',
  )
}

function countTagUses(): Map<string, number> {
  const uses = new Map<string, number>()
  for (const tag of reference.bookmarks.filter(isVisible).flatMap(({ tags }) => tags))
    uses.set(tag, (uses.get(tag) ?? 0) + 1)
  return uses
}

const first = <T>(items: T[]) => items.slice(0, limits.suggestionsMax)

const piece = fc
  .constantFrom(...titleWords, ...tagNames, 'user', 'zebra')
  .chain((word) => fc.integer({ min: 1, max: word.length }).map((length) => word.slice(0, length)))
const text = fc
  .tuple(fc.array(fc.constantFrom(...titleWords), { maxLength: 2 }), piece, fc.boolean())
  .map(([complete, last, isUpper]) => {
    const joined = [...complete, last].join(' ')
    return isUpper ? joined.toUpperCase() : joined
  })

test('suggestions equal those of a model that filters and sorts all rows', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(text, fc.boolean(), async (q, isSignedIn) => {
      const found = await site.call(
        getSuggestions,
        { query: { q } },
        isSignedIn ? (viewer as TestUser) : undefined,
      )
      const username = isSignedIn ? 'user1' : null
      const own = privateBookmarks(username)

      const videos = [
        ...own.filter(({ title }) => matches(q, title)).sort(newestFirst),
        ...listedVideos()
          .filter(({ title }) => matches(q, title))
          .sort(newestFirst),
      ]
      expect(found.videos.map(({ id }) => id)).toEqual(first(videos.map(({ id }) => id)))
      const library = reference.bookmarks.filter(
        (b) => b.username === username && !b.deleted && b.status !== 'removed' && matches(q, b.title),
      )
      expect(found.own.map(({ id }) => id)).toEqual(first(library.sort(newestFirst).map(({ id }) => id)))

      const uses = countTagUses()
      const ownTags = new Set(own.flatMap(({ tags }) => tags).filter((tag) => matches(q, tag)))
      const publicTags = [...uses.keys()].filter((tag) => matches(q, tag) && !ownTags.has(tag))
      const isExact = (name: string) => (name === q.toLowerCase() ? 1 : 0)
      const rankedUses = publicTags
        .sort((a, b) => isExact(b) - isExact(a) || (uses.get(b) ?? 0) - (uses.get(a) ?? 0))
        .map((tag) => uses.get(tag))
      const names = found.tags.map(({ name }) => name)
      const ownCount = Math.min(ownTags.size, limits.suggestionsMax)
      expect(names.slice(0, ownCount).every((name) => ownTags.has(name))).toBe(true)
      expect(names.slice(ownCount).every((name) => publicTags.includes(name))).toBe(true)
      expect(found.tags.slice(ownCount).map(({ uses_count }) => uses_count)).toEqual(
        rankedUses.slice(0, limits.suggestionsMax - ownCount),
      )

      const named = collections.filter(({ name }) => matches(q, name))
      const byCount = (a: { id: number; count: number }, b: { id: number; count: number }) =>
        b.count - a.count || a.id - b.id
      const ownCollections = named.filter(({ owner, access }) => access === 'private' && owner === username)
      const publicCollections = named.filter(({ access }) => access === 'public').sort(byCount)
      const collectionIds = [...ownCollections.sort((a, b) => a.id - b.id), ...publicCollections].map(
        ({ id }) => id,
      )
      expect(found.collections.map(({ id }) => id)).toEqual(first(collectionIds))

      const followers = users
        .filter((user) => matches(q, user.username))
        .map((user) => user.followers)
        .sort((a, b) => b - a)
      const isExactUser = users.some((user) => user.username.toLowerCase() === q.toLowerCase())
      if (!isExactUser) expect(found.users.map((user) => user.followers_count)).toEqual(first(followers))
      expect(found.users.every((user) => matches(q, user.username))).toBe(true)
    }),
    { numRuns: 150 },
  )
})
