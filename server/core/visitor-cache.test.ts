import { setTimeout as sleep } from 'node:timers/promises'
import { listCollections } from '@reelmark/contract/collections.ts'
import { followUser } from '@reelmark/contract/follows.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootApp, type TestApp } from '../testing/app.ts'
import { signUp } from '../testing/people.ts'
import { save } from '../testing/saving.ts'
import { connect } from './database.ts'
import { clearOnWrites, createVisitorCache, tellOfWrite } from './visitor-cache.ts'

const made = (text: string, status = 200) => ({ status, body: [text] })

describe('what is the same for every visitor', () => {
  it('is made once, however many ask at once', async () => {
    const cache = createVisitorCache()
    let times = 0
    const make = async () => {
      times++
      await sleep(20)
      return made('page')
    }
    const pages = await Promise.all(Array.from({ length: 50 }, () => cache.take('/', make)))
    expect(times).toBe(1)
    expect(pages.every(({ body }) => body[0] === 'page')).toBe(true)
  })

  it('is made again when its time is over', async () => {
    const cache = createVisitorCache(30)
    await cache.take('/', async () => made('first'))
    expect((await cache.take('/', async () => made('second'))).body).toEqual(['first'])
    await sleep(40)
    expect((await cache.take('/', async () => made('second'))).body).toEqual(['second'])
  })

  it('is not what was begun before a write', async () => {
    const cache = createVisitorCache()
    const begun = cache.take('/', async () => {
      await sleep(30)
      return made('before')
    })
    cache.clear()
    expect((await cache.take('/', async () => made('after'))).body).toEqual(['after'])
    expect((await begun).body).toEqual(['before'])
    expect((await cache.take('/', async () => made('later'))).body).toEqual(['after'])
  })

  it('is never an error', async () => {
    const cache = createVisitorCache()
    await cache.take('/', async () => made('not there', 404))
    await expect(cache.take('/x', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect((await cache.take('/', async () => made('there'))).body).toEqual(['there'])
    expect((await cache.take('/x', async () => made('mended'))).body).toEqual(['mended'])
  })

  it('starts anew before it fills the memory', async () => {
    const cache = createVisitorCache()
    const large = 'x'.repeat(1024 * 1024)
    await cache.take('first', async () => made(large))
    for (let n = 0; n < 64; n++) await cache.take(`page ${n}`, async () => made(large))
    expect((await cache.take('first', async () => made('anew'))).body).toEqual(['anew'])
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
    await save(site, ana, 'fresh', { video: { title: 'Fresh' } })
    expect((await list()).results[0]?.title).toBe('Fresh')
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
    await cache.take('/', async () => made('before'))
    await tellOfWrite(lost, cache)
    expect((await cache.take('/', async () => made('after'))).body).toEqual(['after'])
  })

  it('hears of what other processes write', async () => {
    const other = createVisitorCache(60_000)
    await clearOnWrites(site.db, other)
    await other.take('/', async () => made('before'))
    await save(site, await signUp(site, 'cyd'), 'fresher')
    for (let tries = 0; tries < 100; tries++) {
      if ((await other.take('/', async () => made('after'))).body[0] === 'after') return
      await sleep(20)
    }
    throw new Error('it never heard')
  })
})
