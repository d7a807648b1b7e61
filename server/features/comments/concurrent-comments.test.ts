/**
 * Two hundred concurrent requests that write comments, move bookmarks to the trash and delete accounts: no deadlock, no
 * unexpected error, and every counter equals the number of its rows.
 */
import { deleteAccount } from '@reelmark/contract/account-settings.ts'
import { blockUser, unblockUser } from '@reelmark/contract/blocks.ts'
import { restoreBookmark, trashBookmark, updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { collectBookmark } from '@reelmark/contract/collect.ts'
import {
  createComment,
  createReply,
  deleteComment,
  deleteReply,
  editComment,
  editReply,
  listComments,
} from '@reelmark/contract/comments.ts'
import { toggleFollow } from '@reelmark/contract/follows.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import { listNotifications, markNotificationsRead } from '@reelmark/contract/notifications.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCallers } from '../../testing/callers.ts'
import { counterMismatches } from '../../testing/counter-mismatches.ts'
import { createChance } from '../../testing/create-chance.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { createDestination, saveFilm } from '../../testing/test-bookmarks.ts'
import type { TestUser } from '../../testing/test-users.ts'

let site: TestApp
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())

const byId = (id: number) => ({ params: { id } })
interface CreatedComment {
  id: number
  by: TestUser
}

test.each([1, 2])(
  'two hundred concurrent writes by fourteen users leave correct counters and cause no deadlock (%i)',
  async (seed) => {
    const callers = createCallers(site)
    await site.db`delete from users`
    const users: TestUser[] = []
    for (let n = 0; n < 14; n++) users.push(await callers.createUser())
    const staying = users.slice(0, 10)
    const leaving = users.slice(10)
    const videos: number[] = []
    const bookmarks: { id: number; by: TestUser }[] = []
    for (let film = 0; film < 3; film++) {
      for (const by of [users[film], users[film + 1], users[10 + film]] as TestUser[]) {
        const { id, video } = await saveFilm(site, by, `talk${seed}-${film}`)
        bookmarks.push({ id, by })
        if (!videos.includes(video.id)) videos.push(video.id)
      }
    }
    const comments: CreatedComment[] = []
    const replies: CreatedComment[] = []
    for (const [n, by] of users.entries()) {
      const body = { content: `First ${n}` }
      const { id } = await site.call(createComment, { ...byId(videos[n % 3] ?? 0), body }, by)
      comments.push({ id, by })
      for (const other of [users[(n + 3) % 14], users[(n + 5) % 14]] as TestUser[]) {
        const reply = await site.call(createReply, { ...byId(id), body: { content: 'Really?' } }, other)
        replies.push({ id: reply.id, by: other })
      }
    }

    const randomBelow = createChance(20_261_121 + seed)
    const pickOne = <T>(items: readonly T[]) => items[randomBelow(items.length)] as T
    const commentBody = () => ({ body: { content: `Concurrent ${randomBelow(1e6)}` } })
    const callTwice = (work: () => Promise<unknown>) => [work(), work()]
    const actions: ((user: TestUser) => Promise<unknown>[])[] = [
      (user) => [site.call(createComment, { ...byId(pickOne(videos)), ...commentBody() }, user)],
      (user) => [site.call(createReply, { ...byId(pickOne(comments).id), ...commentBody() }, user)],
      (user) => [site.call(createReply, { ...byId(pickOne(comments).id), ...commentBody() }, user)],
      () => {
        const { id, by } = pickOne(comments)
        return callTwice(() => site.call(deleteComment, byId(id), by))
      },
      () => {
        const { id, by } = pickOne(replies)
        return callTwice(() => site.call(deleteReply, byId(id), by))
      },
      () => {
        const { id, by } = pickOne(comments)
        return [
          site.call(editComment, { ...byId(id), ...commentBody() }, by),
          site.call(deleteComment, byId(id), by),
        ]
      },
      () => {
        const { id, by } = pickOne(replies)
        return [site.call(editReply, { ...byId(id), ...commentBody() }, by)]
      },
      () => {
        const { id, by } = pickOne(bookmarks)
        return [site.call(trashBookmark, byId(id), by), site.call(restoreBookmark, byId(id), by)]
      },
      () => {
        const { id, by } = pickOne(bookmarks)
        return [
          site.call(
            updateBookmark,
            { ...byId(id), body: { access: pickOne(['public', 'private'] as const) } },
            by,
          ),
        ]
      },
      (user) => [
        createDestination(site, user).then((destination) =>
          site.call(
            collectBookmark,
            { body: { bookmark: pickOne(bookmarks).id, collection: destination.collection_id } },
            user,
          ),
        ),
      ],
      (user) => [site.call(toggleLike, byId(pickOne(videos)), user)],
      (user) => [site.call(toggleFollow, byId(pickOne(users).id), user)],
      (user) => [
        site.call(pickOne([blockUser, unblockUser]), byId(pickOne(users).id), user),
        site.call(markNotificationsRead, { body: { all: true } }, user),
      ],
      (user) => [
        site.call(listComments, { ...byId(pickOne(videos)), query: {} }, user),
        site.call(listNotifications, { query: {} }, user),
      ],
    ]
    const requests: Promise<unknown>[] = []
    while (requests.length < 200) {
      const user = leaving[requests.length / 40]
      if (requests.length % 40 === 0 && user !== undefined) {
        requests.push(site.call(deleteAccount, { body: { password: user.password } }, user))
      }
      requests.push(...pickOne(actions)(pickOne(requests.length < 60 ? users : staying)))
    }
    const outcomes = await Promise.allSettled(requests)
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    // Expected: 401 for users who deleted their account and 23503 for a destination created for them, 404 for deleted
    // or no longer visible content, 400 for users who follow themselves.
    const isExpected = (error: { status?: number; code?: string }) =>
      [400, 401, 403, 404, 409].includes(error.status ?? 0) || error.code === '23503'
    expect(failed.filter((error) => !isExpected(error))).toEqual([])
    expect(outcomes.length - failed.length).toBeGreaterThan(100)
    expect(await counterMismatches(site)).toEqual([])
    // A deadlock that was resolved by a retry would show in the statistics.
    await Promise.all(
      Array.from({ length: 20 }, () => site.db`select pg_stat_force_next_flush(), pg_sleep(0.02)`),
    )
    const [stats] = await site.db`
    select (select count(*) from users where closed_at is not null) as closed,
           (select deadlocks from pg_stat_database where datname = current_database()) as deadlocks`
    expect(stats).toEqual({ closed: 0, deadlocks: 0 })
  },
  60_000,
)
