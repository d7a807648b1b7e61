import { blockUser } from '@reelmark/contract/blocks.ts'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import {
  countUnread,
  listNotifications,
  markNotificationsRead,
  type Notification,
} from '@reelmark/contract/notifications.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withTransaction } from '../../core/database/transaction.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { createDestination, saveFilm, vaultDestination } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import { removeOldNotifications } from './jobs.ts'
import { notifyFollow, notifyLike, notifyReply } from './notify.ts'

let site: TestApp
let alice: TestUser
let bob: TestUser
let cyd: TestUser
let people = 0
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())
beforeEach(async () => {
  people += 1
  ;[alice, bob, cyd] = (await Promise.all(
    ['Alice', 'Bob', 'Cyd'].map((name) => signUp(site, `${name}${people}`)),
  )) as [TestUser, TestUser, TestUser]
})

const list = (who: TestUser, query = {}) => site.call(listNotifications, { query }, who)
const unread = async (who: TestUser) => (await site.call(countUnread, {}, who)).count
const read = (who: TestUser, body: { ids?: string[]; all?: true; until?: string }) =>
  site.call(markNotificationsRead, { body }, who)
const newest = async (who: TestUser) => (await list(who)).results[0] as Notification
const names = ({ actors }: Notification) => actors.map(({ username }) => username)
const film = (name: string) => `${name}${people}`

const like = (who: { id: number }, videoId: number) =>
  withTransaction(site.db, async (tx) => {
    await tx`insert into likes (user_id, video_id) values (${who.id}, ${videoId}) on conflict do nothing`
    await notifyLike(tx, { actor_id: who.id, video_id: videoId })
  })
const unlike = (who: { id: number }, videoId: number) =>
  site.db`delete from likes where user_id = ${who.id} and video_id = ${videoId}`
const follow = (who: { id: number }, whom: { id: number }) =>
  withTransaction(site.db, async (tx) => {
    await tx`
      insert into follows (follower_id, followee_id) values (${who.id}, ${whom.id}) on conflict do nothing`
    await notifyFollow(tx, { actor_id: who.id, user_id: whom.id })
  })
const comment = (who: { id: number }, videoId: number, content: string, parent: number | null = null) =>
  withTransaction(site.db, async (tx) => {
    const [row] = await tx<[{ id: number }]>`
      insert into comments (user_id, video_id, content, parent_id)
      values (${who.id}, ${videoId}, ${content}, ${parent}) returning id`
    if (parent !== null) await notifyReply(tx, { actor_id: who.id, comment_id: parent, reply_id: row.id })
    return row.id
  })

describe('somebody is told', () => {
  test('that they are followed', async () => {
    await follow(bob, alice)
    expect(await newest(alice)).toEqual({
      id: expect.stringMatching(/^event-\d+$/),
      kind: 'follow',
      decision: null,
      report: null,
      actors: [{ id: bob.id, username: bob.username, avatar_url: '/media/default.jpg', is_verified: false }],
      actors_count: 1,
      bookmark: null,
      comment: null,
      created_at: expect.any(String),
      is_read: false,
    })
  })

  test('that a video is liked which they saved first, and where it is', async () => {
    const saved = await saveFilm(site, alice, film('liked'))
    await saveFilm(site, bob, film('liked'))
    await read(alice, { all: true })
    await like(cyd, saved.video.id)
    expect(await newest(alice)).toMatchObject({
      kind: 'own_video_liked',
      actors_count: 1,
      bookmark: { id: saved.id, title: saved.video.title, thumbnail_url: null, orientation: 'sfw' },
      comment: null,
    })
    expect((await list(bob)).count).toBe(0)
  })

  test('that somebody else saves what they saved first', async () => {
    const { id } = await saveFilm(site, alice, film('again'))
    await saveFilm(site, bob, film('again'))
    await saveFilm(site, cyd, film('again'))
    const told = await newest(alice)
    expect(told).toMatchObject({ kind: 'own_video_bookmarked', actors_count: 2, bookmark: { id } })
    expect(names(told)).toEqual([cyd.username, bob.username])
    expect((await list(bob)).count).toBe(0)
  })

  test('that their comment was replied to, and with which words', async () => {
    const { id, video } = await saveFilm(site, bob, film('discussed'))
    const parent = await comment(alice, video.id, 'What a film')
    await comment(bob, video.id, 'Indeed', parent)
    const reply = await comment(bob, video.id, `Indeed, ${'x'.repeat(300)}`, parent)
    const told = await newest(alice)
    expect(told).toMatchObject({ kind: 'reply', actors_count: 1, bookmark: { id } })
    expect(told.comment).toEqual({ id: reply, excerpt: `Indeed, ${'x'.repeat(132)}` })
  })

  test('what the people they follow save, one line for each of them, with the latest', async () => {
    await follow(alice, bob)
    await follow(alice, cyd)
    await saveFilm(site, bob, film('first'))
    const second = await saveFilm(site, bob, film('second'))
    const other = await saveFilm(site, cyd, film('other'))
    const { results, count } = await list(alice)
    expect(results.map(({ kind }) => kind)).toEqual([
      'new_bookmark_from_followed_user',
      'new_bookmark_from_followed_user',
    ])
    expect(results.map(({ bookmark }) => bookmark?.id)).toEqual([other.id, second.id])
    expect(results.map(names)).toEqual([[cyd.username], [bob.username]])
    expect([count, await unread(alice)]).toEqual([2, 2])
    await site.db`delete from follows where follower_id = ${alice.id} and followee_id = ${cyd.id}`
    expect([(await list(alice)).count, await unread(alice)]).toEqual([1, 1])
  })
})

describe('nobody is told', () => {
  test('of what they did themselves', async () => {
    const { video } = await saveFilm(site, alice, film('own'))
    await like(alice, video.id)
    await saveFilm(site, alice, film('own'), { bookmark: await createDestination(site, alice) })
    const parent = await comment(alice, video.id, 'Hm')
    await comment(alice, video.id, 'Ah', parent)
    expect([(await list(alice)).count, await unread(alice)]).toEqual([0, 0])
  })

  test('of what they do not want to be told', async () => {
    await site.call(
      updateProfile,
      {
        params: { username: alice.username },
        body: {
          notify_on_follow: false,
          notify_on_own_video_bookmarked: false,
          notify_on_new_bookmark_from_followed_user: false,
          notify_on_own_video_liked: false,
        },
      },
      alice,
    )
    const { video } = await saveFilm(site, alice, film('quiet'))
    await follow(bob, alice)
    await follow(alice, bob)
    await like(bob, video.id)
    await saveFilm(site, bob, film('quiet'))
    expect([(await list(alice)).count, await unread(alice)]).toEqual([0, 0])
  })

  test('of a private bookmark, neither whose video it is nor who follows', async () => {
    await saveFilm(site, alice, film('secret'))
    await follow(alice, bob)
    await read(alice, { all: true })
    await saveFilm(site, bob, film('secret'), { bookmark: { access: 'private' } })
    await saveFilm(site, bob, film('secret'), { bookmark: await createDestination(site, bob, 'private') })
    expect([(await list(alice)).count, await unread(alice)]).toEqual([0, 0])
  })

  test('a second time that the same person saved the same', async () => {
    await saveFilm(site, alice, film('twice'))
    await saveFilm(site, bob, film('twice'))
    await read(alice, { all: true })
    await saveFilm(site, bob, film('twice'), { bookmark: await createDestination(site, bob) })
    expect(await unread(alice)).toBe(0)
  })

  test.each([
    ['blocked', () => site.call(blockUser, { params: { id: bob.id } }, alice)],
    ['is blocked by', () => site.call(blockUser, { params: { id: alice.id } }, bob)],
    ['muted', () => site.call(createMute, { body: { user_id: bob.id } }, alice)],
  ])('of what somebody does whom one %s, nor of what they did', async (_, part) => {
    const { video } = await saveFilm(site, alice, film('apart'))
    await follow(alice, bob)
    await saveFilm(site, bob, film('before'))
    await like(bob, video.id)
    expect(await unread(alice)).toBe(2)
    await part()
    expect([(await list(alice)).count, await unread(alice)]).toEqual([0, 0])
    await saveFilm(site, bob, film('apart'))
    await saveFilm(site, bob, film('after'))
    expect([(await list(alice)).count, await unread(alice)]).toEqual([0, 0])
    expect(await site.db`select kind from notifications where user_id = ${alice.id}`).toHaveLength(1)
  })

  test('where the cause was rolled back', async () => {
    await expect(
      withTransaction(site.db, async (tx) => {
        await tx`insert into follows (follower_id, followee_id) values (${bob.id}, ${alice.id})`
        await notifyFollow(tx, { actor_id: bob.id, user_id: alice.id })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(await unread(alice)).toBe(0)
  })
})

describe('what is told', () => {
  test('is one line for many, with the latest three of them', async () => {
    const { video } = await saveFilm(site, alice, film('popular'))
    const fans = await Promise.all(['d', 'e', 'f', 'g'].map((name) => signUp(site, film(`fan-${name}-`))))
    for (const fan of fans) await like(fan, video.id)
    const told = await newest(alice)
    expect(told.actors_count).toBe(4)
    expect(names(told)).toEqual(
      fans
        .slice(1)
        .reverse()
        .map(({ username }) => username),
    )
    expect([(await list(alice)).count, await unread(alice)]).toEqual([1, 1])
  })

  test('is one while it is unread, however often somebody likes and takes it back', async () => {
    const { video } = await saveFilm(site, alice, film('toggled'))
    for (let times = 0; times < 10; times++) {
      await like(bob, video.id)
      if (times < 9) await unlike(bob, video.id)
    }
    expect((await list(alice)).results).toMatchObject([{ kind: 'own_video_liked', actors_count: 1 }])
    await unlike(bob, video.id)
    expect([(await list(alice)).count, await unread(alice)]).toEqual([0, 0])
  })

  test.each([
    ['a like', 'own_video_liked', like, unlike],
    [
      'a follow',
      'follow',
      (who: TestUser) => follow(who, alice),
      (who: TestUser) =>
        site.db`delete from follows where follower_id = ${who.id} and followee_id = ${alice.id}`,
    ],
  ] as const)(
    '%s that is taken back and done again is not told again, also after it was read',
    async (_name, kind, on, off) => {
      const { video } = await saveFilm(site, alice, film('again'))
      for (let times = 0; times < 5; times++) {
        await on(bob, video.id)
        await read(alice, { all: true })
        await off(bob, video.id)
      }
      await on(bob, video.id)
      expect(await unread(alice)).toBe(0)
      expect((await list(alice)).results).toMatchObject([{ kind, is_read: true, actors_count: 1 }])
      // Of what is forgotten nobody knows that it was told.
      await site.db`delete from notifications where user_id = ${alice.id}`
      await off(bob, video.id)
      await on(bob, video.id)
      expect(await unread(alice)).toBe(1)
    },
  )

  test('is news again once it was read', async () => {
    const { video } = await saveFilm(site, alice, film('news'))
    await like(bob, video.id)
    await read(alice, { all: true })
    await like(cyd, video.id)
    const { results } = await list(alice)
    expect(results.map(({ is_read, actors_count }) => [is_read, actors_count])).toEqual([
      [false, 1],
      [true, 1],
    ])
    expect(await unread(alice)).toBe(1)
  })

  test('goes with the video that is hidden, and comes back with it', async () => {
    const { video } = await saveFilm(site, alice, film('hidden'))
    await like(bob, video.id)
    await follow(cyd, alice)
    await saveFilm(site, alice, film('hidden'), { bookmark: await createDestination(site, alice) })
    expect([await unread(alice), await unread(cyd)]).toEqual([2, 1])
    await site.db`update videos set status = 'hidden' where id = ${video.id}`
    expect([(await list(alice)).count, await unread(alice), await unread(cyd)]).toEqual([1, 1, 0])
    expect((await list(cyd)).count).toBe(0)
    await site.db`update videos set status = 'visible' where id = ${video.id}`
    expect([await unread(alice), await unread(cyd)]).toEqual([2, 1])
  })

  test('goes with who was banned, and with the bookmark that was made private', async () => {
    const { video } = await saveFilm(site, alice, film('banned'))
    const saved = await saveFilm(site, bob, film('banned'))
    await like(bob, video.id)
    await like(cyd, video.id)
    await follow(bob, alice)
    await follow(alice, bob)
    await saveFilm(site, bob, film('another'))
    expect(await unread(alice)).toBe(4)
    await site.db`update bookmarks set access = 'private' where id = ${saved.id}`
    expect(await unread(alice)).toBe(3)
    await site.db`update users set banned_at = now() where id = ${bob.id}`
    const { results } = await list(alice)
    expect(results.map((told) => [told.kind, names(told)])).toEqual([['own_video_liked', [cyd.username]]])
    expect(await unread(alice)).toBe(1)
  })

  test('goes after 90 days', async () => {
    await follow(bob, alice)
    const old = await saveFilm(site, alice, film('old'))
    await like(cyd, old.video.id)
    await site.db`
      update notifications set last_event_at = now() - interval '91 days'
       where user_id = ${alice.id} and kind = 'follow'`
    expect([(await list(alice)).count, await unread(alice)]).toEqual([1, 1])
    expect(await removeOldNotifications(site.app.deps)).toBe(1)
    expect(await site.db`select kind from notifications where user_id = ${alice.id}`).toEqual([
      { kind: 'own_video_liked' },
    ])
  })
})

describe('reading', () => {
  test('marks what is named, of either sort, and answers what is left', async () => {
    const { video } = await saveFilm(site, alice, film('read'))
    await like(bob, video.id)
    await follow(cyd, alice)
    await follow(alice, bob)
    await saveFilm(site, bob, film('feed'))
    const { results } = await list(alice)
    expect(results.map(({ kind }) => kind)).toEqual([
      'new_bookmark_from_followed_user',
      'follow',
      'own_video_liked',
    ])
    const [fed, followed] = results
    expect(await read(alice, { ids: [(fed as Notification).id] })).toEqual({ count: 2 })
    expect(await read(alice, { ids: [(followed as Notification).id, 'event-999999999'] })).toEqual({
      count: 1,
    })
    expect((await list(alice)).results.map(({ is_read }) => is_read)).toEqual([true, true, false])
    await saveFilm(site, bob, film('feed again'))
    expect(await unread(alice)).toBe(2)
    expect(await read(alice, { all: true })).toEqual({ count: 0 })
  })

  test('leaves what came after what was shown', async () => {
    await follow(alice, bob)
    await follow(cyd, alice)
    await saveFilm(site, bob, film('shown'))
    const shown = await newest(alice)
    const { video } = await saveFilm(site, alice, film('later'))
    await new Promise((done) => setTimeout(done, 5))
    await like(bob, video.id)
    expect(await read(alice, { all: true, until: shown.created_at })).toEqual({ count: 1 })
    expect((await newest(alice)).kind).toBe('own_video_liked')
  })

  test.each(['0000-01-01T00:00:00Z', '9999-12-31T23:59:59+23:00', '2026-01-01T00:00:00-23:59'])(
    'takes any time: %s',
    async (until) => {
      await follow(bob, alice)
      expect((await read(alice, { all: true, until })).count).toBe(until.startsWith('9') ? 0 : 1)
    },
  )

  test('does nothing to what is somebody else’s', async () => {
    await follow(bob, alice)
    const { id } = await newest(alice)
    await read(cyd, { ids: [id] })
    expect(await unread(alice)).toBe(1)
    expect((await list(cyd)).count).toBe(0)
  })

  test.each([
    [{}, 'non_field_errors'],
    [{ ids: ['event-1'], all: true }, 'non_field_errors'],
    [{ all: false }, 'all'],
    [{ ids: [] }, 'ids'],
    [{ ids: 'all' }, 'ids'],
    [{ ids: [1] }, 'ids'],
    [{ ids: ['event-0'] }, 'ids'],
    [{ ids: ['event-9999999999999999'] }, 'ids'],
    [{ ids: ['other-1'] }, 'ids'],
    [{ all: true, until: 'now' }, 'until'],
    [{ all: true, until: '0000-00-00T00:00:00Z' }, 'until'],
    [{ all: true, until: '2026-01-01T23:59:60Z' }, 'until'],
    [{ all: true, more: 1 }, 'more'],
  ])('refuses %j, at %s', async (body, field) => {
    const reply = await failedReply(read(alice, body as { all: true }))
    expect([reply.status, Object.keys(reply.body as object)]).toEqual([400, [field, 'code']])
  })
})

describe('the list', () => {
  test('is paged, and past its end there is nothing', async () => {
    for (let n = 0; n < 5; n++) {
      const { video } = await saveFilm(site, alice, film(`page-${n}-`))
      await like(bob, video.id)
    }
    const first = await list(alice, { page_size: 2 })
    expect([first.count, first.results.length, first.previous]).toEqual([5, 2, null])
    expect(first.next).toBe('/api/notifications/?page_size=2&page=2')
    const last = await list(alice, { page_size: 2, page: 3 })
    expect([last.results.length, last.next]).toEqual([1, null])
    expect(await failedReply(list(alice, { page_size: 2, page: 4 }))).toMatchObject({ status: 404 })
    expect(await failedReply(list(alice, { page: 0 }))).toMatchObject({ status: 404 })
    expect(await failedReply(list(alice, { page_size: 1000 }))).toMatchObject({ status: 400 })
  })

  test('and the count are each one statement beyond who asks', async () => {
    await follow(bob, alice)
    await follow(alice, bob)
    await saveFilm(site, bob, film('counted'))
    for (const look of [() => list(alice), () => unread(alice)]) {
      site.statements.length = 0
      await look()
      expect(site.statements).toHaveLength(2)
    }
  })

  test('is nobody’s without a token', async () => {
    for (const asking of [
      site.call(listNotifications, { query: {} }),
      site.call(countUnread, {}),
      site.call(markNotificationsRead, { body: { all: true } }),
    ])
      expect(await failedReply(asking)).toMatchObject({ status: 401 })
  })
})

test('of two hundred likes at once none is lost, and there is one line', async () => {
  const { video } = await saveFilm(site, alice, film('storm'))
  const fans = await site.db<{ id: number }[]>`
    insert into users (username, email)
    select 'storm-' || n, 'storm-' || n || '@example.org' from generate_series(1, 200) n returning id`
  await Promise.all(fans.map((fan) => like(fan, video.id)))
  expect((await list(alice)).results).toMatchObject([{ actors_count: 100 }])
  expect(await unread(alice)).toBe(1)
  const [{ count } = {}] = await site.db`
    select count(*) from notification_actors a join notifications n on n.id = a.notification_id
     where n.user_id = ${alice.id}`
  expect(count).toBe(200)
})

test('a save is told by its call', async () => {
  await saveFilm(site, alice, film('called'))
  const { channel_id } = await vaultDestination(site, bob)
  const video = { source_url: `https://films.example.org/watch/${film('called')}`, title: 'Again' }
  await site.call(saveBookmark, { body: { video, bookmark: { channel_id } } }, bob)
  expect(await newest(alice)).toMatchObject({ kind: 'own_video_bookmarked', actors: [{ id: bob.id }] })
})
