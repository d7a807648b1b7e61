import { getPlayQueue } from '@reelmark/contract/listing.ts'
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
  expect(await failedReply(readQueue(id, {}))).toMatchObject({ status: 400 })
  expect(await failedReply(readQueue(id, { channel: 'x' }))).toMatchObject({ status: 400 })
})
