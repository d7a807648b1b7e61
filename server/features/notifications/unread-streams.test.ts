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
/** Another process of the same site. */
let other: { db: Sql; app: FastifyInstance; url: string }
let alice: TestUser
let bob: TestUser
let people = 0

beforeAll(async () => {
  site = await bootApp()
  url = await site.app.listen({ port: 0 })
  const db = connect(site.databaseUrl, slowTimeouts)
  const app = await buildApp({ ...site.app.deps, db, readDb: db })
  other = { db, app, url: await app.listen({ port: 0 }) }
})
afterAll(async () => {
  await other.app.close()
  await other.db.end({ timeout: 5 })
  await site.close()
})
beforeEach(async () => {
  people += 1
  alice = await signUp(site, `Alice${people}`)
  bob = await signUp(site, `Bob${people}`)
})

interface Heard {
  status: number
  headers: Headers
  counts: number[]
  hasEnded: boolean
  stop(): void
}
const open: Heard[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.stop()
})

/** Reads a stream as the web does. */
async function listen(from: string, who: { access: string } | null): Promise<Heard> {
  const abort = new AbortController()
  const reply = await fetch(`${from}/api/notifications/stream/`, {
    headers: who === null ? {} : { authorization: `Bearer ${who.access}` },
    signal: abort.signal,
  })
  const heard: Heard = {
    status: reply.status,
    headers: reply.headers,
    counts: [],
    hasEnded: false,
    stop: () => abort.abort(),
  }
  open.push(heard)
  const read = async () => {
    let text = ''
    for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(piece)
      heard.counts = [...text.matchAll(/^event: unread\ndata: (.*)\n\n/gm)].map(
        ([, data]) => JSON.parse(data ?? '').count,
      )
    }
    heard.hasEnded = true
  }
  read().catch(() => {})
  return heard
}
const counts = (heard: Heard) => expect.poll(() => heard.counts)

describe('somebody who listens', () => {
  test('hears the count at once, and each change of it, whichever process it comes from', async () => {
    const { video } = await saveFilm(site, alice, `heard${people}`)
    const [here, there] = [await listen(url, alice), await listen(other.url, alice)]
    expect(here.status).toBe(200)
    // Nothing on the way keeps it, packs it or collects it.
    const how = ['content-type', 'content-encoding', 'cache-control', 'x-accel-buffering']
    expect(how.map((name) => here.headers.get(name))).toEqual([
      'text/event-stream; charset=utf-8',
      null,
      'no-store',
      'no',
    ])
    await counts(here).toEqual([0])
    await counts(there).toEqual([0])
    await site.call(toggleLike, { params: { id: video.id } }, bob)
    for (const heard of [here, there]) await counts(heard).toEqual([0, 1])
    await site.call(followUser, { params: { id: alice.id } }, bob)
    for (const heard of [here, there]) await counts(heard).toEqual([0, 1, 2])
    await site.call(markNotificationsRead, { body: { all: true } }, alice)
    for (const heard of [here, there]) await counts(heard).toEqual([0, 1, 2, 0])
  })

  test('hears of a new bookmark of who they follow, once for however many', async () => {
    await site.call(followUser, { params: { id: bob.id } }, alice)
    const heard = await listen(other.url, alice)
    await counts(heard).toEqual([0])
    await saveFilm(site, bob, `new${people}`)
    await counts(heard).toEqual([0, 1])
    await saveFilm(site, bob, `newer${people}`)
    await saveFilm(site, bob, `private${people}`, { bookmark: { access: 'private' } })
    await sleep(300)
    expect(heard.counts).toEqual([0, 1])
    await site.call(markNotificationsRead, { body: { all: true } }, alice)
    await counts(heard).toEqual([0, 1, 0])
    await saveFilm(site, bob, `newest${people}`)
    await counts(heard).toEqual([0, 1, 0, 1])
  })

  test('hears nothing of what is told to others', async () => {
    const heard = await listen(url, bob)
    await site.call(followUser, { params: { id: alice.id } }, bob)
    await sleep(300)
    expect(heard.counts).toEqual([0])
  })

  test('is somebody: without a token, or with a bad one, there is no stream', async () => {
    expect((await listen(url, null)).status).toBe(401)
    expect((await listen(url, { access: 'x' })).status).toBe(401)
  })

  test('is counted once a second, however much happens', async () => {
    const { video } = await saveFilm(site, alice, `much${people}`)
    const heard = await listen(url, alice)
    await counts(heard).toEqual([0])
    site.statements.length = 0
    for (let times = 0; times < 20; times++) await site.call(toggleLike, { params: { id: video.id } }, bob)
    await sleep(1200)
    const counted = site.statements.filter((text) => /notification_actors a join users u/.test(text))
    expect(counted.length).toBeLessThan(20)
    await site.call(toggleLike, { params: { id: video.id } }, bob)
    await expect.poll(() => heard.counts.at(-1)).toBe(1)
  })
})

describe('calls that are causes', () => {
  const kinds = async (who: TestUser) =>
    (await site.call(listNotifications, { query: {} }, who)).results.map(({ kind }) => kind)

  test('likes, follows and replies tell whom they are about', async () => {
    const { video } = await saveFilm(site, alice, `cause${people}`)
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

  test('who follows already tells nothing by following again', async () => {
    await site.call(followUser, { params: { id: alice.id } }, bob)
    await site.call(markNotificationsRead, { body: { all: true } }, alice)
    await site.call(followUser, { params: { id: alice.id } }, bob)
    expect(await kinds(alice)).toEqual(['follow'])
  })
})

describe('streams', () => {
  let streams: UnreadStreams
  const opened = (options: StreamOptions) => {
    streams = createUnreadStreams(site.db, site.app.deps.log, options)
    return streams
  }
  const findSession = async (who: TestUser): Promise<SessionViewer> => {
    const [row] = await site.db<[{ id: number }]>`select id from sessions where user_id = ${who.id}`
    return {
      id: who.id,
      username: who.username,
      is_moderator: false,
      session_id: row.id,
      scopes: null,
      recently_authenticated: false,
      has_blocks_or_mutes: false,
      account_age: 0,
      suspended_until: null,
    }
  }
  afterEach(() => streams.close())

  const endings: [what: string, end: () => Promise<unknown>][] = [
    ['is logged out', () => site.call(logOut, { body: { refresh: alice.refresh } })],
    ['is banned', () => site.db`update users set banned_at = now() where id = ${alice.id}`],
    [
      'has been signed in for as long as it lasts',
      () => site.db`update sessions set expires_at = now() where user_id = ${alice.id}`,
    ],
    [
      'changed their password elsewhere',
      async () => {
        const elsewhere = await site.call(logIn, {
          body: { username: alice.username, password: alice.password },
        })
        const body = {
          old_password: alice.password,
          new_password1: 'a walk at night',
          new_password2: 'a walk at night',
        }
        await site.call(changePassword, { body }, elsewhere)
      },
    ],
    ['deletes their account', () => site.call(deleteAccount, { body: { password: alice.password } }, alice)],
  ]
  test.each(endings)('end when who listens %s', async (_what, end) => {
    const stream = await opened({ heartbeat: 50 }).open(await findSession(alice))
    let text = ''
    let hasEnded = false
    stream.on('data', (piece) => {
      text += Buffer.from(piece)
    })
    stream.on('end', () => {
      hasEnded = true
    })
    await expect.poll(() => text).toContain(': \n\n')
    expect(hasEnded).toBe(false)
    await end()
    await expect.poll(() => hasEnded).toBe(true)
  })

  test('are so many for one person, and become free again', async () => {
    const viewer = await findSession(alice)
    const { open } = opened({ maxPerUser: 2 })
    const [first] = [await open(viewer), await open(viewer)]
    await expect(open(viewer)).rejects.toHaveProperty('status', 429)
    await open(await findSession(bob))
    const closed = once(first, 'close')
    first.destroy()
    await closed
    await open(viewer)
  })

  test('are so many for one process', async () => {
    const { open } = opened({ maxStreams: 1 })
    await open(await findSession(alice))
    await expect(open(await findSession(bob))).rejects.toHaveProperty('status', 503)
  })

  test('that nobody reads hold one count, not all of them, and are let go of', async () => {
    const viewer = await findSession(alice)
    const stream = await opened({ heartbeat: 20, pause: 0 }).open(viewer)
    await expect.poll(() => stream.destroyed).toBe(true)
    expect(stream.readableLength).toBeLessThan(128)
  })

  test('end at once when the server closes, and it closes', async () => {
    const db = connect(site.databaseUrl, slowTimeouts)
    const app = await buildApp({ ...site.app.deps, db, readDb: db })
    const heard = await listen(await app.listen({ port: 0 }), alice)
    await counts(heard).toEqual([0])
    // It would wait for them as long as they last.
    await app.close()
    await expect.poll(() => heard.hasEnded).toBe(true)
    await db.end({ timeout: 5 })
  })

  test('that are given up leave nothing behind', async () => {
    const heard = await listen(url, alice)
    await counts(heard).toEqual([0])
    heard.stop()
    await sleep(50)
    site.statements.length = 0
    await site.call(followUser, { params: { id: alice.id } }, bob)
    await sleep(200)
    expect(site.statements.filter((text) => /least\(/.test(text))).toEqual([])
  })

  test('hear of what they missed while the database was away', async () => {
    const heard = await listen(url, alice)
    await counts(heard).toEqual([0])
    await site.db`
      with told as (insert into notifications (user_id, kind) values (${alice.id}, 'follow') returning id),
           made as (insert into follows (follower_id, followee_id) values (${bob.id}, ${alice.id}))
      insert into notification_actors (notification_id, actor_id) select id, ${bob.id} from told`
    await site.db`
      select pg_terminate_backend(pid) from pg_stat_activity
       where query ilike 'listen%' and datname = current_database()`
    await expect.poll(() => heard.counts).toEqual([0, 1])
  })
})
