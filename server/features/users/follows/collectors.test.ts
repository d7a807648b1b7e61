import { followUser, listCollectors } from '@reelmark/contract/follows.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Callers, createCallers } from '../../../testing/callers.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let callers: Callers
let users: TestUser[]
let viewer: TestUser
let filmCount = 0
beforeAll(async () => {
  site = await bootApp()
  callers = createCallers(site)
  users = await Promise.all(Array.from({ length: 12 }, () => callers.createUser()))
  viewer = await callers.createUser()
})
afterAll(() => site.close())

const listCollectorsFor = (
  id: number,
  caller: TestUser | null = viewer,
  query: { page?: number; page_size?: number; cursor?: string } = {},
) => site.call(listCollectors, { params: { id }, query }, caller)
const listUsernames = async (id: number, caller: TestUser | null = viewer) =>
  (await listCollectorsFor(id, caller)).results.map(({ username }) => username)
const [a, b, c] = [0, 1, 2].map((n) => () => users[n] as TestUser) as [
  () => TestUser,
  () => TestUser,
  () => TestUser,
]

test('collectors of a video are listed once, ordered by their latest public bookmark', async () => {
  const film = `saved${++filmCount}`
  const { video } = await saveFilm(site, a(), film)
  await saveFilm(site, b(), film)
  const secondDestination = await createDestination(site, a())
  await saveFilm(site, a(), film, { bookmark: { channel_id: secondDestination.channel_id } })
  await site.call(followUser, { params: { id: b().id } }, viewer)
  const entry = (user: TestUser, is_followed: boolean) => ({
    id: user.id,
    username: user.username,
    avatar_url: '/media/default.jpg',
    is_verified: false,
    is_followed,
  })
  expect(await listCollectorsFor(video.id)).toEqual({
    count: 2,
    next: null,
    previous: null,
    results: [entry(a(), false), entry(b(), true)],
  })
})

test('private bookmarks are neither listed nor counted, not even for their owners', async () => {
  const film = `saved${++filmCount}`
  const { id, video } = await saveFilm(site, a(), film)
  await saveFilm(site, b(), film, { bookmark: { access: 'private' } })
  const privateDestination = await createDestination(site, c(), 'private')
  await saveFilm(site, c(), film, { bookmark: { channel_id: privateDestination.channel_id } })
  for (const caller of [a(), b(), c(), viewer]) {
    expect(await listCollectorsFor(video.id, caller)).toMatchObject({ count: 1, results: [{ id: a().id }] })
  }
  await site.db`update bookmarks set access = 'private' where id = ${id}`
  expect(await listCollectorsFor(video.id, b())).toMatchObject({ count: 0, results: [] })
  for (const caller of [viewer, users[5] as TestUser]) {
    expect(await failedReply(listCollectorsFor(video.id, caller))).toEqual({
      status: 404,
      body: { detail: 'Not found.', code: 'not-found' },
    })
  }
})

test('collectors of a hidden video are visible to its savers only, and those of a removed video to no one', async () => {
  const { video } = await saveFilm(site, a(), `saved${++filmCount}`)
  await site.db`update videos set status = 'hidden' where id = ${video.id}`
  expect((await failedReply(listCollectorsFor(video.id))).status).toBe(404)
  expect(await listUsernames(video.id, a())).toEqual([a().username])
  await site.db`update videos set status = 'removed' where id = ${video.id}`
  expect((await failedReply(listCollectorsFor(video.id, a()))).status).toBe(404)
  expect((await failedReply(listCollectorsFor(123_456_789))).status).toBe(404)
  expect((await failedReply(listCollectorsFor(video.id, null))).status).toBe(401)
})

test('banned users are not listed', async () => {
  const film = `saved${++filmCount}`
  const { video } = await saveFilm(site, a(), film)
  const banned = await callers.createUser()
  await saveFilm(site, banned, film)
  await site.db`update users set banned_at = now() where id = ${banned.id}`
  expect(await listUsernames(video.id)).toEqual([a().username])
})

test('links lead through a long list forwards and backwards, with one statement per page besides authentication', async () => {
  const film = `saved${++filmCount}`
  let video = 0
  for (const user of users) video = (await saveFilm(site, user, film)).video.id
  const expected = users.map(({ id }) => id).reverse()
  const loadPage = async (link: string) =>
    (await site.app.inject({ url: link, headers: { authorization: `Bearer ${viewer.access}` } })).json<
      Awaited<ReturnType<typeof listCollectorsFor>>
    >()
  const idsForward: number[] = []
  let page = await listCollectorsFor(video, viewer, { page_size: 5 })
  for (;;) {
    idsForward.push(...page.results.map(({ id }) => id))
    if (page.next === null) break
    site.statements.length = 0
    page = await loadPage(page.next)
    expect(site.statements).toHaveLength(2)
  }
  expect(idsForward).toEqual(expected)
  const idsBackward: number[] = []
  for (;;) {
    idsBackward.unshift(...page.results.map(({ id }) => id))
    if (page.previous === null) break
    page = await loadPage(page.previous)
  }
  expect(idsBackward).toEqual(expected)
  const second = await listCollectorsFor(video, viewer, { page: 2, page_size: 5 })
  expect(second.results.map(({ id }) => id)).toEqual(expected.slice(5, 10))
  expect((await failedReply(listCollectorsFor(video, viewer, { page: 9 }))).body).toEqual({
    detail: 'Invalid page.',
    code: 'invalid-page',
  })
})
