import { logIn } from '@reelmark/contract/accounts.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../testing/test-app.ts'
import { loadSampleContent } from './load-sample-content.ts'
import { sampleFilms } from './sample-films.ts'

let site: TestApp
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())

test('a new site gets sample videos and a moderator account with a working password', async () => {
  const [password, again] = await Promise.all([loadSampleContent(site.db), loadSampleContent(site.db)])
  // One of the two concurrent calls loads the content.
  const shown = password ?? again
  expect([password, again].filter((result) => result === null)).toHaveLength(1)
  await site.call(logIn, { body: { username: 'admin', password: shown ?? '' } })

  const first = await site.call(listVideos, { query: { page_size: 100 } })
  // A video saved by several users has one card.
  expect(first.count).toBe(Object.keys(sampleFilms).length)
  expect(first.results.every((item) => item.duration !== null && item.shape === 'landscape')).toBe(true)
  const { video } = await site.call(getBookmark, { params: { id: first.results[0]?.id ?? 0 } })
  expect(video.description).not.toBe('')
  const search = await site.call(listVideos, { query: { q: 'penguin site:youtube.com' } })
  expect(search.results.map((item) => item.title)).toEqual(['Caminandes 3: Llamigos'])
})

test('a site with users is not changed', async () => {
  expect(await loadSampleContent(site.db)).toBeNull()
})

test('every sample video is recognised, and those of known hosts have a player', async () => {
  const rows = await site.db<{ host: string; provider: string | null; embed_url: string | null }[]>`
    select host, provider, embed_url from videos`
  const unknown = rows.filter(({ host, embed_url }) => embed_url === null && host !== 'commons.wikimedia.org')
  expect(unknown).toEqual([])
})
