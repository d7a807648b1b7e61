/** Changing own bookmarks, one or many at once. */

import {
  bulkUpdateBookmarks,
  type PreviousState,
  restoreBookmark,
  trashBookmark,
  undoBookmarkChanges,
  updateBookmark,
} from '@reelmark/contract/bookmark-changes.ts'
import { type Bookmark, getBookmark } from '@reelmark/contract/bookmarks.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { createDestination, saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'
import { useEmptySite } from '../../../testing/use-site.ts'

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
const saveTo = (bookmark: Parameters<typeof saveFilm>[3] = {}, user = alice): Promise<Bookmark> => {
  films += 1
  return saveFilm(site, user, films, bookmark)
}
const update = (id: number, body: Input<typeof updateBookmark>['body'], user = alice) =>
  site.call(updateBookmark, { ...byId(id), body }, user)
const bulk = (body: Input<typeof bulkUpdateBookmarks>['body'], user = alice) =>
  site.call(bulkUpdateBookmarks, { body }, user)
const undo = (bookmarks: PreviousState[], user = alice) =>
  site.call(undoBookmarkChanges, { body: { bookmarks } }, user)
const trash = (id: number, user = alice) => site.call(trashBookmark, byId(id), user)
const restore = (id: number, user = alice) => site.call(restoreBookmark, byId(id), user)

describe('an own bookmark', () => {
  test('gets a new title, tags and access, and keeps the fields that are not sent', async () => {
    const { id } = await saveTo({ bookmark: { description: 'Old', tags: ['old'] } })
    const changed = await update(id, { title: ' New ', tags: ['B ', 'b', 'a'] })
    expect(changed).toMatchObject({ title: 'New', description: 'Old', access: 'public' })
    expect(changed.tags.map(({ name }) => name)).toEqual(['b', 'a'])
    expect((await site.call(listVideos, { query: { tag: 'b' } })).results.map((item) => item.id)).toContain(
      id,
    )
    expect(await update(id, { access: 'private', description: '' })).toMatchObject({
      access: 'private',
      is_public: false,
      description: '',
    })
    expect(await failedReply(site.call(getBookmark, byId(id)))).toMatchObject({ status: 404 })
    expect(await update(id, {})).toMatchObject({ title: 'New' })
    expect((await failedReply(update(id, { title: '' }))).status).toBe(400)
    expect(await counterMismatches(site)).toEqual([])
  })

  test('can be moved to a channel, out of it, and to another collection', async () => {
    const vault = await vaultDestination(site, alice)
    const other = await createDestination(site, alice)
    const { id } = await saveTo()
    expect(await update(id, { channel_id: null })).toMatchObject({
      collection: { id: vault.collection_id },
      channel: null,
    })
    expect(await update(id, { channel_id: other.channel_id })).toMatchObject({
      collection: { id: other.collection_id },
      channel: { id: other.channel_id },
    })
    expect(await update(id, { collection_id: vault.collection_id })).toMatchObject({
      collection: { id: vault.collection_id },
      channel: null,
    })
    const bobs = await vaultDestination(site, bob)
    for (const body of [
      bobs,
      { channel_id: 1e9 },
      { collection_id: bobs.collection_id },
      { collection_id: vault.collection_id, channel_id: other.channel_id },
    ])
      expect(await failedReply(update(id, body))).toMatchObject({ status: 400 })
    const existing = await saveFilm(site, alice, films, { bookmark: other })
    expect(await failedReply(update(id, other))).toEqual({
      status: 409,
      body: {
        detail: 'You already saved this video here.',
        code: 'already-saved',
        bookmark_id: existing.id,
      },
    })
  })

  test('that is moved out of a private collection stays private unless the request makes it public', async () => {
    const secret = await createDestination(site, alice, 'private')
    const vault = await vaultDestination(site, alice)
    const [first, second] = [await saveTo({ bookmark: secret }), await saveTo({ bookmark: secret })]
    expect(await update(first.id, vault)).toMatchObject({ access: 'private', is_public: false })
    expect(await update(second.id, { ...vault, access: 'public' })).toMatchObject({ is_public: true })
  })

  test('cannot be changed by other users: 403 if they can see it, else 404', async () => {
    const [open, closed] = [await saveTo(), await saveTo({ bookmark: { access: 'private' } })]
    for (const [id, status] of [
      [open.id, 403],
      [closed.id, 404],
      [1e9, 404],
    ] as const) {
      expect(await failedReply(update(id, { title: 'x' }, bob))).toMatchObject({ status })
      expect(await failedReply(trash(id, bob))).toMatchObject({ status })
      expect(await failedReply(restore(id, bob))).toMatchObject({ status: 404 })
    }
    expect(await bulk({ ids: [open.id, closed.id], action: 'access', access: 'public' }, bob)).toMatchObject({
      changed: 0,
      failed: [
        { id: open.id, reason: 'not-found' },
        { id: closed.id, reason: 'not-found' },
      ],
    })
    expect(await site.call(getBookmark, byId(closed.id), alice)).toMatchObject({ access: 'private' })
  })

  test('that is made public reveals nothing that another user saved privately', async () => {
    const link = { source_url: 'https://films.example.org/whose' }
    await saveFilm(site, bob, 0, {
      video: { ...link, title: 'Bob’s secret' },
      bookmark: { access: 'private' },
    })
    const { id } = await saveFilm(site, alice, 0, {
      video: { ...link, title: 'Hers' },
      bookmark: { access: 'private' },
    })
    expect(JSON.stringify(await update(id, { access: 'public' }))).not.toContain('secret')
    expect(JSON.stringify(await site.call(getBookmark, byId(id)))).not.toContain('secret')
  })

  test('cannot be changed with invalid values, which are reported by field', async () => {
    const { id } = await saveTo()
    const send = (body: object) => failedReply(update(id, body as object))
    expect(await send({ title: 7 })).toMatchObject({
      status: 400,
      body: { code: 'invalid', title: [expect.any(String)] },
    })
    expect(await send({ collection_id: null })).toMatchObject({ status: 400 })
    expect(await send({ user_id: bob.id })).toMatchObject({ status: 400 })
    expect(await send({ tags: Array(31).fill('x') })).toMatchObject({ status: 400 })
    expect(await failedReply(bulk({ ids: [], action: 'trash' }))).toMatchObject({ status: 400 })
    expect(await failedReply(bulk({ ids: [id], action: 'move' }))).toMatchObject({ status: 400 })
    expect(await failedReply(bulk({ ids: [id], action: 'tag', tags: [' '] }))).toMatchObject({ status: 400 })
    expect(await failedReply(bulk({ ids: [id], action: 'access' }))).toMatchObject({ status: 400 })
    const others = await vaultDestination(site, bob)
    expect(await failedReply(bulk({ ids: [id], action: 'move', ...others }))).toMatchObject({ status: 400 })
  })
})

describe('a bulk update', () => {
  test('moves bookmarks and names those whose video is in the destination already or twice among them', async () => {
    const other = await createDestination(site, alice)
    const vault = await vaultDestination(site, alice)
    const [first, second, existing] = [await saveTo(), await saveTo(), await saveTo({ bookmark: other })]
    const duplicate = await saveFilm(site, alice, films)
    const loose = await saveFilm(site, alice, films - 2, {
      bookmark: { collection_id: vault.collection_id },
    })
    const ids = [first.id, second.id, existing.id, duplicate.id, loose.id, 1e9, first.id]
    expect(await bulk({ ids, action: 'move', ...other })).toEqual({
      changed: 2,
      unchanged: 1,
      failed: [
        { id: duplicate.id, reason: 'already-saved', bookmark_id: existing.id },
        { id: loose.id, reason: 'already-saved', bookmark_id: first.id },
        { id: 1e9, reason: 'not-found', bookmark_id: null },
      ],
      before: [first.id, second.id].map((id) => ({ id, ...vault, access: 'public' })),
    })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('adds and removes tags, changes access, trashes and restores', async () => {
    const saved = [await saveTo({ bookmark: { tags: ['a', 'b'] } }), await saveTo()]
    const ids = saved.map(({ id }) => id)
    const full = await saveTo({ bookmark: { tags: Array.from({ length: 30 }, (_, n) => `t${n}`) } })
    expect(await bulk({ ids: [...ids, full.id], action: 'tag', tags: ['B', 'c'] })).toEqual({
      changed: 2,
      unchanged: 0,
      failed: [{ id: full.id, reason: 'too-many-tags', bookmark_id: null }],
      before: [],
    })
    const tags = async (id: number) =>
      (await site.call(getBookmark, byId(id), alice)).tags.map(({ name }) => name)
    expect(await Promise.all(ids.map(tags))).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ])
    await bulk({ ids, action: 'untag', tags: ['b', 'a'] })
    expect(await Promise.all(ids.map(tags))).toEqual([['c'], ['c']])
    expect(await bulk({ ids, action: 'untag', tags: ['b'] })).toMatchObject({ changed: 0, unchanged: 2 })
    expect(await bulk({ ids, action: 'access', access: 'private' })).toMatchObject({ changed: 2 })
    expect(await bulk({ ids, action: 'trash' })).toMatchObject({ changed: 2 })
    expect(await bulk({ ids, action: 'trash' })).toMatchObject({ changed: 0, failed: [{}, {}] })
    expect(await bulk({ ids, action: 'restore' })).toMatchObject({ changed: 2, failed: [] })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('can be undone with the previous states that it returned', async () => {
    const secret = await createDestination(site, alice, 'private')
    const other = await createDestination(site, alice)
    const vault = await vaultDestination(site, alice)
    const saved = [
      await saveTo({ bookmark: { collection_id: vault.collection_id } }),
      await saveTo({ bookmark: secret }),
      await saveTo({ bookmark: { access: 'private' } }),
    ]
    const ids = saved.map(({ id }) => id)
    const destinations = async () =>
      (await Promise.all(ids.map((id) => site.call(getBookmark, byId(id), alice)))).map(
        ({ access, collection, channel }) => [collection.id, channel?.id, access],
      )
    const previous = await destinations()
    const { before } = await bulk({ ids, action: 'move', ...other })
    expect(await destinations()).toEqual([
      [other.collection_id, other.channel_id, 'public'],
      [other.collection_id, other.channel_id, 'private'],
      [other.collection_id, other.channel_id, 'private'],
    ])
    expect(await undo(before)).toEqual({ changed: 3, unchanged: 0, failed: [], before: [] })
    expect(await destinations()).toEqual(previous)
    const changed = await bulk({ ids, action: 'access', access: 'private' })
    expect(changed.before.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(await undo(changed.before)).toMatchObject({ changed: 2 })
    expect(await destinations()).toEqual(previous)
    expect(await undo(before)).toMatchObject({ changed: 0, unchanged: 3 })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('cannot be undone into a collection of another user, or where the video was saved again', async () => {
    const other = await createDestination(site, alice)
    const vault = await vaultDestination(site, alice)
    const [first, second] = [await saveTo(), await saveTo()]
    const access = 'public' as const
    await bulk({ ids: [first.id, second.id], action: 'move', ...other })
    const bobs = await vaultDestination(site, bob)
    const again = await saveFilm(site, alice, films)
    expect(
      await undo([
        { id: first.id, ...bobs, access },
        { id: second.id, ...vault, access },
      ]),
    ).toMatchObject({
      changed: 0,
      failed: [
        { id: second.id, reason: 'already-saved', bookmark_id: again.id },
        { id: first.id, reason: 'not-found' },
      ],
    })
    const mixed = { collection_id: vault.collection_id, channel_id: other.channel_id }
    expect(await undo([{ id: first.id, ...mixed, access }])).toMatchObject({ changed: 0 })
    expect(await undo([{ id: first.id, ...bobs, access }], bob)).toMatchObject({ changed: 0 })
    expect(await site.call(getBookmark, byId(first.id), alice)).toMatchObject({
      collection: { id: other.collection_id },
    })
  })

  test('changes five hundred bookmarks in one request, and refuses more', { tags: 'heavy' }, async () => {
    const { collection_id } = await createDestination(site, alice)
    const rows = await site.db<{ id: number }[]>`
      with created as (
        insert into videos (canonical_url, source_url, host)
        select 'https://bulk.example.org/' || n, 'https://bulk.example.org/' || n, 'bulk.example.org'
          from generate_series(1, 500) n returning id)
      insert into bookmarks (user_id, video_id, collection_id, title, tags)
      select ${alice.id}, id, ${collection_id}, 'Bulk', array['x', 'y'] from created returning id`
    const ids = rows.map(({ id }) => id)
    const bodies: Input<typeof bulkUpdateBookmarks>['body'][] = [
      { ids, action: 'move', ...(await vaultDestination(site, alice)) },
      { ids, action: 'tag', tags: ['z'] },
      { ids, action: 'access', access: 'private' },
      { ids, action: 'trash' },
      { ids, action: 'remove' },
    ]
    for (const body of bodies) {
      const start = performance.now()
      expect(await bulk(body)).toMatchObject({ changed: 500 })
      process.stderr.write(`500, ${body.action}: ${Math.round(performance.now() - start)} ms\n`)
    }
    expect(await failedReply(bulk({ ids: [...ids, 1e9], action: 'trash' }))).toMatchObject({ status: 400 })
    expect(await counterMismatches(site)).toEqual([])
  })
})
