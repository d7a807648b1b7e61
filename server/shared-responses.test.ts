/**
 * What the visitor cache serves is what the database would answer (docs/decisions/0038-shared-responses.md). Two server
 * processes with caches whose entries last a minute are compared with one without a cache, on the same database, so that
 * an entry that a write should have dropped, or that shows something private to others, is noticed.
 */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from './app.ts'
import { createVisitorCache, type VisitorCache } from './core/http/visitor-cache.ts'
import { syncOwnerName } from './features/users/profiles/sync-owner-name.ts'
import { loadEndpoints } from './testing/contract-endpoints.ts'
import { openServices, type Services } from './testing/services.ts'
import { bootApp, type TestApp } from './testing/test-app.ts'
import { createDestination, saveFilm } from './testing/test-bookmarks.ts'
import { signUp, signUpModerator, type TestUser } from './testing/test-users.ts'

interface CachedProcess {
  app: FastifyInstance
  services: Services
  cache: VisitorCache
}

/** Has no cache. */
let site: TestApp
let processes: [CachedProcess, CachedProcess]
let users: Record<'ana' | 'ben' | 'cid' | 'dora' | 'eli' | 'mod', TestUser>
let films: { id: number; video: { id: number; source_url: string } }[]
let anasPrivateFilm: { id: number; video: { id: number; source_url: string } }
let privateCollection: number
let bensCollection: { collection_id: number; channel_id: number }
let commentId: number
let smartCollections: number[]
let linkToken: string

async function startProcess(): Promise<CachedProcess> {
  const cache = createVisitorCache(60_000)
  const services = await openServices(site.databaseUrl, { visitorCache: cache })
  const app = await buildApp(services.deps)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, services, cache }
}

/** Sends a request over a connection to the processes with a cache, because injected requests do not pass Node's server. */
const send = async (
  app: FastifyInstance,
  viewer: TestUser | null,
  [method, url, body]: readonly [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object],
) => {
  const headers = viewer === null ? {} : { authorization: `Bearer ${viewer.access}` }
  const path = `/api${url}`
  if (!app.server.listening) {
    const reply = await app.inject({ method, url: path, headers, ...(body && { payload: body }) })
    return { statusCode: reply.statusCode, json: reply.body === '' ? null : reply.json() }
  }
  const { port } = app.server.address() as AddressInfo
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { statusCode: reply.status, json: text === '' ? null : JSON.parse(text) }
}

/** Returns status and body. Times and signed links, which differ between two calls, are left out. */
const read = async (app: FastifyInstance, viewer: TestUser | null, url: string) => {
  const reply = await send(app, viewer, ['GET', url])
  return { url, viewer: viewer?.username ?? null, status: reply.statusCode, body: reply.json }
}

/** Every URL whose response may come from the cache, with the name of its endpoint. */
const cachedUrls = (): Record<string, string[]> => {
  const bookmarkIds = [...films, anasPrivateFilm].map(({ id }) => id)
  const videoIds = [...films, anasPrivateFilm].map(({ video }) => video.id)
  const names = ['ana', 'ben', 'cid', 'ANA']
  const { collection_id, channel_id } = bensCollection
  const collections = [collection_id, privateCollection]
  return {
    listVideos: [
      '/videos/',
      '/videos/?orientation=sfw',
      '/videos/?q=film',
      '/videos/?q=film%20is:watched',
      '/videos/?q=user:ben',
      '/videos/?q=-user:ben%20film',
      '/videos/?tag=common',
      '/videos/?sort=random&seed=4',
      '/videos/?sort=following',
      '/videos/?following=true&user=ana',
      '/videos/?page_size=2',
      '/videos/?page_size=2&page=2',
      ...names.flatMap((name) => [`/videos/?user=${name}`, `/videos/?liked_by=${name}`]),
      ...collections.map((id) => `/videos/?collection=${id}`),
      ...collections.map((id) => `/videos/?user=&collection=${id}`),
      `/videos/?channel=${channel_id}`,
      ...smartCollections.map((id) => `/videos/?smart_collection=${id}`),
    ],
    getBookmark: bookmarkIds.map((id) => `/bookmarks/${id}/`),
    listSimilar: bookmarkIds.map((id) => `/bookmarks/${id}/similar/`),
    listOtherSources: bookmarkIds.map((id) => `/bookmarks/${id}/other-sources/`),
    getPlayQueue: [
      ...bookmarkIds.flatMap((id) => collections.map((c) => `/bookmarks/${id}/play-queue/?collection=${c}`)),
      ...smartCollections.map((id) => `/bookmarks/${bookmarkIds[0]}/play-queue/?smart_collection=${id}`),
      ...['tag=common&shuffle=3', 'user=ana', 'liked_by=ana', 'sort=following', 'q=film%20is:watched'].map(
        (query) => `/bookmarks/${bookmarkIds[0]}/play-queue/?${query}`,
      ),
    ],
    getPlayStart: ['', 'tag=common', 'user=ana', 'liked_by=ana'].map(
      (query) => `/videos/play-start/?${query}`,
    ),
    listComments: [
      ...videoIds.map((id) => `/videos/${id}/comments/`),
      ...videoIds.map((id) => `/videos/${id}/comments/?bookmark=${anasPrivateFilm.id}`),
    ],
    listReplies: [`/comments/${commentId}/replies/`],
    getComment: [`/comments/${commentId}/`],
    getProfile: names.map((name) => `/profile/${name}/`),
    listFollowers: Object.values(users).map(({ id }) => `/users/${id}/followers/`),
    listFollowing: Object.values(users).map(({ id }) => `/users/${id}/following/`),
    listCollectors: videoIds.map((id) => `/videos/${id}/users-bookmarked/`),
    listCollections: names.map((name) => `/collections/?user=${name}`),
    findVideoByLink: [...films, anasPrivateFilm].map(
      ({ video }) => `/suggestions/link/?url=${encodeURIComponent(video.source_url)}`,
    ),
    getSuggestions: ['a', 'b', 'c', 'film', 'common', 'my', 'another'].map((q) => `/suggestions/?q=${q}`),
    searchCollections: ['my', 'another'].map((q) => `/collections/search/?q=${q}`),
    searchProfiles: [...names, 'c'].map((name) => `/users/search/?q=${name}`),
    listSmartCollections: names.map((name) => `/smart-collections/?user=${name}`),
    getSmartCollection: smartCollections.map((id) => `/smart-collections/${id}/`),
    getCollection: collections.map((id) => `/collections/${id}/`),
    listChannels: collections.map((id) => `/collections/${id}/channels/`),
    getChannel: [`/channels/${channel_id}/`],
    getUnlistedCollection: [`/unlisted/${linkToken}/`],
    listNotifications: ['/notifications/'],
    listTags: ['', '?q=com', '?orientation=sfw'].map((query) => `/tags/${query}`),
  }
}
const allUrls = () => Object.values(cachedUrls()).flat()

beforeAll(async () => {
  site = await bootApp()
  const [ana, ben, cid, dora, eli] = await Promise.all(
    ['ana', 'ben', 'cid', 'dora', 'eli'].map((name) => signUp(site, name)),
  )
  const mod = await signUpModerator(site, 'mod')
  users = { ana, ben, cid, dora, eli, mod } as typeof users
  bensCollection = await createDestination(site, users.ben)
  privateCollection = (await createDestination(site, users.ana, 'private')).collection_id
  const created = await send(site.app, users.ana, [
    'POST',
    `/collections/${privateCollection}/link/`,
    { shows_private: true },
  ])
  linkToken = created.json.link.token
  const stored = await site.db<{ id: number }[]>`
    insert into smart_collections (user_id, name, access, query, is_personal)
    values (${users.ana.id}, 'Common', 'public', '{"scope": "own", "tag": "common"}', false),
           (${users.ben.id}, 'All common', 'public', '{"scope": "all", "tag": "common"}', false),
           (${users.ben.id}, 'Likes', 'public', '{"scope": "liked"}', false),
           (${users.ana.id}, 'Watched', 'private', '{"scope": "own", "watched": true}', true) returning id`
  smartCollections = stored.map(({ id }) => id)
  const video = (tags: string[]) => ({ video: { tags } })
  films = [
    await saveFilm(site, users.ana, 1, video(['common'])),
    await saveFilm(site, users.ana, 2, video(['common', 'rare'])),
    await saveFilm(site, users.ben, 3, { ...video(['common']), bookmark: bensCollection }),
    await saveFilm(site, users.ben, 4, { ...video([]), bookmark: { ...bensCollection, access: 'private' } }),
    await saveFilm(site, users.cid, 5, video(['rare'])),
    await saveFilm(site, users.ana, 6, { bookmark: { collection_id: privateCollection, channel_id: null } }),
    await saveFilm(site, users.cid, 7, video(['common'])),
    await saveFilm(site, users.cid, 8, video(['common'])),
  ]
  // A private bookmark of a video that others saved publicly.
  await saveFilm(site, users.ben, 9, video(['common']))
  anasPrivateFilm = await saveFilm(site, users.ana, 9, { bookmark: { access: 'private' } })
  await site.db`update videos set status = 'hidden' where id = ${films[6]?.video.id ?? 0}`
  await site.db`update videos set status = 'removed' where id = ${films[7]?.video.id ?? 0}`
  const [first] = films
  const comment = await send(site.app, users.ana, [
    'POST',
    `/videos/${first?.video.id}/comments/`,
    { content: 'First, @ana, @ben and @dora!' },
  ])
  commentId = comment.json.id
  // Held for a moderator, because of its link.
  for (const viewer of [users.ana, users.eli]) {
    await send(site.app, viewer, [
      'POST',
      `/videos/${first?.video.id}/comments/`,
      { content: 'https://a.example/1' },
    ])
    await send(site.app, viewer, [
      'POST',
      `/comments/${commentId}/replies/`,
      { content: 'https://a.example/2' },
    ])
  }
  await send(site.app, users.ana, [
    'POST',
    `/videos/${anasPrivateFilm.video.id}/comments/`,
    { content: 'Mine.' },
  ])
  await send(site.app, users.dora, ['POST', `/users/${users.cid.id}/block/`])
  await send(site.app, users.dora, ['POST', '/mutes/', { tag: 'rare' }])
  await send(site.app, users.cid, ['POST', `/users/${users.ana.id}/follow/`])
  await send(site.app, users.ben, ['POST', `/users/${users.cid.id}/follow/`])
  for (const [n, viewer] of [users.ana, users.ben, users.cid].entries()) {
    await send(site.app, viewer, ['POST', `/videos/${films[n]?.video.id}/like/`])
    await send(site.app, viewer, ['POST', `/videos/${films[0]?.video.id}/watch-later/`])
    await send(site.app, viewer, ['POST', `/videos/${films[n + 1]?.video.id}/watched/`])
  }
  // Members see more than visitors, and nobody else sees whom Cid follows.
  await site.db`update users set profile_visibility = 'members' where id = ${users.ben.id}`
  await syncOwnerName(site.db, users.ben.id)
  await site.db`update users set likes_visibility = 'members', followers_visibility = 'members' where id = ${users.ana.id}`
  await site.db`update users set following_visibility = 'only_me', likes_visibility = 'only_me' where id = ${users.cid.id}`
  processes = [await startProcess(), await startProcess()]
})
afterAll(async () => {
  for (const { app, services } of processes) {
    await app.close()
    await services.close()
  }
  await site.close()
})

/** Calls `check` until it succeeds, because visitors of other processes may get outdated responses for a moment. */
const caughtUp = async ({ cache }: CachedProcess) => {
  const [row] = await site.db<[{ number: number }]>`select last_value as number from cache_changes`
  await expect.poll(() => cache.appliedChange, { timeout: 30_000 }).toBeGreaterThanOrEqual(row.number)
}

describe('a cached response', () => {
  test('is checked here for every endpoint whose response depends on the viewer and may be shared', async () => {
    const names = (await loadEndpoints())
      .filter(([, { method, auth }]) => method === 'GET' && auth === 'viewer')
      .map(([name]) => name)
    expect(Object.keys(cachedUrls())).toEqual(expect.arrayContaining(names))
  })

  test('is what the database returns for each viewer, no matter which viewer requested it first', {
    timeout: 300_000,
  }, async () => {
    const viewers = [...Object.values(users), null]
    const [{ app, cache }] = processes
    await caughtUp(processes[0])
    for (const url of allUrls()) {
      const expected = await Promise.all(viewers.map((viewer) => read(site.app, viewer, url)))
      // The first viewer creates the entry: a visitor, the owner of private bookmarks, another user.
      for (const first of [null, users.ana, users.ben]) {
        cache.drop('everything')
        await read(app, first, url)
        for (const [n, viewer] of viewers.entries()) expect(await read(app, viewer, url)).toEqual(expected[n])
      }
    }
    expect(cache.statistics().hits).toBeGreaterThan(400)
  })

  test('is created once for concurrent requests of signed-in users, who are looked up together', async () => {
    const [{ app, cache, services }] = processes
    await caughtUp(processes[0])
    cache.drop('everything')
    const readers = [users.eli, users.ben, users.ana, users.eli, users.ben, users.ana]
    await read(app, users.eli, '/collections/?user=eli')
    services.statements.length = 0
    // Injected, because requests over connections do not arrive in the same turn of the event loop.
    const injected = (viewer: TestUser) =>
      app.inject({ url: '/api/videos/?tag=common', headers: { authorization: `Bearer ${viewer.access}` } })
    await Promise.all(readers.map(injected))
    const count = (text: string) => services.statements.filter((statement) => statement.includes(text)).length
    expect(count('join bookmarks b on b.id = p.id')).toBe(1)
    expect(count('from sessions s')).toBe(1)
    expect(count('watched_videos w')).toBe(1)
    services.statements.length = 0
    await read(app, users.eli, '/videos/?tag=common')
    expect(services.statements).toHaveLength(1)
  })
})

/** Returns a random write of a random user; the sequence is the same in each run. */
function randomWrites() {
  let seed = 20_261_122
  const random = (max: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * max)
  }
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const access = () => pick(['public', 'private'])
  const ids = () => ({ film: pick(films), user: pick(Object.values(users)) })
  const writes = [
    () => ['POST', `/videos/${ids().film.video.id}/like/`],
    () => ['POST', `/videos/${ids().film.video.id}/like/`],
    () => ['POST', `/videos/${ids().film.video.id}/watched/`],
    () => ['DELETE', `/videos/${ids().film.video.id}/watched/`],
    () => ['POST', `/videos/${ids().film.video.id}/watch-later/`],
    () => ['POST', `/users/${ids().user.id}/toggle-follow/`],
    () => ['POST', `/collections/${bensCollection.collection_id}/${pick(['follow', 'unfollow'])}/`],
    () => ['POST', `/channels/${bensCollection.channel_id}/${pick(['follow', 'unfollow'])}/`],
    () => ['POST', `/tags/${pick(['follow', 'unfollow'])}/`, { tag: pick(['common', 'rare']) }],
    () => ['POST', `/users/${ids().user.id}/block/`],
    () => ['POST', `/users/${ids().user.id}/unblock/`],
    () => ['POST', `/users/${ids().user.id}/unblock/`],
    () => ['POST', `/videos/${ids().film.video.id}/comments/`, { content: `A remark ${random(1e9)}` }],
    () => ['POST', `/comments/${commentId}/replies/`, { content: `A reply ${random(1e9)}` }],
    () => ['PATCH', `/comments/${commentId}/`, { content: `Edited ${random(1e9)}` }],
    () => ['POST', '/bookmarks/collect/', { bookmark_id: ids().film.id, access: access() }],
    () => [
      'POST',
      '/bookmarks/',
      {
        video: {
          source_url: `https://films.example.org/watch/${random(12)}`,
          title: `Film ${random(9)}`,
          tags: ['common'],
        },
        bookmark: { access: access() },
      },
    ],
    () => ['PATCH', `/bookmarks/${ids().film.id}/`, { title: `Film ${random(100)}`, access: access() }],
    () => [
      'PATCH',
      `/collections/${pick([bensCollection.collection_id, privateCollection])}/`,
      { access: access() },
    ],
    () => ['PATCH', `/profile/${ids().user.username}/`, { bio: `Bio ${random(100)}` }],
    () => ['POST', '/pins/', { pins: [{ kind: 'bookmark', id: ids().film.id }] }],
    () => ['POST', '/notifications/read/', { all: true }],
    () => ['POST', '/mutes/', { tag: pick(['common', 'rare', 'other']) }],
    () => ['DELETE', `/mutes/${1 + random(10)}/`],
    () => ['POST', `/moderation/users/${ids().user.id}/verify/`],
  ] as (() => ['GET' | 'POST' | 'PATCH' | 'DELETE', string, object?])[]
  return { pick, next: () => ({ viewer: ids().user, call: pick(writes)(), via: pick([0, 1] as const) }) }
}

describe('after the response to a write', () => {
  test('signed-in users of every process and visitors of the same one never see older data', {
    timeout: 600_000,
    tags: 'heavy',
  }, async () => {
    const { next, pick } = randomWrites()
    const outcomes = new Map<string, number>()
    const urls = allUrls()
    for (let n = 0; n < 100; n++) {
      const { viewer, call, via } = next()
      // More often the lists that change most.
      const reads = [
        '/videos/',
        '/videos/?sort=following',
        '/notifications/',
        ...Array.from({ length: 7 }, () => pick(urls)),
      ].map((url) => ({ url, reader: pick([...Object.values(users), viewer, viewer]) }))
      // Fills the caches with what the write may change.
      for (const { app } of processes) {
        for (const { url, reader } of reads) await Promise.all([read(app, reader, url), read(app, null, url)])
      }
      const { statusCode } = await send(processes[via].app, viewer, call)
      expect(statusCode, JSON.stringify(call)).toBeLessThan(500)
      const outcome = `${call[0]} ${call[1].replace(/\d+/g, 'N')} ${statusCode < 300 ? 'done' : 'refused'}`
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      for (const { url, reader } of reads) {
        for (const { app } of processes) {
          expect(await read(app, reader, url), `${n}: ${outcome}`).toEqual(await read(site.app, reader, url))
        }
        expect(await read(processes[via].app, null, url), `${n}: ${outcome}`).toEqual(
          await read(site.app, null, url),
        )
      }
    }
    const done = [...outcomes.keys()].filter((outcome) => outcome.endsWith('done'))
    expect(done.length, JSON.stringify([...outcomes])).toBeGreaterThan(10)
    for (const { cache } of processes) expect(cache.statistics().hits).toBeGreaterThan(300)
  })

  test('visitors of the other processes see it after these processes were notified', async () => {
    const url = `/profile/${users.eli.username}/`
    for (const { app } of processes) await read(app, null, url)
    await send(processes[0].app, users.eli, ['PATCH', url, { bio: 'A new bio.' }])
    await caughtUp(processes[1])
    expect((await read(processes[1].app, null, url)).body.bio).toBe('A new bio.')
  })

  test('each of many concurrent likes is counted in what its user reads next, in either process', async () => {
    const film = await saveFilm(site, await signUp(site, 'owner-of-film'), 'liked by many')
    const crowd = await Promise.all(Array.from({ length: 24 }, (_, n) => signUp(site, `crowd${n}`)))
    let acknowledged = 0
    await Promise.all(
      crowd.map(async (user, n) => {
        const [writer, reader] = [processes[n % 2] as CachedProcess, processes[(n + 1) % 2] as CachedProcess]
        for (const isLiked of [true, false, true]) {
          await send(writer.app, user, ['POST', `/videos/${film.video.id}/like/`])
          const { body } = await read(reader.app, user, `/bookmarks/${film.id}/`)
          expect(body.is_liked).toBe(isLiked)
        }
        acknowledged += 1
        const least = acknowledged
        const { body } = await read(reader.app, user, `/bookmarks/${film.id}/`)
        expect(body.video.likes_count).toBeGreaterThanOrEqual(least)
      }),
    )
    for (const { app } of processes) {
      expect((await read(app, null, `/bookmarks/${film.id}/`)).body.video.likes_count).toBe(24)
    }
  })

  test('signed-in users see it even if the process has lost its connection for changes', async () => {
    const [first, second] = processes
    const [fan, other] = [await signUp(site, 'fan'), await signUp(site, 'other')]
    const film = await saveFilm(site, await signUp(site, 'owner-online'), 'online')
    const url = `/bookmarks/${film.id}/`
    const lose = () => site.db`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()`
    for (let n = 0; n < 5; n++) {
      await read(second.app, fan, url)
      await lose()
      await send(first.app, fan, ['POST', `/videos/${film.video.id}/like/`])
      for (const viewer of [fan, other]) {
        expect(await read(second.app, viewer, url)).toEqual(await read(site.app, viewer, url))
      }
    }
    // Afterwards it hears of changes again.
    for (const process of processes) await caughtUp(process)
    await read(second.app, null, url)
    await send(first.app, fan, ['POST', `/videos/${film.video.id}/like/`])
    await caughtUp(second)
    expect(await read(second.app, null, url)).toEqual(await read(site.app, null, url))
  })

  test('signed-in users are not served from a cache that missed an announcement', async () => {
    const [{ app, cache, services }] = processes
    const url = '/videos/?tag=rare'
    const reader = await signUp(site, 'reader')
    await caughtUp(processes[0])
    await read(app, reader, url)
    services.statements.length = 0
    await read(app, reader, url)
    expect(services.statements.some((text) => text.includes('from bookmarks b where'))).toBe(false)
    // A process took this number and ended before it announced its change.
    await site.db`select nextval('cache_changes')`
    await read(app, reader, url)
    expect(services.statements.some((text) => text.includes('from bookmarks b where'))).toBe(true)
    // The next announcement shows that one is missing, and the cache is emptied.
    await read(app, null, url)
    await send(processes[1].app, reader, ['POST', '/notifications/read/', { all: true }])
    await caughtUp(processes[0])
    expect(cache.statistics().entries).toBe(0)
  })
})
