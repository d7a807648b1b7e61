/** The feed of followed users: each video once, with the number of followed users who saved it. */
import { blockUser } from '@reelmark/contract/blocks.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import { beforeEach, expect, test } from 'vitest'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { useEmptySite } from '../../testing/use-site.ts'
import { readAllPages } from './read-all-pages.fixture.ts'

const site = await useEmptySite()
let viewer: TestUser
let savers: TestUser[]
let round = 0
beforeEach(async () => {
  round += 1
  viewer = await signUp(site, `viewer${round}`)
  savers = await Promise.all(['ana', 'bob', 'cyd'].map((name) => signUp(site, `${name}${round}`)))
  for (const { id } of savers) await site.call(followUser, { params: { id } }, viewer)
})

const save = (saver: number, name: string) => saveFilm(site, savers[saver] as TestUser, `${name}${round}`)
const feed = (query: ListingQuery = {}) =>
  site.call(listVideos, { query: { sort: 'following', ...query } }, viewer)

test('a video that several followed users saved is listed once, by the newest save', async () => {
  await save(0, 'shared')
  const own = await save(1, 'own')
  await save(1, 'shared')
  const newest = await save(2, 'shared')
  const stranger = await signUp(site, `stranger${round}`)
  await saveFilm(site, stranger, `shared${round}`)
  const { count, results } = await feed()
  expect([count, results.map(({ id, other_savers_count }) => [id, other_savers_count])]).toEqual([
    2,
    [
      [newest.id, 2],
      [own.id, 0],
    ],
  ])
  // The newest save that the viewer sees represents the video.
  await site.call(blockUser, { params: { id: savers[2]?.id ?? 0 } }, viewer)
  const { results: rest } = await feed()
  expect(rest.map(({ user_username, other_savers_count }) => [user_username, other_savers_count])).toEqual([
    [savers[1]?.username, 1],
    [savers[1]?.username, 0],
  ])
})

test('every page continues where the one before ended, and all pages together have as many videos as counted', async () => {
  const names = Array.from({ length: 7 }, (_, n) => `film${n}`)
  for (const saver of [0, 1, 2]) for (const name of names) await save(saver, name)
  await save(0, 'last')
  for (const query of [
    { sort: 'following' },
    { following: true, sort: 'random', seed: 3 },
    { sort: 'following', q: 'film' },
  ] as const) {
    const { ids } = await readAllPages(site, { ...query, page_size: 3 }, viewer)
    const videos = await site.db`select distinct video_id from bookmarks where id = any (${ids})`
    const { count } = await site.call(listVideos, { query }, viewer)
    expect([ids.length, videos.length]).toEqual([count, count])
  }
})

test('an older save is listed if only it matches the search', async () => {
  const older = await saveFilm(site, savers[0] as TestUser, `searched${round}`, {
    video: { title: 'Glowworm' },
  })
  await saveFilm(site, savers[1] as TestUser, `searched${round}`, { video: { title: 'Firefly' } })
  expect((await feed({ q: 'glowworm' })).results.map(({ id }) => id)).toEqual([older.id])
})
