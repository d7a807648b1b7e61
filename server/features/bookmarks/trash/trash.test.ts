/** The trash: what it lists, restoring from it, and how bookmarks are finally deleted. */

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
import { markWatched } from '@reelmark/contract/watching.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'
import { emptyTrash as emptyTrashOf, purgeExpiredTrash } from './trash-queries.ts'

const site = await useEmptySite()
const bob = await signUp(site, 'bob')
let alice: TestUser
let films = 0
let userCount = 0

beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `alice${userCount}`)
})

const byId = (id: number) => ({ params: { id } })
const saveTo = (bookmark: Parameters<typeof saveFilm>[3] = {}, user = alice): Promise<Bookmark> => {
  films += 1
  return saveFilm(site, user, films, bookmark)
}
const update = (id: number, body: Input<typeof updateBookmark>['body'], user = alice) =>
  site.call(updateBookmark, { ...byId(id), body }, user)
const bulk = (body: Input<typeof bulkUpdateBookmarks>['body'], user = alice) =>
  site.call(bulkUpdateBookmarks, { body }, user)
const trash = (id: number, user = alice) => site.call(trashBookmark, byId(id), user)
const restore = (id: number, user = alice) => site.call(restoreBookmark, byId(id), user)
const idsInExplore = async () =>
  (await site.call(listVideos, { query: { page_size: 100 } })).results.map(({ id }) => id)

describe('the trash', () => {
  test('hides a deleted bookmark from every list and page until it is restored', async () => {
    const { id, video } = await saveTo({ bookmark: { tags: ['trashed'] } })
    await trash(id)
    expect(await failedReply(trash(id))).toMatchObject({ status: 404 })
    for (const viewer of [alice, bob, null])
      expect(await failedReply(site.call(getBookmark, byId(id), viewer))).toMatchObject({ status: 404 })
    expect(await failedReply(update(id, { title: 'x' }))).toMatchObject({ status: 404 })
    expect(await idsInExplore()).not.toContain(id)
    const own = await site.call(listVideos, { query: { user: alice.username } }, alice)
    expect(own.count).toBe(0)
    site.statements.length = 0
    expect(await site.call(listTrash, { query: {} }, alice)).toMatchObject({
      count: 1,
      results: [{ id, days_left: 30, collection: { name: 'My Vault' }, channel: { name: 'General' } }],
    })
    // One for the session and one for the list.
    expect(site.statements).toHaveLength(2)
    expect(await site.call(listTrash, { query: {} }, bob)).toMatchObject({ count: 0 })
    expect(await restore(id)).toMatchObject({ id, is_public: true, video: { id: video.id } })
    expect(await idsInExplore()).toContain(id)
    expect(await failedReply(restore(id))).toMatchObject({ status: 404 })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('says which of its videos the user watched', async () => {
    const seen = await saveTo()
    const unwatched = await saveTo()
    await site.call(markWatched, { params: { id: seen.video.id } }, alice)
    for (const { id } of [seen, unwatched]) await trash(id)
    const { results } = await site.call(listTrash, { query: {} }, alice)
    expect(results.map(({ id, is_watched }) => [id, is_watched])).toEqual([
      [unwatched.id, false],
      [seen.id, true],
    ])
  })

  test('does not prevent saving the video again; restoring is then answered with 409 and the new bookmark', async () => {
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

  test('is purged of bookmarks that were deleted thirty days ago, and of nothing else', async () => {
    const [old, fresh, restored] = [await saveTo(), await saveTo(), await saveTo()]
    await bulk({ ids: [old.id, fresh.id, restored.id], action: 'trash' })
    await site.db`update bookmarks set deleted_at = now() - interval '30 days 1 minute' where id = any(${[old.id, restored.id]})`
    expect((await site.call(listTrash, { query: {} }, alice)).results.at(-1)).toMatchObject({ days_left: 0 })
    await restore(restored.id)
    expect(await purgeExpiredTrash(site.db)).toBe(1)
    const remaining = await site.db`select id from bookmarks where user_id = ${alice.id} order by id`
    expect(remaining.map(({ id }) => id)).toEqual([fresh.id, restored.id])
    expect(await counterMismatches(site)).toEqual([])
  })

  test('is emptied for its owner only, without touching other bookmarks', async () => {
    const [first, second, saved] = [await saveTo(), await saveTo(), await saveTo()]
    const bobs = await saveFilm(site, bob, `emptying${userCount}`)
    await bulk({ ids: [first.id, second.id], action: 'trash' })
    await trash(bobs.id, bob)
    expect(await site.call(emptyTrash, {}, alice)).toEqual({ removed: 2, remaining: 0 })
    expect(await site.call(emptyTrash, {}, alice)).toEqual({ removed: 0, remaining: 0 })
    const remaining = await site.db`select id from bookmarks where user_id = ${alice.id}`
    expect(remaining.map(({ id }) => id)).toEqual([saved.id])
    expect(await restore(bobs.id, bob)).toMatchObject({ id: bobs.id })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('with more bookmarks than one call deletes loses the oldest first, and the call reports how many remain', async () => {
    const trashed = [await saveTo(), await saveTo(), await saveTo()]
    for (const { id } of trashed) await trash(id)
    expect(await emptyTrashOf(site.db, alice.id, 2)).toEqual({ removed: 2, remaining: 1 })
    expect(await site.call(listTrash, { query: {} }, alice)).toMatchObject({
      count: 1,
      results: [{ id: trashed[2]?.id }],
    })
    expect(await emptyTrashOf(site.db, alice.id, 2)).toEqual({ removed: 1, remaining: 0 })
  })

  test('allows deleting selected bookmarks permanently, but only those that are in it', async () => {
    const [trashed, saved] = [await saveTo(), await saveTo()]
    await trash(trashed.id)
    expect(await bulk({ ids: [trashed.id, saved.id], action: 'remove' }, bob)).toMatchObject({ changed: 0 })
    expect(await bulk({ ids: [trashed.id, saved.id], action: 'remove' })).toEqual({
      changed: 1,
      unchanged: 0,
      failed: [{ id: saved.id, reason: 'not-found', bookmark_id: null }],
      before: [],
    })
    expect(await failedReply(restore(trashed.id))).toMatchObject({ status: 404 })
    expect(await site.call(getBookmark, byId(saved.id), alice)).toMatchObject({ id: saved.id })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('restores a bookmark whose collection was deleted to the default collection', async () => {
    const other = await createDestination(site, alice)
    const { id } = await saveTo({ bookmark: other })
    await trash(id)
    await site.call(deleteCollection, { params: { id: other.collection_id }, query: {} }, alice)
    expect(await restore(id)).toMatchObject({ collection: { name: 'My Vault' }, channel: null })
  })
})
