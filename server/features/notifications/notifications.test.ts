import { blockUser } from '@reelmark/contract/blocks.ts'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createComment, createReply } from '@reelmark/contract/comments.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import type { Notification } from '@reelmark/contract/notifications.ts'
import { updateProfile } from '@reelmark/contract/profiles.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { withTransaction } from '../../core/database/transaction.ts'
import { createDestination, saveFilm, vaultDestination } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { removeOldNotifications } from './jobs.ts'
import { useNotificationSite } from './notified-users.fixture.ts'
import { notifyFollow, notifyReply } from './notify.ts'

const {
  site,
  signUpNotifiedUsers,
  filmName,
  listFor,
  countUnreadFor,
  markRead,
  newestNotification,
  like,
  follow,
} = await useNotificationSite()
let alice: TestUser
let bob: TestUser
let cyd: TestUser
beforeEach(async () => {
  ;({ alice, bob, cyd } = await signUpNotifiedUsers())
})

const actorNames = ({ actors }: Notification) => actors.map(({ username }) => username)
const unlike = (user: { id: number }, videoId: number) =>
  site.db`delete from likes where user_id = ${user.id} and video_id = ${videoId}`
const comment = (user: { id: number }, videoId: number, content: string, parent: number | null = null) =>
  withTransaction(site.db, async (tx) => {
    const [row] = await tx<[{ id: number }]>`
      insert into comments (user_id, video_id, content, parent_id)
      values (${user.id}, ${videoId}, ${content}, ${parent}) returning id`
    if (parent !== null) await notifyReply(tx, { actor_id: user.id, comment_id: parent, reply_id: row.id })
    return row.id
  })

describe('a user is notified', () => {
  test('when another user follows them', async () => {
    await follow(bob, alice)
    expect(await newestNotification(alice)).toEqual({
      id: expect.stringMatching(/^event-\d+$/),
      kind: 'follow',
      decision: null,
      report: null,
      actors: [{ id: bob.id, username: bob.username, avatar_url: '/media/default.jpg', is_verified: false }],
      actors_count: 1,
      bookmark: null,
      bookmarks_count: 1,
      more_bookmarks: [],
      container: null,
      replaced_link: null,
      comment: null,
      created_at: expect.any(String),
      is_read: false,
    })
  })

  test('when a video they saved first is liked, with a link to their bookmark', async () => {
    const saved = await saveFilm(site, alice, filmName('liked'))
    await saveFilm(site, bob, filmName('liked'))
    await markRead(alice, { all: true })
    await like(cyd, saved.video.id)
    expect(await newestNotification(alice)).toMatchObject({
      kind: 'own_video_liked',
      actors_count: 1,
      bookmark: { id: saved.id, title: saved.video.title, thumbnail_url: null, orientation: 'sfw' },
      comment: null,
    })
    expect((await listFor(bob)).count).toBe(0)
  })

  test('when others save a video they saved first', async () => {
    const { id } = await saveFilm(site, alice, filmName('again'))
    await saveFilm(site, bob, filmName('again'))
    await saveFilm(site, cyd, filmName('again'))
    const notification = await newestNotification(alice)
    expect(notification).toMatchObject({ kind: 'own_video_bookmarked', actors_count: 2, bookmark: { id } })
    expect(actorNames(notification)).toEqual([cyd.username, bob.username])
    expect((await listFor(bob)).count).toBe(0)
  })

  test('when their comment gets a reply, with its first 140 characters', async () => {
    const { id, video } = await saveFilm(site, bob, filmName('discussed'))
    const parent = await comment(alice, video.id, 'What a film')
    await comment(bob, video.id, 'Indeed', parent)
    const reply = await comment(bob, video.id, `Indeed, ${'x'.repeat(300)}`, parent)
    const notification = await newestNotification(alice)
    expect(notification).toMatchObject({ kind: 'reply', actors_count: 1, bookmark: { id } })
    expect(notification.comment).toEqual({ id: reply, excerpt: `Indeed, ${'x'.repeat(132)}` })
  })

  test('of bookmarks by users they follow, once per followed user with the latest bookmark', async () => {
    await follow(alice, bob)
    await follow(alice, cyd)
    await saveFilm(site, bob, filmName('first'))
    const second = await saveFilm(site, bob, filmName('second'))
    const byCyd = await saveFilm(site, cyd, filmName('other'))
    const { results, count } = await listFor(alice)
    expect(results.map(({ kind }) => kind)).toEqual([
      'new_bookmark_from_followed_user',
      'new_bookmark_from_followed_user',
    ])
    expect(results.map(({ bookmark }) => bookmark?.id)).toEqual([byCyd.id, second.id])
    expect(results.map(actorNames)).toEqual([[cyd.username], [bob.username]])
    expect([count, await countUnreadFor(alice)]).toEqual([2, 2])
    await site.db`delete from follows where follower_id = ${alice.id} and followee_id = ${cyd.id}`
    expect([(await listFor(alice)).count, await countUnreadFor(alice)]).toEqual([1, 1])
  })
})

describe('a user is not notified', () => {
  test('of their own likes, bookmarks and replies', async () => {
    const { video } = await saveFilm(site, alice, filmName('own'))
    await like(alice, video.id)
    await saveFilm(site, alice, filmName('own'), { bookmark: await createDestination(site, alice) })
    const parent = await comment(alice, video.id, 'Hm')
    await comment(alice, video.id, 'Ah', parent)
    expect([(await listFor(alice)).count, await countUnreadFor(alice)]).toEqual([0, 0])
  })

  test('of kinds they turned off', async () => {
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
    const { video } = await saveFilm(site, alice, filmName('quiet'))
    await follow(bob, alice)
    await follow(alice, bob)
    await like(bob, video.id)
    await saveFilm(site, bob, filmName('quiet'))
    expect([(await listFor(alice)).count, await countUnreadFor(alice)]).toEqual([0, 0])
  })

  test('of private bookmarks, neither as the first saver nor as a follower', async () => {
    await saveFilm(site, alice, filmName('secret'))
    await follow(alice, bob)
    await markRead(alice, { all: true })
    await saveFilm(site, bob, filmName('secret'), { bookmark: { access: 'private' } })
    await saveFilm(site, bob, filmName('secret'), { bookmark: await createDestination(site, bob, 'private') })
    expect([(await listFor(alice)).count, await countUnreadFor(alice)]).toEqual([0, 0])
  })

  test('when the same user saves the same video a second time', async () => {
    await saveFilm(site, alice, filmName('twice'))
    await saveFilm(site, bob, filmName('twice'))
    await markRead(alice, { all: true })
    await saveFilm(site, bob, filmName('twice'), { bookmark: await createDestination(site, bob) })
    expect(await countUnreadFor(alice)).toBe(0)
  })

  test.each([
    ['blocked', () => site.call(blockUser, { params: { id: bob.id } }, alice)],
    ['were blocked by', () => site.call(blockUser, { params: { id: alice.id } }, bob)],
    ['muted', () => site.call(createMute, { body: { user_id: bob.id } }, alice)],
  ])('of later or earlier actions of a user whom they %s', async (_, separate) => {
    const { video } = await saveFilm(site, alice, filmName('apart'))
    await follow(alice, bob)
    await saveFilm(site, bob, filmName('before'))
    await like(bob, video.id)
    expect(await countUnreadFor(alice)).toBe(2)
    await separate()
    expect([(await listFor(alice)).count, await countUnreadFor(alice)]).toEqual([0, 0])
    await saveFilm(site, bob, filmName('apart'))
    await saveFilm(site, bob, filmName('after'))
    expect([(await listFor(alice)).count, await countUnreadFor(alice)]).toEqual([0, 0])
    expect(await site.db`select kind from notifications where user_id = ${alice.id}`).toHaveLength(1)
  })

  test.each([
    ['was blocked by', () => [bob.id, alice.id]],
    ['blocked', () => [alice.id, bob.id]],
  ])('that link to a bookmark of a user whom the receiver %s', async (_, pair) => {
    const { video } = await saveFilm(site, bob, filmName('reply'))
    const comment = await site.call(
      createComment,
      { params: { id: video.id }, body: { content: 'Great' } },
      alice,
    )
    const carol = await signUp(site, filmName('carol'))
    await site.call(createReply, { params: { id: comment.id }, body: { content: 'Indeed' } }, carol)
    expect((await newestNotification(alice)).kind).toBe('reply')
    const [blocker_id = 0, blocked_id = 0] = pair()
    await site.db`insert into blocks ${site.db({ blocker_id, blocked_id })}`
    expect([(await listFor(alice)).count, await countUnreadFor(alice)]).toEqual([0, 0])
    const own = await saveFilm(site, alice, filmName('reply'))
    expect((await newestNotification(alice)).bookmark?.id).toBe(own.id)
  })

  test('if the transaction of the action is rolled back', async () => {
    await expect(
      withTransaction(site.db, async (tx) => {
        await tx`insert into follows (follower_id, followee_id) values (${bob.id}, ${alice.id})`
        await notifyFollow(tx, { actor_id: bob.id, user_id: alice.id })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await countUnreadFor(alice)).toBe(0)
  })
})

describe('a notification', () => {
  test('groups many users in one entry and names the latest three', async () => {
    const { video } = await saveFilm(site, alice, filmName('popular'))
    const fans = await Promise.all(['d', 'e', 'f', 'g'].map((name) => signUp(site, filmName(`fan-${name}-`))))
    for (const fan of fans) await like(fan, video.id)
    const notification = await newestNotification(alice)
    expect(notification.actors_count).toBe(4)
    expect(actorNames(notification)).toEqual(
      fans
        .slice(1)
        .reverse()
        .map(({ username }) => username),
    )
    expect([(await listFor(alice)).count, await countUnreadFor(alice)]).toEqual([1, 1])
  })

  test('stays a single one while it is unread, however often a like is withdrawn and repeated', async () => {
    const { video } = await saveFilm(site, alice, filmName('toggled'))
    for (let attempt = 0; attempt < 10; attempt++) {
      await like(bob, video.id)
      if (attempt < 9) await unlike(bob, video.id)
    }
    expect((await listFor(alice)).results).toMatchObject([{ kind: 'own_video_liked', actors_count: 1 }])
    await unlike(bob, video.id)
    expect([(await listFor(alice)).count, await countUnreadFor(alice)]).toEqual([0, 0])
  })

  test.each([
    ['a like', 'own_video_liked', like, unlike],
    [
      'a follow',
      'follow',
      (user: TestUser) => follow(user, alice),
      (user: TestUser) =>
        site.db`delete from follows where follower_id = ${user.id} and followee_id = ${alice.id}`,
    ],
  ] as const)(
    'of %s is not repeated if the action is withdrawn and repeated, even after it was read',
    async (_name, kind, act, withdraw) => {
      const { video } = await saveFilm(site, alice, filmName('again'))
      for (let attempt = 0; attempt < 5; attempt++) {
        await act(bob, video.id)
        await markRead(alice, { all: true })
        await withdraw(bob, video.id)
      }
      await act(bob, video.id)
      expect(await countUnreadFor(alice)).toBe(0)
      expect((await listFor(alice)).results).toMatchObject([{ kind, is_read: true, actors_count: 1 }])
      // After the notification was deleted, nothing records that the user was notified.
      await site.db`delete from notifications where user_id = ${alice.id}`
      await withdraw(bob, video.id)
      await act(bob, video.id)
      expect(await countUnreadFor(alice)).toBe(1)
    },
  )

  test('is created anew for another user’s like after the first was read', async () => {
    const { video } = await saveFilm(site, alice, filmName('news'))
    await like(bob, video.id)
    await markRead(alice, { all: true })
    // Likes within six hours would be one entry.
    await site.db`update notifications set last_event_at = now() - interval '7 hours' where user_id = ${alice.id}`
    await like(cyd, video.id)
    const { results } = await listFor(alice)
    expect(results.map(({ is_read, actors_count }) => [is_read, actors_count])).toEqual([
      [false, 1],
      [true, 1],
    ])
    expect(await countUnreadFor(alice)).toBe(1)
  })

  test('disappears while the video is hidden, and returns with it', async () => {
    const { video } = await saveFilm(site, alice, filmName('hidden'))
    await like(bob, video.id)
    await follow(cyd, alice)
    await saveFilm(site, alice, filmName('hidden'), { bookmark: await createDestination(site, alice) })
    expect([await countUnreadFor(alice), await countUnreadFor(cyd)]).toEqual([2, 1])
    await site.db`update videos set status = 'hidden' where id = ${video.id}`
    expect([(await listFor(alice)).count, await countUnreadFor(alice), await countUnreadFor(cyd)]).toEqual([
      1, 1, 0,
    ])
    expect((await listFor(cyd)).count).toBe(0)
    await site.db`update videos set status = 'visible' where id = ${video.id}`
    expect([await countUnreadFor(alice), await countUnreadFor(cyd)]).toEqual([2, 1])
  })

  test('disappears when its actor is banned or the bookmark becomes private', async () => {
    const { video } = await saveFilm(site, alice, filmName('banned'))
    const saved = await saveFilm(site, bob, filmName('banned'))
    await like(bob, video.id)
    await like(cyd, video.id)
    await follow(bob, alice)
    await follow(alice, bob)
    await saveFilm(site, bob, filmName('another'))
    expect(await countUnreadFor(alice)).toBe(4)
    await site.db`update bookmarks set access = 'private' where id = ${saved.id}`
    expect(await countUnreadFor(alice)).toBe(3)
    await site.db`update users set banned_at = now() where id = ${bob.id}`
    const { results } = await listFor(alice)
    expect(results.map((notification) => [notification.kind, actorNames(notification)])).toEqual([
      ['own_video_liked', [cyd.username]],
    ])
    expect(await countUnreadFor(alice)).toBe(1)
  })

  test('is deleted after 90 days', async () => {
    await follow(bob, alice)
    const old = await saveFilm(site, alice, filmName('old'))
    await like(cyd, old.video.id)
    await site.db`
      update notifications set last_event_at = now() - interval '91 days'
       where user_id = ${alice.id} and kind = 'follow'`
    expect([(await listFor(alice)).count, await countUnreadFor(alice)]).toEqual([1, 1])
    expect(await removeOldNotifications(site.app.deps)).toBe(1)
    expect(await site.db`select kind from notifications where user_id = ${alice.id}`).toEqual([
      { kind: 'own_video_liked' },
    ])
  })
})

test('two hundred concurrent likes are all recorded in one notification', { tags: 'heavy' }, async () => {
  const { video } = await saveFilm(site, alice, filmName('storm'))
  const fans = await site.db<{ id: number }[]>`
    insert into users (username, email)
    select 'storm-' || n, 'storm-' || n || '@example.org' from generate_series(1, 200) n returning id`
  await Promise.all(fans.map((fan) => like(fan, video.id)))
  expect((await listFor(alice)).results).toMatchObject([{ actors_count: 100 }])
  expect(await countUnreadFor(alice)).toBe(1)
  const [{ count } = {}] = await site.db`
    select count(*) from notification_actors a join notifications n on n.id = a.notification_id
     where n.user_id = ${alice.id}`
  expect(count).toBe(200)
})

test('saving a bookmark notifies through the API call', async () => {
  await saveFilm(site, alice, filmName('called'))
  const { channel_id } = await vaultDestination(site, bob)
  const video = { source_url: `https://films.example.org/watch/${filmName('called')}`, title: 'Again' }
  await site.call(saveBookmark, { body: { video, bookmark: { channel_id } } }, bob)
  expect(await newestNotification(alice)).toMatchObject({
    kind: 'own_video_bookmarked',
    actors: [{ id: bob.id }],
  })
})
