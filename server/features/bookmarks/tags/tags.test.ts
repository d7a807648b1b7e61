import { listTags } from '@reelmark/contract/tags.ts'
import { beforeAll, expect, test } from 'vitest'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { useSite } from '../../../testing/use-site.ts'
import { recountSfw } from './queries.ts'

const { site, alice, bob } = await useSite()

beforeAll(async () => {
  await saveFilm(site, alice, 1, { video: { tags: ['cats', 'Café', '100%', 'under_score'] } })
  await saveFilm(site, alice, 2, { video: { tags: ['cats', 'comedy'] } })
})

const names = async (q: string) =>
  (await site.call(listTags, { query: { q } })).results.map(({ name }) => name)

test('tags are suggested by prefix, the most used first', async () => {
  expect(await names('c')).toEqual(['cats', 'café', 'comedy'])
  expect(await names('CA')).toEqual(['cats', 'café'])
  expect(await names('zebra')).toEqual([])
  expect(await names('')).toHaveLength(5)
})

test('wildcard characters in a prefix are matched literally', async () => {
  expect(await names('%')).toEqual([])
  expect(await names('100%')).toEqual(['100%'])
  expect(await names('under_')).toEqual(['under_score'])
  expect(await names('un_er')).toEqual([])
  expect(await names('\\')).toEqual([])
})

test('the list of tags is paged', async () => {
  const page = await site.call(listTags, { query: { page: 2, page_size: 2 } })
  expect(page).toMatchObject({
    count: 5,
    next: '/api/tags/?page=3&page_size=2',
    previous: '/api/tags/?page=1&page_size=2',
  })
  expect((await site.app.inject('/api/tags/?page=9')).statusCode).toBe(404)
})

test('with orientation sfw, only tags of sfw videos are suggested, without waiting for a recount', async () => {
  const sfwNames = async (q: string) =>
    (await site.call(listTags, { query: { q, orientation: 'sfw' } })).results.map(({ name }) => name)
  await saveFilm(site, alice, 3, { video: { tags: ['night', "night's \\ 'end'"], orientation: 'gay' } })
  await saveFilm(site, alice, 4, { video: { tags: ['nightingale', "nightjar's \\ call & 'song'"] } })
  const mixed = await saveFilm(site, alice, 5, { video: { tags: ['nightfall'], orientation: 'bi' } })
  await saveFilm(site, alice, 6, { video: { tags: ['nightfall'] } })
  expect(await names('night')).toHaveLength(5)
  const expected = ['nightfall', 'nightingale', "nightjar's \\ call & 'song'"]
  expect(await sfwNames('night')).toEqual(expected)
  await recountSfw(site.db)
  expect(await sfwNames('night')).toEqual(expected)
  expect(await sfwNames('')).toContain('cats')

  await site.db`update videos set orientation_ruling = 'gay' where id <> ${mixed.video.id}`
  for (const recount of [async () => {}, () => recountSfw(site.db)]) {
    await recount()
    expect(await sfwNames('night')).toEqual([])
    expect(await sfwNames('')).toEqual([])
    expect(await names('night')).toHaveLength(5)
  }
  await site.db`update videos set orientation_ruling = null`
})

test('tags of private bookmarks are suggested to their owner only', async () => {
  await saveFilm(site, alice, 7, {
    video: { tags: ['surprise', 'sunday', 'cats'] },
    bookmark: { access: 'private' },
  })
  await saveFilm(site, bob, 8, { video: { tags: ['sunday'] } })
  const reply = (viewer: typeof alice | null) => site.call(listTags, { query: { q: 'SU' } }, viewer)
  expect((await reply(alice)).own).toEqual(['surprise'])
  expect((await reply(bob)).own).toEqual([])
  expect(await reply(null)).not.toHaveProperty('own')
  for (const viewer of [alice, bob, null]) {
    expect((await reply(viewer)).results.map(({ name }) => name)).toEqual(['sunday'])
  }
  expect((await site.call(listTags, { query: {} }, alice)).own).toBeUndefined()
})
