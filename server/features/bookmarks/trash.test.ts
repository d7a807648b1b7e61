/** The trash: what is deleted is kept, given back, and gone for good in the end. */
import { type Bookmark, getBookmark } from '@reelmark/contract/bookmarks.ts'
import { removeCollection } from '@reelmark/contract/collections.ts'
import type { Input } from '@reelmark/contract/endpoint.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import {
  changeBookmarks,
  emptyTrash,
  listTrash,
  restoreBookmark,
  trashBookmark,
  updateBookmark,
} from '@reelmark/contract/own-bookmarks.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/app.ts'
import { differences } from '../../testing/counters.ts'
import { failure, type PersonInTest, signUp } from '../../testing/people.ts'
import { makePlace, save } from '../../testing/saving.ts'
import { emptyTrash as emptyForGood, emptyOldTrash } from './trash.ts'

let site: TestApp
let alice: PersonInTest
let bob: PersonInTest
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
const keep = (bookmark: Parameters<typeof save>[3] = {}, who = alice): Promise<Bookmark> => {
  films += 1
  return save(site, who, films, bookmark)
}
const update = (id: number, body: Input<typeof updateBookmark>['body'], who = alice) =>
  site.call(updateBookmark, { ...byId(id), body }, who)
const bulk = (body: Input<typeof changeBookmarks>['body'], who = alice) =>
  site.call(changeBookmarks, { body }, who)
const trash = (id: number, who = alice) => site.call(trashBookmark, byId(id), who)
const restore = (id: number, who = alice) => site.call(restoreBookmark, byId(id), who)
const idsInExplore = async () =>
  (await site.call(listVideos, { query: { page_size: 100 } })).results.map(({ id }) => id)

describe('the trash', () => {
  test('keeps what was deleted out of every list, and gives it back', async () => {
    const { id, video } = await keep({ bookmark: { tags: ['kept'] } })
    await trash(id)
    expect(await failure(trash(id))).toMatchObject({ status: 404 })
    for (const who of [alice, bob, null])
      expect(await failure(site.call(getBookmark, byId(id), who))).toMatchObject({ status: 404 })
    expect(await failure(update(id, { title: 'x' }))).toMatchObject({ status: 404 })
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
    expect(await failure(restore(id))).toMatchObject({ status: 404 })
    expect(await differences(site)).toEqual([])
  })

  test('does not stand in the way of saving again; restoring then says where it is', async () => {
    const { id } = await keep()
    await trash(id)
    const again = await save(site, alice, films)
    expect(await failure(restore(id))).toEqual({
      status: 409,
      body: { detail: 'You already saved this video here.', bookmark_id: again.id },
    })
  })

  test('is emptied of what has been there for thirty days, and of nothing else', async () => {
    const [old, fresh, restored] = [await keep(), await keep(), await keep()]
    await bulk({ ids: [old.id, fresh.id, restored.id], action: 'trash' })
    await site.db`update bookmarks set deleted_at = now() - interval '30 days 1 minute' where id = any(${[old.id, restored.id]})`
    expect((await site.call(listTrash, { query: {} }, alice)).results.at(-1)).toMatchObject({ days_left: 0 })
    await restore(restored.id)
    expect(await emptyOldTrash(site.db)).toBe(1)
    const left = await site.db`select id from bookmarks where user_id = ${alice.id} order by id`
    expect(left.map(({ id }) => id)).toEqual([fresh.id, restored.id])
    expect(await differences(site)).toEqual([])
  })

  test('is emptied for good, one’s own and nothing that is kept', async () => {
    const [gone, also, kept] = [await keep(), await keep(), await keep()]
    const bobs = await save(site, bob, `emptying${people}`)
    await bulk({ ids: [gone.id, also.id], action: 'trash' })
    await trash(bobs.id, bob)
    expect(await site.call(emptyTrash, {}, alice)).toEqual({ removed: 2, remaining: 0 })
    expect(await site.call(emptyTrash, {}, alice)).toEqual({ removed: 0, remaining: 0 })
    const left = await site.db`select id from bookmarks where user_id = ${alice.id}`
    expect(left.map(({ id }) => id)).toEqual([kept.id])
    expect(await restore(bobs.id, bob)).toMatchObject({ id: bobs.id })
    expect(await differences(site)).toEqual([])
  })

  test('of more than one call takes on goes the oldest first, and says what remains', async () => {
    const kept = [await keep(), await keep(), await keep()]
    for (const { id } of kept) await trash(id)
    expect(await emptyForGood(site.db, alice.id, 2)).toEqual({ removed: 2, remaining: 1 })
    expect(await site.call(listTrash, { query: {} }, alice)).toMatchObject({
      count: 1,
      results: [{ id: kept[2]?.id }],
    })
    expect(await emptyForGood(site.db, alice.id, 2)).toEqual({ removed: 1, remaining: 0 })
  })

  test('gives up some for good, and only what is in it', async () => {
    const [inIt, kept] = [await keep(), await keep()]
    await trash(inIt.id)
    expect(await bulk({ ids: [inIt.id, kept.id], action: 'remove' }, bob)).toMatchObject({ changed: 0 })
    expect(await bulk({ ids: [inIt.id, kept.id], action: 'remove' })).toEqual({
      changed: 1,
      unchanged: 0,
      failed: [{ id: kept.id, reason: 'not-found', bookmark_id: null }],
      before: [],
    })
    expect(await failure(restore(inIt.id))).toMatchObject({ status: 404 })
    expect(await site.call(getBookmark, byId(kept.id), alice)).toMatchObject({ id: kept.id })
    expect(await differences(site)).toEqual([])
  })

  test('gives back what was in a place that is gone to where the others went, and says where', async () => {
    const other = await makePlace(site, alice)
    const { id } = await keep({ bookmark: other })
    await trash(id)
    await site.call(removeCollection, { params: { id: other.collection_id }, query: {} }, alice)
    expect(await restore(id)).toMatchObject({ collection: { name: 'My Vault' }, channel: null })
  })
})
