import { reorderBookmark } from '@reelmark/contract/bookmark-order.ts'
import { listOrders, updateChannel } from '@reelmark/contract/collections.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { getPlayQueue, getPlayStart, type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import { markWatched } from '@reelmark/contract/watching.ts'
import { beforeEach, expect, test } from 'vitest'
import { createDestination, saveFilm, type TestDestination } from '../../testing/test-bookmarks.ts'
import { failedReply, type TestUser } from '../../testing/test-users.ts'
import { useSite } from '../../testing/use-site.ts'

const { site, alice, bob } = await useSite()
let destination: TestDestination

beforeEach(async () => {
  destination = await createDestination(site, alice)
})

let films = 0
const saveTo = async (bookmark: object = {}) => {
  films += 1
  return (
    await saveFilm(site, alice, films, { bookmark: { channel_id: destination.channel_id, ...bookmark } })
  ).id
}

const readQueue = (
  id: number,
  query: object = { channel: destination.channel_id },
  viewer: TestUser | null = null,
) => site.call(getPlayQueue, { params: { id }, query }, viewer)

const listIds = ({ results }: { results: { id: number }[] }) => results.map(({ id }) => id)

test('the queue of a channel has the order of its list and contains the requested bookmark with its position', async () => {
  const ids = []
  for (let n = 0; n < 30; n++) ids.unshift(await saveTo())
  site.statements.length = 0
  const first = await readQueue(ids[0] ?? 0)
  expect(site.statements).toHaveLength(1)
  expect(first).toMatchObject({
    count: 30,
    position: 1,
    channel: { id: destination.channel_id, name: 'A channel' },
    collection: { id: destination.collection_id, name: 'Another' },
    user_username: 'alice',
  })
  expect(listIds(first)).toEqual(ids.slice(0, 21))
  const later = await readQueue(ids[10] ?? 0)
  expect(later.position).toBe(11)
  expect(listIds(later)).toEqual(ids.slice(5, 30))
  // Bookmarks of an import have the same time: none is left out, and none occurs twice.
  await site.db`update bookmarks set created_at = now() where id = any (${ids})`
  const byId = ids.toSorted((a, b) => b - a)
  const same = await readQueue(byId[28] ?? 0)
  expect(same.position).toBe(29)
  expect(listIds(same)).toEqual(byId.slice(23))
})

test('the queue of a collection contains all its channels', async () => {
  const inChannel = await saveTo()
  const alone = await saveTo({ channel_id: null, collection_id: destination.collection_id })
  const queue = await readQueue(inChannel, { collection: destination.collection_id })
  expect(listIds(queue)).toEqual([alone, inChannel])
  expect(queue.channel).toBeNull()
  expect(queue.position).toBe(2)
  expect(listIds(await readQueue(inChannel))).toEqual([inChannel])
})

test('private, hidden and trashed bookmarks are not in the queue of other viewers', async () => {
  const open = await saveTo()
  const own = await saveTo({ access: 'private' })
  const trashed = await saveTo()
  await site.db`update bookmarks set deleted_at = now() where id = ${trashed}`
  const hidden = await saveTo()
  await site.db`
    update videos set status = 'hidden' where id = (select video_id from bookmarks where id = ${hidden})`
  for (const viewer of [null, bob]) {
    const queue = await readQueue(open, undefined, viewer)
    expect(listIds(queue)).toEqual([open])
    expect(queue.count).toBe(1)
    expect(await failedReply(readQueue(own, undefined, viewer))).toMatchObject({ status: 404 })
  }
  expect(listIds(await readQueue(open, undefined, alice))).toEqual([hidden, own, open])
  await site.db`update collections set access = 'private' where id = ${destination.collection_id}`
  expect(await failedReply(readQueue(open))).toMatchObject({ status: 404 })
  expect((await readQueue(open, undefined, alice)).count).toBe(3)
})

test('videos that the viewer watched are marked, for that viewer only', async () => {
  const id = await saveTo()
  await site.db`
    insert into watched_videos (user_id, video_id) select ${bob.id}, video_id from bookmarks where id = ${id}`
  expect((await readQueue(id, undefined, bob)).results).toMatchObject([{ is_watched: true }])
  expect((await readQueue(id)).results[0]?.is_watched).toBeFalsy()
})

test('a bookmark that is not in the requested channel or collection is answered with 404', async () => {
  const id = await saveTo()
  const other = await createDestination(site, alice)
  for (const query of [
    { channel: other.channel_id },
    { collection: other.collection_id },
    { channel: 9e15 },
  ]) {
    expect(await failedReply(readQueue(id, query))).toMatchObject({ status: 404 })
  }
  // Without parameters, the list is Explore.
  expect(await readQueue(id, {})).toMatchObject({ collection: null, channel: null, user_username: null })
  expect(await failedReply(readQueue(id, { channel: 'x' }))).toMatchObject({ status: 400 })
})

let waterfalls: ReturnType<typeof saveWaterfalls> | null = null
/** Saves 30 films of alice once, in a channel of their own; returns them newest first. A listing of each kind contains them. */
async function saveWaterfalls() {
  const films = []
  for (let n = 0; n < 30; n++) {
    films.unshift(
      await saveFilm(site, alice, `waterfall ${n}`, {
        video: { title: `Waterfall ${(n * 7) % 30}`, tags: ['cascade'], duration: ((n * 11) % 30) + 60 },
        bookmark: { channel_id: destination.channel_id },
      }),
    )
  }
  await site.call(followUser, { params: { id: alice.id } }, bob)
  for (const { video } of films) await site.call(toggleLike, { params: { id: video.id } }, bob)
  return { films, tag: 'cascade', channel: destination.channel_id }
}
const findWaterfalls = () => {
  waterfalls ??= saveWaterfalls()
  return waterfalls
}
const watch = (video: { id: number }) => site.call(markWatched, { params: { id: video.id } }, bob)

test('every list is played in its order, across its pages, from any of its bookmarks', async () => {
  const { tag, channel } = await findWaterfalls()
  const queries: ListingQuery[] = [
    { q: 'waterfall' },
    { q: 'waterfall', sort: 'newest' },
    { q: 'waterfall', sort: 'oldest' },
    { q: 'waterfall', sort: 'title' },
    // Misspelt: the list contains what similar words find.
    { q: 'waterfal' },
    { q: 'waterfall is:unwatched' },
    { tag },
    { tag, sort: 'random', seed: 77 },
    { liked_by: 'bob' },
    { user: 'alice' },
    { user: 'alice', q: 'waterfall', min_duration: 70 },
    { sort: 'following' },
    { channel, sort: 'shortest' },
    { sort: 'longest' },
    {},
  ]
  for (const query of queries) {
    const list = await site.call(listVideos, { query: { ...query, page_size: 100 } }, bob)
    const ids = listIds(list)
    expect(ids.length, JSON.stringify(query)).toBeGreaterThan(15)
    for (const index of [0, 3, 12, ids.length - 1]) {
      const queue = await readQueue(ids[index] ?? 0, query, bob)
      expect(listIds(queue), `${JSON.stringify(query)} at ${index}`).toEqual(
        ids.slice(Math.max(0, index - 5), index + 21),
      )
      expect(queue.count).toBe(list.count)
      if (query.sort !== 'following') expect(queue.position, JSON.stringify(query)).toBe(index + 1)
    }
  }
})

test('own bookmarks with the most saves are played in their order, also with filters', async () => {
  await findWaterfalls()
  for (const n of [3, 14, 15]) await saveFilm(site, bob, `waterfall ${n}`)
  const orders = [{ watched: false }, { min_duration: 70 }, { untagged: false, q: 'waterfall' }, {}]
  for (const filter of orders) {
    const query: ListingQuery = { user: 'alice', sort: 'most_saved', ...filter }
    const list = await site.call(listVideos, { query: { ...query, page_size: 100 } }, alice)
    const ids = listIds(list)
    expect(ids.length, JSON.stringify(query)).toBeGreaterThan(15)
    for (const index of [0, 3, ids.length - 1]) {
      const queue = await readQueue(ids[index] ?? 0, query, alice)
      expect(listIds(queue), `${JSON.stringify(query)} at ${index}`).toEqual(
        ids.slice(Math.max(0, index - 5), index + 21),
      )
      expect(queue.position).toBe(index + 1)
    }
  }
})

test('a queue continues in the order that the owner of its list chose, also far from the beginning and with filters', async () => {
  const { films, channel } = await findWaterfalls()
  const [first] = films
  await site.call(
    reorderBookmark,
    { params: { id: first?.id ?? 0 }, body: { channel, after: films[20]?.id ?? 0 } },
    alice,
  )
  for (const list_order of listOrders) {
    await site.call(updateChannel, { params: { id: channel }, body: { list_order } }, alice)
    for (const query of [{ channel }, { channel, min_duration: 65 }, { channel, q: 'is:unwatched' }]) {
      const ids = listIds(await site.call(listVideos, { query: { ...query, page_size: 100 } }, bob))
      const named = await site.call(
        listVideos,
        { query: { ...query, sort: list_order, page_size: 100 } },
        bob,
      )
      expect(listIds(named)).toEqual(ids)
      expect(await site.call(getPlayStart, { query }, bob)).toEqual({ bookmark_id: ids[0] })
      for (const index of [0, 20, ids.length - 1]) {
        const queue = await readQueue(ids[index] ?? 0, query, bob)
        expect(listIds(queue), `${list_order} ${JSON.stringify(query)} at ${index}`).toEqual(
          ids.slice(Math.max(0, index - 5), index + 21),
        )
        expect(queue.position).toBe(index + 1)
      }
    }
  }
  await site.call(updateChannel, { params: { id: channel }, body: { list_order: 'newest' } }, alice)
})

test('a random order begins with the chosen video, contains each video once, and depends on the seed', async () => {
  const { films, tag, channel } = await findWaterfalls()
  const start = films[17]
  const lists = [{ channel }, { tag }, { user: 'alice', tag }]
  for (const list of lists) {
    const shuffle = { ...list, shuffle: 5, shuffle_from: start?.video.id }
    const played: number[] = []
    let current: number | undefined = start?.id
    while (current !== undefined) {
      played.push(current)
      const { results } = await readQueue(current, shuffle, bob)
      current = results[results.findIndex(({ id }) => id === current) + 1]?.id
    }
    expect(played.toSorted()).toEqual(films.map(({ id }) => id).toSorted())
    const other = await readQueue(start?.id ?? 0, { ...shuffle, shuffle: 6 }, bob)
    expect(listIds(other)).not.toEqual(played.slice(0, 21))
  }
})

test('a list is played from the first video that the viewer has not watched', async () => {
  const { films, tag, ...list } = await findWaterfalls()
  const [first, second, third] = films
  const findStart = (query: object, viewer: TestUser | null) => site.call(getPlayStart, { query }, viewer)
  const channel = { channel: list.channel }
  for (const { video } of films.slice(0, 2)) await watch(video)
  for (const list of [channel, { tag }, { liked_by: 'bob' }, { user: 'alice' }]) {
    const page = await site.call(listVideos, { query: list })
    expect(await findStart(list, null)).toEqual({ bookmark_id: listIds(page)[0] })
  }
  expect(await findStart(channel, bob)).toEqual({ bookmark_id: third?.id })
  expect(await findStart({ ...channel, from_beginning: true }, bob)).toEqual({ bookmark_id: first?.id })
  expect(await findStart(channel, alice)).toEqual({ bookmark_id: first?.id })
  // A watched video stays in the queue of the unwatched ones at its place, so that the next one is known.
  const unwatched = { ...channel, q: 'is:unwatched' }
  expect(listIds(await readQueue(second?.id ?? 0, unwatched, bob)).slice(0, 2)).toEqual([
    second?.id,
    third?.id,
  ])
  // Misspelt: the list contains what similar words find.
  const misspelt = { q: 'waterfal', sort: 'newest' as const }
  expect(await findStart(misspelt, null)).toEqual({ bookmark_id: first?.id })
  expect(await findStart(misspelt, bob)).toEqual({ bookmark_id: third?.id })
  expect(await findStart({ ...misspelt, literal: true }, bob)).toEqual({ bookmark_id: null })
  for (const { video } of films) await watch(video)
  expect(await findStart(channel, bob)).toEqual({ bookmark_id: first?.id })
  expect(await findStart({ q: 'nothing-like-that', literal: true }, bob)).toEqual({ bookmark_id: null })
  expect(await failedReply(findStart({ sort: 'following' }, null))).toMatchObject({ status: 401 })
  expect(await failedReply(findStart({ shuffle: -1 }, null))).toMatchObject({ status: 400 })
})
