import { setTimeout as sleep } from 'node:timers/promises'
import { markWatched } from '@reelmark/contract/collect.ts'
import { listCollections } from '@reelmark/contract/collections.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { markNotificationsRead } from '@reelmark/contract/notifications.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp } from '../../testing/test-users.ts'
import { connect } from '../database/database.ts'
import { createVisitorCache, publishInvalidation, subscribeToInvalidation } from './visitor-cache.ts'

const created = (text: string, status = 200) => ({ status, body: [text] })

describe('what is the same for every visitor', () => {
  it('is made once, however many ask at once', async () => {
    const cache = createVisitorCache()
    let times = 0
    const make = async () => {
      times++
      await sleep(20)
      return created('page')
    }
    const pages = await Promise.all(Array.from({ length: 50 }, () => cache.getOrCreate('/', make)))
    expect(times).toBe(1)
    expect(pages.every(({ body }) => body[0] === 'page')).toBe(true)
  })

  it('is made again when its time is over', async () => {
    const cache = createVisitorCache(30)
    await cache.getOrCreate('/', async () => created('first'))
    expect((await cache.getOrCreate('/', async () => created('second'))).body).toEqual(['first'])
    await sleep(40)
    expect((await cache.getOrCreate('/', async () => created('second'))).body).toEqual(['second'])
  })

  it('is not what was begun before a write', async () => {
    const cache = createVisitorCache()
    const begun = cache.getOrCreate('/', async () => {
      await sleep(30)
      return created('before')
    })
    cache.clear()
    expect((await cache.getOrCreate('/', async () => created('after'))).body).toEqual(['after'])
    expect((await begun).body).toEqual(['before'])
    expect((await cache.getOrCreate('/', async () => created('later'))).body).toEqual(['after'])
  })

  it('is never an error', async () => {
    const cache = createVisitorCache()
    await cache.getOrCreate('/', async () => created('not there', 404))
    await expect(cache.getOrCreate('/x', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect((await cache.getOrCreate('/', async () => created('there'))).body).toEqual(['there'])
    expect((await cache.getOrCreate('/x', async () => created('mended'))).body).toEqual(['mended'])
  })

  it('starts anew before it fills the memory', async () => {
    const cache = createVisitorCache()
    const large = 'x'.repeat(1024 * 1024)
    await cache.getOrCreate('first', async () => created(large))
    for (let n = 0; n < 64; n++) await cache.getOrCreate(`page ${n}`, async () => created(large))
    expect((await cache.getOrCreate('first', async () => created('anew'))).body).toEqual(['anew'])
  })
})

describe('a site that keeps lists for visitors', () => {
  let site: TestApp
  beforeAll(async () => {
    site = await bootApp({ visitorCache: createVisitorCache(60_000) })
  })
  afterAll(() => site.close())

  it('asks the database once, and shows a new bookmark at once', async () => {
    const ana = await signUp(site, 'ana')
    const list = () => site.call(listVideos, { query: {} })
    await list()
    site.statements.length = 0
    await list()
    expect(site.statements).toEqual([])
    await saveFilm(site, ana, 'fresh', { video: { title: 'Fresh' } })
    expect((await list()).results[0]?.title).toBe('Fresh')
  })

  it('is kept by calls that change nothing that visitors see', async () => {
    const dan = await signUp(site, 'dan')
    const { video } = await saveFilm(site, dan, 'watched')
    const list = () => site.call(listVideos, { query: {} })
    await list()
    await site.call(markWatched, { params: { id: video.id } }, dan)
    await site.call(createMute, { body: { tag: 'loud' } }, dan)
    await site.call(markNotificationsRead, { body: { all: true } }, dan)
    site.statements.length = 0
    await list()
    expect(site.statements).toEqual([])
  })

  it('does the same with somebody’s profile and places', async () => {
    await signUp(site, 'eve')
    const fan = await signUp(site, 'fan')
    const look = async () =>
      [
        await site.call(getProfile, { params: { username: 'eve' } }),
        await site.call(listCollections, { query: { user: 'eve' } }),
      ] as const
    const [before] = await look()
    site.statements.length = 0
    await look()
    expect(site.statements).toEqual([])
    await site.call(followUser, { params: { id: before.user_id } }, fan)
    expect((await look())[0].followers_count).toBe(1)
  })

  it('keeps nothing for who is signed in, and nothing that is drawn anew for each', async () => {
    const bob = await signUp(site, 'bob')
    site.statements.length = 0
    await site.call(listVideos, { query: {} }, bob)
    expect(site.statements).not.toEqual([])
    const seeds = await Promise.all(
      Array.from(
        { length: 5 },
        async () => (await site.call(listVideos, { query: { sort: 'random' } })).seed,
      ),
    )
    expect(new Set(seeds).size).toBeGreaterThan(1)
  })

  it('does not call a write failed because nobody could be told of it', async () => {
    const lost = connect(site.databaseUrl, { max: 1 })
    await lost.end({ timeout: 0 })
    const cache = createVisitorCache()
    await cache.getOrCreate('/', async () => created('before'))
    await publishInvalidation(lost, cache)
    expect((await cache.getOrCreate('/', async () => created('after'))).body).toEqual(['after'])
  })

  it('hears of what other processes write', async () => {
    const other = createVisitorCache(60_000)
    await subscribeToInvalidation(site.db, other)
    await other.getOrCreate('/', async () => created('before'))
    await saveFilm(site, await signUp(site, 'cyd'), 'fresher')
    for (let tries = 0; tries < 100; tries++) {
      if ((await other.getOrCreate('/', async () => created('after'))).body[0] === 'after') return
      await sleep(20)
    }
    throw new Error('it never heard')
  })
})
