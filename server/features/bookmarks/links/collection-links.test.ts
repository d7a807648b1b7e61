import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { getCase } from '@reelmark/contract/cases.ts'
import {
  createCollectionLink,
  deleteCollectionLink,
  getCollectionLink,
  getUnlistedBookmark,
  getUnlistedCollection,
  updateCollectionLink,
} from '@reelmark/contract/collection-links.ts'
import { deleteCollection, listOrders, updateCollection } from '@reelmark/contract/collections.ts'
import { createContentRule, deleteContentRule } from '@reelmark/contract/content-rules.ts'
import { createReport, listOwnReports } from '@reelmark/contract/reports.ts'
import { beforeEach, expect, test } from 'vitest'
import { rotateKeys } from '../../../core/auth/rotate-keys.ts'
import { loadServerKeys } from '../../../core/auth/server-keys.ts'
import { createDestination, saveFilm, type TestDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUpModerator } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { readLink } from './queries.ts'

const { site, alice, bob } = await useSite()
let secret: TestDestination
let open: Bookmark
let hidden: Bookmark
let filmCount = 0
const newFilm = () => {
  filmCount += 1
  return `link-${filmCount}`
}
const inSecret = (access: 'public' | 'private') =>
  saveFilm(site, alice, newFilm(), {
    bookmark: { ...secret, access, private_note: 'Mine only' },
  })

beforeEach(async () => {
  secret = await createDestination(site, alice, 'private')
  open = await inSecret('public')
  hidden = await inSecret('private')
})

const params = () => ({ params: { id: secret.collection_id } })
const create = (shows_private = true) =>
  site.call(createCollectionLink, { ...params(), body: { shows_private } }, alice)
const readToken = async (shows_private?: boolean) => (await create(shows_private)).link?.token ?? ''
const view = (token: string, query = {}) => site.call(getUnlistedCollection, { params: { token }, query })
const viewBookmark = (token: string, id: number) => site.call(getUnlistedBookmark, { params: { token, id } })
const notFound = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }

test('a link shows a private collection and its bookmarks to visitors, without private notes', async () => {
  const { link, public_count, private_count } = await create()
  expect({ public_count, private_count }).toEqual({ public_count: 1, private_count: 1 })
  expect(link?.token).toMatch(/^[\w-]{43}$/)
  const collection = await view(link?.token ?? '')
  expect(collection).toMatchObject({ user: { username: 'alice' }, count: 2, next: null })
  expect(collection.results.map(({ id }) => id)).toEqual([hidden.id, open.id])
  expect(collection.results[0]).not.toHaveProperty('user_username')
  const bookmark = await viewBookmark(link?.token ?? '', hidden.id)
  expect(bookmark).toMatchObject({
    id: hidden.id,
    is_owner: false,
    video: { saves_count: 0, likes_count: 0 },
  })
  expect(JSON.stringify(bookmark)).not.toContain('Mine only')
  // Without the link, nothing changes.
  for (const url of [`/api/collections/${secret.collection_id}/`, `/api/bookmarks/${hidden.id}/`])
    expect((await site.app.inject(url)).statusCode).toBe(404)
  const { body } = await site.app.inject(`/api/videos/?collection=${secret.collection_id}`)
  expect(JSON.parse(body).count).toBe(0)
})

test('a link shows users which of the videos they watched, and visitors no marks', async () => {
  const token = await readToken()
  // While it was public elsewhere: users mark only what they can see without the link.
  await site.db`insert into watched_videos (user_id, video_id) values (${bob.id}, ${open.video.id})`
  const marks = async (viewer: typeof bob | null) => {
    const { results } = await site.call(getUnlistedCollection, { params: { token }, query: {} }, viewer)
    return results.map(({ is_watched }) => is_watched)
  }
  expect(await marks(bob)).toEqual([false, true])
  expect(await marks(null)).toEqual([undefined, undefined])
  expect(await marks(alice)).toEqual([false, false])
  site.statements.length = 0
  await marks(bob)
  // One for the session and one for the page.
  expect(site.statements).toHaveLength(2)
})

test('a link leaves out private bookmarks if its owner chose so, and pages the others', async () => {
  const token = await readToken(false)
  expect((await view(token)).results.map(({ id }) => id)).toEqual([open.id])
  expect(await failedReply(viewBookmark(token, hidden.id))).toEqual(notFound)
  await site.call(updateCollectionLink, { ...params(), body: { shows_private: true } }, alice)
  const first = await view(token, { page_size: 1 })
  expect([first.count, first.results.length]).toEqual([2, 1])
  const next = await site.app.inject(first.next ?? '')
  expect(next.json().results).toMatchObject([{ id: open.id }])
  expect(await failedReply(view(token, { page: 3 }))).toMatchObject({ status: 404 })
})

test('visitors choose the order of a collection, and without a choice it has the order of its owner', async () => {
  const token = await readToken()
  const titled = await saveFilm(site, alice, newFilm(), { bookmark: { ...secret, title: 'A first title' } })
  const all = {
    newest: [titled, hidden, open],
    oldest: [open, hidden, titled],
    title: [titled, open, hidden],
  }
  const { id: moved } = open
  await site.db`update bookmarks set collection_order_key = 'M00000000000000' where id = ${moved}`
  const expected = { ...all, manual: [open, titled, hidden] }
  for (const sort of listOrders) {
    const ids = expected[sort].map(({ id }) => id)
    const page = await view(token, { sort })
    expect([sort, page.order, page.results.map(({ id }) => id)]).toEqual([sort, sort, ids])
    await site.call(updateCollection, { ...params(), body: { list_order: sort } }, alice)
    const stored = await view(token)
    expect([sort, stored.order, stored.results.map(({ id }) => id)]).toEqual([sort, sort, ids])
    // Page by page, forwards and backwards.
    const read = async (url: string | null) => (await site.app.inject(url ?? '')).json()
    const first = await view(token, { page_size: 1 })
    const second = await read(first.next)
    const third = await read(second.next)
    const back = await read(third.previous)
    const shown = [first, second, third, back].map(({ results }) => results[0]?.id)
    expect(shown).toEqual([...ids, ids[1]])
    expect(first.next).toContain(`sort=${sort}`)
    expect(third.next).toBeNull()
  }
  const next = (await view(token, { sort: 'title', page_size: 1 })).next ?? ''
  for (const sort of ['newest', '']) {
    const mixed = next.replace('sort=title', sort === '' ? '' : `sort=${sort}`)
    expect((await site.app.inject(mixed)).statusCode).toBe(404)
  }
})

test('a link shows neither the trash, nor what is held or under review, nor bookmarks of other collections', async () => {
  const token = await readToken()
  const elsewhere = await saveFilm(site, alice, newFilm())
  expect(await failedReply(viewBookmark(token, elsewhere.id))).toEqual(notFound)
  for (const statement of [
    site.db`update bookmarks set deleted_at = now() where id = ${hidden.id}`,
    site.db`update bookmarks set deleted_at = null, hold_reason = 'a rule' where id = ${hidden.id}`,
    site.db`update videos set status = 'hidden' where id = ${hidden.video.id}`,
    site.db`update videos set status = 'removed' where id = ${hidden.video.id}`,
  ]) {
    await statement
    expect((await view(token)).count).toBe(1)
    expect(await failedReply(viewBookmark(token, hidden.id))).toEqual(notFound)
  }
  await site.db`update users set banned_at = now() where id = ${alice.id}`
  expect(await failedReply(view(token))).toEqual(notFound)
  expect(await failedReply(viewBookmark(token, open.id))).toEqual(notFound)
  await site.db`update users set banned_at = null where id = ${alice.id}`
})

test('a link does not show bookmarks that match a content rule, also if the rule was made after they were saved', async () => {
  const moderator = await signUpModerator(site, `moderator${filmCount}`)
  const matching = await saveFilm(site, alice, newFilm(), {
    bookmark: { ...secret, access: 'private', title: 'Cheap pills' },
  })
  const rule = { kind: 'word', pattern: 'pills', effect: 'refuse' } as const
  const { id } = await site.call(createContentRule, { body: rule }, moderator)
  const token = await readToken()
  expect((await view(token)).results.map((item) => item.id)).toEqual([hidden.id, open.id])
  expect(await failedReply(viewBookmark(token, matching.id))).toEqual(notFound)
  expect(await site.db`select from reports where bookmark_id = ${matching.id}`).toHaveLength(0)
  await site.call(deleteContentRule, { params: { id } }, moderator)
})

test('a replaced or revoked link is answered exactly like one that never existed', async () => {
  const first = await readToken()
  const second = await readToken()
  expect(second).not.toBe(first)
  expect(await failedReply(view(first))).toEqual(notFound)
  expect((await view(second)).count).toBe(2)
  await site.call(deleteCollectionLink, params(), alice)
  await site.call(deleteCollectionLink, params(), alice)
  expect((await site.call(getCollectionLink, params(), alice)).link).toBeNull()
  const change = site.call(updateCollectionLink, { ...params(), body: { shows_private: true } }, alice)
  expect(await failedReply(change)).toEqual(notFound)
  const reply = (token: string) => site.app.inject(`/api/unlisted/${token}/`)
  const [revoked, missing] = [await reply(second), await reply('A'.repeat(43))]
  expect([revoked.statusCode, revoked.body]).toEqual([missing.statusCode, missing.body])
  expect(Object.keys(revoked.headers).sort()).toEqual(Object.keys(missing.headers).sort())
  // Deleting the collection deletes its link.
  const third = await readToken()
  await site.call(deleteCollection, { ...params(), query: { bookmarks: 'delete' } }, alice)
  expect(await failedReply(view(third))).toEqual(notFound)
  expect(
    await site.db`select from collection_links where collection_id = ${secret.collection_id}`,
  ).toHaveLength(0)
})

test('only the owner of a collection manages its link', async () => {
  await create()
  for (const endpoint of [getCollectionLink, deleteCollectionLink])
    expect(await failedReply(site.call(endpoint, params(), bob))).toEqual(notFound)
  for (const endpoint of [createCollectionLink, updateCollectionLink]) {
    const call = site.call(endpoint, { ...params(), body: { shows_private: true } }, bob)
    expect(await failedReply(call)).toEqual(notFound)
  }
})

test('links are stored as a hash and encrypted, do not appear in the log, and survive new keys', async () => {
  const token = await readToken()
  await view(token)
  const [row] =
    await site.db`select secret, hash from collection_links where collection_id = ${secret.collection_id}`
  expect(Buffer.concat([row?.secret, row?.hash]).includes(token)).toBe(false)
  expect(JSON.stringify(site.log)).not.toContain(token)
  const reply = await site.app.inject(`/api/unlisted/${token}/`)
  expect(reply.headers['cache-control']).toBe('no-store')
  await rotateKeys(site.app.deps.db, ['collection-link'])
  const { 'collection-link': key } = await loadServerKeys(site.db)
  const stored = await readLink(site.db, key, secret.collection_id, alice.id)
  expect(stored?.link?.token).toBe(token)
  await expect(
    readLink(site.db, site.serverKeys['collection-link'], secret.collection_id, alice.id),
  ).rejects.toThrow()
})

test('what a link shows can be reported, and only moderators learn that the collection exists', async () => {
  const token = await readToken()
  const moderator = await signUpModerator(site, `moderator-${filmCount}`)
  const report = (body: object, user = bob) =>
    site.call(createReport, { body: { report_type: 'spam', ...body } as never }, user)
  const bookmark = { video_id: hidden.video.id, bookmark_id: hidden.id }
  for (const link of [{}, { link_token: 'A'.repeat(43) }])
    expect(await failedReply(report({ ...bookmark, ...link }))).toMatchObject(notFound)
  const { id } = await report({ ...bookmark, link_token: token })
  expect(await failedReply(report({ ...bookmark, link_token: token }))).toMatchObject({
    status: 409,
    body: { report_id: id },
  })
  const video = await site.call(getCase, { params: { kind: 'video', id: hidden.video.id } }, moderator)
  expect(video).toMatchObject({ case: { title: hidden.title }, reports: [{ bookmark_id: hidden.id }] })

  expect(await failedReply(report({ link_token: 'A'.repeat(43) }))).toMatchObject(notFound)
  expect(await failedReply(report({ link_token: token }, alice))).toMatchObject({ status: 400 })
  await report({ link_token: token, notes: 'Look inside' })
  const { case: about, reports } = await site.call(
    getCase,
    { params: { kind: 'user', id: alice.id } },
    moderator,
  )
  expect(about.user?.username).toBe('alice')
  const shown = [hidden, open].map(({ id, title, video }) => ({ id, title, source_url: video.source_url }))
  expect(reports[0]).toMatchObject({
    notes: 'Look inside',
    collection: { name: 'Another', description: '', bookmarks: shown },
  })
  // Private bookmarks are part of the case only while the link shows them.
  await site.call(updateCollectionLink, { ...params(), body: { shows_private: false } }, alice)
  const later = await site.call(getCase, { params: { kind: 'user', id: alice.id } }, moderator)
  expect(later.reports[0]?.collection?.bookmarks.map((item) => item.id)).toEqual([open.id])
  // After the link was revoked, the case shows what was reported, and nothing that the owner wrote or saved since.
  await site.call(deleteCollectionLink, params(), alice)
  const renamed = { name: 'Renamed', description: 'Written later' }
  await site.call(updateCollection, { ...params(), body: renamed }, alice)
  await inSecret('public')
  const revoked = await site.call(getCase, { params: { kind: 'user', id: alice.id } }, moderator)
  expect(revoked.reports[0]?.collection).toEqual({
    name: 'Another',
    description: '',
    bookmarks: [expect.objectContaining({ id: open.id })],
  })
  // The collection stays hidden from everyone else, and the reporter reads only what they saw.
  const own = await site.call(listOwnReports, { query: {} }, bob)
  expect(own.results[0]).toMatchObject({ target_kind: 'user', snapshot: 'Another' })
  for (const user of [bob, moderator]) {
    const url = `/api/collections/${secret.collection_id}/`
    const headers = { authorization: `Bearer ${user.access}` }
    expect((await site.app.inject({ url, headers })).statusCode).toBe(404)
  }
  await site.db`delete from reports where reporter_id = ${bob.id}`
})
