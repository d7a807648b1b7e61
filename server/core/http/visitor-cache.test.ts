import { setTimeout as sleep } from 'node:timers/promises'
import { listCollections } from '@reelmark/contract/collections.ts'
import { followUser, unfollowUser } from '@reelmark/contract/follows.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { markNotificationsRead } from '@reelmark/contract/notifications.ts'
import { getProfile } from '@reelmark/contract/profiles.ts'
import { markWatched } from '@reelmark/contract/watching.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createJobQueues } from '../../app.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp } from '../../testing/test-users.ts'
import { connect } from '../database/database.ts'
import { publishChange, subscribeToChanges } from './cache-changes.ts'
import { rateLimits } from './rate-limit-config.ts'
import { type CacheTag, createVisitorCache, dependOn, dependOnEverything } from './visitor-cache.ts'

const created = (text: string, status = 200) => ({ status, body: [text] })

describe('the visitor cache', () => {
  it('creates a response once for concurrent requests', async () => {
    const cache = createVisitorCache()
    let callCount = 0
    const createPage = async () => {
      callCount++
      await sleep(20)
      return created('page')
    }
    const pages = await Promise.all(Array.from({ length: 50 }, () => cache.getOrCreate('/', createPage)))
    expect(callCount).toBe(1)
    expect(pages.every(({ body }) => body[0] === 'page')).toBe(true)
  })

  it('creates a response again after it expired', async () => {
    const cache = createVisitorCache(30)
    await cache.getOrCreate('/', async () => created('first'))
    expect((await cache.getOrCreate('/', async () => created('second'))).body).toEqual(['first'])
    await sleep(40)
    expect((await cache.getOrCreate('/', async () => created('second'))).body).toEqual(['second'])
  })

  it('keeps a response for its own lifetime if it has one, unless a write drops it', async () => {
    const cache = createVisitorCache(20)
    await cache.getOrCreate('/', async () => created('first'), 10_000)
    await cache.getOrCreate('/other', async () => created('first'))
    await sleep(30)
    expect(cache.find('/')?.body).toEqual(['first'])
    expect(cache.find('/other')).toBeNull()
    cache.drop([])
    expect((await cache.getOrCreate('/', async () => created('second'), 10_000)).body).toEqual(['second'])
  })

  it('keeps the object of a response that did not change, with what was prepared from it', async () => {
    const cache = createVisitorCache(30)
    const text = (body: string, currentUntil: number) => async () => ({ status: 200, body, currentUntil })
    const first = await cache.getOrCreate('/', text('a page', 1))
    await sleep(40)
    expect(await cache.getOrCreate('/', text('a page', 2))).toBe(first)
    expect(cache.find('/')).toBe(first)
    expect(first.currentUntil).toBe(2)
    await sleep(40)
    expect(await cache.getOrCreate('/', text('another', 3))).not.toBe(first)
  })

  it('creates an expired response once for all requests that arrive meanwhile', async () => {
    const cache = createVisitorCache(30)
    await cache.getOrCreate('/', async () => created('first'))
    await sleep(40)
    let callCount = 0
    const query = Promise.withResolvers<ReturnType<typeof created>>()
    const createPage = () => {
      callCount += 1
      return query.promise
    }
    const pages = []
    for (let n = 0; n < 50; n++) {
      expect(cache.find('/')).toBeNull()
      pages.push(cache.getOrCreate('/', createPage))
      if (n % 10 === 0) await sleep(1)
    }
    query.resolve(created('second'))
    expect((await Promise.all(pages)).every(({ body }) => body[0] === 'second')).toBe(true)
    expect(callCount).toBe(1)
  })

  it('does not find a response that is being created, was dropped, or would be part of another response', async () => {
    const cache = createVisitorCache()
    const creation = cache.getOrCreate('/', async () => created('page'))
    expect(cache.find('/')).toBeNull()
    await creation
    expect(cache.find('/')?.body).toEqual(['page'])
    await cache.getOrCreate('outer', async () => {
      expect(cache.find('/')).toBeNull()
      return created('outer')
    })
    cache.drop('everything')
    expect(cache.find('/')).toBeNull()
  })

  it('does not serve a response that was begun before the cache was cleared', async () => {
    const cache = createVisitorCache()
    const started = cache.getOrCreate('/', async () => {
      await sleep(30)
      return created('before')
    })
    cache.drop('everything')
    expect((await cache.getOrCreate('/', async () => created('after'))).body).toEqual(['after'])
    expect((await started).body).toEqual(['before'])
    expect((await cache.getOrCreate('/', async () => created('later'))).body).toEqual(['after'])
  })

  it('does not cache errors', async () => {
    const cache = createVisitorCache()
    await cache.getOrCreate('/', async () => created('missing', 404))
    await expect(cache.getOrCreate('/x', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect((await cache.getOrCreate('/', async () => created('found'))).body).toEqual(['found'])
    expect((await cache.getOrCreate('/x', async () => created('repaired'))).body).toEqual(['repaired'])
  })

  it('drops what depends on a change, and what does not name what it depends on', async () => {
    const cache = createVisitorCache()
    const create = (key: string, tags: CacheTag[], text: string) =>
      cache.getOrCreate(key, async () => {
        dependOn(tags)
        return created(text)
      })
    const readAll = async (text: string) =>
      [
        await create('list', ['listing', 'video:1', 'video:2'], text),
        await create('video', ['video:2'], text),
        await create('unknown', [], text),
      ].map(({ body }) => body[0])
    await readAll('first')
    cache.drop(['video:1'])
    expect(await readAll('second')).toEqual(['second', 'first', 'second'])
    cache.drop(['video:3'])
    expect(await readAll('third')).toEqual(['second', 'first', 'third'])
    cache.drop('everything')
    expect(await readAll('fourth')).toEqual(['fourth', 'fourth', 'fourth'])
  })

  it('drops a page with each of the responses that it contains', async () => {
    const cache = createVisitorCache()
    let version = 0
    const readPart = (id: number) =>
      cache.getOrCreate(`part ${id}`, async () => {
        dependOn([`video:${id}`])
        return created(`part ${id}.${version}`)
      })
    const readPage = (page: string, parts: () => Promise<{ body: string[] }[]>) =>
      cache.getOrCreate(page, async () => created((await parts()).map(({ body }) => body[0]).join()))
    const read = async () =>
      [
        await readPage('both', async () => [await readPart(1), await readPart(2)]),
        await readPage('first', async () => [await readPart(1)]),
        await readPage('uncached', async () => {
          dependOnEverything()
          return [await readPart(1)]
        }),
      ].map(({ body }) => body[0])
    await read()
    version = 1
    cache.drop(['video:2'])
    expect(await read()).toEqual(['part 1.0,part 2.1', 'part 1.0', 'part 1.0'])
    version = 2
    cache.drop(['video:1'])
    expect(await read()).toEqual(['part 1.2,part 2.1', 'part 1.2', 'part 1.2'])
    version = 3
    const before = cache.statistics().misses
    cache.drop(['video:4'])
    await read()
    expect(cache.statistics().misses - before).toBe(1)
  })

  it('forgets expired entries when it creates others', async () => {
    const cache = createVisitorCache(20)
    for (let n = 0; n < 100; n++) await cache.getOrCreate(`page ${n}`, async () => created('x'))
    await sleep(40)
    await cache.getOrCreate('another', async () => created('x'))
    expect(cache.statistics()).toMatchObject({ entries: 1, size: 'another'.length + 1 })
  })

  it('drops the oldest entries when it exceeds its maximum size', async () => {
    const cache = createVisitorCache(60_000)
    const large = 'x'.repeat(1024 * 1024)
    await cache.getOrCreate('first', async () => created(large))
    for (let n = 0; n < 64; n++) await cache.getOrCreate(`page ${n}`, async () => created(large))
    expect((await cache.getOrCreate('page 63', async () => created('second'))).body).toEqual([large])
    expect((await cache.getOrCreate('first', async () => created('second'))).body).toEqual(['second'])
    expect(cache.statistics().size).toBeLessThanOrEqual(32 * 1024 * 1024)
  })

  it('drops the oldest entries when its keys exceed the maximum size, because addresses can be longer than responses', async () => {
    const cache = createVisitorCache(60_000)
    const longKey = (n: number) => `${n}${'x'.repeat(1024 * 1024)}`
    await cache.getOrCreate(longKey(0), async () => created('first'))
    for (let n = 1; n <= 64; n++) await cache.getOrCreate(longKey(n), async () => created(''))
    expect((await cache.getOrCreate(longKey(0), async () => created('second'))).body).toEqual(['second'])
  })
})

describe('a site with a visitor cache', () => {
  let site: TestApp
  beforeAll(async () => {
    site = await bootApp({ visitorCache: createVisitorCache(60_000) })
  })
  afterAll(() => site.close())

  it('queries the database once, and shows a new bookmark immediately', async () => {
    const ana = await signUp(site, 'ana')
    const list = () => site.call(listVideos, { query: {} })
    await list()
    site.statements.length = 0
    await list()
    expect(site.statements).toEqual([])
    await saveFilm(site, ana, 'fresh', { video: { title: 'Fresh' } })
    expect((await list()).results[0]?.title).toBe('Fresh')
  })

  it('keeps its cache when a call changes nothing visible to visitors', async () => {
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

  it('shows what a job changed as soon as the job is done', async () => {
    await saveFilm(site, await signUp(site, 'gil'), 'recounted')
    const list = () => site.call(listVideos, { query: {} })
    await list()
    const queues = createJobQueues(site.app.deps)
    const run = async (name: string) => {
      await queues.find((queue) => queue.name === name)?.work({})
      site.statements.length = 0
      await list()
      return site.statements.length
    }
    expect(await run('remove-expired')).toBe(0)
    expect(await run('recount-listing')).toBeGreaterThan(0)
  })

  it('serves a signed-in user from the entry of visitors with one statement', async () => {
    const hal = await signUp(site, 'hal')
    const fan = await signUp(site, 'ira')
    const { id } = await saveFilm(site, hal, 'of-hal')
    const { id: halsId } = await site.call(getProfile, { params: { username: 'hal' } }, hal)
    await site.call(followUser, { params: { id: halsId } }, fan)
    const origin = await site.app.listen({ port: 0, host: '127.0.0.1' })
    const statementsOf = async (path: string) => {
      const headers = { authorization: `Bearer ${fan.access}` }
      await fetch(origin + path)
      await fetch(origin + path, { headers })
      site.statements.length = 0
      const { status } = await fetch(origin + path, { headers })
      return [status, site.statements.length]
    }
    for (const url of [
      '/api/videos/',
      '/api/videos/?user=hal',
      `/api/bookmarks/${id}/`,
      '/api/collections/?user=hal',
      '/api/profile/hal/',
    ]) {
      expect(await statementsOf(url), url).toEqual([200, 1])
    }
    const readFollow = async () =>
      (await site.call(getProfile, { params: { username: 'hal' } }, fan)).is_followed
    expect(await readFollow()).toBe(true)
    await site.call(unfollowUser, { params: { id: halsId } }, fan)
    expect(await readFollow()).toBe(false)
    // Their owner may see more.
    expect((await site.call(getProfile, { params: { username: 'ira' } }, fan)).email).toBeDefined()
  })

  it('reads what belongs to a user only for that user, and not for visitors first', async () => {
    const kim = await signUp(site, 'kim')
    for (const url of [
      '/api/profile/kim/',
      '/api/profile/KIM/',
      '/api/collections/?user=kim',
      '/api/collections/',
    ]) {
      site.app.deps.visitorCache.drop('everything')
      site.statements.length = 0
      const headers = { authorization: `Bearer ${kim.access}` }
      const { statusCode } = await site.app.inject({ url, headers })
      // The session and what was requested.
      expect([statusCode, site.statements.length], url).toEqual([200, 2])
    }
  })

  it('also caches profiles and lists of collections', async () => {
    await signUp(site, 'eve')
    const fan = await signUp(site, 'fan')
    const readLists = async () =>
      [
        await site.call(getProfile, { params: { username: 'eve' } }),
        await site.call(listCollections, { query: { user: 'eve' } }),
      ] as const
    const [before] = await readLists()
    site.statements.length = 0
    await readLists()
    expect(site.statements).toEqual([])
    await site.call(followUser, { params: { id: before.user_id } }, fan)
    expect((await readLists())[0].followers_count).toBe(1)
  })

  it.each([
    ['/api/profile/gwen/', '/api/profile/gwen/?x=1'],
    ['/api/profile/gwen/', '/api/profile/gwen?page=7&utm_source=a'],
    ['/api/profile/gwen/', '/%61pi/profile/%67wen/'],
    ['/api/videos/?page=1&page_size=25', '/api/videos?page_size=25&page=1'],
    ['/api/videos/?q=cat', '/api/videos/?q=%20c%61t+'],
  ])('answers %s and %s from one entry', async (url, otherUrl) => {
    await site.db`delete from users where username = 'gwen'`
    await signUp(site, 'gwen')
    const { body } = await site.app.inject(url)
    site.statements.length = 0
    const other = await site.app.inject(otherUrl)
    expect([other.statusCode, other.body]).toEqual([200, body])
    expect(site.statements).toEqual([])
  })

  it('sends the same headers and the same errors from an entry as without one', async () => {
    const jo = await signUp(site, 'joan')
    for (let n = 0; n < 3; n++)
      await saveFilm(site, jo, `of-joan-${n}`, { video: { title: 'A long title. '.repeat(10) } })
    const url = '/api/videos/?user=joan&page_size=3'
    const encodings = [{}, { 'accept-encoding': 'gzip' }]
    for (const token of [{}, { authorization: `Bearer ${jo.access}` }]) {
      for (const encoding of encodings) {
        const read = async () => {
          const { statusCode, headers, rawPayload } = await site.app.inject({
            url,
            headers: { ...token, ...encoding },
          })
          const { date, ...others } = headers
          return { statusCode, others, bytes: rawPayload.length }
        }
        site.app.deps.visitorCache.drop('everything')
        const [first, second, third] = [await read(), await read(), await read()]
        expect(second).toEqual(first)
        expect(third).toEqual(first)
        expect(first.others['content-encoding']).toBe(encoding === encodings[0] ? undefined : 'gzip')
        expect(first.others['content-security-policy']).toContain("default-src 'none'")
      }
    }
    const head = await site.app.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    const forged = await site.app.inject({ url, headers: { authorization: 'Bearer forged' } })
    expect(forged.statusCode).toBe(401)
  })

  it('counts requests that are answered from an entry', async () => {
    const limited = await bootApp({
      visitorCache: createVisitorCache(60_000),
      settings: { rateLimitScale: 5 / rateLimits.read.tokens },
    })
    const codes = []
    for (let n = 0; n < 7; n++) codes.push((await limited.app.inject('/api/videos/')).statusCode)
    expect(codes).toEqual([200, 200, 200, 200, 200, 429, 429])
    await limited.close()
  })

  it('distinguishes every parameter that the list reads', async () => {
    await signUp(site, 'gus')
    for (const query of ['user=gus', 'tag=gus', 'q=gus', 'liked_by=gus', 'q=gu%22s', 'q=gus,', 'q=null']) {
      site.statements.length = 0
      await site.app.inject(`/api/videos/?${query}`)
      expect(site.statements, query).not.toEqual([])
    }
  })

  it('does not answer signed-in users without reading their session', async () => {
    const bob = await signUp(site, 'bob')
    site.statements.length = 0
    await site.call(listVideos, { query: {} }, bob)
    expect(site.statements).not.toEqual([])
  })

  it('caches random lists by the seed that the server chose, and chooses different ones', async () => {
    const viewer = await signUp(site, 'random')
    const seeds = new Set<number | undefined>()
    for (let request = 0; request < 20; request++) {
      const list = await site.call(
        listVideos,
        { query: { sort: 'random' } },
        request % 2 === 0 ? null : viewer,
      )
      seeds.add(list.seed)
      site.statements.length = 0
      await site.call(listVideos, { query: { sort: 'random', seed: list.seed ?? 0 } })
      expect(site.statements).toEqual([])
    }
    expect(seeds.size).toBeGreaterThan(1)
  })

  it('reports a write as successful even if other processes cannot be notified', async () => {
    const closedDb = connect(site.databaseUrl, { max: 1 })
    await closedDb.end({ timeout: 0 })
    const cache = createVisitorCache()
    await cache.getOrCreate('/', async () => created('before'))
    await publishChange({ db: closedDb, visitorCache: cache, replica: null }, 'everything', null)
    expect((await cache.getOrCreate('/', async () => created('after'))).body).toEqual(['after'])
  })

  it('clears its cache after writes by other processes', async () => {
    const otherCache = createVisitorCache(60_000)
    await subscribeToChanges(site.db, otherCache)
    await otherCache.getOrCreate('/', async () => created('before'))
    await saveFilm(site, await signUp(site, 'cyd'), 'fresher')
    for (let attempt = 0; attempt < 100; attempt++) {
      if ((await otherCache.getOrCreate('/', async () => created('after'))).body[0] === 'after') return
      await sleep(20)
    }
    throw new Error('the cache was not cleared')
  })
})
