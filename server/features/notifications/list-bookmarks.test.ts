/** New bookmarks in followed collections and channels notify once, in the bell and in digests. */
import { blockUser } from '@reelmark/contract/blocks.ts'
import { updateCollection } from '@reelmark/contract/collections.ts'
import { followChannel, followCollection, followTag } from '@reelmark/contract/followed-lists.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { beforeEach, expect, test } from 'vitest'
import { createDestination, saveFilm, type TestDestination } from '../../testing/test-bookmarks.ts'
import type { TestUser } from '../../testing/test-users.ts'
import { useNotificationSite } from './notified-users.fixture.ts'
import { countForDigest, findListenersToNotify } from './queries.ts'

const { site, signUpNotifiedUsers, filmName, listFor, countUnreadFor, markRead } = await useNotificationSite()
let alice: TestUser
let bob: TestUser
let shelf: TestDestination
let films = 0
beforeEach(async () => {
  ;({ alice, bob } = await signUpNotifiedUsers())
  shelf = await createDestination(site, bob)
})

/** What Alice follows. */
const follows = {
  owner: () => site.call(followUser, { params: { id: bob.id } }, alice),
  collection: () => site.call(followCollection, { params: { id: shelf.collection_id } }, alice),
  channel: () => site.call(followChannel, { params: { id: shelf.channel_id } }, alice),
}
type Followed = keyof typeof follows
const save = (bookmark: Parameters<typeof saveFilm>[3] = {}) => {
  films += 1
  return saveFilm(site, bob, filmName(`${films}-`), { bookmark: shelf, ...bookmark })
}
const countInDigest = async (since = new Date(0)) => {
  const counts = await countForDigest(site.db, alice.id, since)
  return counts.find(({ kind }) => kind === 'new_bookmark_from_followed_user')?.count ?? 0
}
const isListening = async (id: number) => (await findListenersToNotify(site.db, id, [alice.id])).length

test.each(['collection', 'channel'] as const)(
  'a followed %s notifies of its latest bookmark until it is read',
  async (kind) => {
    await save()
    await follows[kind]()
    expect(await listFor(alice)).toMatchObject({ count: 0 })
    await save()
    const { id, created_at } = await save()
    const { count, results } = await listFor(alice)
    expect(count).toBe(1)
    expect(results[0]).toMatchObject({
      id: expect.stringMatching(/^bookmarks-in-\d+$/),
      kind: 'new_bookmark_from_followed_user',
      actors: [{ id: bob.id, username: bob.username }],
      actors_count: 1,
      bookmark: { id },
      bookmarks_count: 1,
      container: {
        kind,
        id: kind === 'collection' ? shelf.collection_id : shelf.channel_id,
        name: kind === 'collection' ? 'Another' : 'A channel',
      },
      created_at,
      is_read: false,
    })
    expect([await countUnreadFor(alice), await countInDigest()]).toEqual([1, 1])
    expect(await countInDigest(new Date(Date.now() + 1000))).toBe(0)
    expect(await markRead(alice, { ids: [results[0]?.id ?? ''] })).toEqual({ count: 0 })
    expect((await listFor(alice)).results).toMatchObject([{ bookmark: { id }, is_read: true }])
    expect(await countInDigest()).toBe(0)
    const next = await save()
    expect((await listFor(alice)).results).toMatchObject([{ bookmark: { id: next.id }, is_read: false }])
    expect(await markRead(alice, { all: true })).toEqual({ count: 0 })
    expect(await countInDigest()).toBe(0)
  },
)

test('ids of lists that others follow mark nothing as read', async () => {
  await follows.collection()
  await save()
  const [entry] = (await listFor(alice)).results
  await markRead(bob, { ids: [entry?.id ?? ''] })
  expect(await countUnreadFor(alice)).toBe(1)
})

const orders: Followed[][] = [
  ['owner', 'collection', 'channel'],
  ['owner', 'channel', 'collection'],
  ['collection', 'owner', 'channel'],
  ['collection', 'channel', 'owner'],
  ['channel', 'owner', 'collection'],
  ['channel', 'collection', 'owner'],
]
const cases = orders.flatMap((order) => [false, true].map((isRead) => ({ order, isRead })))
test.each(cases)(
  'no bookmark notifies twice: $order, read in between: $isRead',
  async ({ order, isRead }) => {
    for (const followed of order) {
      await follows[followed]()
      const before = await countUnreadFor(alice)
      const first = await save()
      expect(await isListening(first.id)).toBe((await countUnreadFor(alice)) - before)
      const second = await save()
      expect(await isListening(second.id)).toBe(0)
      const { results } = await listFor(alice)
      const unread = results.filter(({ is_read }) => !is_read)
      expect([await countUnreadFor(alice), await countInDigest()]).toEqual([unread.length, unread.length])
      const ids = results.map(({ bookmark }) => bookmark?.id)
      expect(ids).toContain(second.id)
      expect(new Set(ids).size).toBe(ids.length)
      if (!isRead) continue
      await markRead(alice, { all: true })
      const third = await save()
      expect([await countUnreadFor(alice), await isListening(third.id)]).toEqual([1, 1])
      await markRead(alice, { all: true })
    }
  },
)

test('what cannot be seen does not notify, nor do blocked and muted users, bookmarks elsewhere and followed tags', async () => {
  const numbers = async () => [
    (await listFor(alice)).count,
    await countUnreadFor(alice),
    await countInDigest(),
  ]
  const elsewhere = await createDestination(site, bob)
  await follows.collection()
  await follows.channel()
  await site.call(followTag, { body: { tag: 'sea' } }, alice)
  const hidden = [
    await save({ bookmark: { ...shelf, access: 'private' } }),
    await save({ bookmark: elsewhere, video: { tags: ['sea'] } }),
  ]
  for (const { id } of hidden) expect(await isListening(id)).toBe(0)
  expect(await numbers()).toEqual([0, 0, 0])
  const { id } = await save()
  expect(await numbers()).toEqual([1, 1, 1])
  const setAccess = (access: 'public' | 'private') =>
    site.call(updateCollection, { params: { id: shelf.collection_id }, body: { access } }, bob)
  await setAccess('private')
  expect([await numbers(), await isListening(id)]).toEqual([[0, 0, 0], 0])
  await setAccess('public')
  await site.db`update users set banned_at = now() where id = ${bob.id}`
  expect([await numbers(), await isListening(id)]).toEqual([[0, 0, 0], 0])
  await site.db`update users set banned_at = null where id = ${bob.id}`
  expect([await numbers(), await isListening(id)]).toEqual([[1, 1, 1], 1])
  await site.call(createMute, { body: { user_id: bob.id } }, alice)
  expect([await numbers(), await isListening(id)]).toEqual([[0, 0, 0], 0])
  await site.db`delete from mutes where user_id = ${alice.id}`
  // The follow is stored again, as if it were made at the same time as the block.
  await site.call(blockUser, { params: { id: alice.id } }, bob)
  await site.db`
    insert into followed_lists (user_id, collection_id, created_at)
    values (${alice.id}, ${shelf.collection_id}, now() - interval '1 day')`
  expect([await numbers(), await isListening(id)]).toEqual([[0, 0, 0], 0])
})

test('the switches for bookmarks of followed users turn it off', async () => {
  await follows.collection()
  const change = (body: object) =>
    site.call(updateProfile, { params: { username: alice.username }, body }, alice)
  await change({ notify_on_new_bookmark_from_followed_user: false })
  const { id } = await save()
  expect([(await listFor(alice)).count, await countUnreadFor(alice), await isListening(id)]).toEqual([
    0, 0, 0,
  ])
  expect(await countInDigest()).toBe(1)
  await change({
    notify_on_new_bookmark_from_followed_user: true,
    mail_on_new_bookmark_from_followed_user: false,
  })
  expect([await countUnreadFor(alice), await countInDigest()]).toEqual([1, 0])
})
