/** Changing bookmarks of one's own, one or many at once. */

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
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { createDestination, saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let alice: TestUser
let bob: TestUser
let films = 0
let people = 0

beforeAll(async () => {
  site = await bootApp()
  bob = await signUp(site, 'bob')
})
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `alice${people}`)
})
afterAll(() => site.close())

const byId = (id: number) => ({ params: { id } })
const saveTo = (bookmark: Parameters<typeof saveFilm>[3] = {}, who = alice): Promise<Bookmark> => {
  films += 1
  return saveFilm(site, who, films, bookmark)
}
const update = (id: number, body: Input<typeof updateBookmark>['body'], who = alice) =>
  site.call(updateBookmark, { ...byId(id), body }, who)
const bulk = (body: Input<typeof bulkUpdateBookmarks>['body'], who = alice) =>
  site.call(bulkUpdateBookmarks, { body }, who)
const putBack = (bookmarks: PreviousState[], who = alice) =>
  site.call(undoBookmarkChanges, { body: { bookmarks } }, who)
const trash = (id: number, who = alice) => site.call(trashBookmark, byId(id), who)
const restore = (id: number, who = alice) => site.call(restoreBookmark, byId(id), who)
const _idsInExplore = async () =>
  (await site.call(listVideos, { query: { page_size: 100 } })).results.map(({ id }) => id)

describe('a bookmark of one’s own', () => {
  test('takes other words, tags and access; what is not named stays', async () => {
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

  test('moves to a channel, out of it, and to another collection', async () => {
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
    const there = await saveFilm(site, alice, films, { bookmark: other })
    expect(await failedReply(update(id, other))).toEqual({
      status: 409,
      body: {
        detail: 'You already saved this video here.',
        code: 'already-saved',
        bookmark_id: there.id,
      },
    })
  })

  test('that a private collection hid stays hidden in a public one, unless it is said otherwise', async () => {
    const secret = await createDestination(site, alice, 'private')
    const vault = await vaultDestination(site, alice)
    const [one, two] = [await saveTo({ bookmark: secret }), await saveTo({ bookmark: secret })]
    expect(await update(one.id, vault)).toMatchObject({ access: 'private', is_public: false })
    expect(await update(two.id, { ...vault, access: 'public' })).toMatchObject({ is_public: true })
  })

  test('is nobody else’s to change: 403 where they see it, 404 where not', async () => {
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

  test('made public shows nothing that another user saved privately', async () => {
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

  test('refuses wrong types, a field at a time', async () => {
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
    const strange = await vaultDestination(site, bob)
    expect(await failedReply(bulk({ ids: [id], action: 'move', ...strange }))).toMatchObject({ status: 400 })
  })
})

describe('many at once', () => {
  test('are moved; what is there already, or twice among them, stays and is named', async () => {
    const other = await createDestination(site, alice)
    const vault = await vaultDestination(site, alice)
    const [one, two, there] = [await saveTo(), await saveTo(), await saveTo({ bookmark: other })]
    const twice = await saveFilm(site, alice, films)
    const loose = await saveFilm(site, alice, films - 2, {
      bookmark: { collection_id: vault.collection_id },
    })
    const ids = [one.id, two.id, there.id, twice.id, loose.id, 1e9, one.id]
    expect(await bulk({ ids, action: 'move', ...other })).toEqual({
      changed: 2,
      unchanged: 1,
      failed: [
        { id: twice.id, reason: 'already-saved', bookmark_id: there.id },
        { id: loose.id, reason: 'already-saved', bookmark_id: one.id },
        { id: 1e9, reason: 'not-found', bookmark_id: null },
      ],
      before: [one.id, two.id].map((id) => ({ id, ...vault, access: 'public' })),
    })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('get tags and lose them, are hidden, trashed and restored', async () => {
    const kept = [await saveTo({ bookmark: { tags: ['a', 'b'] } }), await saveTo()]
    const ids = kept.map(({ id }) => id)
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

  test('are put back where they were, seen by whom they were seen, by what the change answered', async () => {
    const secret = await createDestination(site, alice, 'private')
    const other = await createDestination(site, alice)
    const vault = await vaultDestination(site, alice)
    const kept = [
      await saveTo({ bookmark: { collection_id: vault.collection_id } }),
      await saveTo({ bookmark: secret }),
      await saveTo({ bookmark: { access: 'private' } }),
    ]
    const ids = kept.map(({ id }) => id)
    const destinations = async () =>
      (await Promise.all(ids.map((id) => site.call(getBookmark, byId(id), alice)))).map(
        ({ access, collection, channel }) => [collection.id, channel?.id, access],
      )
    const whereTheyWere = await destinations()
    const { before } = await bulk({ ids, action: 'move', ...other })
    expect(await destinations()).toEqual([
      [other.collection_id, other.channel_id, 'public'],
      [other.collection_id, other.channel_id, 'private'],
      [other.collection_id, other.channel_id, 'private'],
    ])
    expect(await putBack(before)).toEqual({ changed: 3, unchanged: 0, failed: [], before: [] })
    expect(await destinations()).toEqual(whereTheyWere)
    const seen = await bulk({ ids, action: 'access', access: 'private' })
    expect(seen.before.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(await putBack(seen.before)).toMatchObject({ changed: 2 })
    expect(await destinations()).toEqual(whereTheyWere)
    expect(await putBack(before)).toMatchObject({ changed: 0, unchanged: 3 })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('are not put back where there is no such place of one’s own any more, or the video is meanwhile', async () => {
    const other = await createDestination(site, alice)
    const vault = await vaultDestination(site, alice)
    const [one, two] = [await saveTo(), await saveTo()]
    const access = 'public' as const
    await bulk({ ids: [one.id, two.id], action: 'move', ...other })
    const bobs = await vaultDestination(site, bob)
    const again = await saveFilm(site, alice, films)
    expect(
      await putBack([
        { id: one.id, ...bobs, access },
        { id: two.id, ...vault, access },
      ]),
    ).toMatchObject({
      changed: 0,
      failed: [
        { id: two.id, reason: 'already-saved', bookmark_id: again.id },
        { id: one.id, reason: 'not-found' },
      ],
    })
    const mixed = { collection_id: vault.collection_id, channel_id: other.channel_id }
    expect(await putBack([{ id: one.id, ...mixed, access }])).toMatchObject({ changed: 0 })
    expect(await putBack([{ id: one.id, ...bobs, access }], bob)).toMatchObject({ changed: 0 })
    expect(await site.call(getBookmark, byId(one.id), alice)).toMatchObject({
      collection: { id: other.collection_id },
    })
  })

  test('five hundred are one request', async () => {
    const { collection_id } = await createDestination(site, alice)
    const rows = await site.db<{ id: number }[]>`
      with made as (
        insert into videos (canonical_url, source_url, host)
        select 'https://bulk.example.org/' || n, 'https://bulk.example.org/' || n, 'bulk.example.org'
          from generate_series(1, 500) n returning id)
      insert into bookmarks (user_id, video_id, collection_id, title, tags)
      select ${alice.id}, id, ${collection_id}, 'Bulk', array['x', 'y'] from made returning id`
    const ids = rows.map(({ id }) => id)
    const bodies: Input<typeof bulkUpdateBookmarks>['body'][] = [
      { ids, action: 'move', ...(await vaultDestination(site, alice)) },
      { ids, action: 'tag', tags: ['z'] },
      { ids, action: 'access', access: 'private' },
      { ids, action: 'trash' },
      { ids, action: 'remove' },
    ]
    for (const body of bodies) {
      const began = performance.now()
      expect(await bulk(body)).toMatchObject({ changed: 500 })
      process.stderr.write(`500, ${body.action}: ${Math.round(performance.now() - began)} ms\n`)
    }
    expect(await failedReply(bulk({ ids: [...ids, 1e9], action: 'trash' }))).toMatchObject({ status: 400 })
    expect(await counterMismatches(site)).toEqual([])
  })
})
