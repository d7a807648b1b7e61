/** Long threads and concurrent writes: paging, its cost, and counters that equal the number of rows. */
import { type CommentsQuery, listComments, listReplies } from '@reelmark/contract/comments.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../core/database/database.ts'
import { counterMismatches } from '../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import { createViewer } from '../../testing/test-viewer.ts'
import * as queries from './queries.ts'

const { deleteComment } = queries
/** Returns the content of a comment that no rule matches. */
const commentContent = (content: string) => ({ content, fingerprint: null, held: null })
type Author = Parameters<typeof queries.insertComment>[2]
const insertComment = async (db: Db, id: number, viewer: Author, content: string) =>
  (await queries.insertComment(db, id, viewer, commentContent(content))).id
const insertReply = async (db: Db, id: number, viewer: Author, content: string) =>
  (await queries.insertReply(db, id, viewer, commentContent(content))).id
const editComment = (db: Db, id: number, kind: queries.CommentKind, viewer: Author, content: string) =>
  queries.editComment(db, id, kind, viewer, commentContent(content))

let site: TestApp
let ana: TestUser
let video: number
/** The comment with 65 replies. */
let comment: number

beforeAll(async () => {
  site = await bootApp()
  ana = await signUp(site, 'ana')
  video = (await saveFilm(site, ana, 'long-thread')).video.id
  // Three rows share each timestamp, so that the id must break the tie.
  await site.db`
    insert into comments (video_id, user_id, content, created_at)
    select ${video}, ${ana.id}, 'Comment ' || n, timestamptz '2026-01-01' + (n / 3) * interval '1 second'
      from generate_series(1, 8050) n`
  const [first] = await site.db<
    [{ id: number }]
  >`select min(id) as id from comments where video_id = ${video}`
  comment = first.id
  await site.db`
    insert into comments (video_id, user_id, parent_id, content, created_at)
    select ${video}, ${ana.id}, ${comment}, 'Reply ' || n, timestamptz '2026-01-02' + (n / 3) * interval '1 second'
      from generate_series(1, 65) n`
  await site.db`analyze comments`
})
afterAll(() => site.close())

interface Page {
  count: number
  next: string | null
  previous: string | null
  results: { id: number; content: string }[]
}
async function loadPage(link: string, status = 200): Promise<Page> {
  const reply = await site.app.inject({ url: link })
  expect(reply.statusCode, link).toBe(status)
  return reply.json()
}
const contents = ({ results }: Page) => results.map(({ content }) => content)

describe('paging', () => {
  test.each([
    ['comments', () => `/api/videos/${video}/comments/?page_size=100`, 8050, 'Comment 8050'],
    ['replies', () => `/api/comments/${comment}/replies/`, 65, 'Reply 1'],
  ])(
    'through all %s, forwards and backwards, returns each once and in order',
    async (_, start, count, first) => {
      const pagesForward: string[][] = []
      let page = await loadPage(start())
      for (;;) {
        expect(page.count).toBe(count)
        pagesForward.push(contents(page))
        if (page.next === null) break
        page = await loadPage(page.next)
      }
      expect(pagesForward.flat()[0]).toBe(first)
      expect(pagesForward.flat()).toHaveLength(count)
      expect(new Set(pagesForward.flat()).size).toBe(count)
      const pagesBackward = [contents(page)]
      while (page.previous !== null) {
        page = await loadPage(page.previous)
        pagesBackward.unshift(contents(page))
      }
      expect(pagesBackward).toEqual(pagesForward)
    },
  )

  test('returns 20 per page, or up to 100 on request', async () => {
    const size = async (query: CommentsQuery) =>
      (await site.call(listComments, { params: { id: video }, query })).results.length
    expect([await size({}), await size({ page_size: 7 }), await size({ page_size: 100 })]).toEqual([
      20, 7, 100,
    ])
    expect((await site.call(listReplies, { params: { id: comment }, query: {} })).results).toHaveLength(20)
  })

  test('with an invalid page or cursor returns 404, and with an invalid parameter 400', async () => {
    const start = `/api/videos/${video}/comments/`
    for (const page of ['0', '-1', 'x', '404']) {
      expect(await loadPage(`${start}?page=${page}`, 404)).toEqual({
        detail: 'Invalid page.',
        code: 'invalid-page',
      })
    }
    for (const cursor of ['', 'x', 'a1', 'a9999999999999999_1', 'a1_99999999999999999', 'c1_1', "a1_1'"]) {
      expect(await loadPage(`${start}?cursor=${cursor}`, 404)).toEqual({
        detail: 'Invalid page.',
        code: 'invalid-page',
      })
    }
    await loadPage(`${start}?page_size=101`, 400)
    await loadPage(`${start}?bookmark=x`, 400)
  })

  test('continues where the previous page ended, even if comments were added or deleted since', async () => {
    const threadVideo = (await saveFilm(site, ana, 'ongoing-thread')).video.id
    const viewer = createViewer({ id: ana.id })
    const ids: number[] = []
    for (let n = 0; n < 30; n += 1) ids.push(await insertComment(site.db, threadVideo, viewer, `${n}`))
    const first = await loadPage(`/api/videos/${threadVideo}/comments/`)
    expect(contents(first)).toEqual(Array.from({ length: 20 }, (_, n) => `${29 - n}`))
    await insertComment(site.db, threadVideo, viewer, 'new')
    await deleteComment(site.db, ids[10] as number, 'comment', ana.id)
    const second = await loadPage(first.next as string)
    expect(contents(second)).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1', '0'])
  })

  test('costs one statement per page, and page 400 reads as few rows as page 1', async () => {
    const first = await loadPage(`/api/videos/${video}/comments/`)
    let deep = await loadPage(`/api/videos/${video}/comments/?page=399`)
    site.statements.length = 0
    deep = await loadPage(deep.next as string)
    expect(contents(deep)[0]).toBe('Comment 70')
    expect(site.statements).toHaveLength(1)
    await loadPage(`/api/comments/${comment}/replies/`)
    expect(site.statements).toHaveLength(2)

    const countRowsRead = async (link: string) => {
      await site.db`select pg_stat_force_next_flush()`
      const readCounter = async () => {
        const [row] = await site.db<[{ read: number }]>`
          select coalesce(sum(idx_tup_read), 0)::int as read from pg_stat_user_indexes where indexrelname = 'comments_of_video'`
        return row.read
      }
      await flushStatistics()
      const before = await readCounter()
      await loadPage(link)
      await flushStatistics()
      return (await readCounter()) - before
    }
    const [shallow, farther] = [
      await countRowsRead(first.next as string),
      await countRowsRead(deep.previous as string),
    ]
    for (const rows of [shallow, farther]) {
      expect(rows).toBeGreaterThan(20)
      expect(rows).toBeLessThan(50)
    }
  })
})

/** Makes every connection of the pool publish its statistics. */
async function flushStatistics(): Promise<void> {
  await Promise.all(
    Array.from({ length: 20 }, () => site.app.deps.db`select pg_stat_force_next_flush(), pg_sleep(0.02)`),
  )
}

describe('concurrent writes', () => {
  test('two hundred comments, replies, edits and deletions leave correct counters and cause no deadlock', async () => {
    const { db } = site
    const threadVideo = (await saveFilm(site, ana, 'crowded')).video.id
    await db`insert into users (username, email) select 'crowd' || n, 'c' || n || '@example.org' from generate_series(1, 40) n`
    const crowd = await db<{ id: number }[]>`select id from users where username like 'crowd%' order by id`
    const viewers = crowd.map(({ id }) => createViewer({ id }))
    const created: { id: number; by: number; kind: 'comment' | 'reply' }[] = []
    for (const viewer of viewers) {
      const id = await insertComment(db, threadVideo, viewer, 'First')
      created.push({ id, by: viewer.id, kind: 'comment' })
      for (const other of viewers.slice(0, 3)) {
        created.push({ id: await insertReply(db, id, other, 'Reply'), by: other.id, kind: 'reply' })
      }
    }
    const parents = created.filter(({ kind }) => kind === 'comment')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) => {
        const viewer = viewers[n % viewers.length] as (typeof viewers)[number]
        const target = created[(n * 7) % created.length] as (typeof created)[number]
        const parent = parents[(n * 3) % parents.length] as (typeof created)[number]
        if (n % 4 === 0) return insertComment(db, threadVideo, viewer, `Concurrent ${n}`)
        if (n % 4 === 1) return insertReply(db, parent.id, viewer, `Concurrent ${n}`)
        if (n % 4 === 2) return deleteComment(db, target.id, target.kind, target.by)
        const by = createViewer({ id: parent.by })
        return n % 8 === 3
          ? editComment(db, parent.id, 'comment', by, `Concurrent ${n}`)
          : deleteComment(db, parent.id, 'comment', parent.by)
      }),
    )
    // 'Not found' is expected for comments that were deleted a moment before; no other error is.
    const unexpected = outcomes.filter(
      (outcome) => outcome.status === 'rejected' && (outcome.reason as Error).message !== 'Not found.',
    )
    expect(unexpected).toEqual([])
    expect(await counterMismatches(site)).toEqual([])
  })

  test('a comment is deleted while users reply to it and delete their replies', async () => {
    const { db } = site
    const threadVideo = (await saveFilm(site, ana, 'deleted-thread')).video.id
    const viewer = createViewer({ id: ana.id })
    for (let round = 0; round < 10; round += 1) {
      const parent = await insertComment(db, threadVideo, viewer, 'Going')
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, n) => insertReply(db, parent, viewer, `Reply ${n}`)),
      )
      const outcomes = await Promise.allSettled([
        ...replies.slice(0, 4).map((id) => deleteComment(db, id, 'reply', ana.id)),
        insertReply(db, parent, viewer, 'One more'),
        deleteComment(db, parent, 'comment', ana.id),
        ...replies.slice(4).map((id) => deleteComment(db, id, 'reply', ana.id)),
        insertReply(db, parent, viewer, 'And another'),
      ])
      const unexpected = outcomes.filter(
        (outcome) => outcome.status === 'rejected' && (outcome.reason as Error).message !== 'Not found.',
      )
      expect(unexpected).toEqual([])
    }
    expect(await db`select from comments where video_id = ${threadVideo}`).toHaveLength(0)
    expect(await counterMismatches(site)).toEqual([])
  })
})
