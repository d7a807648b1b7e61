/** Writing, reading, editing and deleting comments and replies. */
import {
  createComment,
  deleteComment,
  deleteReply,
  editComment,
  editReply,
  getComment,
} from '@reelmark/contract/comments.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { bootApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, type TestUser } from '../../testing/test-users.ts'
import {
  type CommentViewer,
  commentCalls,
  notAllowed,
  notFound,
  useCommentSite,
} from './discussed-film.fixture.ts'

const { site, ana, ben, moderator, createDiscussedFilm } = await useCommentSite()
/** A bookmark of Ana's and its video, new for each test. */
let bookmark: number
let video: number
let filmCount: number
beforeEach(async () => {
  ;({ bookmark, video, filmCount } = await createDiscussedFilm())
})

const { postComment, postReply, comments, replies } = commentCalls(site, () => video)
const userJson = ({ id, username }: TestUser) => ({
  id,
  username,
  avatar_url: '/media/default.jpg',
  is_verified: false,
})

describe('writing comments', () => {
  test('returns the comment, and the public list shows the newest first', async () => {
    const first = await postComment('  A lovely film.\r\nTwice!  ', ben)
    expect(first).toEqual({
      mentions: [],
      id: expect.any(Number),
      content: 'A lovely film.\nTwice!',
      user: userJson(ben),
      created_at: expect.any(String),
      updated_at: first.created_at,
      replies_count: 0,
      is_author_of_bookmark: false,
      is_held: false,
      mute_id: null,
    })
    const second = await postComment('Thank you', ana)
    expect(second.is_author_of_bookmark).toBe(true)
    expect(await comments()).toEqual({ count: 2, next: null, previous: null, results: [second, first] })
  })

  test('a reply is counted and listed under its comment, oldest first', async () => {
    const { id } = await postComment('Who made it?', ben)
    const first = await postReply(id, 'I did not', ana)
    const second = await postReply(id, 'Nor did I', ben)
    expect(first).not.toHaveProperty('replies_count')
    expect((await replies(id)).results).toEqual([first, second])
    expect((await comments()).results).toMatchObject([{ id, replies_count: 2 }])
    expect((await comments()).count).toBe(1)
  })

  test('notifies the author of the comment about a reply by another user, but not about their own reply', async () => {
    const { id } = await postComment('Who made it?', ben)
    const before = await site.call(listNotifications, { query: {} }, ben)
    await postReply(id, 'Me, by myself', ben)
    const reply = await postReply(id, 'I did not', ana)
    const { count, results } = await site.call(listNotifications, { query: {} }, ben)
    expect(count).toBe(before.count + 1)
    expect(results[0]).toMatchObject({
      kind: 'reply',
      actors: [{ username: 'ana' }],
      comment: { id: reply.id, excerpt: 'I did not' },
    })
  })

  test('a reply to a reply is not found', async () => {
    const { id } = await postReply((await postComment('One', ana)).id, 'Two', ben)
    expect(await failedReply(postReply(id, 'Three', ana))).toEqual(notFound)
    expect(await failedReply(replies(id))).toEqual(notFound)
  })

  test('a request repeated with the same idempotency key creates one comment', async () => {
    const send = () =>
      site.app.inject({
        method: 'POST',
        url: `/api/videos/${video}/comments/`,
        headers: { authorization: `Bearer ${ana.access}`, 'idempotency-key': `once-${video}` },
        payload: { content: 'Only once' },
      })
    const [first, second] = [await send(), await send()]
    expect([first.statusCode, second.statusCode]).toEqual([201, 201])
    expect(second.body).toBe(first.body)
    expect((await comments()).count).toBe(1)
  })

  test.each([
    ['   ', 'This field is required.'],
    ['\u200b\u2063', 'This field is required.'],
    ['\u2800 \u3164\u034f', 'This field is required.'],
    ['😀'.repeat(501), 'Must be 500 characters or fewer.'],
    ['a'.repeat(501), 'Must be 500 characters or fewer.'],
    ['a bell \u0007 rings', "Control characters aren't allowed."],
    ['a\nb'.repeat(limits.commentLineBreaksMax + 1), 'Must have 30 line breaks or fewer.'],
  ])('the content %j is refused', async (content, message) => {
    expect(await failedReply(postComment(content, ana))).toEqual({
      status: 400,
      body: { code: 'invalid', content: [message] },
    })
  })

  test.each([
    ['😀'.repeat(500), '😀'.repeat(500)],
    [`\u3000\ufeff ${'é'.repeat(500)}\u2003\n`, 'é'.repeat(500)],
    ['one\n\n\n\n\ntwo  \nthree\u2028four', 'one\n\ntwo\nthree\nfour'],
    ['<script>alert(1)</script> & "quoted"', '<script>alert(1)</script> & "quoted"'],
  ])('the content %j is accepted and normalised', async (content, expected) => {
    expect((await postComment(content, ana)).content).toBe(expected)
  })

  test('malformed bodies return 400, and ids that do not exist return 404', async () => {
    const send = (url: string, payload: object) =>
      site.app.inject({ method: 'POST', url, headers: { authorization: `Bearer ${ana.access}` }, payload })
    const bodies = [
      {},
      { content: 5 },
      { content: null },
      { content: ['a'] },
      { content: 'a', parent: 1 },
      [],
    ]
    for (const body of bodies) {
      expect((await send(`/api/videos/${video}/comments/`, body)).statusCode).toBe(400)
    }
    for (const id of [
      '0',
      '-1',
      'x',
      '1.5',
      '9007199254740993',
      '99999999999999999999',
      '9007199254740991',
    ]) {
      expect((await send(`/api/videos/${id}/comments/`, { content: 'a' })).statusCode, id).toBe(404)
      expect((await send(`/api/comments/${id}/replies/`, { content: 'a' })).statusCode, id).toBe(404)
    }
  })

  test('comments beyond the hourly limit are refused, with lower limits for new accounts', async () => {
    const limitedSite = await bootApp({ settings: { rateLimitScale: 1 } })
    const frequentUser = await signUp(limitedSite, 'loud')
    const { video: ownVideo } = await saveFilm(limitedSite, frequentUser, 1)
    const sendComment = () =>
      limitedSite.call(createComment, { params: { id: ownVideo.id }, body: { content: 'Me!' } }, frequentUser)
    await limitedSite.db`update users set created_at = now() - interval '8 days' where id = ${frequentUser.id}`
    for (let n = 0; n < 30; n += 1) await sendComment()
    expect((await failedReply(sendComment())).status).toBe(429)
    // A third of the limit applies on the first day of an account, two thirds in its first week.
    for (const [age, max] of [
      ['1 hour', 10],
      ['2 days', 20],
    ] as const) {
      await limitedSite.db`update users set created_at = now() - ${age}::interval where id = ${frequentUser.id}`
      await limitedSite.db`delete from rate_limits where key like 'comment %'`
      for (let n = 0; n < max; n += 1) await sendComment()
      expect((await failedReply(sendComment())).status, age).toBe(429)
    }
    await limitedSite.close()
  })
})

describe('editing and deleting', () => {
  test('editing changes content and time, and identical content changes nothing', async () => {
    const { id, ...original } = await postComment('A film', ben)
    const edit = (content: string) => site.call(editComment, { params: { id }, body: { content } }, ben)
    expect(await edit('  A film ')).toEqual({ id, ...original })
    const edited = await edit('A lovely film')
    expect(edited).toMatchObject({ content: 'A lovely film', created_at: original.created_at })
    expect(edited.updated_at > edited.created_at).toBe(true)
    expect((await comments()).results).toEqual([edited])
  })

  test('deleting a comment deletes its replies, and a reply can be deleted alone', async () => {
    const { id } = await postComment('A film', ben)
    const first = await postReply(id, 'Yes', ana)
    await postReply(id, 'No', ben)
    await site.call(deleteReply, { params: { id: first.id } }, ana)
    expect((await comments()).results).toMatchObject([{ replies_count: 1 }])
    await site.call(deleteComment, { params: { id } }, ben)
    expect(await comments()).toMatchObject({ count: 0, results: [] })
    expect(await failedReply(replies(id))).toEqual(notFound)
    expect(await site.db`select from comments where video_id = ${video}`).toHaveLength(0)
  })

  test('comments of others cannot be edited or deleted; comment and reply endpoints do not accept each other’s ids', async () => {
    const { id } = await postComment('A film', ben)
    const reply = await postReply(id, 'Yes', ben)
    const body = { content: 'Mine now' }
    for (const viewer of [ana, moderator]) {
      expect(await failedReply(site.call(editComment, { params: { id }, body }, viewer))).toEqual(notAllowed)
      expect(await failedReply(site.call(deleteComment, { params: { id } }, viewer))).toEqual(notAllowed)
      expect(await failedReply(site.call(editReply, { params: { id: reply.id }, body }, viewer))).toEqual(
        notAllowed,
      )
      expect(await failedReply(site.call(deleteReply, { params: { id: reply.id } }, viewer))).toEqual(
        notAllowed,
      )
    }
    // The reply endpoints do not accept the id of a comment, nor the comment endpoints that of a reply.
    expect(await failedReply(site.call(editReply, { params: { id }, body }, ben))).toEqual(notFound)
    expect(await failedReply(site.call(deleteReply, { params: { id } }, ben))).toEqual(notFound)
    expect(await failedReply(site.call(editComment, { params: { id: reply.id }, body }, ben))).toEqual(
      notFound,
    )
    expect(await failedReply(site.call(deleteComment, { params: { id: reply.id } }, ben))).toEqual(notFound)
    expect(await failedReply(site.call(deleteComment, { params: { id: 999_999_999 } }, ben))).toEqual(
      notFound,
    )
    expect((await comments()).results).toMatchObject([{ content: 'A film', replies_count: 1 }])
  })
})

describe('a link to a comment', () => {
  test('returns a comment alone, and a reply with its parent comment', async () => {
    const comment = await postComment('A film', ben)
    const reply = await postReply(comment.id, 'Yes', ana)
    const readLinked = (id: number, viewer: CommentViewer = null) =>
      site.call(getComment, { params: { id }, query: {} }, viewer)
    expect(await readLinked(comment.id)).toEqual({
      ...comment,
      replies_count: 1,
      video_id: video,
      bookmark_id: bookmark,
      parent: null,
    })
    expect(await readLinked(reply.id)).toMatchObject({
      ...reply,
      bookmark_id: bookmark,
      parent: { ...comment, replies_count: 1 },
    })
    expect(await failedReply(readLinked(999_999_999))).toEqual(notFound)
  })

  test('refers to the viewer’s own bookmark if the video is hidden', async () => {
    const { id } = await postComment('A film', ben)
    const own = await saveFilm(site, ben, `discussed-${filmCount}`, { bookmark: { access: 'private' } })
    await site.db`update videos set status = 'hidden' where id = ${video}`
    const readLinked = (viewer: CommentViewer) => site.call(getComment, { params: { id }, query: {} }, viewer)
    expect(await readLinked(ben)).toMatchObject({ bookmark_id: own.id })
    expect(await readLinked(ana)).toMatchObject({ bookmark_id: bookmark })
    expect(await readLinked(moderator)).toMatchObject({ bookmark_id: bookmark })
    expect(await failedReply(readLinked(null))).toEqual(notFound)
  })
})
