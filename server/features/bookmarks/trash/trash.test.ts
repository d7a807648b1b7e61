/** The trash: what is deleted is kept, given back, and gone for good in the end. */

import {
  bulkUpdateBookmarks,
  emptyTrash,
  listTrash,
  restoreBookmark,
  trashBookmark,
  updateBookmark,
} from '@reelmark/contract/bookmark-changes.ts'
import { type Bookmark, getBookmark } from '@reelmark/contract/bookmarks.ts'
import { deleteCollection } from '@reelmark/contract/collections.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { emptyTrash as emptyForGood, purgeExpiredTrash } from './trash-queries.ts'

let site: TestApp
let alice: TestUser
let bob: TestUser
let films = 0
let people = 0

beforeAll(async () => {
  site = await bootApp()
  bob = await signUp(site, 'bob')
})
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `alice${people}`)
})
afterAll(() => site.close())

const byId = (id: number) => ({ params: { id } })
const saveTo = (bookmark: Parameters<typeof saveFilm>[3] = {}, who = alice): Promise<Bookmark> => {
  films += 1
  return saveFilm(site, who, films, bookmark)
}
const update = (id: number, body: Input<typeof updateBookmark>['body'], who = alice) =>
  site.call(updateBookmark, { ...byId(id), body }, who)
const bulk = (body: Input<typeof bulkUpdateBookmarks>['body'], who = alice) =>
  site.call(bulkUpdateBookmarks, { body }, who)
const trash = (id: number, who = alice) => site.call(trashBookmark, byId(id), who)
const restore = (id: number, who = alice) => site.call(restoreBookmark, byId(id), who)
const idsInExplore = async () =>
  (await site.call(listVideos, { query: { page_size: 100 } })).results.map(({ id }) => id)

describe('the trash', () => {
  test('keeps what was deleted out of every list, and gives it back', async () => {
    const { id, video } = await saveTo({ bookmark: { tags: ['kept'] } })
    await trash(id)
    expect(await failedReply(trash(id))).toMatchObject({ status: 404 })
    for (const who of [alice, bob, null])
      expect(await failedReply(site.call(getBookmark, byId(id), who))).toMatchObject({ status: 404 })
    expect(await failedReply(update(id, { title: 'x' }))).toMatchObject({ status: 404 })
    expect(await idsInExplore()).not.toContain(id)
    const own = await site.call(listVideos, { query: { user: alice.username } }, alice)
    expect(own.count).toBe(0)
    site.statements.length = 0
    expect(await site.call(listTrash, { query: {} }, alice)).toMatchObject({
      count: 1,
      results: [{ id, days_left: 30, collection: { name: 'My Vault' }, channel: { name: 'General' } }],
    })
    // One on who asks, one on what is there.
    expect(site.statements).toHaveLength(2)
    expect(await site.call(listTrash, { query: {} }, bob)).toMatchObject({ count: 0 })
    expect(await restore(id)).toMatchObject({ id, is_public: true, video: { id: video.id } })
    expect(await idsInExplore()).toContain(id)
    expect(await failedReply(restore(id))).toMatchObject({ status: 404 })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('does not stand in the way of saving again; restoring then says where it is', async () => {
    const { id } = await saveTo()
    await trash(id)
    const again = await saveFilm(site, alice, films)
    expect(await failedReply(restore(id))).toEqual({
      status: 409,
      body: {
        detail: 'You already saved this video here.',
        code: 'already-saved',
        bookmark_id: again.id,
      },
    })
  })

  test('is emptied of what has been there for thirty days, and of nothing else', async () => {
    const [old, fresh, restored] = [await saveTo(), await saveTo(), await saveTo()]
    await bulk({ ids: [old.id, fresh.id, restored.id], action: 'trash' })
    await site.db`update bookmarks set deleted_at = now() - interval '30 days 1 minute' where id = any(${[old.id, restored.id]})`
    expect((await site.call(listTrash, { query: {} }, alice)).results.at(-1)).toMatchObject({ days_left: 0 })
    await restore(restored.id)
    expect(await purgeExpiredTrash(site.db)).toBe(1)
    const left = await site.db`select id from bookmarks where user_id = ${alice.id} order by id`
    expect(left.map(({ id }) => id)).toEqual([fresh.id, restored.id])
    expect(await counterMismatches(site)).toEqual([])
  })

  test('is emptied for good, one’s own and nothing that is kept', async () => {
    const [gone, also, kept] = [await saveTo(), await saveTo(), await saveTo()]
    const bobs = await saveFilm(site, bob, `emptying${people}`)
    await bulk({ ids: [gone.id, also.id], action: 'trash' })
    await trash(bobs.id, bob)
    expect(await site.call(emptyTrash, {}, alice)).toEqual({ removed: 2, remaining: 0 })
    expect(await site.call(emptyTrash, {}, alice)).toEqual({ removed: 0, remaining: 0 })
    const left = await site.db`select id from bookmarks where user_id = ${alice.id}`
    expect(left.map(({ id }) => id)).toEqual([kept.id])
    expect(await restore(bobs.id, bob)).toMatchObject({ id: bobs.id })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('of more than one call takes on goes the oldest first, and says what remains', async () => {
    const kept = [await saveTo(), await saveTo(), await saveTo()]
    for (const { id } of kept) await trash(id)
    expect(await emptyForGood(site.db, alice.id, 2)).toEqual({ removed: 2, remaining: 1 })
    expect(await site.call(listTrash, { query: {} }, alice)).toMatchObject({
      count: 1,
      results: [{ id: kept[2]?.id }],
    })
    expect(await emptyForGood(site.db, alice.id, 2)).toEqual({ removed: 1, remaining: 0 })
  })

  test('gives up some for good, and only what is in it', async () => {
    const [inIt, kept] = [await saveTo(), await saveTo()]
    await trash(inIt.id)
    expect(await bulk({ ids: [inIt.id, kept.id], action: 'remove' }, bob)).toMatchObject({ changed: 0 })
    expect(await bulk({ ids: [inIt.id, kept.id], action: 'remove' })).toEqual({
      changed: 1,
      unchanged: 0,
      failed: [{ id: kept.id, reason: 'not-found', bookmark_id: null }],
      before: [],
    })
    expect(await failedReply(restore(inIt.id))).toMatchObject({ status: 404 })
    expect(await site.call(getBookmark, byId(kept.id), alice)).toMatchObject({ id: kept.id })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('gives back what was in a place that is gone to where the others went, and says where', async () => {
    const other = await createDestination(site, alice)
    const { id } = await saveTo({ bookmark: other })
    await trash(id)
    await site.call(deleteCollection, { params: { id: other.collection_id }, query: {} }, alice)
    expect(await restore(id)).toMatchObject({ collection: { name: 'My Vault' }, channel: null })
  })
})
