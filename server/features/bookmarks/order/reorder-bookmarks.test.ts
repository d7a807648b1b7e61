import { bulkUpdateBookmarks, restoreBookmark, trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { reorderBookmark } from '@reelmark/contract/bookmark-order.ts'
import { collectBookmark } from '@reelmark/contract/collect.ts'
import {
  getChannel,
  getCollection,
  listOrders,
  updateChannel,
  updateCollection,
} from '@reelmark/contract/collections.ts'
import { getPlayQueue, type ListingPage, type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDestination, saveFilm, type TestDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { maxKeyLength } from './order-keys.ts'

const { site, alice, bob } = await useSite()
let collection: number
let channel: number

beforeEach(async () => {
  const destination = await createDestination(site, alice)
  collection = destination.collection_id
  channel = destination.channel_id
})

let films = 0
const save = async (title = 'Film', destination: Partial<TestDestination> = {}) => {
  films += 1
  const bookmark = { collection_id: collection, ...destination }
  return (await saveFilm(site, alice, `order-${films}`, { video: { title }, bookmark })).id
}
/** Saves bookmarks and returns their ids, newest first. */
const saveSome = async (count: number, destination: Partial<TestDestination> = {}) => {
  const ids: number[] = []
  for (let n = 0; n < count; n++) ids.unshift(await save('Film', destination))
  return ids
}
const listIds = async (query: Partial<ListingQuery>, viewer: TestUser | null = alice) =>
  (await site.call(listVideos, { query }, viewer)).results.map(({ id }) => id)
const move = (id: number, body: object, user = alice) =>
  site.call(reorderBookmark, { params: { id }, body: { collection, ...body } }, user)

describe('moving a bookmark', () => {
  test('puts it after another one, at the top or at a position, for every viewer and in the play queue', async () => {
    const [a, b, c, d] = (await saveSome(4)) as [number, number, number, number]
    expect(await move(a, { after: c })).toEqual({ after: c, previous_after: null })
    expect(await listIds({ collection })).toEqual([b, c, a, d])
    expect(await move(d, { after: null })).toEqual({ after: null, previous_after: a })
    expect(await listIds({ collection }, bob)).toEqual([d, b, c, a])
    expect(await move(d, { position: 3 })).toEqual({ after: c, previous_after: null })
    expect(await move(b, { position: 100 })).toEqual({ after: a, previous_after: null })
    expect(await listIds({ collection }, null)).toEqual([c, d, a, b])
    // A move to where it is changes nothing.
    expect(await move(d, { position: 2 })).toEqual({ after: c, previous_after: c })
    expect(await listIds({ collection })).toEqual([c, d, a, b])
    const queue = await site.call(getPlayQueue, { params: { id: d }, query: { collection } }, bob)
    expect(queue.results.map(({ id }) => id)).toEqual([c, d, a, b])
    expect(queue.position).toBe(2)
    // The other orders are still available by name.
    expect(await listIds({ collection, sort: 'oldest' })).toEqual([d, c, b, a])
    expect(await listIds({ collection, sort: 'newest' })).toEqual([a, b, c, d])
  })

  test('can be undone with the bookmark that it came after', async () => {
    const ids = (await saveSome(3)) as [number, number, number]
    const { previous_after } = await move(ids[1], { after: null })
    await move(ids[1], { after: previous_after })
    expect(await listIds({ collection })).toEqual(ids)
  })

  test('puts this list into manual order, and no other list', async () => {
    const [a, b] = (await saveSome(2, { channel_id: channel })) as [number, number]
    await site.call(reorderBookmark, { params: { id: b }, body: { channel, after: null } }, alice)
    expect(await listIds({ channel })).toEqual([b, a])
    expect(await listIds({ collection })).toEqual([a, b])
    const shown = await site.call(getChannel, { params: { id: channel } }, bob)
    expect(shown.list_order).toBe('manual')
    expect((await site.call(getCollection, { params: { id: collection } }, bob)).list_order).toBe('newest')
  })

  test('is refused with a clear error if the neighbour has left the list, and for bookmarks of others', async () => {
    const [a, b] = (await saveSome(2)) as [number, number]
    const elsewhere = await save('Film', await createDestination(site, alice))
    const refusal = (id: number, body: object, user = alice) =>
      failedReply(site.call(reorderBookmark, { params: { id }, body: { collection, ...body } }, user))
    for (const after of [elsewhere, a, 4_000_000_000]) {
      expect(await refusal(a, { after })).toMatchObject({
        status: 409,
        body: { code: 'neighbour-missing' },
      })
    }
    await site.call(trashBookmark, { params: { id: b } }, alice)
    expect(await refusal(a, { after: b })).toMatchObject({
      status: 409,
      body: { code: 'neighbour-missing' },
    })
    expect(await refusal(b, { after: null })).toMatchObject({ status: 404 })
    expect(await refusal(elsewhere, { after: null })).toMatchObject({ status: 404 })
    expect(await refusal(a, { after: null }, bob)).toMatchObject({ status: 404 })
    expect(await refusal(a, {})).toMatchObject({ status: 400 })
    expect(await refusal(a, { after: null, position: 1 })).toMatchObject({ status: 400 })
    expect(await refusal(a, { after: null, channel })).toMatchObject({ status: 400 })
    expect((await site.call(getCollection, { params: { id: collection } }, bob)).list_order).toBe('newest')
  })

  test('to any position is accepted if it is the only one of the list', async () => {
    const [only] = (await saveSome(1)) as [number]
    expect(await move(only, { position: 7 })).toEqual({ after: null, previous_after: null })
  })
})

describe('a list in manual order', () => {
  test('shows bookmarks at the top that were saved, collected, or moved there', async () => {
    const [a, b] = (await saveSome(2)) as [number, number]
    await move(b, { after: null })
    const saved = await save()
    const other = await createDestination(site, alice)
    const moved = await save('Old', { collection_id: other.collection_id })
    const source = (await saveFilm(site, bob, 'order-of-bob')).id
    const collected = await site.call(
      collectBookmark,
      { body: { bookmark: source, collection, channel: null } },
      alice,
    )
    await site.call(
      bulkUpdateBookmarks,
      { body: { ids: [moved], action: 'move', collection_id: collection } },
      alice,
    )
    expect(await listIds({ collection })).toEqual([moved, collected.id, saved, b, a])
    await move(a, { after: null })
    const newest = await save()
    expect(await listIds({ collection })).toEqual([newest, a, moved, collected.id, saved, b])
  })

  test('shows a bookmark where it was after it comes back from the trash', async () => {
    const [a, b, c, d] = (await saveSome(4)) as [number, number, number, number]
    await move(a, { after: b })
    await site.call(trashBookmark, { params: { id: a } }, alice)
    await move(d, { after: b })
    await site.call(restoreBookmark, { params: { id: a } }, alice)
    expect(await listIds({ collection })).toEqual([b, d, a, c])
  })

  test('has pages by number and by cursor, and goes on in the order of its first page', async () => {
    const ids = await saveSome(7)
    const order = [...ids.slice(1), ids[0] as number]
    await move(ids[0] as number, { after: ids[6] })
    const first = await site.call(listVideos, { query: { collection, page_size: 3 } }, null)
    expect(first.results.map(({ id }) => id)).toEqual(order.slice(0, 3))
    expect(await listIds({ collection, page_size: 3, page: 2 })).toEqual(order.slice(3, 6))
    await site.call(updateCollection, { params: { id: collection }, body: { list_order: 'oldest' } }, alice)
    const second: ListingPage = (await site.app.inject({ url: first.next ?? '' })).json()
    expect(second.results.map(({ id }) => id)).toEqual(order.slice(3, 6))
    const back: ListingPage = (await site.app.inject({ url: second.previous ?? '' })).json()
    expect(back.results).toEqual(first.results)
  })
})

test('an owner chooses the order in which a list is shown by default, and no one else', async () => {
  const titles = ['Bees', 'ants', 'Cats']
  const ids = []
  for (const title of titles) ids.push(await save(title, { channel_id: channel }))
  const [bees, ants, cats] = ids as [number, number, number]
  await site.call(reorderBookmark, { params: { id: ants }, body: { channel, after: null } }, alice)
  const orders = {
    manual: [ants, cats, bees],
    newest: [cats, ants, bees],
    oldest: [bees, ants, cats],
    title: [ants, bees, cats],
  }
  for (const list_order of listOrders) {
    const { list_order: stored } = await site.call(
      updateChannel,
      { params: { id: channel }, body: { list_order } },
      alice,
    )
    expect(stored).toBe(list_order)
    expect(await listIds({ channel }, bob), list_order).toEqual(orders[list_order])
    expect(await listIds({ channel, sort: list_order }, null), list_order).toEqual(orders[list_order])
    const queue = await site.call(getPlayQueue, { params: { id: bees }, query: { channel } }, null)
    expect(queue.results.map(({ id }) => id)).toEqual(orders[list_order])
    expect(queue.position).toBe(orders[list_order].indexOf(bees) + 1)
  }
  const refused = site.call(updateChannel, { params: { id: channel }, body: { list_order: 'manual' } }, bob)
  expect(await failedReply(refused)).toMatchObject({ status: 403 })
  const explore = site.call(listVideos, { query: { sort: 'manual' } }, null)
  expect(await failedReply(explore)).toMatchObject({ status: 400 })
})

test('keys stay short when bookmarks are moved to the same gap again and again', {
  timeout: 240_000,
}, async () => {
  const ids = await saveSome(80)
  const order = [...ids]
  const first = ids[0] as number
  for (let n = 0; n < 450; n++) {
    // Alternates between the beginning and the end of the same gap, which shrinks with every move.
    const id = order[n % 2 === 0 ? 3 : order.length - 1] as number
    const after = n % 2 === 0 ? first : (order[1] as number)
    if (id === after) continue
    order.splice(order.indexOf(id), 1)
    order.splice(order.indexOf(after) + 1, 0, id)
    await move(id, { after })
  }
  expect(await listIds({ collection, page_size: 100 })).toEqual(order)
  const keys = await site.db<{ length: number }[]>`
    select max(length(collection_order_key)) as length from bookmarks where collection_id = ${collection}`
  expect(keys[0]?.length).toBeLessThanOrEqual(maxKeyLength)
})

test('bookmarks with the same key are separated by the next move between them', async () => {
  const ids = await saveSome(5)
  await site.db`update bookmarks set collection_order_key = 'M8000000000000a' where id = any (${ids})`
  const tied = ids.toSorted((a, b) => a - b) as [number, number, number, number, number]
  expect(await listIds({ collection, sort: 'manual' })).toEqual(tied)
  await move(tied[4], { after: tied[1] })
  expect(await listIds({ collection })).toEqual([tied[0], tied[1], tied[4], tied[2], tied[3]])
  const [found] = await site.db<[{ keys: number }]>`
    select count(distinct collection_order_key) as keys from bookmarks where id = any (${ids})`
  expect(found.keys).toBe(5)
})
