import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { deleteAccount } from '@reelmark/contract/account-settings.ts'
import { changePassword, logIn, logOut } from '@reelmark/contract/accounts.ts'
import { createComment, createReply } from '@reelmark/contract/comments.ts'
import { followUser, toggleFollow } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { listNotifications, markNotificationsRead } from '@reelmark/contract/notifications.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import type { SessionViewer } from '../../core/auth/session.ts'
import { connect, type Sql } from '../../core/database/database.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { slowTimeouts } from '../../testing/test-database.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { createUnreadStreams, type StreamOptions, type UnreadStreams } from './unread-streams.ts'

let site: TestApp
let url: string
/** A second process of the same site. */
let otherProcess: { db: Sql; app: FastifyInstance; url: string }
let alice: TestUser
let bob: TestUser
let userCount = 0

beforeAll(async () => {
  site = await bootApp()
  url = await site.app.listen({ port: 0 })
  const db = connect(site.databaseUrl, slowTimeouts)
  const app = await buildApp({ ...site.app.deps, db })
  otherProcess = { db, app, url: await app.listen({ port: 0 }) }
})
afterAll(async () => {
  await otherProcess.app.close()
  await otherProcess.db.end({ timeout: 5 })
  await site.close()
})
beforeEach(async () => {
  userCount += 1
  alice = await signUp(site, `Alice${userCount}`)
  bob = await signUp(site, `Bob${userCount}`)
})

interface StreamClient {
  status: number
  headers: Headers
  counts: number[]
  hasEnded: boolean
  stop(): void
}
const openClients: StreamClient[] = []
afterEach(() => {
  for (const client of openClients.splice(0)) client.stop()
})

/** Opens a stream the way the web client does, and collects the counts it receives. */
async function listen(baseUrl: string, user: { access: string } | null): Promise<StreamClient> {
  const abort = new AbortController()
  const reply = await fetch(`${baseUrl}/api/notifications/stream/`, {
    headers: user === null ? {} : { authorization: `Bearer ${user.access}` },
    signal: abort.signal,
  })
  const client: StreamClient = {
    status: reply.status,
    headers: reply.headers,
    counts: [],
    hasEnded: false,
    stop: () => abort.abort(),
  }
  openClients.push(client)
  const read = async () => {
    let text = ''
    for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk)
      client.counts = [...text.matchAll(/^event: unread\ndata: (.*)\n\n/gm)].map(
        ([, data]) => JSON.parse(data ?? '').count,
      )
    }
    client.hasEnded = true
  }
  read().catch(() => {})
  return client
}
const expectCounts = (client: StreamClient) => expect.poll(() => client.counts)

describe('an open stream', () => {
  test('receives the count immediately and every change of it, whichever process caused it', async () => {
    const { video } = await saveFilm(site, alice, `streamed${userCount}`)
    const [firstClient, secondClient] = [await listen(url, alice), await listen(otherProcess.url, alice)]
    expect(firstClient.status).toBe(200)
    // No proxy caches, compresses or buffers the stream.
    const headerNames = ['content-type', 'content-encoding', 'cache-control', 'x-accel-buffering']
    expect(headerNames.map((name) => firstClient.headers.get(name))).toEqual([
      'text/event-stream; charset=utf-8',
      null,
      'no-store',
      'no',
    ])
    await expectCounts(firstClient).toEqual([0])
    await expectCounts(secondClient).toEqual([0])
    await site.call(toggleLike, { params: { id: video.id } }, bob)
    for (const client of [firstClient, secondClient]) await expectCounts(client).toEqual([0, 1])
    await site.call(followUser, { params: { id: alice.id } }, bob)
    for (const client of [firstClient, secondClient]) await expectCounts(client).toEqual([0, 1, 2])
    await site.call(markNotificationsRead, { body: { all: true } }, alice)
    for (const client of [firstClient, secondClient]) await expectCounts(client).toEqual([0, 1, 2, 0])
  })

  test('receives one update for several new bookmarks of a followed user', async () => {
    await site.call(followUser, { params: { id: bob.id } }, alice)
    const client = await listen(otherProcess.url, alice)
    await expectCounts(client).toEqual([0])
    await saveFilm(site, bob, `new${userCount}`)
    await expectCounts(client).toEqual([0, 1])
    await saveFilm(site, bob, `newer${userCount}`)
    await saveFilm(site, bob, `private${userCount}`, { bookmark: { access: 'private' } })
    await sleep(300)
    expect(client.counts).toEqual([0, 1])
    await site.call(markNotificationsRead, { body: { all: true } }, alice)
    await expectCounts(client).toEqual([0, 1, 0])
    await saveFilm(site, bob, `newest${userCount}`)
    await expectCounts(client).toEqual([0, 1, 0, 1])
  })

  test('receives nothing about notifications of others', async () => {
    const client = await listen(url, bob)
    await site.call(followUser, { params: { id: alice.id } }, bob)
    await sleep(300)
    expect(client.counts).toEqual([0])
  })

  test('requires a valid access token', async () => {
    expect((await listen(url, null)).status).toBe(401)
    expect((await listen(url, { access: 'x' })).status).toBe(401)
  })

  test('receives at most one count per second, however many events occur', async () => {
    const { video } = await saveFilm(site, alice, `much${userCount}`)
    const client = await listen(url, alice)
    await expectCounts(client).toEqual([0])
    site.statements.length = 0
    for (let attempt = 0; attempt < 20; attempt++)
      await site.call(toggleLike, { params: { id: video.id } }, bob)
    await sleep(1200)
    const countStatements = site.statements.filter((text) => /notification_actors a join users u/.test(text))
    expect(countStatements.length).toBeLessThan(20)
    await site.call(toggleLike, { params: { id: video.id } }, bob)
    await expect.poll(() => client.counts.at(-1)).toBe(1)
  })
})

describe('API calls that notify', () => {
  const kinds = async (user: TestUser) =>
    (await site.call(listNotifications, { query: {} }, user)).results.map(({ kind }) => kind)

  test('likes, follows and replies notify the affected user, and withdrawing them removes the notification', async () => {
    const { video } = await saveFilm(site, alice, `cause${userCount}`)
    await site.call(toggleLike, { params: { id: video.id } }, bob)
    await site.call(toggleFollow, { params: { id: alice.id } }, bob)
    const comment = await site.call(
      createComment,
      { params: { id: video.id }, body: { content: 'Oh' } },
      alice,
    )
    await site.call(createReply, { params: { id: comment.id }, body: { content: 'Ah' } }, bob)
    expect(await kinds(alice)).toEqual(['reply', 'follow', 'own_video_liked'])
    await site.call(toggleLike, { params: { id: video.id } }, bob)
    await site.call(toggleFollow, { params: { id: alice.id } }, bob)
    expect(await kinds(alice)).toEqual(['reply'])
  })

  test('following a user again does not notify them again', async () => {
    await site.call(followUser, { params: { id: alice.id } }, bob)
    await site.call(markNotificationsRead, { body: { all: true } }, alice)
    await site.call(followUser, { params: { id: alice.id } }, bob)
    expect(await kinds(alice)).toEqual(['follow'])
  })
})

describe('streams', () => {
  let streams: UnreadStreams
  const createStreams = (options: StreamOptions) => {
    streams = createUnreadStreams(site.db, site.app.deps.log, options)
    return streams
  }
  const findSession = async (user: TestUser): Promise<SessionViewer> => {
    const [row] = await site.db<[{ id: number }]>`select id from sessions where user_id = ${user.id}`
    return {
      id: user.id,
      username: user.username,
      is_moderator: false,
      is_owner: false,
      session_id: row.id,
      scopes: null,
      recently_authenticated: false,
      has_blocks_or_mutes: false,
      follows_lists: false,
      former_usernames: [],
      has_held_comments: false,
      last_change: 1,
      needs_second_factor: false,
      account_age: 0,
      suspended_until: null,
    }
  }
  afterEach(() => streams.close())

  const endings: [reason: string, end: () => Promise<unknown>][] = [
    ['logs out', () => site.call(logOut, { body: { refresh: alice.refresh } })],
    ['is banned', () => site.db`update users set banned_at = now() where id = ${alice.id}`],
    [
      'has an expired session',
      () => site.db`update sessions set expires_at = now() where user_id = ${alice.id}`,
    ],
    [
      'changes their password on another device',
      async () => {
        const otherSession = await site.call(logIn, {
          body: { username: alice.username, password: alice.password },
        })
        const body = {
          old_password: alice.password,
          new_password1: 'a walk at night',
          new_password2: 'a walk at night',
        }
        await site.call(changePassword, { body }, otherSession)
      },
    ],
    ['deletes their account', () => site.call(deleteAccount, { body: { password: alice.password } }, alice)],
  ]
  test.each(endings)('end when the user %s', async (_reason, end) => {
    const stream = await createStreams({ heartbeatMs: 500 }).open(await findSession(alice))
    let text = ''
    let hasEnded = false
    stream.on('data', (chunk) => {
      text += Buffer.from(chunk)
    })
    stream.on('end', () => {
      hasEnded = true
    })
    await expect.poll(() => text).toContain(': \n\n')
    expect(hasEnded).toBe(false)
    await end()
    await expect.poll(() => hasEnded).toBe(true)
  })

  test('are limited per user, and closing one makes room for another', async () => {
    const viewer = await findSession(alice)
    const { open } = createStreams({ maxPerUser: 2 })
    const [first] = [await open(viewer), await open(viewer)]
    await expect(open(viewer)).rejects.toHaveProperty('status', 429)
    await open(await findSession(bob))
    const closed = once(first, 'close')
    first.destroy()
    await closed
    await open(viewer)
  })

  test('are limited per process', async () => {
    const { open } = createStreams({ maxStreams: 1 })
    await open(await findSession(alice))
    await expect(open(await findSession(bob))).rejects.toHaveProperty('status', 503)
  })

  test('that the client does not read buffer only the latest count and are closed', async () => {
    const viewer = await findSession(alice)
    const stream = await createStreams({ heartbeatMs: 20, minIntervalMs: 0 }).open(viewer)
    await expect.poll(() => stream.destroyed).toBe(true)
    expect(stream.readableLength).toBeLessThan(128)
  })

  test('end when the server closes, so that it can close', async () => {
    const db = connect(site.databaseUrl, slowTimeouts)
    const app = await buildApp({ ...site.app.deps, db })
    const client = await listen(await app.listen({ port: 0 }), alice)
    await expectCounts(client).toEqual([0])
    // Without this, closing would wait for the streams to end by themselves.
    await app.close()
    await expect.poll(() => client.hasEnded).toBe(true)
    await db.end({ timeout: 5 })
  })

  test('that the client closed cause no further queries', async () => {
    const client = await listen(url, alice)
    await expectCounts(client).toEqual([0])
    client.stop()
    await sleep(50)
    site.statements.length = 0
    await site.call(followUser, { params: { id: alice.id } }, bob)
    await sleep(200)
    expect(site.statements.filter((text) => /least\(/.test(text))).toEqual([])
  })

  test('receive what changed while the database connection was lost', async () => {
    const client = await listen(url, alice)
    await expectCounts(client).toEqual([0])
    await site.db`
      with notification as (insert into notifications (user_id, kind) values (${alice.id}, 'follow') returning id),
           new_follow as (insert into follows (follower_id, followee_id) values (${bob.id}, ${alice.id}))
      insert into notification_actors (notification_id, actor_id) select id, ${bob.id} from notification`
    await site.db`
      select pg_terminate_backend(pid) from pg_stat_activity
       where query ilike 'listen%' and datname = current_database()`
    await expect.poll(() => client.counts).toEqual([0, 1])
  })
})
