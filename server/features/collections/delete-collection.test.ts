/** Deleting a collection, and what happens to its bookmarks. */

import { deleteCollection } from '@reelmark/contract/collections.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../testing/counter-mismatches.ts'
import {
  createDestination,
  insertBookmarks,
  readDestination,
  saveFilm,
  vaultDestination,
} from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'

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
const saveTo = (bookmark: { collection_id?: number; channel_id?: number }) => {
  films += 1
  return saveFilm(site, alice, films, { bookmark })
}

describe('deleting a collection', () => {
  const remove = (
    id: number,
    query: Parameters<typeof site.call<typeof deleteCollection>>[1]['query'] = {},
  ) => site.call(deleteCollection, { ...byId(id), query }, alice)

  test('with bookmarks but no choice answers their number; without bookmarks it is deleted', async () => {
    const { collection_id, channel_id } = await createDestination(site, alice)
    await site.db`update users set default_bookmark_collection = ${collection_id} where id = ${alice.id}`
    const { id } = await saveTo({ channel_id })
    expect(await failedReply(remove(collection_id))).toEqual({
      status: 409,
      body: {
        detail: "This collection isn't empty. Choose what to do with its bookmarks.",
        code: 'not-empty',
        bookmarks_count: 1,
      },
    })
    await site.db`update bookmarks set deleted_at = now() where id = ${id}`
    expect(await remove(collection_id)).toEqual({ moved: 0, trashed: 0 })
    // The trashed bookmark is still there, and would be restored to the default collection.
    const vault = await vaultDestination(site, alice)
    expect(await readDestination(site, id)).toMatchObject({ ...vault, channel_id: null, is_trashed: true })
    const [user] = await site.db`select default_bookmark_collection from users where id = ${alice.id}`
    expect(user).toEqual({ default_bookmark_collection: null })
  })

  test('can move its bookmarks; a video that the destination has already goes to the trash', async () => {
    const from = await createDestination(site, alice)
    const vault = await vaultDestination(site, alice)
    const [inChannel, loose] = [await saveTo(from), await saveTo({ collection_id: from.collection_id })]
    const both = await saveFilm(site, alice, 'both', { bookmark: { collection_id: from.collection_id } })
    const existing = await saveFilm(site, alice, 'both', { bookmark: { collection_id: vault.collection_id } })
    for (const query of [
      { bookmarks: 'move' },
      { bookmarks: 'move', to_collection: from.collection_id },
    ] as const)
      expect(await failedReply(remove(from.collection_id, query))).toMatchObject({
        status: 400,
        body: { code: 'invalid', to_collection: [expect.any(String)] },
      })
    const bobs = await vaultDestination(site, bob)
    expect(
      await failedReply(remove(from.collection_id, { bookmarks: 'move', to_collection: bobs.collection_id })),
    ).toMatchObject({ status: 400 })
    expect(
      await remove(from.collection_id, { bookmarks: 'move', to_collection: vault.collection_id }),
    ).toEqual({ moved: 2, trashed: 1 })
    for (const { id } of [inChannel, loose, existing])
      expect(await readDestination(site, id)).toMatchObject({
        collection_id: vault.collection_id,
        is_trashed: false,
      })
    expect(await readDestination(site, both.id)).toMatchObject({ is_trashed: true })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('leaves the bookmarks of a private collection private, wherever they are moved', async () => {
    const vault = await vaultDestination(site, alice)
    for (const query of [
      { bookmarks: 'move', to_collection: vault.collection_id },
      { bookmarks: 'delete' },
    ] as const) {
      const secret = await createDestination(site, alice, 'private')
      const { id } = await saveTo(secret)
      await remove(secret.collection_id, query)
      expect(await readDestination(site, id)).toMatchObject({
        collection_id: vault.collection_id,
        access: 'private',
      })
    }
  })

  test('with a thousand bookmarks deletes all of them in batches', { tags: 'heavy' }, async () => {
    const { collection_id } = await createDestination(site, alice)
    await insertBookmarks(site, alice, collection_id, 1000)
    const start = performance.now()
    expect(await remove(collection_id, { bookmarks: 'delete' })).toEqual({ moved: 0, trashed: 1000 })
    process.stderr.write(`a collection of 1,000 removed in ${Math.round(performance.now() - start)} ms\n`)
    expect(await counterMismatches(site)).toEqual([])
  })

  test('is refused for the last collection of a user', async () => {
    const { collection_id } = await vaultDestination(site, alice)
    expect(await failedReply(remove(collection_id, { bookmarks: 'delete' }))).toEqual({
      status: 409,
      body: {
        detail: 'You need at least one collection. Create another one first.',
        code: 'last-collection',
      },
    })
    const other = await createDestination(site, alice)
    const outcomes = await Promise.allSettled([remove(collection_id), remove(other.collection_id)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})
