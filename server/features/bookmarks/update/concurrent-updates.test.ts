/** Many concurrent requests on the same bookmarks and videos cause no deadlock and leave all counters correct. */

import {
  bulkUpdateBookmarks,
  emptyTrash,
  type PreviousState,
  restoreBookmark,
  trashBookmark,
  undoBookmarkChanges,
  updateBookmark,
} from '@reelmark/contract/bookmark-changes.ts'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { deleteCollection } from '@reelmark/contract/collections.ts'
import { createComment } from '@reelmark/contract/comments.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { createChance } from '../../../testing/create-chance.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import {
  createDestination,
  saveFilm,
  type TestDestination,
  vaultDestination,
} from '../../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../../testing/test-users.ts'
import { purgeExpiredTrash } from '../trash/trash-queries.ts'

let site: TestApp

beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())

interface Saver {
  user: TestUser
  destinations: TestDestination[]
  /** Destinations that are deleted while the other requests run. */
  temporary: TestDestination[]
  ids: number[]
}

const films = 12

/** Creates a user who saved the same films as the others, in several collections. */
async function createSaver(name: string): Promise<Saver> {
  const user = await signUp(site, name)
  const destinations = [
    await vaultDestination(site, user),
    await createDestination(site, user),
    await createDestination(site, user, 'private'),
  ]
  const temporary = [await createDestination(site, user), await createDestination(site, user, 'private')]
  const ids: number[] = []
  for (let film = 0; film < films; film++) {
    const destination = [...destinations, ...temporary][film % 5]
    const bookmark = { ...destination, tags: [`t${film % 5}`, `t${film % 3}`] }
    ids.push((await saveFilm(site, user, `shared${film}`, { bookmark })).id)
  }
  return { user, destinations, temporary, ids }
}

test('two hundred concurrent requests of every kind by four users on the same films leave all counters correct', async () => {
  const savers: Saver[] = []
  for (const name of ['kim', 'lee', 'max', 'noa']) savers.push(await createSaver(name))
  const videos = (await site.db<{ id: number }[]>`select id from videos order by id`).map(({ id }) => id)
  const chance = createChance(20_261_121)
  const pick = <T>(values: readonly T[]) => values[chance(values.length)] as T
  const pickSome = (ids: readonly number[]) => {
    const chosen = ids.filter(() => chance(2) === 0).sort(() => chance(3) - 1)
    return chosen.length > 0 ? chosen : [ids[0] as number]
  }
  const tag = () => `t${chance(6)}`

  const actions: ((saver: Saver) => Promise<unknown>)[] = [
    ({ user, ids, destinations }) =>
      site.call(
        bulkUpdateBookmarks,
        { body: { ids: pickSome(ids), action: 'move', ...pick(destinations) } },
        user,
      ),
    ({ user, ids, temporary }) =>
      site.call(
        bulkUpdateBookmarks,
        { body: { ids: pickSome(ids), action: 'move', ...pick(temporary) } },
        user,
      ),
    ({ user, ids }) =>
      site.call(
        bulkUpdateBookmarks,
        { body: { ids: pickSome(ids), action: 'tag', tags: [tag(), tag()] } },
        user,
      ),
    ({ user, ids }) =>
      site.call(bulkUpdateBookmarks, { body: { ids: pickSome(ids), action: 'untag', tags: [tag()] } }, user),
    ({ user, ids }) => {
      const access = chance(2) ? ('public' as const) : ('private' as const)
      return site.call(bulkUpdateBookmarks, { body: { ids: pickSome(ids), action: 'access', access } }, user)
    },
    ({ user, ids }) =>
      site.call(bulkUpdateBookmarks, { body: { ids: pickSome(ids), action: 'trash' } }, user),
    ({ user, ids }) =>
      site.call(bulkUpdateBookmarks, { body: { ids: pickSome(ids), action: 'restore' } }, user),
    ({ user, ids }) => site.call(bulkUpdateBookmarks, { body: { ids: [pick(ids)], action: 'remove' } }, user),
    ({ user, ids, destinations }) => {
      const bookmarks = pickSome(ids).map(
        (id): PreviousState => ({ id, ...pick(destinations), access: 'public' }),
      )
      return site.call(undoBookmarkChanges, { body: { bookmarks } }, user)
    },
    ({ user, ids, destinations }) =>
      site.call(
        updateBookmark,
        { params: { id: pick(ids) }, body: { ...pick(destinations), tags: [tag()] } },
        user,
      ),
    ({ user, ids }) => site.call(trashBookmark, { params: { id: pick(ids) } }, user),
    ({ user, ids }) => site.call(restoreBookmark, { params: { id: pick(ids) } }, user),
    ({ user, destinations }) =>
      saveFilm(site, user, `shared${chance(films)}`, { bookmark: pick(destinations) }),
    ({ user }) => site.call(toggleLike, { params: { id: pick(videos) } }, user),
    ({ user }) =>
      site.call(
        createComment,
        { params: { id: pick(videos) }, body: { content: `Seen ${chance(1e6)}` } },
        user,
      ),
  ]
  // Run less often, each among many of the others.
  const rareActions: ((saver: Saver) => Promise<unknown>)[] = [
    ({ user, temporary: [first], destinations: [vault] }) =>
      site.call(
        deleteCollection,
        {
          params: { id: first?.collection_id ?? 0 },
          query: { bookmarks: 'move', to_channel: vault?.channel_id ?? 0 },
        },
        user,
      ),
    ({ user, temporary: [, second] }) =>
      site.call(
        deleteCollection,
        { params: { id: second?.collection_id ?? 0 }, query: { bookmarks: 'delete' } },
        user,
      ),
    ({ user }) => site.call(emptyTrash, {}, user),
    () => purgeExpiredTrash(site.db),
  ]
  const requests = Array.from({ length: 200 }, (_, n) => {
    const saver = savers[n % savers.length] as Saver
    return n % 12 === 11
      ? (rareActions[Math.floor(n / 12) % rareActions.length] as (typeof rareActions)[number])(saver)
      : pick(actions)(saver)
  })
  const outcomes = await Promise.allSettled(requests)
  const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  // Expected are only: 404 for what was deleted, 409 for what is saved already, 400 for a deleted destination, and 403
  // for a comment on a video without a public bookmark.
  expect(failed.filter(({ status }) => ![400, 403, 404, 409].includes(status))).toEqual([])
  expect(outcomes.length - failed.length).toBeGreaterThan(100)
  expect(await counterMismatches(site)).toEqual([])
  const [remaining] = await site.db<[{ count: number }]>`select count(*)::int as count from bookmarks`
  expect(remaining.count).toBeGreaterThan(0)
  // All users can still save a video.
  for (const { user, destinations } of savers) {
    const { channel_id } = destinations[1] as TestDestination
    const video = { source_url: 'https://films.example.org/watch/after', title: 'After' }
    await site.call(saveBookmark, { body: { video, bookmark: { channel_id } } }, user)
  }
  expect(await counterMismatches(site)).toEqual([])
})
