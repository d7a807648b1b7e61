/** Many requests at once about the same bookmarks and videos: nobody waits in a circle, and every count is right. */

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
  who: TestUser
  places: TestDestination[]
  /** Places that go while the others are at work. */
  leaving: TestDestination[]
  ids: number[]
}

const films = 12

/** Somebody who keeps the same films as everybody, in several places. */
async function createSaver(name: string): Promise<Saver> {
  const who = await signUp(site, name)
  const destinations = [
    await vaultDestination(site, who),
    await createDestination(site, who),
    await createDestination(site, who, 'private'),
  ]
  const leaving = [await createDestination(site, who), await createDestination(site, who, 'private')]
  const ids: number[] = []
  for (let film = 0; film < films; film++) {
    const destination = [...destinations, ...leaving][film % 5]
    const bookmark = { ...destination, tags: [`t${film % 5}`, `t${film % 3}`] }
    ids.push((await saveFilm(site, who, `shared${film}`, { bookmark })).id)
  }
  return { who, places: destinations, leaving, ids }
}

test('two hundred requests of four people, of every kind, about the same films', async () => {
  const savers: Saver[] = []
  for (const name of ['kim', 'lee', 'max', 'noa']) savers.push(await createSaver(name))
  const videos = (await site.db<{ id: number }[]>`select id from videos order by id`).map(({ id }) => id)
  let state = 20_261_121
  const chance = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  const one = <T>(of: readonly T[]) => of[chance(of.length)] as T
  const some = (ids: readonly number[]) => {
    const chosen = ids.filter(() => chance(2) === 0).sort(() => chance(3) - 1)
    return chosen.length > 0 ? chosen : [ids[0] as number]
  }
  const tag = () => `t${chance(6)}`

  const deeds: ((keeper: Saver) => Promise<unknown>)[] = [
    ({ who, ids, places: destinations }) =>
      site.call(bulkUpdateBookmarks, { body: { ids: some(ids), action: 'move', ...one(destinations) } }, who),
    ({ who, ids, leaving }) =>
      site.call(bulkUpdateBookmarks, { body: { ids: some(ids), action: 'move', ...one(leaving) } }, who),
    ({ who, ids }) =>
      site.call(bulkUpdateBookmarks, { body: { ids: some(ids), action: 'tag', tags: [tag(), tag()] } }, who),
    ({ who, ids }) =>
      site.call(bulkUpdateBookmarks, { body: { ids: some(ids), action: 'untag', tags: [tag()] } }, who),
    ({ who, ids }) => {
      const access = chance(2) ? ('public' as const) : ('private' as const)
      return site.call(bulkUpdateBookmarks, { body: { ids: some(ids), action: 'access', access } }, who)
    },
    ({ who, ids }) => site.call(bulkUpdateBookmarks, { body: { ids: some(ids), action: 'trash' } }, who),
    ({ who, ids }) => site.call(bulkUpdateBookmarks, { body: { ids: some(ids), action: 'restore' } }, who),
    ({ who, ids }) => site.call(bulkUpdateBookmarks, { body: { ids: [one(ids)], action: 'remove' } }, who),
    ({ who, ids, places: destinations }) => {
      const bookmarks = some(ids).map((id): PreviousState => ({ id, ...one(destinations), access: 'public' }))
      return site.call(undoBookmarkChanges, { body: { bookmarks } }, who)
    },
    ({ who, ids, places: destinations }) =>
      site.call(
        updateBookmark,
        { params: { id: one(ids) }, body: { ...one(destinations), tags: [tag()] } },
        who,
      ),
    ({ who, ids }) => site.call(trashBookmark, { params: { id: one(ids) } }, who),
    ({ who, ids }) => site.call(restoreBookmark, { params: { id: one(ids) } }, who),
    ({ who, places: destinations }) =>
      saveFilm(site, who, `shared${chance(films)}`, { bookmark: one(destinations) }),
    ({ who }) => site.call(toggleLike, { params: { id: one(videos) } }, who),
    ({ who }) =>
      site.call(
        createComment,
        { params: { id: one(videos) }, body: { content: `Seen ${chance(1e6)}` } },
        who,
      ),
  ]
  // Rarer, and each met by all the others.
  const rare: ((keeper: Saver) => Promise<unknown>)[] = [
    ({ who, leaving: [first], places: [vault] }) =>
      site.call(
        deleteCollection,
        {
          params: { id: first?.collection_id ?? 0 },
          query: { bookmarks: 'move', to_channel: vault?.channel_id ?? 0 },
        },
        who,
      ),
    ({ who, leaving: [, second] }) =>
      site.call(
        deleteCollection,
        { params: { id: second?.collection_id ?? 0 }, query: { bookmarks: 'delete' } },
        who,
      ),
    ({ who }) => site.call(emptyTrash, {}, who),
    () => purgeExpiredTrash(site.db),
  ]
  const requests = Array.from({ length: 200 }, (_, n) => {
    const by = savers[n % savers.length] as Saver
    return n % 12 === 11
      ? (rare[Math.floor(n / 12) % rare.length] as (typeof rare)[number])(by)
      : one(deeds)(by)
  })
  const outcomes = await Promise.allSettled(requests)
  const failed = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  // What went is not there; what is saved already is a conflict; a place that went is no choice; nobody comments on
  // what nobody keeps publicly. Nothing else.
  expect(failed.filter(({ status }) => ![400, 403, 404, 409].includes(status))).toEqual([])
  expect(outcomes.length - failed.length).toBeGreaterThan(100)
  expect(await counterMismatches(site)).toEqual([])
  const [left] = await site.db<[{ count: number }]>`select count(*)::int as count from bookmarks`
  expect(left.count).toBeGreaterThan(0)
  // And on: the same videos can be kept as before.
  for (const { who, places: destinations } of savers) {
    const { channel_id } = destinations[1] as TestDestination
    const video = { source_url: 'https://films.example.org/watch/after', title: 'After' }
    await site.call(saveBookmark, { body: { video, bookmark: { channel_id } } }, who)
  }
  expect(await counterMismatches(site)).toEqual([])
})
