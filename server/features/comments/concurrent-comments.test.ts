/**
 * Two hundred requests at once about the same videos and what is said of them, while their bookmarks and some of the
 * people go: nobody waits in a circle, nothing fails that need not, and every counter equals its rows.
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
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { createDestination, saveFilm } from '../../testing/test-bookmarks.ts'
import type { TestUser } from '../../testing/test-users.ts'

let site: TestApp
beforeAll(async () => {
  site = await bootApp()
})
afterAll(() => site.close())

const byId = (id: number) => ({ params: { id } })
interface Said {
  id: number
  by: TestUser
}

test.each([1, 2])(
  'a crowd talks, takes back, deletes and leaves (%i)',
  async (seed) => {
    const callers = createCallers(site)
    await site.db`delete from users`
    const people: TestUser[] = []
    for (let n = 0; n < 14; n++) people.push(await callers.person())
    const staying = people.slice(0, 10)
    const leaving = people.slice(10)
    const videos: number[] = []
    const bookmarks: { id: number; by: TestUser }[] = []
    for (let film = 0; film < 3; film++) {
      for (const by of [people[film], people[film + 1], people[10 + film]] as TestUser[]) {
        const { id, video } = await saveFilm(site, by, `talk${seed}-${film}`)
        bookmarks.push({ id, by })
        if (!videos.includes(video.id)) videos.push(video.id)
      }
    }
    const comments: Said[] = []
    const replies: Said[] = []
    for (const [n, by] of people.entries()) {
      const body = { content: `First ${n}` }
      const { id } = await site.call(createComment, { ...byId(videos[n % 3] ?? 0), body }, by)
      comments.push({ id, by })
      for (const other of [people[(n + 3) % 14], people[(n + 5) % 14]] as TestUser[]) {
        const reply = await site.call(createReply, { ...byId(id), body: { content: 'Really?' } }, other)
        replies.push({ id: reply.id, by: other })
      }
    }

    let state = 20_261_121 + seed
    const chance = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return (state >>> 8) % below
    }
    const one = <T>(of: readonly T[]) => of[chance(of.length)] as T
    const words = () => ({ body: { content: `At once ${chance(1e6)}` } })
    const twice = (work: () => Promise<unknown>) => [work(), work()]
    const deeds: ((who: TestUser) => Promise<unknown>[])[] = [
      (who) => [site.call(createComment, { ...byId(one(videos)), ...words() }, who)],
      (who) => [site.call(createReply, { ...byId(one(comments).id), ...words() }, who)],
      (who) => [site.call(createReply, { ...byId(one(comments).id), ...words() }, who)],
      () => {
        const { id, by } = one(comments)
        return twice(() => site.call(deleteComment, byId(id), by))
      },
      () => {
        const { id, by } = one(replies)
        return twice(() => site.call(deleteReply, byId(id), by))
      },
      () => {
        const { id, by } = one(comments)
        return [
          site.call(editComment, { ...byId(id), ...words() }, by),
          site.call(deleteComment, byId(id), by),
        ]
      },
      () => {
        const { id, by } = one(replies)
        return [site.call(editReply, { ...byId(id), ...words() }, by)]
      },
      () => {
        const { id, by } = one(bookmarks)
        return [site.call(trashBookmark, byId(id), by), site.call(restoreBookmark, byId(id), by)]
      },
      () => {
        const { id, by } = one(bookmarks)
        return [
          site.call(
            updateBookmark,
            { ...byId(id), body: { access: one(['public', 'private'] as const) } },
            by,
          ),
        ]
      },
      (who) => [
        createDestination(site, who).then((destination) =>
          site.call(
            collectBookmark,
            { body: { bookmark: one(bookmarks).id, collection: destination.collection_id } },
            who,
          ),
        ),
      ],
      (who) => [site.call(toggleLike, byId(one(videos)), who)],
      (who) => [site.call(toggleFollow, byId(one(people).id), who)],
      (who) => [
        site.call(one([blockUser, unblockUser]), byId(one(people).id), who),
        site.call(markNotificationsRead, { body: { all: true } }, who),
      ],
      (who) => [
        site.call(listComments, { ...byId(one(videos)), query: {} }, who),
        site.call(listNotifications, { query: {} }, who),
      ],
    ]
    const requests: Promise<unknown>[] = []
    while (requests.length < 200) {
      const who = leaving[requests.length / 40]
      if (requests.length % 40 === 0 && who !== undefined) {
        requests.push(site.call(deleteAccount, { body: { password: who.password } }, who))
      }
      requests.push(...one(deeds)(one(requests.length < 60 ? people : staying)))
    }
    const outcomes = await Promise.allSettled(requests)
    const failed = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    // Somebody who left is nobody (401), and a place cannot be made for them (23503); what went, or is nobody's to see
    // any more, is not there; nobody follows themselves.
    const known = (error: { status?: number; code?: string }) =>
      [400, 401, 403, 404, 409].includes(error.status ?? 0) || error.code === '23503'
    expect(failed.filter((error) => !known(error))).toEqual([])
    expect(outcomes.length - failed.length).toBeGreaterThan(100)
    expect(await counterMismatches(site)).toEqual([])
    // Nor did anybody wait in a circle and try again.
    await Promise.all(
      Array.from({ length: 20 }, () => site.db`select pg_stat_force_next_flush(), pg_sleep(0.02)`),
    )
    const [left] = await site.db`
    select (select count(*) from users where closed_at is not null) as closed,
           (select deadlocks from pg_stat_database where datname = current_database()) as circles`
    expect(left).toEqual({ closed: 0, circles: 0 })
  },
  60_000,
)
