/** Listing notifications and marking them as read. */
import {
  countUnread,
  listNotifications,
  markNotificationsRead,
  type Notification,
} from '@reelmark/contract/notifications.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { failedReply, type TestUser } from '../../testing/test-users.ts'
import { useNotificationSite } from './notified-users.fixture.ts'

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

describe('marking as read', () => {
  test('affects the given ids of both kinds of notifications and returns the number of unread ones', async () => {
    const { video } = await saveFilm(site, alice, filmName('read'))
    await like(bob, video.id)
    await follow(cyd, alice)
    await follow(alice, bob)
    await saveFilm(site, bob, filmName('feed'))
    const { results } = await listFor(alice)
    expect(results.map(({ kind }) => kind)).toEqual([
      'new_bookmark_from_followed_user',
      'follow',
      'own_video_liked',
    ])
    const [fromFollowed, ofFollow] = results
    expect(await markRead(alice, { ids: [(fromFollowed as Notification).id] })).toEqual({ count: 2 })
    expect(await markRead(alice, { ids: [(ofFollow as Notification).id, 'event-999999999'] })).toEqual({
      count: 1,
    })
    expect((await listFor(alice)).results.map(({ is_read }) => is_read)).toEqual([true, true, false])
    await saveFilm(site, bob, filmName('feed again'))
    expect(await countUnreadFor(alice)).toBe(2)
    expect(await markRead(alice, { all: true })).toEqual({ count: 0 })
  })

  test('by time leaves newer notifications unread', async () => {
    await follow(alice, bob)
    await follow(cyd, alice)
    await saveFilm(site, bob, filmName('shown'))
    const shown = await newestNotification(alice)
    const { video } = await saveFilm(site, alice, filmName('later'))
    await new Promise((resolve) => setTimeout(resolve, 5))
    await like(bob, video.id)
    expect(await markRead(alice, { all: true, until: shown.created_at })).toEqual({ count: 1 })
    expect((await newestNotification(alice)).kind).toBe('own_video_liked')
  })

  test.each(['0000-01-01T00:00:00Z', '9999-12-31T23:59:59+23:00', '2026-01-01T00:00:00-23:59'])(
    'accepts the time %s',
    async (until) => {
      await follow(bob, alice)
      expect((await markRead(alice, { all: true, until })).count).toBe(until.startsWith('9') ? 0 : 1)
    },
  )

  test('does not affect the notifications of others', async () => {
    await follow(bob, alice)
    const { id } = await newestNotification(alice)
    await markRead(cyd, { ids: [id] })
    expect(await countUnreadFor(alice)).toBe(1)
    expect((await listFor(cyd)).count).toBe(0)
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
  ])('refuses the body %j with an error for %s', async (body, field) => {
    const reply = await failedReply(markRead(alice, body as { all: true }))
    expect([reply.status, Object.keys(reply.body as object)]).toEqual([400, [field, 'code']])
  })
})

describe('the list', () => {
  test('is paged, and pages past the end return 404', async () => {
    for (let n = 0; n < 5; n++) {
      const { video } = await saveFilm(site, alice, filmName(`page-${n}-`))
      await like(bob, video.id)
    }
    // Likes within six hours would be one entry.
    await site.db`
      update notifications n set last_event_at = now() - place * interval '7 hours'
        from (select id, row_number() over (order by id) as place from notifications where user_id = ${alice.id}) placed
       where placed.id = n.id`
    const first = await listFor(alice, { page_size: 2 })
    expect([first.count, first.results.length, first.previous]).toEqual([5, 2, null])
    expect(first.next).toBe('/api/notifications/?page_size=2&page=2')
    const last = await listFor(alice, { page_size: 2, page: 3 })
    expect([last.results.length, last.next]).toEqual([1, null])
    expect(await failedReply(listFor(alice, { page_size: 2, page: 4 }))).toMatchObject({ status: 404 })
    expect(await failedReply(listFor(alice, { page: 0 }))).toMatchObject({ status: 404 })
    expect(await failedReply(listFor(alice, { page_size: 1000 }))).toMatchObject({ status: 400 })
  })

  test('and the count each take one statement besides reading the session', async () => {
    await follow(bob, alice)
    await follow(alice, bob)
    await saveFilm(site, bob, filmName('counted'))
    for (const request of [() => listFor(alice), () => countUnreadFor(alice)]) {
      site.statements.length = 0
      await request()
      expect(site.statements).toHaveLength(2)
    }
  })

  test('requires authentication', async () => {
    for (const call of [
      site.call(listNotifications, { query: {} }),
      site.call(countUnread, {}),
      site.call(markNotificationsRead, { body: { all: true } }),
    ])
      expect(await failedReply(call)).toMatchObject({ status: 401 })
  })
})
