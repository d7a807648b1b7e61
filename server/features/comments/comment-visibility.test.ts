/** Who may see comments and replies. */
import { deleteComment, editComment, getComment } from '@reelmark/contract/comments.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp } from '../../testing/test-users.ts'
import {
  type CommentViewer,
  commentCalls,
  notAllowed,
  notFound,
  useCommentSite,
} from './discussed-film.fixture.ts'

const { site, ana, ben, moderator, createDiscussedFilm } = await useCommentSite()
/** A video that Ana saved, new for each test. */
let video: number
let filmCount: number
beforeEach(async () => {
  ;({ video, filmCount } = await createDiscussedFilm())
})

const { postComment, postReply, comments, replies } = commentCalls(site, () => video)

describe('visibility', () => {
  test('comments on a hidden video are visible to its savers and moderators only', async () => {
    const { id } = await postComment('Before', ben)
    await postReply(id, 'Yes', ben)
    await site.db`update videos set status = 'hidden' where id = ${video}`
    for (const viewer of [ana, moderator]) {
      expect(await comments(viewer)).toMatchObject({ count: 1 })
      expect(await replies(id, viewer)).toMatchObject({ count: 1 })
    }
    for (const viewer of [ben, null]) {
      expect(await failedReply(comments(viewer))).toEqual(notFound)
      expect(await failedReply(replies(id, viewer))).toEqual(notFound)
    }
    expect(await failedReply(postComment('After', ben))).toEqual(notFound)
    const body = { content: 'Changed' }
    expect(await failedReply(site.call(editComment, { params: { id }, body }, ben))).toEqual(notFound)
    // Authors can delete their comments even if they no longer see the video.
    await site.call(deleteComment, { params: { id } }, ben)
    expect(await comments(ana)).toMatchObject({ count: 0 })
  })

  test('comments on a private bookmark are not found for others, and savers of it learn nothing about each other', async () => {
    const secret = await saveFilm(site, ana, `secret-${filmCount}`, { bookmark: { access: 'private' } })
    const { id } = secret.video
    expect(await failedReply(comments(null, {}, id))).toEqual(notFound)
    expect(await failedReply(comments(moderator, {}, id))).toEqual(notFound)
    expect(await failedReply(postComment('Hello?', ben, id))).toEqual(notFound)
    // Ben saved the same link privately. A comment by Ana would reveal that she did too.
    await saveFilm(site, ben, `secret-${filmCount}`, { bookmark: { access: 'private' } })
    expect(await comments(ana, {}, id)).toMatchObject({ count: 0, results: [] })
    expect(await failedReply(postComment('A note to myself', ana, id))).toEqual(notAllowed)
  })

  test('comments of the bookmark’s owner are marked, unless the viewer may not see the bookmark', async () => {
    const own = await saveFilm(site, ben, `discussed-${filmCount}`)
    await postComment('From ana', ana)
    await postComment('From ben', ben)
    const marked = async (query: object, viewer: CommentViewer = null) =>
      (await comments(viewer, query)).results
        .filter((comment) => comment.is_author_of_bookmark)
        .map((comment) => comment.user?.username)
    expect(await marked({})).toEqual(['ana'])
    expect(await marked({ bookmark: own.id })).toEqual(['ben'])
    await site.db`update bookmarks set access = 'private' where id = ${own.id}`
    expect(await marked({ bookmark: own.id })).toEqual([])
    expect(await marked({ bookmark: own.id }, ben)).toEqual(['ben'])
    const other = await saveFilm(site, ben, `another-${filmCount}`)
    expect(await marked({ bookmark: other.id })).toEqual([])
  })

  test('comments of banned users and of deleted accounts stay, without an author', async () => {
    const removed = await signUp(site, `gone${filmCount}`)
    const banned = await signUp(site, `banned${filmCount}`)
    const { id } = await postComment('I was here', removed)
    await postReply(id, 'So was I', banned)
    await site.db`delete from users where id = ${removed.id}`
    await site.db`update users set banned_at = now() where id = ${banned.id}`
    expect((await comments()).results).toMatchObject([{ content: 'I was here', user: null }])
    expect((await replies(id)).results).toMatchObject([{ content: 'So was I', user: null }])
  })

  test('comments of a muted user carry the id of the mute, for the user who muted them only', async () => {
    const [eve, fay] = [await signUp(site, 'eve'), await signUp(site, 'fay')]
    const { id } = await postComment('Loud', eve)
    const reply = await postReply(id, 'Louder', eve)
    await postReply(id, 'Hush', fay)
    const muted = await site.call(createMute, { body: { user_id: eve.id } }, fay)
    const readMuteIds = async (viewer: CommentViewer) => [
      (await comments(viewer)).results.map(({ mute_id, replies_count }) => [mute_id, replies_count]),
      (await replies(id, viewer)).results.map(({ mute_id }) => mute_id),
      (await site.call(getComment, { params: { id: reply.id }, query: {} }, viewer)).parent?.mute_id,
    ]
    expect(await readMuteIds(fay)).toEqual([[[muted.id, 2]], [muted.id, null], muted.id])
    for (const viewer of [null, eve, ana])
      expect(await readMuteIds(viewer)).toEqual([[[null, 2]], [null, null], null])
  })

  test('a block between viewer and lead bookmark’s owner prevents commenting, unless the viewer saved the video too', async () => {
    const [gus, hal] = [await signUp(site, 'gus'), await signUp(site, 'hal')]
    const byBen = await postComment('Words', ben)
    const ownVideo = await saveFilm(site, gus, `elsewhere-${filmCount}`)
    await site.db`insert into blocks (blocker_id, blocked_id) values (${ana.id}, ${gus.id}), (${hal.id}, ${ana.id})`
    for (const viewer of [gus, hal]) {
      expect(await failedReply(postComment('Hello', viewer))).toEqual(notFound)
      expect(await failedReply(postReply(byBen.id, 'Hello', viewer))).toEqual(notFound)
    }
    await postComment('Hello', gus, ownVideo.video.id)
    await saveFilm(site, hal, `discussed-${filmCount}`)
    await postComment('I keep it too', hal)
    expect((await comments(ben)).results.map(({ content }) => content)).toEqual(['I keep it too', 'Words'])
  })

  test('a comment does not lead to the bookmark of a user who blocked the viewer', async () => {
    const ivy = await signUp(site, 'ivy')
    const { id } = await postComment('Words', ivy)
    const readBookmarkId = async () =>
      (await site.call(getComment, { params: { id }, query: {} }, ivy)).bookmark_id
    expect(await readBookmarkId()).toBeGreaterThan(0)
    await site.db`insert into blocks (blocker_id, blocked_id) values (${ana.id}, ${ivy.id})`
    expect(await readBookmarkId()).toBeNull()
    const own = await saveFilm(site, ivy, `discussed-${filmCount}`)
    expect(await readBookmarkId()).toBe(own.id)
  })

  test('users separated by a block do not see each other’s comments or replies, while others see both', async () => {
    const cleo = await signUp(site, `cleo${filmCount}`)
    const dan = await signUp(site, `dan${filmCount}`)
    await site.db`insert into blocks (blocker_id, blocked_id) values (${cleo.id}, ${dan.id})`
    const byCleo = await postComment('From Cleo', cleo)
    const byDan = await postComment('From Dan', dan)
    const neutral = await postComment('From Ana', ana)
    const toDan = await postReply(byDan.id, 'Ana to Dan', ana)
    const reply = await postReply(neutral.id, 'Dan to Ana', dan)
    await postReply(neutral.id, 'Cleo to Ana', cleo)
    const readContents = async (viewer: CommentViewer) => {
      const { count, results } = await comments(viewer)
      return [count, results.map(({ content, replies_count }) => `${content} ${replies_count}`)]
    }
    expect(await readContents(cleo)).toEqual([2, ['From Ana 1', 'From Cleo 0']])
    expect(await readContents(dan)).toEqual([2, ['From Ana 1', 'From Dan 1']])
    for (const viewer of [ana, null]) {
      expect(await readContents(viewer)).toEqual([3, ['From Ana 2', 'From Dan 1', 'From Cleo 0']])
    }
    expect(await replies(neutral.id, cleo)).toMatchObject({ count: 1, results: [{ content: 'Cleo to Ana' }] })
    expect(await replies(neutral.id, dan)).toMatchObject({ count: 1, results: [{ content: 'Dan to Ana' }] })
    for (const [viewer, id] of [
      [cleo, byDan.id],
      [dan, byCleo.id],
    ] as const) {
      expect(await failedReply(postReply(id, 'Hey', viewer))).toEqual(notFound)
      expect(await failedReply(replies(id, viewer))).toEqual(notFound)
      expect(await failedReply(site.call(getComment, { params: { id }, query: {} }, viewer))).toEqual(
        notFound,
      )
    }
    // Being blocked does not keep a moderator from seeing content; a moderator's own block hides it from them.
    await site.db`insert into blocks (blocker_id, blocked_id) values (${cleo.id}, ${moderator.id}), (${moderator.id}, ${dan.id})`
    expect(await readContents(moderator)).toEqual([2, ['From Ana 1', 'From Cleo 0']])
    // Neither replies by Dan nor replies to his comments are visible to Cleo.
    for (const id of [reply.id, toDan.id]) {
      expect(await failedReply(site.call(getComment, { params: { id }, query: {} }, cleo))).toEqual(notFound)
    }
  })
})
