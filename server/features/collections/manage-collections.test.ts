/** Creating, changing and ordering collections and channels, and deleting channels. */
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import {
  createChannel,
  createCollection,
  deleteChannel,
  deleteCollection,
  getChannel,
  getCollection,
  listChannels,
  listCollections,
  reorderChannels,
  reorderCollections,
  updateChannel,
  updateCollection,
} from '@reelmark/contract/collections.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
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
import { syncBookmarkVisibility } from './visibility-sync.ts'

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
const listNames = async (user: TestUser) =>
  (await site.call(listCollections, { query: {} }, user)).results.map(({ name }) => name)
const saveTo = (bookmark: { collection_id?: number; channel_id?: number }) => {
  films += 1
  return saveFilm(site, alice, films, { bookmark })
}

describe('collections', () => {
  test('are created after the existing ones, visible according to their access, and can be renamed and reordered', async () => {
    const created = await site.call(createCollection, { body: { name: ' Films ' } }, alice)
    expect(created).toMatchObject({
      name: 'Films',
      description: '',
      access: 'public',
      channels: [],
      bookmarks_count: 0,
      is_owner: true,
      user: { username: alice.username },
    })
    const secret = await site.call(createCollection, { body: { name: 'Secret', access: 'private' } }, alice)
    // Two collections may have the same name.
    await site.call(createCollection, { body: { name: 'Films' } }, alice)
    expect(await listNames(alice)).toEqual(['My Vault', 'Films', 'Secret', 'Films'])
    expect(await site.call(getCollection, byId(created.id), bob)).toMatchObject({ is_owner: false })
    expect(await site.call(getCollection, byId(created.id))).toMatchObject({ name: 'Films', is_owner: false })
    for (const other of [bob, null]) {
      const reading = site.call(getCollection, byId(secret.id), other)
      expect(await failedReply(reading)).toMatchObject({ status: 404 })
    }
    await site.call(reorderCollections, { body: { ids: [secret.id, created.id] } }, alice)
    expect(await listNames(alice)).toEqual(['Secret', 'Films', 'My Vault', 'Films'])
    const changed = await site.call(
      updateCollection,
      { ...byId(created.id), body: { name: 'Movies', description: 'Long ones' } },
      alice,
    )
    expect(changed).toMatchObject({ name: 'Movies', description: 'Long ones', access: 'public' })
    expect((await site.call(updateCollection, { ...byId(created.id), body: {} }, alice)).name).toBe('Movies')
  })

  test('cannot be changed, ordered or deleted by other users', async () => {
    const { collection_id, channel_id } = await createDestination(site, bob)
    const body = { name: 'Taken over' }
    for (const [call, status] of [
      [() => site.call(updateCollection, { ...byId(collection_id), body }, alice), 403],
      [
        () => site.call(deleteCollection, { ...byId(collection_id), query: { bookmarks: 'delete' } }, alice),
        403,
      ],
      [() => site.call(createChannel, { ...byId(collection_id), body }, alice), 403],
      [() => site.call(updateChannel, { ...byId(channel_id), body }, alice), 403],
      [() => site.call(deleteChannel, { ...byId(channel_id), query: {} }, alice), 403],
      [() => site.call(reorderCollections, { body: { ids: [collection_id] } }, alice), 400],
      [() => site.call(updateCollection, { ...byId(999_999), body }, alice), 404],
      [() => site.call(updateChannel, { ...byId(999_999), body }, alice), 404],
    ] as const)
      expect(await failedReply(call())).toMatchObject({ status })
    expect(await listNames(bob)).toContain('Another')
  })

  test('with blank or long names, or wrong types, are refused with errors by field', async () => {
    const send = (body: object) =>
      failedReply(site.call(createCollection, { body: body as { name: string } }, alice))
    expect(await send({ name: '  ' })).toEqual({
      status: 400,
      body: { code: 'invalid', name: ['This field is required.'] },
    })
    expect(await send({ name: 'x'.repeat(101), access: 'friends' })).toMatchObject({
      status: 400,
      body: { code: 'invalid', access: ['Not a valid choice.'] },
    })
    expect(await send({ name: 7, user_id: bob.id })).toMatchObject({ status: 400 })
  })

  test('are limited to a thousand, with two hundred channels each', async () => {
    const { collection_id } = await vaultDestination(site, alice)
    await site.db`insert into collections (user_id, name) select ${alice.id}, 'n' from generate_series(1, 998)`
    await site.db`insert into channels (collection_id, name) select ${collection_id}, 'n' from generate_series(1, 198)`
    const twice = <T>(call: () => Promise<T>) => Promise.allSettled([call(), call()])
    const created = await twice(() => site.call(createCollection, { body: { name: 'the last' } }, alice))
    expect(created.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const channels = await twice(() =>
      site.call(createChannel, { ...byId(collection_id), body: { name: 'the last' } }, alice),
    )
    expect(channels.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await failedReply(site.call(createCollection, { body: { name: 'more' } }, alice))).toMatchObject({
      status: 409,
    })
  })

  test('are created once for calls with the same Idempotency-Key, as channels are', async () => {
    const { collection_id } = await vaultDestination(site, alice)
    for (const url of ['/api/collections/', `/api/collections/${collection_id}/channels/`]) {
      const send = () =>
        site.app.inject({
          method: 'POST',
          url,
          headers: { authorization: `Bearer ${alice.access}`, 'idempotency-key': `make ${url}` },
          payload: { name: 'Once' },
        })
      const [first, again] = [await send(), await send()]
      expect([first.statusCode, again.statusCode]).toEqual([201, 201])
      expect(again.body).toBe(first.body)
      expect(again.headers['idempotency-replayed']).toBe('true')
    }
    expect(await listNames(alice)).toEqual(['My Vault', 'Once'])
  })

  test('made private hide their bookmarks at once from lists, pages and counts', async () => {
    const { collection_id, channel_id } = await createDestination(site, alice)
    const { id, video } = await saveTo({ channel_id })
    const change = (access: 'public' | 'private') =>
      site.call(updateCollection, { ...byId(collection_id), body: { access } }, alice)
    await change('private')
    for (const other of [bob, null]) {
      for (const call of [
        () => site.call(getBookmark, byId(id), other),
        () => site.call(getCollection, byId(collection_id), other),
        () => site.call(getChannel, byId(channel_id), other),
        () => site.call(listChannels, { ...byId(collection_id), query: {} }, other),
      ])
        expect(await failedReply(call())).toMatchObject({ status: 404 })
      for (const query of [
        { collection: collection_id },
        { channel: channel_id },
        { user: alice.username },
        {},
      ]) {
        const { results } = await site.call(listVideos, { query }, other)
        expect(results.filter((item) => item.video_id === video.id)).toEqual([])
      }
      const listed = await site.call(listCollections, { query: { user: alice.username } }, other)
      expect(listed).toMatchObject({ count: 1, results: [{ name: 'My Vault' }] })
    }
    expect(await site.call(getBookmark, byId(id), alice)).toMatchObject({
      access: 'public',
      is_public: false,
    })
    expect((await change('public')).bookmarks_count).toBe(1)
    expect(await site.call(getBookmark, byId(id))).toMatchObject({ id })
    expect(await counterMismatches(site)).toEqual([])
  })
})

describe('a collection with more bookmarks than one statement updates', () => {
  const countHidden = async (id: number) => {
    const [row] = await site.db<{ count: number }[]>`
      select count(*) from bookmarks where collection_id = ${id} and not is_visible`
    return row?.count
  }

  test('has hidden or shown all of them when the change of its access is answered', {
    tags: 'heavy',
  }, async () => {
    const { collection_id } = await createDestination(site, alice)
    await insertBookmarks(site, alice, collection_id, 1200)
    for (const [access, count] of [
      ['private', 1200],
      ['public', 0],
    ] as const) {
      await site.call(updateCollection, { ...byId(collection_id), body: { access } }, alice)
      expect(await countHidden(collection_id)).toBe(count)
      expect(await counterMismatches(site)).toEqual([])
    }
    // If the process dies, the job inserted with the change completes it.
    const jobs = await site.db`
      select data from jobs.job where name = 'sync-collection-visibility' and data->>'collection_id' = ${String(collection_id)}`
    expect(jobs).toHaveLength(2)
    await site.db`update collections set access = 'private' where id = ${collection_id}`
    expect(await countHidden(collection_id)).toBe(0)
    await syncBookmarkVisibility(site.db, collection_id)
    expect(await countHidden(collection_id)).toBe(1200)
  })
})

describe('channels', () => {
  test('are created, shown with their collection, renamed and reordered', async () => {
    const { collection_id, channel_id } = await vaultDestination(site, alice)
    const create = (name: string) =>
      site.call(createChannel, { ...byId(collection_id), body: { name } }, alice)
    const [first, second] = [await create('One'), await create('Two')]
    expect(first).toMatchObject({
      name: 'One',
      collection: { id: collection_id, name: 'My Vault', access: 'public' },
      is_owner: true,
      bookmarks_count: 0,
    })
    await site.call(updateChannel, { ...byId(first.id), body: { name: 'First', position: 9 } }, alice)
    await site.call(reorderChannels, { ...byId(collection_id), body: { ids: [second.id] } }, alice)
    const { results } = await site.call(listChannels, { ...byId(collection_id), query: {} })
    expect(results.map(({ name }) => name)).toEqual(['Two', 'General', 'First'])
    const unknownId = site.call(
      reorderChannels,
      { ...byId(collection_id), body: { ids: [channel_id, 1e9] } },
      alice,
    )
    expect(await failedReply(unknownId)).toMatchObject({
      status: 400,
      body: { code: 'invalid', ids: [expect.any(String)] },
    })
  })

  test('with bookmarks are deleted once the owner chose to keep, move or delete those', async () => {
    const { collection_id, channel_id } = await createDestination(site, alice)
    const vault = await vaultDestination(site, alice)
    const bookmark = await saveTo({ channel_id })
    const remove = (id: number, query: Parameters<typeof site.call<typeof deleteChannel>>[1]['query']) =>
      site.call(deleteChannel, { ...byId(id), query }, alice)
    expect(await failedReply(remove(channel_id, {}))).toMatchObject({
      status: 409,
      body: { bookmarks_count: 1 },
    })
    expect(
      await failedReply(remove(channel_id, { bookmarks: 'move', to_channel: channel_id })),
    ).toMatchObject({
      status: 400,
    })
    expect(await remove(channel_id, { bookmarks: 'move', to_channel: vault.channel_id })).toEqual({
      moved: 1,
      trashed: 0,
    })
    expect(await readDestination(site, bookmark.id)).toMatchObject(vault)
    expect(await remove(vault.channel_id, { bookmarks: 'stay' })).toEqual({ moved: 1, trashed: 0 })
    expect(await readDestination(site, bookmark.id)).toMatchObject({
      ...vault,
      channel_id: null,
      is_trashed: false,
    })
    const next = await site.call(createChannel, { ...byId(collection_id), body: { name: 'Next' } }, alice)
    const last = await saveTo({ channel_id: next.id })
    expect(await remove(next.id, { bookmarks: 'delete' })).toEqual({ moved: 0, trashed: 1 })
    expect(await readDestination(site, last.id)).toMatchObject({
      collection_id,
      channel_id: null,
      is_trashed: true,
    })
    expect(await counterMismatches(site)).toEqual([])
  })
})

test('reading a collection or a channel takes one statement', async () => {
  const { collection_id, channel_id } = await vaultDestination(site, alice)
  site.statements.length = 0
  await site.call(getCollection, byId(collection_id))
  await site.call(getChannel, byId(channel_id))
  expect(site.statements).toHaveLength(2)
})
