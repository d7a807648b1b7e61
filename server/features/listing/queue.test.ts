import { getQueue } from '@reelmark/contract/listing.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/app.ts'
import { failure, type PersonInTest, signUp } from '../../testing/people.ts'
import { makePlace, type PlaceInTest, save } from '../../testing/saving.ts'

let site: TestApp
let alice: PersonInTest
let bob: PersonInTest
let place: PlaceInTest

beforeAll(async () => {
  site = await bootApp()
  alice = await signUp(site, 'alice')
  bob = await signUp(site, 'bob')
})
afterAll(() => site.close())
beforeEach(async () => {
  place = await makePlace(site, alice)
})

let films = 0
const keep = async (bookmark: object = {}) => {
  films += 1
  return (await save(site, alice, films, { bookmark: { channel_id: place.channel_id, ...bookmark } })).id
}

const queueOf = (
  id: number,
  query: object = { channel: place.channel_id },
  who: PersonInTest | null = null,
) => site.call(getQueue, { params: { id }, query }, who)

const idsOf = ({ results }: { results: { id: number }[] }) => results.map(({ id }) => id)

test('a channel is played in the order of its list, around the bookmark asked about', async () => {
  const ids = []
  for (let n = 0; n < 30; n++) ids.unshift(await keep())
  site.statements.length = 0
  const first = await queueOf(ids[0] ?? 0)
  expect(site.statements).toHaveLength(1)
  expect(first).toMatchObject({
    count: 30,
    position: 1,
    channel: { id: place.channel_id, name: 'A channel' },
    collection: { id: place.collection_id, name: 'Another' },
    user_username: 'alice',
  })
  expect(idsOf(first)).toEqual(ids.slice(0, 21))
  const later = await queueOf(ids[10] ?? 0)
  expect(later.position).toBe(11)
  expect(idsOf(later)).toEqual(ids.slice(5, 30))
  // Those that one statement saved, an import, are of one moment: none is left out, none comes twice.
  await site.db`update bookmarks set created_at = now() where id = any (${ids})`
  const byId = ids.toSorted((a, b) => b - a)
  const same = await queueOf(byId[28] ?? 0)
  expect(same.position).toBe(29)
  expect(idsOf(same)).toEqual(byId.slice(23))
})

test('a collection is played with all its channels', async () => {
  const inChannel = await keep()
  const alone = await keep({ channel_id: null, collection_id: place.collection_id })
  const whole = await queueOf(inChannel, { collection: place.collection_id })
  expect(idsOf(whole)).toEqual([alone, inChannel])
  expect(whole.channel).toBeNull()
  expect(whole.position).toBe(2)
  expect(idsOf(await queueOf(inChannel))).toEqual([inChannel])
})

test('what is private, hidden or in the trash is in nobody else’s queue', async () => {
  const seen = await keep()
  const own = await keep({ access: 'private' })
  const trashed = await keep()
  await site.db`update bookmarks set deleted_at = now() where id = ${trashed}`
  const hidden = await keep()
  await site.db`
    update videos set status = 'hidden' where id = (select video_id from bookmarks where id = ${hidden})`
  for (const who of [null, bob]) {
    const queue = await queueOf(seen, undefined, who)
    expect(idsOf(queue)).toEqual([seen])
    expect(queue.count).toBe(1)
    expect(await failure(queueOf(own, undefined, who))).toMatchObject({ status: 404 })
  }
  expect(idsOf(await queueOf(seen, undefined, alice))).toEqual([hidden, own, seen])
  await site.db`update collections set access = 'private' where id = ${place.collection_id}`
  expect(await failure(queueOf(seen))).toMatchObject({ status: 404 })
  expect((await queueOf(seen, undefined, alice)).count).toBe(3)
})

test('what its viewer watched is marked, for them alone', async () => {
  const id = await keep()
  await site.db`
    insert into watched_videos (user_id, video_id) select ${bob.id}, video_id from bookmarks where id = ${id}`
  expect((await queueOf(id, undefined, bob)).results).toMatchObject([{ is_watched: true }])
  expect((await queueOf(id)).results[0]?.is_watched).toBeFalsy()
})

test('a bookmark that is not in that place has no queue there', async () => {
  const id = await keep()
  const other = await makePlace(site, alice)
  for (const query of [
    { channel: other.channel_id },
    { collection: other.collection_id },
    { channel: 9e15 },
  ]) {
    expect(await failure(queueOf(id, query))).toMatchObject({ status: 404 })
  }
  expect(await failure(queueOf(id, {}))).toMatchObject({ status: 400 })
  expect(await failure(queueOf(id, { channel: 'x' }))).toMatchObject({ status: 400 })
})
