import { blockUser } from '@reelmark/contract/blocks.ts'
import { trashBookmark, updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { toggleWatchLater } from '@reelmark/contract/collect.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { getPlayQueue, getPlayStart, listVideos } from '@reelmark/contract/listing.ts'
import {
  createSmartCollection,
  deleteSmartCollection,
  getSmartCollection,
  listSmartCollections,
  listTrashedSmartCollections,
  restoreSmartCollection,
  type SmartQuery,
  updateSmartCollection,
} from '@reelmark/contract/smart-collections.ts'
import { expect, test } from 'vitest'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { purgeSmartCollections } from './queries.ts'

const { site, alice, bob } = await useSite()

const create = (query: SmartQuery, access: 'public' | 'private' = 'private', name = 'Sea') =>
  site.call(createSmartCollection, { body: { name, access, query } }, alice)
const byId = ({ id }: { id: number }) => ({ params: { id } })
const list = async ({ id }: { id: number }, as: TestUser | null, query = {}) => {
  const { results, count } = await site.call(listVideos, { query: { smart_collection: id, ...query } }, as)
  expect(count).toBe(results.length)
  return results.map(({ title }) => title).sort()
}
const save = (user: TestUser, title: string, bookmark = {}, tags: string[] = []) =>
  saveFilm(site, user, title.replaceAll(' ', '-'), { video: { title, tags }, bookmark })

const open = await save(alice, 'Sea open', {}, ['water'])
await save(alice, 'Sea secret', { access: 'private' }, ['water'])
await save(alice, 'Sea in private', await createDestination(site, alice, 'private'), ['water'])
await save(alice, 'Hills')
await save(bob, 'Sea of bob', {}, ['water'])

test('a smart collection shows its owner everything that matches, others what they may see, and is always current', async () => {
  const sea = await create({ scope: 'own', q: 'sea', tag: 'water' }, 'public')
  expect(sea).toMatchObject({ is_owner: true, query: { scope: 'own', q: 'sea', tag: 'water' } })
  expect(await list(sea, alice)).toEqual(['Sea in private', 'Sea open', 'Sea secret'])
  expect(await list(sea, bob)).toEqual(['Sea open'])
  expect(await list(sea, null)).toEqual(['Sea open'])
  const everyone = await create({ scope: 'all', q: 'sea' }, 'public')
  expect(await list(everyone, null)).toEqual(['Sea of bob', 'Sea open'])

  const added = await save(alice, 'Sea added', {}, ['water'])
  expect(await list(sea, null)).toEqual(['Sea added', 'Sea open'])
  await site.call(updateBookmark, { ...byId(added), body: { access: 'private' } }, alice)
  expect(await list(sea, null)).toEqual(['Sea open'])
  await site.call(trashBookmark, byId(added), alice)
  expect(await list(sea, alice)).not.toContain('Sea added')
})

test('a smart collection is played in its order, and contains for each viewer what its page contains', async () => {
  const sea = await create({ scope: 'own', q: 'sea', tag: 'water', sort: 'title' }, 'public', 'Played')
  const played = { smart_collection: sea.id }
  for (const viewer of [alice, bob, null]) {
    const page = await site.call(listVideos, { query: played }, viewer)
    const ids = page.results.map(({ id }) => id)
    expect(await site.call(getPlayStart, { query: played }, viewer)).toEqual({ bookmark_id: ids[0] })
    for (const query of [played, { ...played, shuffle: 3 }]) {
      const queue = await site.call(getPlayQueue, { ...byId(open), query }, viewer)
      expect(queue.count).toBe(ids.length)
      const found = queue.results.map(({ id }) => id)
      expect(found.toSorted()).toEqual(ids.toSorted())
      if (query === played) expect(found).toEqual(ids)
    }
  }
  await site.call(updateSmartCollection, { ...byId(sea), body: { access: 'private' } }, alice)
  for (const viewer of [bob, null]) {
    const start = site.call(getPlayStart, { query: played }, viewer)
    expect(await failedReply(start)).toMatchObject({ status: 404 })
    const queue = site.call(getPlayQueue, { ...byId(open), query: played }, viewer)
    expect(await failedReply(queue)).toMatchObject({ status: 404 })
  }
})

test('a smart collection of the library leaves out Watch Later as the library does, also for others', async () => {
  const hills = await create({ scope: 'own', sort: 'title', watch_later: false }, 'public')
  const all = await create({ scope: 'own', sort: 'title' }, 'public')
  const before = await list(hills, alice)
  expect(before).toEqual(await list(all, alice))
  const { video } = await save(bob, 'Later')
  await site.call(toggleWatchLater, { params: { id: video.id } }, alice)
  expect(await list(hills, alice)).toEqual(before)
  expect(await list(all, alice)).toEqual([...before, 'Later'].sort())
  for (const viewer of [bob, null]) expect(await list(hills, viewer)).toEqual(['Hills', 'Sea open'])
})

test('others see neither the query, nor words of it in links and corrections', async () => {
  const sea = await create({ scope: 'own', q: 'sea', sort: 'title' }, 'public')
  for (const viewer of [bob, null]) {
    const shown = await site.call(getSmartCollection, byId(sea), viewer)
    expect(shown).not.toHaveProperty('query')
    const { results } = await site.call(listSmartCollections, { query: { user: 'alice' } }, viewer)
    for (const row of results) expect(row).not.toHaveProperty('query')
    const page = await site.call(listVideos, { query: { smart_collection: sea.id, page_size: 1 } }, viewer)
    expect(JSON.stringify([page.next, page.previous])).not.toMatch(/q=|title|alice/)
  }
  const misspelt = await create({ scope: 'all', q: 'hillz' }, 'public')
  const page = await site.call(listVideos, { query: { smart_collection: misspelt.id } }, null)
  expect(page).toMatchObject({ count: 0, results: [] })
  expect(page).not.toHaveProperty('corrected')
})

test('a request narrows a smart collection by words, order and orientation only', async () => {
  const sea = await create({ scope: 'own', q: '"sea', orientation: 'sfw' }, 'public')
  expect(await list(sea, null, { q: 'open', sort: 'oldest' })).toEqual(['Sea open'])
  expect(await list(sea, null, { q: 'hills' })).toEqual([])
  expect(await list(sea, null, { orientation: 'gay' })).toEqual(['Sea open'])
  const combined = site.call(listVideos, { query: { smart_collection: sea.id, user: 'bob' } }, null)
  await expect(combined).rejects.toMatchObject({ status: 400, body: { user: expect.any(Array) } })
})

test.each<SmartQuery>([
  { scope: 'own', watched: true },
  { scope: 'all', q: 'sea -is:watched' },
  { scope: 'own', q: 'is:private' },
  { scope: 'own', q: 'note:x' },
  { scope: 'own', access: 'public' },
  { scope: 'own', untagged: true },
  { scope: 'own', no_picture: true },
  { scope: 'own', no_player: false },
  { scope: 'own', sort: 'last_watched' },
])('a search that depends on what only its owner knows cannot be public: %o', async (query) => {
  await expect(create(query, 'public')).rejects.toMatchObject({
    status: 400,
    body: { access: [expect.any(String)] },
  })
  const created = await create(query)
  const publish = site.call(updateSmartCollection, { ...byId(created), body: { access: 'public' } }, alice)
  await expect(publish).rejects.toMatchObject({ status: 400, body: { access: [expect.any(String)] } })
  const other = await create({ scope: 'own' }, 'public')
  await expect(
    site.call(updateSmartCollection, { ...byId(other), body: { query } }, alice),
  ).rejects.toMatchObject({
    status: 400,
  })
  await expect(list(created, bob)).rejects.toMatchObject({ status: 404 })
  await expect(list(created, null)).rejects.toMatchObject({ status: 404 })
})

test('words of private notes match for the owner only', async () => {
  await site.call(updateBookmark, { ...byId(open), body: { private_note: 'lighthouse' } }, alice)
  const noted = await create({ scope: 'own', q: 'lighthouse' }, 'public')
  expect(await list(noted, alice)).toEqual(['Sea open'])
  expect(await list(noted, bob)).toEqual([])
  expect(await list(noted, null)).toEqual([])
})

test('a smart collection limited to a private collection is empty for others, and invalid queries are refused', async () => {
  const [row] = await site.db<[{ collection_id: number }]>`
    select collection_id from bookmarks where title = 'Sea in private'`
  const limited = await create({ scope: 'own', collection: row.collection_id }, 'public')
  expect(await list(limited, alice)).toEqual(['Sea in private'])
  expect(await list(limited, bob)).toEqual([])
  await expect(create({ scope: 'all', collection: row.collection_id })).rejects.toMatchObject({ status: 400 })
  await expect(create({ scope: 'own', saved_after: 'yesterday' })).rejects.toMatchObject({ status: 400 })
})

test('liked videos can be a smart collection', async () => {
  await site.call(toggleLike, byId(open.video), bob)
  const likes = await site.call(
    createSmartCollection,
    { body: { name: 'Likes', access: 'public', query: { scope: 'liked', q: 'sea' } } },
    bob,
  )
  expect(await list(likes, null)).toEqual(['Sea open'])
})

test('private, deleted and blocked ones are not found, and deleting can be undone for 30 days', async () => {
  const carol = await signUp(site, 'carol')
  const hidden = await create({ scope: 'own' })
  const shown = await create({ scope: 'own', q: 'sea' }, 'public', 'Shown')
  await expect(site.call(getSmartCollection, byId(hidden), bob)).rejects.toMatchObject({ status: 404 })
  await expect(site.call(deleteSmartCollection, byId(shown), bob)).rejects.toMatchObject({ status: 403 })
  await site.call(blockUser, byId(carol), alice)
  await expect(site.call(getSmartCollection, byId(shown), carol)).rejects.toMatchObject({ status: 404 })
  await expect(list(shown, carol)).rejects.toMatchObject({ status: 404 })

  await site.call(deleteSmartCollection, byId(shown), alice)
  await expect(list(shown, alice)).rejects.toMatchObject({ status: 404 })
  const trash = await site.call(listTrashedSmartCollections, { query: {} }, alice)
  expect(trash.results).toMatchObject([{ id: shown.id, name: 'Shown' }])
  await expect(site.call(restoreSmartCollection, byId(shown), bob)).rejects.toMatchObject({ status: 404 })
  expect(await site.call(restoreSmartCollection, byId(shown), alice)).toMatchObject({ name: 'Shown' })
  expect(await list(shown, null)).toEqual(['Sea open'])
  await site.call(deleteSmartCollection, byId(shown), alice)
  await site.db`update smart_collections set deleted_at = now() - interval '31 days' where id = ${shown.id}`
  await purgeSmartCollections(site.db)
  await expect(site.call(restoreSmartCollection, byId(shown), alice)).rejects.toMatchObject({ status: 404 })
})
