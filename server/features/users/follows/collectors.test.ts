import { followUser, listCollectors } from '@reelmark/contract/follows.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Callers, createCallers } from '../../../testing/callers.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let callers: Callers
let crowd: TestUser[]
let viewer: TestUser
let films = 0
beforeAll(async () => {
  site = await bootApp()
  callers = createCallers(site)
  crowd = await Promise.all(Array.from({ length: 12 }, () => callers.person()))
  viewer = await callers.person()
})
afterAll(() => site.close())

const collectors = (
  id: number,
  as: TestUser | null = viewer,
  query: { page?: number; page_size?: number; cursor?: string } = {},
) => site.call(listCollectors, { params: { id }, query }, as)
const listNames = async (id: number, as: TestUser | null = viewer) =>
  (await collectors(id, as)).results.map(({ username }) => username)
const [a, b, c] = [0, 1, 2].map((n) => () => crowd[n] as TestUser) as [
  () => TestUser,
  () => TestUser,
  () => TestUser,
]

test('who keeps a video in public is listed once, whoever saved last first', async () => {
  const film = `kept${++films}`
  const { video } = await saveFilm(site, a(), film)
  await saveFilm(site, b(), film)
  const again = await createDestination(site, a())
  await saveFilm(site, a(), film, { bookmark: { channel_id: again.channel_id } })
  await site.call(followUser, { params: { id: b().id } }, viewer)
  const entry = (person: TestUser, is_followed: boolean) => ({
    id: person.id,
    username: person.username,
    avatar_url: '/media/default.jpg',
    is_verified: false,
    is_followed,
  })
  expect(await collectors(video.id)).toEqual({
    count: 2,
    next: null,
    previous: null,
    results: [entry(a(), false), entry(b(), true)],
  })
})

test('private saves are in nobody’s list, not even their own, and in no number', async () => {
  const film = `kept${++films}`
  const { id, video } = await saveFilm(site, a(), film)
  await saveFilm(site, b(), film, { bookmark: { access: 'private' } })
  const closed = await createDestination(site, c(), 'private')
  await saveFilm(site, c(), film, { bookmark: { channel_id: closed.channel_id } })
  for (const as of [a(), b(), c(), viewer]) {
    expect(await collectors(video.id, as)).toMatchObject({ count: 1, results: [{ id: a().id }] })
  }
  await site.db`update bookmarks set access = 'private' where id = ${id}`
  expect(await collectors(video.id, b())).toMatchObject({ count: 0, results: [] })
  for (const as of [viewer, crowd[5] as TestUser]) {
    expect(await failedReply(collectors(video.id, as))).toEqual({
      status: 404,
      body: { detail: 'Not found.', code: 'not-found' },
    })
  }
})

test('of a video that one may not see, nobody learns who keeps it', async () => {
  const { video } = await saveFilm(site, a(), `kept${++films}`)
  await site.db`update videos set status = 'hidden' where id = ${video.id}`
  expect((await failedReply(collectors(video.id))).status).toBe(404)
  expect(await listNames(video.id, a())).toEqual([a().username])
  await site.db`update videos set status = 'removed' where id = ${video.id}`
  expect((await failedReply(collectors(video.id, a()))).status).toBe(404)
  expect((await failedReply(collectors(123_456_789))).status).toBe(404)
  expect((await failedReply(collectors(video.id, null))).status).toBe(401)
})

test('whoever is banned is not among them', async () => {
  const film = `kept${++films}`
  const { video } = await saveFilm(site, a(), film)
  const banned = await callers.person()
  await saveFilm(site, banned, film)
  await site.db`update users set banned_at = now() where id = ${banned.id}`
  expect(await listNames(video.id)).toEqual([a().username])
})

test('a long list is walked by its links there and back; each page is one statement beside who asks', async () => {
  const film = `kept${++films}`
  let video = 0
  for (const person of crowd) video = (await saveFilm(site, person, film)).video.id
  const expected = crowd.map(({ id }) => id).reverse()
  const go = async (link: string) =>
    (await site.app.inject({ url: link, headers: { authorization: `Bearer ${viewer.access}` } })).json<
      Awaited<ReturnType<typeof collectors>>
    >()
  const there: number[] = []
  let page = await collectors(video, viewer, { page_size: 5 })
  for (;;) {
    there.push(...page.results.map(({ id }) => id))
    if (page.next === null) break
    site.statements.length = 0
    page = await go(page.next)
    expect(site.statements).toHaveLength(2)
  }
  expect(there).toEqual(expected)
  const back: number[] = []
  for (;;) {
    back.unshift(...page.results.map(({ id }) => id))
    if (page.previous === null) break
    page = await go(page.previous)
  }
  expect(back).toEqual(expected)
  const second = await collectors(video, viewer, { page: 2, page_size: 5 })
  expect(second.results.map(({ id }) => id)).toEqual(expected.slice(5, 10))
  expect((await failedReply(collectors(video, viewer, { page: 9 }))).body).toEqual({
    detail: 'Invalid page.',
    code: 'invalid-page',
  })
})
