/** What people say of videos and to each other, and who sees it. */
import {
  createComment,
  createReply,
  deleteComment,
  deleteReply,
  editComment,
  editReply,
  getComment,
  listComments,
  listReplies,
} from '@reelmark/contract/comments.ts'
import { createMute } from '@reelmark/contract/mutes.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../testing/test-users.ts'

let site: TestApp
let ana: TestUser
let ben: TestUser
let moderator: TestUser
/** Ana's bookmark and its video, new for each test. */
let bookmark: number
let video: number
let films = 0

beforeAll(async () => {
  site = await bootApp()
  ana = await signUp(site, 'ana')
  ben = await signUp(site, 'ben')
  moderator = await signUpModerator(site, 'mod')
})
afterAll(() => site.close())
beforeEach(async () => {
  films += 1
  const saved = await saveFilm(site, ana, `talked-about-${films}`)
  bookmark = saved.id
  video = saved.video.id
})

type Who = TestUser | null
const say = (content: string, who: TestUser, id = video) =>
  site.call(createComment, { params: { id }, body: { content } }, who)
const answer = (id: number, content: string, who: TestUser) =>
  site.call(createReply, { params: { id }, body: { content } }, who)
const comments = (who: Who = null, query = {}, id = video) =>
  site.call(listComments, { params: { id }, query }, who)
const replies = (id: number, who: Who = null, query = {}) =>
  site.call(listReplies, { params: { id }, query }, who)
const notFound = { status: 404, body: { detail: 'Not found.', code: 'not-found' } }
const notAllowed = {
  status: 403,
  body: { detail: "You don't have permission to do this.", code: 'forbidden' },
}
const person = ({ id, username }: TestUser) => ({
  id,
  username,
  avatar_url: '/media/default.jpg',
  is_verified: false,
})

describe('saying something', () => {
  test('answers the comment, which everyone then finds, the newest first', async () => {
    const first = await say('  A lovely film.\r\nTwice!  ', ben)
    expect(first).toEqual({
      id: expect.any(Number),
      content: 'A lovely film.\nTwice!',
      user: person(ben),
      created_at: expect.any(String),
      updated_at: first.created_at,
      replies_count: 0,
      is_author_of_bookmark: false,
      is_held: false,
      mute_id: null,
    })
    const second = await say('Thank you', ana)
    expect(second.is_author_of_bookmark).toBe(true)
    expect(await comments()).toEqual({ count: 2, next: null, previous: null, results: [second, first] })
  })

  test('a reply is counted, and found under its comment, the oldest first', async () => {
    const { id } = await say('Who made it?', ben)
    const first = await answer(id, 'I did not', ana)
    const second = await answer(id, 'Nor did I', ben)
    expect(first).not.toHaveProperty('replies_count')
    expect((await replies(id)).results).toEqual([first, second])
    expect((await comments()).results).toMatchObject([{ id, replies_count: 2 }])
    expect((await comments()).count).toBe(1)
  })

  test('whose comment it is to is told of a reply, and nobody is told of their own', async () => {
    const { id } = await say('Who made it?', ben)
    const before = await site.call(listNotifications, { query: {} }, ben)
    await answer(id, 'Me, by myself', ben)
    const reply = await answer(id, 'I did not', ana)
    const { count, results } = await site.call(listNotifications, { query: {} }, ben)
    expect(count).toBe(before.count + 1)
    expect(results[0]).toMatchObject({
      kind: 'reply',
      actors: [{ username: 'ana' }],
      comment: { id: reply.id, excerpt: 'I did not' },
    })
  })

  test('a reply is not replied to', async () => {
    const { id } = await answer((await say('One', ana)).id, 'Two', ben)
    expect(await failedReply(answer(id, 'Three', ana))).toEqual(notFound)
    expect(await failedReply(replies(id))).toEqual(notFound)
  })

  test('is sent twice and done once', async () => {
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
  ])('%j is refused', async (content, why) => {
    expect(await failedReply(say(content, ana))).toEqual({
      status: 400,
      body: { code: 'invalid', content: [why] },
    })
  })

  test.each([
    ['😀'.repeat(500), '😀'.repeat(500)],
    [`\u3000\ufeff ${'é'.repeat(500)}\u2003\n`, 'é'.repeat(500)],
    ['one\n\n\n\n\ntwo  \nthree\u2028four', 'one\n\ntwo\nthree\nfour'],
    ['<script>alert(1)</script> & "quoted"', '<script>alert(1)</script> & "quoted"'],
  ])('%j is kept', async (content, kept) => {
    expect((await say(content, ana)).content).toBe(kept)
  })

  test('odd bodies and ids are told so', async () => {
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

  test('too much at once is refused', async () => {
    const busy = await bootApp({ settings: { rateLimitScale: 1 } })
    const loud = await signUp(busy, 'loud')
    const { video: theirs } = await saveFilm(busy, loud, 1)
    const speak = () =>
      busy.call(createComment, { params: { id: theirs.id }, body: { content: 'Me!' } }, loud)
    await busy.db`update users set created_at = now() - interval '8 days' where id = ${loud.id}`
    for (let n = 0; n < 30; n += 1) await speak()
    expect((await failedReply(speak())).status).toBe(429)
    // New accounts say less: a third on their first day, two thirds in their first week.
    for (const [age, max] of [
      ['1 hour', 10],
      ['2 days', 20],
    ] as const) {
      await busy.db`update users set created_at = now() - ${age}::interval where id = ${loud.id}`
      await busy.db`delete from rate_limits where key like 'comment %'`
      for (let n = 0; n < max; n += 1) await speak()
      expect((await failedReply(speak())).status, age).toBe(429)
    }
    await busy.close()
  })
})

describe('changing one’s mind', () => {
  test('an edited comment says so, the same words change nothing', async () => {
    const { id, ...said } = await say('A film', ben)
    const edit = (content: string) => site.call(editComment, { params: { id }, body: { content } }, ben)
    expect(await edit('  A film ')).toEqual({ id, ...said })
    const edited = await edit('A lovely film')
    expect(edited).toMatchObject({ content: 'A lovely film', created_at: said.created_at })
    expect(edited.updated_at > edited.created_at).toBe(true)
    expect((await comments()).results).toEqual([edited])
  })

  test('a comment goes with its replies, a reply alone', async () => {
    const { id } = await say('A film', ben)
    const first = await answer(id, 'Yes', ana)
    await answer(id, 'No', ben)
    await site.call(deleteReply, { params: { id: first.id } }, ana)
    expect((await comments()).results).toMatchObject([{ replies_count: 1 }])
    await site.call(deleteComment, { params: { id } }, ben)
    expect(await comments()).toMatchObject({ count: 0, results: [] })
    expect(await failedReply(replies(id))).toEqual(notFound)
    expect(await site.db`select from comments where video_id = ${video}`).toHaveLength(0)
  })

  test('somebody else’s is not for one to change; what is not there is not found', async () => {
    const { id } = await say('A film', ben)
    const reply = await answer(id, 'Yes', ben)
    const body = { content: 'Mine now' }
    for (const who of [ana, moderator]) {
      expect(await failedReply(site.call(editComment, { params: { id }, body }, who))).toEqual(notAllowed)
      expect(await failedReply(site.call(deleteComment, { params: { id } }, who))).toEqual(notAllowed)
      expect(await failedReply(site.call(editReply, { params: { id: reply.id }, body }, who))).toEqual(
        notAllowed,
      )
      expect(await failedReply(site.call(deleteReply, { params: { id: reply.id } }, who))).toEqual(notAllowed)
    }
    // A comment is no reply, and a reply no comment.
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

describe('a permanent link', () => {
  test('leads to a comment, and to a reply with what it answers', async () => {
    const comment = await say('A film', ben)
    const reply = await answer(comment.id, 'Yes', ana)
    const at = (id: number, who: Who = null) => site.call(getComment, { params: { id }, query: {} }, who)
    expect(await at(comment.id)).toEqual({
      ...comment,
      replies_count: 1,
      video_id: video,
      bookmark_id: bookmark,
      parent: null,
    })
    expect(await at(reply.id)).toMatchObject({
      ...reply,
      bookmark_id: bookmark,
      parent: { ...comment, replies_count: 1 },
    })
    expect(await failedReply(at(999_999_999))).toEqual(notFound)
  })

  test('leads somebody who keeps a hidden video to their own bookmark', async () => {
    const { id } = await say('A film', ben)
    const own = await saveFilm(site, ben, `talked-about-${films}`, { bookmark: { access: 'private' } })
    await site.db`update videos set status = 'hidden' where id = ${video}`
    const at = (who: Who) => site.call(getComment, { params: { id }, query: {} }, who)
    expect(await at(ben)).toMatchObject({ bookmark_id: own.id })
    expect(await at(ana)).toMatchObject({ bookmark_id: bookmark })
    expect(await at(moderator)).toMatchObject({ bookmark_id: bookmark })
    expect(await failedReply(at(null))).toEqual(notFound)
  })
})

describe('who sees it', () => {
  test('what is said of a hidden video is for its savers and moderators', async () => {
    const { id } = await say('Before', ben)
    await answer(id, 'Yes', ben)
    await site.db`update videos set status = 'hidden' where id = ${video}`
    for (const who of [ana, moderator]) {
      expect(await comments(who)).toMatchObject({ count: 1 })
      expect(await replies(id, who)).toMatchObject({ count: 1 })
    }
    for (const who of [ben, null]) {
      expect(await failedReply(comments(who))).toEqual(notFound)
      expect(await failedReply(replies(id, who))).toEqual(notFound)
    }
    expect(await failedReply(say('After', ben))).toEqual(notFound)
    const body = { content: 'Changed' }
    expect(await failedReply(site.call(editComment, { params: { id }, body }, ben))).toEqual(notFound)
    // One’s own words can always be taken back.
    await site.call(deleteComment, { params: { id } }, ben)
    expect(await comments(ana)).toMatchObject({ count: 0 })
  })

  test('a video that is kept in private is not there for anyone else, and tells nobody who keeps it', async () => {
    const secret = await saveFilm(site, ana, `secret-${films}`, { bookmark: { access: 'private' } })
    const { id } = secret.video
    expect(await failedReply(comments(null, {}, id))).toEqual(notFound)
    expect(await failedReply(comments(moderator, {}, id))).toEqual(notFound)
    expect(await failedReply(say('Hello?', ben, id))).toEqual(notFound)
    // Ben keeps it too, in private: he must not learn from her words that she does.
    await saveFilm(site, ben, `secret-${films}`, { bookmark: { access: 'private' } })
    expect(await comments(ana, {}, id)).toMatchObject({ count: 0, results: [] })
    expect(await failedReply(say('A note to myself', ana, id))).toEqual(notAllowed)
  })

  test('the owner of the bookmark that is looked at is marked, and nobody learns so whose a private one is', async () => {
    const own = await saveFilm(site, ben, `talked-about-${films}`)
    await say('From ana', ana)
    await say('From ben', ben)
    const marked = async (query: object, who: Who = null) =>
      (await comments(who, query)).results
        .filter((each) => each.is_author_of_bookmark)
        .map((each) => each.user?.username)
    expect(await marked({})).toEqual(['ana'])
    expect(await marked({ bookmark: own.id })).toEqual(['ben'])
    await site.db`update bookmarks set access = 'private' where id = ${own.id}`
    expect(await marked({ bookmark: own.id })).toEqual([])
    expect(await marked({ bookmark: own.id }, ben)).toEqual(['ben'])
    const other = await saveFilm(site, ben, `another-${films}`)
    expect(await marked({ bookmark: other.id })).toEqual([])
  })

  test('what the banned and the gone said stays, without a name', async () => {
    const removed = await signUp(site, `gone${films}`)
    const banned = await signUp(site, `banned${films}`)
    const { id } = await say('I was here', removed)
    await answer(id, 'So was I', banned)
    await site.db`delete from users where id = ${removed.id}`
    await site.db`update users set banned_at = now() where id = ${banned.id}`
    expect((await comments()).results).toMatchObject([{ content: 'I was here', user: null }])
    expect((await replies(id)).results).toMatchObject([{ content: 'So was I', user: null }])
  })

  test('of whom somebody muted comes with the mute, which nobody else is told of', async () => {
    const [eve, fay] = [await signUp(site, 'eve'), await signUp(site, 'fay')]
    const { id } = await say('Loud', eve)
    const reply = await answer(id, 'Louder', eve)
    await answer(id, 'Hush', fay)
    const muted = await site.call(createMute, { body: { user_id: eve.id } }, fay)
    const told = async (who: Who) => [
      (await comments(who)).results.map(({ mute_id, replies_count }) => [mute_id, replies_count]),
      (await replies(id, who)).results.map(({ mute_id }) => mute_id),
      (await site.call(getComment, { params: { id: reply.id }, query: {} }, who)).parent?.mute_id,
    ]
    expect(await told(fay)).toEqual([[[muted.id, 2]], [muted.id, null], muted.id])
    for (const who of [null, eve, ana]) expect(await told(who)).toEqual([[[null, 2]], [null, null], null])
  })

  test('below what somebody was first to keep nobody says anything across a block, who does not keep it too', async () => {
    const [gus, hal] = [await signUp(site, 'gus'), await signUp(site, 'hal')]
    const there = await say('Words', ben)
    const elsewhere = await saveFilm(site, gus, `elsewhere-${films}`)
    await site.db`insert into blocks (blocker_id, blocked_id) values (${ana.id}, ${gus.id}), (${hal.id}, ${ana.id})`
    for (const who of [gus, hal]) {
      expect(await failedReply(say('Hello', who))).toEqual(notFound)
      expect(await failedReply(answer(there.id, 'Hello', who))).toEqual(notFound)
    }
    await say('Hello', gus, elsewhere.video.id)
    await saveFilm(site, hal, `talked-about-${films}`)
    await say('I keep it too', hal)
    expect((await comments(ben)).results.map(({ content }) => content)).toEqual(['I keep it too', 'Words'])
  })

  test('whom a block keeps apart neither see nor answer each other, whoever blocked; others hear both', async () => {
    const cleo = await signUp(site, `cleo${films}`)
    const dan = await signUp(site, `dan${films}`)
    await site.db`insert into blocks (blocker_id, blocked_id) values (${cleo.id}, ${dan.id})`
    const cleos = await say('From Cleo', cleo)
    const dans = await say('From Dan', dan)
    const neutral = await say('From Ana', ana)
    const toDan = await answer(dans.id, 'Ana to Dan', ana)
    const reply = await answer(neutral.id, 'Dan to Ana', dan)
    await answer(neutral.id, 'Cleo to Ana', cleo)
    const seen = async (who: Who) => {
      const { count, results } = await comments(who)
      return [count, results.map(({ content, replies_count }) => `${content} ${replies_count}`)]
    }
    expect(await seen(cleo)).toEqual([2, ['From Ana 1', 'From Cleo 0']])
    expect(await seen(dan)).toEqual([2, ['From Ana 1', 'From Dan 1']])
    for (const who of [ana, null]) {
      expect(await seen(who)).toEqual([3, ['From Ana 2', 'From Dan 1', 'From Cleo 0']])
    }
    expect(await replies(neutral.id, cleo)).toMatchObject({ count: 1, results: [{ content: 'Cleo to Ana' }] })
    expect(await replies(neutral.id, dan)).toMatchObject({ count: 1, results: [{ content: 'Dan to Ana' }] })
    for (const [who, id] of [
      [cleo, dans.id],
      [dan, cleos.id],
    ] as const) {
      expect(await failedReply(answer(id, 'Hey', who))).toEqual(notFound)
      expect(await failedReply(replies(id, who))).toEqual(notFound)
      expect(await failedReply(site.call(getComment, { params: { id }, query: {} }, who))).toEqual(notFound)
    }
    // Whoever blocks a moderator is moderated all the same; whom a moderator blocks themselves they need not hear.
    await site.db`insert into blocks (blocker_id, blocked_id) values (${cleo.id}, ${moderator.id}), (${moderator.id}, ${dan.id})`
    expect(await seen(moderator)).toEqual([2, ['From Ana 1', 'From Cleo 0']])
    // Neither a reply of theirs, nor what others replied to them.
    for (const id of [reply.id, toDan.id]) {
      expect(await failedReply(site.call(getComment, { params: { id }, query: {} }, cleo))).toEqual(notFound)
    }
  })
})
