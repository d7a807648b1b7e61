/** Long talks and many at once: pages, what they cost, and counters that equal rows. */
import { type CommentsQuery, listComments, listReplies } from '@reelmark/contract/comments.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../core/database/database.ts'
import { counterMismatches } from '../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { signUp, type TestUser } from '../../testing/test-users.ts'
import * as queries from './queries.ts'

const { deleteComment } = queries
/** What nothing is said against. */
const words = (content: string) => ({ content, fingerprint: null, held: null })
type Sayer = Parameters<typeof queries.insertComment>[2]
const postComment = async (db: Db, id: number, viewer: Sayer, content: string) =>
  (await queries.insertComment(db, id, viewer, words(content))).id
const postReply = async (db: Db, id: number, viewer: Sayer, content: string) =>
  (await queries.insertReply(db, id, viewer, words(content))).id
const editComment = (db: Db, id: number, kind: queries.CommentKind, viewer: Sayer, content: string) =>
  queries.editComment(db, id, kind, viewer, words(content))

let site: TestApp
let ana: TestUser
let video: number
/** Of it the replies are. */
let comment: number

beforeAll(async () => {
  site = await bootApp()
  ana = await signUp(site, 'ana')
  video = (await saveFilm(site, ana, 'long-talk')).video.id
  // Several of the same moment, so that the id has to tell them apart.
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
async function at(link: string, status = 200): Promise<Page> {
  const reply = await site.app.inject({ url: link })
  expect(reply.statusCode, link).toBe(status)
  return reply.json()
}
const contents = ({ results }: Page) => results.map(({ content }) => content)

describe('pages', () => {
  test.each([
    ['comments', () => `/api/videos/${video}/comments/?page_size=100`, 8050, 'Comment 8050'],
    ['replies', () => `/api/comments/${comment}/replies/`, 65, 'Reply 1'],
  ])('of %s lead on to the end and back, each once and in order', async (_, start, count, first) => {
    const there: string[][] = []
    let page = await at(start())
    for (;;) {
      expect(page.count).toBe(count)
      there.push(contents(page))
      if (page.next === null) break
      page = await at(page.next)
    }
    expect(there.flat()[0]).toBe(first)
    expect(there.flat()).toHaveLength(count)
    expect(new Set(there.flat()).size).toBe(count)
    const back = [contents(page)]
    while (page.previous !== null) {
      page = await at(page.previous)
      back.unshift(contents(page))
    }
    expect(back).toEqual(there)
  })

  test('hold 20, and what is asked for up to 100', async () => {
    const size = async (query: CommentsQuery) =>
      (await site.call(listComments, { params: { id: video }, query })).results.length
    expect([await size({}), await size({ page_size: 7 }), await size({ page_size: 100 })]).toEqual([
      20, 7, 100,
    ])
    expect((await site.call(listReplies, { params: { id: comment }, query: {} })).results).toHaveLength(20)
  })

  test('that are none are told so', async () => {
    const start = `/api/videos/${video}/comments/`
    for (const page of ['0', '-1', 'x', '404']) {
      expect(await at(`${start}?page=${page}`, 404)).toEqual({
        detail: 'Invalid page.',
        code: 'invalid-page',
      })
    }
    for (const cursor of ['', 'x', 'a1', 'a9999999999999999_1', 'a1_99999999999999999', 'c1_1', "a1_1'"]) {
      expect(await at(`${start}?cursor=${cursor}`, 404)).toEqual({
        detail: 'Invalid page.',
        code: 'invalid-page',
      })
    }
    await at(`${start}?page_size=101`, 400)
    await at(`${start}?bookmark=x`, 400)
  })

  test('start where the page before ended, whatever was said or deleted meanwhile', async () => {
    const talk = (await saveFilm(site, ana, 'going-on')).video.id
    const viewer = { id: ana.id, is_moderator: false, has_blocks_or_mutes: false }
    const ids: number[] = []
    for (let n = 0; n < 30; n += 1) ids.push(await postComment(site.db, talk, viewer, `${n}`))
    const first = await at(`/api/videos/${talk}/comments/`)
    expect(contents(first)).toEqual(Array.from({ length: 20 }, (_, n) => `${29 - n}`))
    await postComment(site.db, talk, viewer, 'new')
    await deleteComment(site.db, ids[10] as number, 'comment', ana.id)
    const second = await at(first.next as string)
    expect(contents(second)).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1', '0'])
  })

  test('cost one statement each, and page 400 reads what page 1 reads', async () => {
    const first = await at(`/api/videos/${video}/comments/`)
    let deep = await at(`/api/videos/${video}/comments/?page=399`)
    site.statements.length = 0
    deep = await at(deep.next as string)
    expect(contents(deep)[0]).toBe('Comment 70')
    expect(site.statements).toHaveLength(1)
    await at(`/api/comments/${comment}/replies/`)
    expect(site.statements).toHaveLength(2)

    const readBy = async (link: string) => {
      await site.db`select pg_stat_force_next_flush()`
      const read = async () => {
        const [row] = await site.db<[{ read: number }]>`
          select coalesce(sum(idx_tup_read), 0)::int as read from pg_stat_user_indexes where indexrelname = 'comments_of_video'`
        return row.read
      }
      await synced()
      const before = await read()
      await at(link)
      await synced()
      return (await read()) - before
    }
    const [shallow, further] = [await readBy(first.next as string), await readBy(deep.previous as string)]
    for (const rows of [shallow, further]) {
      expect(rows).toBeGreaterThan(20)
      expect(rows).toBeLessThan(50)
    }
  })
})

/** Every connection of the pool tells what it has read. */
async function synced(): Promise<void> {
  await Promise.all(
    Array.from({ length: 20 }, () => site.db`select pg_stat_force_next_flush(), pg_sleep(0.02)`),
  )
}

describe('many at once', () => {
  test('two hundred comments, replies, edits and deletes: every count right, nobody waits in a circle', async () => {
    const { db } = site
    const talk = (await saveFilm(site, ana, 'crowded')).video.id
    await db`insert into users (username, email) select 'crowd' || n, 'c' || n || '@example.org' from generate_series(1, 40) n`
    const crowd = await db<{ id: number }[]>`select id from users where username like 'crowd%' order by id`
    const viewers = crowd.map(({ id }) => ({ id, is_moderator: false, has_blocks_or_mutes: false }))
    const created: { id: number; by: number; kind: 'comment' | 'reply' }[] = []
    for (const viewer of viewers) {
      const id = await postComment(db, talk, viewer, 'First')
      created.push({ id, by: viewer.id, kind: 'comment' })
      for (const other of viewers.slice(0, 3)) {
        created.push({ id: await postReply(db, id, other, 'Reply'), by: other.id, kind: 'reply' })
      }
    }
    const parents = created.filter(({ kind }) => kind === 'comment')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) => {
        const viewer = viewers[n % viewers.length] as (typeof viewers)[number]
        const target = created[(n * 7) % created.length] as (typeof created)[number]
        const parent = parents[(n * 3) % parents.length] as (typeof created)[number]
        if (n % 4 === 0) return postComment(db, talk, viewer, `At once ${n}`)
        if (n % 4 === 1) return postReply(db, parent.id, viewer, `At once ${n}`)
        if (n % 4 === 2) return deleteComment(db, target.id, target.kind, target.by)
        const by = { id: parent.by, is_moderator: false, has_blocks_or_mutes: false }
        return n % 8 === 3
          ? editComment(db, parent.id, 'comment', by, `At once ${n}`)
          : deleteComment(db, parent.id, 'comment', parent.by)
      }),
    )
    // A comment that went at that moment is not found; nothing else goes wrong.
    const wrong = outcomes.filter(
      (each) => each.status === 'rejected' && (each.reason as Error).message !== 'Not found.',
    )
    expect(wrong).toEqual([])
    expect(await counterMismatches(site)).toEqual([])
  })

  test('a comment goes while people reply to it and delete their replies', async () => {
    const { db } = site
    const talk = (await saveFilm(site, ana, 'going-away')).video.id
    const viewer = { id: ana.id, is_moderator: false, has_blocks_or_mutes: false }
    for (let round = 0; round < 10; round += 1) {
      const parent = await postComment(db, talk, viewer, 'Going')
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, n) => postReply(db, parent, viewer, `Reply ${n}`)),
      )
      const outcomes = await Promise.allSettled([
        ...replies.slice(0, 4).map((id) => deleteComment(db, id, 'reply', ana.id)),
        postReply(db, parent, viewer, 'One more'),
        deleteComment(db, parent, 'comment', ana.id),
        ...replies.slice(4).map((id) => deleteComment(db, id, 'reply', ana.id)),
        postReply(db, parent, viewer, 'And another'),
      ])
      const wrong = outcomes.filter(
        (each) => each.status === 'rejected' && (each.reason as Error).message !== 'Not found.',
      )
      expect(wrong).toEqual([])
    }
    expect(await db`select from comments where video_id = ${talk}`).toHaveLength(0)
    expect(await counterMismatches(site)).toEqual([])
  })
})
