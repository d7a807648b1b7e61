/** A site with a primary, a streaming replica and two workers, as real processes (docs/decisions/0043-read-replica.md). */
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { trashBookmark, updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { type Bookmark, getBookmark, saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createCollection, listCollections } from '@reelmark/contract/collections.ts'
import { createComment, deleteComment, listComments } from '@reelmark/contract/comments.ts'
import { followUser, listFollowers, unfollowUser } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { createMute, deleteMute } from '@reelmark/contract/mutes.ts'
import { getProfile, updateProfile } from '@reelmark/contract/profiles.ts'
import { call, isCallError, type Transport } from '@reelmark/contract/protocol/call.ts'
import type { Endpoint, Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { markWatched, unmarkWatched } from '@reelmark/contract/watching.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadServerKeys } from './core/auth/server-keys.ts'
import { connect, type Sql } from './core/database/database.ts'
import { createFallbackReads } from './core/database/fallback-reads.ts'
import { maxLagMs, openReplica, type ReplicaStatus } from './core/database/replica.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './core/embedded-postgres/embedded-postgres.ts'
import { freePort, type RealServer, startRealServer } from './testing/real-server.ts'
import { createStandby, type Standby } from './testing/standby.ts'
import { slowTimeouts } from './testing/test-database.ts'
import { signUp, type TestUser } from './testing/test-users.ts'

/** More requests than workers, so that each worker answers some of them. */
const readsPerCheck = 4

let folder: string
let primary: EmbeddedPostgres
let server: RealServer
let standby: Standby
let replicaPort: number
/** Superusers. */
let owner: Sql
let replica: Sql
let serverKeys: Awaited<ReturnType<typeof loadServerKeys>>
let alice: TestUser
let bob: TestUser
/** The collections in which users save, by their ids. */
const vaults = new Map<number, number>()
let films = 0

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'reelmark-replica-'))
  // PostgreSQL does not run as root, and must be able to enter the folder.
  chmodSync(folder, 0o755)
  const dataDir = path.join(folder, 'primary')
  primary = await startEmbeddedPostgres({ dataDir, log: { info() {}, warn() {} } })
  replicaPort = await freePort()
  // The replica does not exist yet.
  server = await startRealServer(path.join(folder, 'site'), {
    DATABASE_URL: `${primary.url}?sslmode=disable`,
    DATABASE_OWNER_URL: `${primary.ownerUrl}?sslmode=disable`,
    DATABASE_READ_URL: `${atReplica(primary.url)}?sslmode=disable`,
    WORKERS: '2',
    SAMPLE_CONTENT: 'off',
  })
  owner = connect(primary.ownerUrl, { ...slowTimeouts, max: 3 })
  serverKeys = await loadServerKeys(owner)
  alice = await signUpBefore('alice')
  bob = await signUpBefore('bob')
}, 300_000)

afterAll(async () => {
  await Promise.all([owner, replica].map((db) => db?.end({ timeout: 1 })))
  expect(await server?.stop()).toBe(0)
  await standby?.stop()
  await primary?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const atReplica = (url: string) => url.replace(/:\d+\//, `:${replicaPort}/`)

/** Creates a user who registered long ago; new ones are read from the primary in any case. */
async function signUpBefore(username: string): Promise<TestUser> {
  const user = await signUp({ db: owner, serverKeys }, username)
  await owner`
    update users set created_at = now() - interval '8 days', email_confirmed_at = now() where id = ${user.id}`
  const [vault] = await owner<
    [{ id: number }]
  >`select id from collections where user_id = ${user.id} order by id limit 1`
  vaults.set(user.id, vault.id)
  return user
}

/** Opens a connection for each request, so that the workers take turns. */
const transport: Transport = async ({ method, url, headers, body }) => {
  const sent = request(`${server.url}${url}`, { method, headers, agent: false })
  sent.end(body as string | null)
  const [reply] = (await once(sent, 'response')) as [import('node:http').IncomingMessage]
  const text = (await reply.toArray()).join('')
  return {
    status: reply.statusCode ?? 0,
    headers: { get: (name) => reply.headers[name.toLowerCase()]?.toString() ?? null },
    body: text === '' ? null : JSON.parse(text),
  }
}

const send = <E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  as: TestUser | null = null,
): Promise<Reply<E>> =>
  call(transport, endpoint, input, as === null ? {} : { authorization: `Bearer ${as.access}` })

/** Returns the statuses of the replica that several requests to /readyz report. */
async function readStatuses(): Promise<ReplicaStatus[]> {
  const statuses: ReplicaStatus[] = []
  for (let n = 0; n < readsPerCheck; n++) {
    const { status, body } = await transport({ method: 'GET', url: '/readyz', headers: {}, body: null })
    expect(status).toBe(200)
    statuses.push((body as { replica: ReplicaStatus }).replica)
  }
  return statuses
}

async function waitForState(state: ReplicaStatus['state']): Promise<void> {
  const readStates = async () => [...new Set((await readStatuses()).map((status) => status.state))]
  await expect.poll(readStates, { timeout: 120_000, interval: 100 }).toEqual([state])
}

/** Waits until the replica contains everything and both workers have checked that. */
async function waitUntilCurrent(): Promise<void> {
  const [{ position }] = await owner<
    [{ position: string }]
  >`select pg_current_wal_flush_lsn()::text as position`
  const isReplayed = async () => {
    const [row] = await replica`select pg_last_wal_replay_lsn() >= ${position}::pg_lsn as done`
    return row?.done
  }
  await expect.poll(isReplayed, { timeout: 120_000, interval: 50 }).toBe(true)
  await sleep(600)
  await waitForState('used')
}

/**
 * Runs `work` while the replica replays nothing, and again if that took so long that the replica was not used any more,
 * because then nothing would have been proven.
 */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await waitUntilCurrent()
    await replica`select pg_wal_replay_pause()`
    const startedAt = performance.now()
    try {
      await work()
      const isUsed = (await readStatuses()).every(({ state }) => state === 'used')
      if (isUsed && performance.now() - startedAt < maxLagMs) return
    } finally {
      await replica`select pg_wal_replay_resume()`
    }
    if (attempt === 8) throw new Error('This machine is too slow: the replica was always too old at the end.')
  }
}

async function expectEachRead<T>(read: () => Promise<T>, expected: unknown): Promise<void> {
  for (let n = 0; n < readsPerCheck; n++) expect(await read()).toEqual(expected)
}

async function save(as: TestUser): Promise<Bookmark> {
  films += 1
  return send(
    saveBookmark,
    {
      body: {
        video: { source_url: `https://films.example.org/watch/${films}`, title: `Film ${films}` },
        bookmark: { collection_id: vaults.get(as.id) ?? 0 },
      },
    },
    as,
  )
}

const statusOf = async (calling: Promise<unknown>) =>
  calling.then(
    () => 200,
    (error: unknown) => {
      if (isCallError(error)) return error.status
      throw error
    },
  )

const listed = async (query: Input<typeof listVideos>['query'], as: TestUser | null = null) =>
  (await send(listVideos, { query }, as)).results.map(({ id }) => id)

/** Lists with a parameter that makes the request miss the cache. */
let uncached = 0
const isListed = async (bookmark: Bookmark, as: TestUser | null = null) => {
  uncached += 1
  const ids = await listed({ user: bookmark.user.username, page_size: 40 + (uncached % 60) }, as)
  return ids.includes(bookmark.id)
}

test('starts without its replica, reports that, and uses the replica once it exists', {
  timeout: 300_000,
}, async () => {
  expect(await readStatuses()).toContainEqual({ state: 'unreachable', lag_seconds: null })
  expect(server.output()).toContain('the replica is not used, reads go to the primary')
  const film = await save(alice)
  expect(await isListed(film)).toBe(true)
  standby = await createStandby(owner, {
    dataDir: path.join(folder, 'primary'),
    primaryUrl: primary.ownerUrl,
    folder: path.join(folder, 'replica'),
    port: replicaPort,
  })
  await standby.start()
  replica = connect(atReplica(primary.ownerUrl), { ...slowTimeouts, max: 3 })
  await waitForState('used')
  const [status] = await readStatuses()
  expect(status?.lag_seconds).toBeLessThan(maxLagMs / 1000)
})

describe('with a replica', () => {
  test('reads lists, bookmarks, profiles, collections and comments from it, for visitors and users', async () => {
    const film = await save(alice)
    const reads: Record<string, (as: TestUser | null) => Promise<unknown>> = {
      list: (as) => listed({ user: 'alice' }, as),
      bookmark: (as) => send(getBookmark, { params: { id: film.id } }, as),
      profile: (as) => send(getProfile, { params: { username: 'alice' } }, as),
      collections: (as) => send(listCollections, { query: { user: 'alice' } }, as),
      comments: (as) => send(listComments, { params: { id: film.video.id }, query: {} }, as),
      followers: (as) => send(listFollowers, { params: { id: alice.id }, query: {} }, as),
    }
    await waitUntilCurrent()
    for (const as of [null, bob]) {
      for (const [name, read] of Object.entries(reads)) {
        const isRead = async () => {
          const [{ now }] = await replica<[{ now: Date }]>`select clock_timestamp() as now`
          await read(as)
          const statements = await replica`
            select from pg_stat_activity where application_name = 'reelmark read' and query_start > ${now}`
          return statements.length > 0
        }
        // What was read before is cached for a second.
        await expect.poll(isRead, { message: `${name} as ${as?.username}`, interval: 1_100 }).toBe(true)
      }
    }
    expect(server.output()).not.toContain('a read failed on the replica')
  })

  test('shows visitors what the replica contains, and finds on the primary what it does not contain yet', async () => {
    let film: Bookmark | undefined
    await whilePaused(async () => {
      film = await save(alice)
      expect(await isListed(film)).toBe(false)
      expect(await statusOf(send(getBookmark, { params: { id: film.id } }))).toBe(200)
    })
    await expect.poll(() => isListed(film as Bookmark)).toBe(true)
  })

  test('shows users in every process what they wrote, while the replica does not contain it', {
    timeout: 600_000,
  }, async () => {
    const others = await save(bob)
    const own = await save(alice)
    const videoId = others.video.id
    const writes: Record<string, () => Promise<void>> = {
      save: async () => {
        const film = await save(alice)
        await expectEachRead(() => isListed(film, alice), true)
      },
      like: async () => {
        const { is_liked, likes_count } = await send(toggleLike, { params: { id: videoId } }, alice)
        const read = async () => {
          const { video } = await send(getBookmark, { params: { id: others.id } }, alice)
          const liked = await listed({ liked_by: 'alice' }, alice)
          return [video.likes_count, liked.includes(others.id)]
        }
        await expectEachRead(read, [likes_count, is_liked])
      },
      edit: async () => {
        const title = `Edited ${Math.random()}`
        await send(updateBookmark, { params: { id: own.id }, body: { title } }, alice)
        await expectEachRead(
          async () => (await send(getBookmark, { params: { id: own.id } }, alice)).title,
          title,
        )
      },
      delete: async () => {
        const film = await save(alice)
        await send(trashBookmark, { params: { id: film.id } }, alice)
        await expectEachRead(() => isListed(film, alice), false)
      },
      follow: async () => {
        const read = async () =>
          (await send(listFollowers, { params: { id: bob.id }, query: {} }, alice)).results.some(
            ({ id }) => id === alice.id,
          )
        const readFeed = async () => (await listed({ sort: 'following' }, alice)).includes(others.id)
        await send(followUser, { params: { id: bob.id } }, alice)
        await expectEachRead(read, true)
        await expectEachRead(readFeed, true)
        await send(unfollowUser, { params: { id: bob.id } }, alice)
        await expectEachRead(read, false)
        await expectEachRead(readFeed, false)
      },
      comment: async () => {
        const { id } = await send(
          createComment,
          { params: { id: videoId }, body: { content: 'Good.' } },
          alice,
        )
        const read = async () =>
          (await send(listComments, { params: { id: videoId }, query: {} }, alice)).results.some(
            (comment) => comment.id === id,
          )
        await expectEachRead(read, true)
        await send(deleteComment, { params: { id } }, alice)
        await expectEachRead(read, false)
      },
      settings: async () => {
        const bio = `I changed this ${Math.random()}`
        await send(updateProfile, { params: { username: 'alice' }, body: { bio } }, alice)
        await expectEachRead(
          async () => (await send(getProfile, { params: { username: 'alice' } }, alice)).bio,
          bio,
        )
      },
      collection: async () => {
        const name = `New ${Math.random()}`
        await send(createCollection, { body: { name } }, alice)
        const read = async () =>
          (await send(listCollections, { query: { page_size: 100 } }, alice)).results.some(
            (collection) => collection.name === name,
          )
        await expectEachRead(read, true)
      },
      'watched mark': async () => {
        const read = async () => (await listed({ q: 'is:unwatched', user: 'alice' }, alice)).includes(own.id)
        await send(markWatched, { params: { id: own.video.id } }, alice)
        await expectEachRead(read, false)
        await send(unmarkWatched, { params: { id: own.video.id } }, alice)
        await expectEachRead(read, true)
      },
      mute: async () => {
        const mute = await send(createMute, { body: { user_id: bob.id } }, alice)
        await expectEachRead(() => isInExplore(others, alice), false)
        await send(deleteMute, { params: { id: mute.id } }, alice)
        await expectEachRead(() => isInExplore(others, alice), true)
      },
    }
    for (const [name, write] of Object.entries(writes)) {
      await whilePaused(write).catch((error: Error) => {
        error.message = `${name}: ${error.message}`
        throw error
      })
    }
  })

  test('shows users what they wrote after visitors were served older content from the replica', async () => {
    const film = await save(alice)
    const readLikes = async (as: TestUser | null) =>
      (await send(getBookmark, { params: { id: film.id } }, as)).video.likes_count
    let likes = 0
    await whilePaused(async () => {
      likes = (await send(toggleLike, { params: { id: film.video.id } }, bob)).likes_count
      await expectEachRead(() => readLikes(null), 1 - likes)
    })
    const until = performance.now() + 1_500
    while (performance.now() < until) expect(await readLikes(bob)).toBe(likes)
  })

  test('hides what was made private, deleted or reported from everyone, while the replica still contains it', {
    timeout: 300_000,
  }, async () => {
    const hide: Record<string, (film: Bookmark) => Promise<unknown>> = {
      private: (film) =>
        send(updateBookmark, { params: { id: film.id }, body: { access: 'private' } }, alice),
      deleted: (film) => send(trashBookmark, { params: { id: film.id } }, alice),
      reported: (film) =>
        send(createReport, { body: { video_id: film.video.id, report_type: 'request_moderation' } }, bob),
    }
    for (const [name, write] of Object.entries(hide)) {
      const film = await save(alice)
      let isHidden = false
      await whilePaused(async () => {
        if (!isHidden) expect(await isListed(film)).toBe(true)
        if (!isHidden) await write(film)
        isHidden = true
        const read = async (as: TestUser | null) => [
          await isListed(film, as),
          await statusOf(send(getBookmark, { params: { id: film.id } }, as)),
        ]
        await expectEachRead(() => read(bob), [false, 404])
        // For visitors, another process may learn of the write after their next request.
        const readAsVisitor = async () => {
          const found = []
          for (let n = 0; n < readsPerCheck; n++) found.push(...(await read(null)))
          return [...new Set(found)]
        }
        await expect.poll(readAsVisitor, { timeout: 2_000, interval: 50 }).toEqual([false, 404])
        // The replica still contains it, so that only the rule hides it.
        const [row] = await replica`select is_visible from bookmarks where id = ${film.id}`
        expect(row, name).toEqual({ is_visible: true })
      })
    }
  })

  test('shows for a few seconds at most what a job hides without announcing it, however old the replica is', async () => {
    const film = await save(alice)
    await waitUntilCurrent()
    await replica`select pg_wal_replay_pause()`
    try {
      expect(await isListed(film)).toBe(true)
      await owner`update videos set status = 'hidden' where id = ${film.video.id}`
      const hiddenAt = performance.now()
      while (await isListed(film)) await sleep(50)
      // One second in the cache of visitors, and one for a slow machine.
      expect(performance.now() - hiddenAt).toBeLessThan(maxLagMs + 2_000)
      await waitForState('behind')
      await expectEachRead(() => isListed(film), false)
    } finally {
      await replica`select pg_wal_replay_resume()`
    }
    await waitForState('used')
  })

  test('shows new users what belongs to them before the replica contains them', async () => {
    let number = 0
    await whilePaused(async () => {
      number += 1
      const carol = await signUp({ db: owner, serverKeys }, `carol${number}`)
      const names = async () =>
        (await send(listCollections, { query: {} }, carol)).results.map(({ name }) => name)
      await expectEachRead(names, ['My Vault'])
    })
  })

  test.each(['killed', 'stopped without closing its connections'])(
    'answers every request while the replica is %s, and uses it again afterwards',
    { timeout: 300_000 },
    async (failure) => {
      const isKilled = failure === 'killed'
      await waitUntilCurrent()
      const statuses = new Map<number, number>()
      let isOver = false
      let slowest = 0
      const readers = [null, alice, bob].map(async (as) => {
        for (let n = 0; !isOver; n++) {
          const startedAt = performance.now()
          const status = await statusOf(send(listVideos, { query: { page_size: 1 + (n % 100) } }, as))
          slowest = Math.max(slowest, performance.now() - startedAt)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      })
      await sleep(500)
      await (isKilled ? standby.kill() : standby.signal('SIGSTOP'))
      try {
        await waitForState('unreachable')
        const before = statuses.get(200) ?? 0
        await expect.poll(() => (statuses.get(200) ?? 0) - before, { timeout: 60_000 }).toBeGreaterThan(10)
      } finally {
        await (isKilled ? restart() : standby.signal('SIGCONT'))
      }
      await waitForState('used')
      isOver = true
      await Promise.all(readers)
      expect([...statuses.keys()]).toEqual([200])
      expect(slowest).toBeLessThan(20_000)
    },
  )

  test('repeats a statement on the primary that the replica cancels to continue replaying', async () => {
    await owner.unsafe('create table conflicts as select n from generate_series(1, 3) n')
    await waitUntilCurrent()
    await replica.unsafe("alter system set max_standby_streaming_delay = '0'")
    await replica`select pg_reload_conf()`
    const causes: unknown[] = []
    const reads = createFallbackReads(
      owner,
      () => replica,
      (error) => causes.push(error),
    )
    const reading = reads`select count(*), pg_sleep(case when pg_is_in_recovery() then 60 else 0 end) from conflicts where n = 1`
    const rows = reading.then((found) => found)
    await expect
      .poll(
        async () =>
          (
            await replica`select from pg_stat_activity where query like '%from conflicts%' and wait_event = 'PgSleep'`
          ).length,
      )
      .toBeGreaterThan(0)
    await owner.unsafe('alter table conflicts add column added int')
    expect((await rows)[0]?.count).toBe(1)
    expect(causes).toMatchObject([{ code: '40001' }])
    await replica.unsafe('alter system reset max_standby_streaming_delay')
    await replica`select pg_reload_conf()`
  })

  test('refuses a server that is not a standby of the primary, and says why', async () => {
    const other = await startEmbeddedPostgres({
      dataDir: path.join(folder, 'other'),
      log: { info() {}, warn() {} },
    })
    const stateFor = async (replicaUrl: string) => {
      const warnings: string[] = []
      const log = { info() {}, warn: (_facts: object, message?: string) => warnings.push(message ?? '') }
      const opened = openReplica(owner, { primaryUrl: primary.url, replicaUrl, log: log as never })
      await expect.poll(() => warnings.length).toBe(1)
      const { state } = opened.status()
      expect(opened.choose(null)).toBeNull()
      await opened.end()
      return [state, warnings[0]]
    }
    const prefix = 'the replica is not used, reads go to the primary: '
    expect(await stateFor(primary.url)).toEqual([
      'refused',
      `${prefix}the server of DATABASE_READ_URL is not a standby.`,
    ])
    expect(await stateFor(other.url)).toEqual([
      'refused',
      `${prefix}it is another database than that of DATABASE_URL.`,
    ])
    await other.stop()
  })
})

async function restart(): Promise<void> {
  await expect
    .poll(
      () =>
        standby.start().then(
          () => 'started',
          (error: Error) => error.message,
        ),
      { timeout: 120_000 },
    )
    .toBe('started')
}

async function isInExplore(bookmark: Bookmark, as: TestUser): Promise<boolean> {
  return (await listed({ page_size: 100 }, as)).includes(bookmark.id)
}
