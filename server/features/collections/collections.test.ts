import { listChannels, listCollections } from '@reelmark/contract/collections.ts'
import { expect, test } from 'vitest'
import { createDestination, saveFilm, vaultDestination } from '../../testing/test-bookmarks.ts'
import { failedReply } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'

const { site, alice } = await useSite()

test('a new account has a collection with a channel', async () => {
  const { results, count } = await site.call(listCollections, { query: {} }, alice)
  expect(count).toBe(1)
  expect(results[0]).toMatchObject({
    name: 'My Vault',
    access: 'public',
    display_image_url: null,
    bookmarks_count: 0,
    channels: [{ name: 'General', bookmarks_count: 0, imageUrl: null }],
  })
})

test('a collection counts its bookmarks and shows the newest thumbnail among them', async () => {
  const destination = await createDestination(site, alice)
  for (const film of [1, 2]) {
    const { video } = await saveFilm(site, alice, film, { bookmark: { channel_id: destination.channel_id } })
    await site.db`update videos set thumbnail_key = ${`s${film}`}, thumbnail_large_key = 'l' where id = ${video.id}`
  }
  await saveFilm(site, alice, 3, { bookmark: { collection_id: destination.collection_id } })
  const { results } = await site.call(listCollections, { query: { user: 'ALICE' } })
  const collection = results.find(({ id }) => id === destination.collection_id)
  expect(collection).toMatchObject({ display_image_url: '/media/s2', bookmarks_count: 3 })
  expect(collection?.channels.map(({ bookmarks_count }) => bookmarks_count)).toEqual([2])
  const channels = await site.call(listChannels, { params: { id: destination.collection_id }, query: {} })
  expect(channels).toMatchObject({ count: 1, results: [{ id: destination.channel_id, bookmarks_count: 2 }] })
})

test('each list takes one statement, and a page past the end is answered with 404', async () => {
  const { collection_id } = await vaultDestination(site, alice)
  site.statements.length = 0
  await site.call(listCollections, { query: { user: 'alice' } })
  await site.call(listChannels, { params: { id: collection_id }, query: {} })
  expect(site.statements).toHaveLength(2)
  const past = site.call(listCollections, { query: { user: 'alice', page: 2 } })
  expect(await failedReply(past)).toEqual({
    status: 404,
    body: { detail: 'Invalid page.', code: 'invalid-page' },
  })
  expect(await site.call(listCollections, { query: { user: 'nobody' } })).toMatchObject({
    count: 0,
    results: [],
  })
})
