/** Holding comments of new accounts for review, and refusing repeated comments. */

import { listReports } from '@reelmark/contract/cases.ts'
import {
  createComment,
  createReply,
  deleteComment,
  editComment,
  listComments,
  listReplies,
} from '@reelmark/contract/comments.ts'
import { rejectReport } from '@reelmark/contract/decisions.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../testing/test-users.ts'

let site: TestApp
let oldUser: TestUser
let moderator: TestUser
let userCount = 0
const films: number[] = []

beforeAll(async () => {
  site = await bootApp()
  oldUser = await signUp(site, 'old')
  moderator = await signUpModerator(site, 'mod')
  await site.db`update users set created_at = now() - interval '30 days'`
  for (let n = 0; n < 4; n += 1) films.push((await saveFilm(site, oldUser, `screened-${n}`)).video.id)
})
afterAll(() => site.close())

const signUpNewUser = () => {
  userCount += 1
  return signUp(site, `new${userCount}`)
}
const film = (n = 0) => films[n] ?? 0
const comment = (content: string, author: TestUser, n = 0) =>
  site.call(createComment, { params: { id: film(n) }, body: { content } }, author)
const read = async (author: TestUser | null) =>
  (await site.call(listComments, { params: { id: film() }, query: {} }, author)).results.map(({ id }) => id)
const countOf = async (author: TestUser | null, id?: number) =>
  id === undefined
    ? (await site.call(listComments, { params: { id: film() }, query: {} }, author)).count
    : (await site.call(listReplies, { params: { id }, query: {} }, author)).count
const findReport = async (id: number) =>
  (await site.call(listReports, { query: { target_kind: 'comment', target_id: id } }, moderator)).results[0]

describe('comments with links', () => {
  test.each(['See https://a.example', 'www.a.example is it', 'go to a.example/b', 'Look: HTTP://A.example'])(
    'by a new account are held until a moderator approves them: %s',
    async (content) => {
      const author = await signUpNewUser()
      const created = await comment(content, author)
      expect(created.is_held).toBe(true)
      expect(await read(oldUser)).not.toContain(created.id)
      expect(await read(author)).toContain(created.id)
      expect((await countOf(author)) - (await countOf(oldUser))).toBe(1)
      const report = await findReport(created.id)
      expect(report).toMatchObject({ reporter: null, report_type: 'spam', status: 'open' })
      await site.call(rejectReport, { body: { report_id: report?.id ?? 0 } }, moderator)
      expect(await read(oldUser)).toContain(created.id)
      expect(await counterMismatches(site)).toEqual([])
    },
  )

  test('are held on the first day and among the first three comments, and a held reply sends no notification', async () => {
    const author = await signUpNewUser()
    for (const word of ['One', 'Two', 'Three']) await comment(word, author)
    expect((await comment('https://a.example/1', author)).is_held).toBe(true)
    await site.db`update users set created_at = now() - interval '2 days' where id = ${author.id}`
    expect((await comment('https://a.example/2', author)).is_held).toBe(false)
    const other = await signUpNewUser()
    await site.db`update users set created_at = now() - interval '2 days' where id = ${other.id}`
    const { id } = await comment('What do you think of it?', oldUser)
    const heldReply = await site.call(
      createReply,
      { params: { id }, body: { content: 'https://b.example' } },
      other,
    )
    expect(heldReply.is_held).toBe(true)
    expect([await countOf(other, id), await countOf(oldUser, id)]).toEqual([1, 0])
    // Visible comments on the film of `oldUser` notify them.
    const { results } = await site.call(listNotifications, { query: {} }, oldUser)
    expect(results.filter(({ actors }) => actors.some(({ id }) => id === other.id))).toEqual([])
    const [edited] = [await comment('Fine', other)]
    const editedComment = await site.call(
      editComment,
      { params: { id: edited.id }, body: { content: 'https://c.example' } },
      other,
    )
    expect(editedComment.is_held).toBe(true)
    // Authors can delete their held comments.
    await site.call(deleteComment, { params: { id: edited.id } }, other)
    expect(await counterMismatches(site)).toEqual([])
  })

  test('are not held from older accounts, from moderators or if the link is to this site or only resembles one', async () => {
    for (const word of ['One.', 'Two.', 'Three.']) await comment(word, oldUser)
    expect((await comment('https://a.example/old', oldUser)).is_held).toBe(false)
    expect((await comment('https://a.example/mod', moderator)).is_held).toBe(false)
    const own = `${site.settings.publicUrl}/bookmarks/1`
    for (const content of [own, 'Vol.2 of 3', 'and/or', 'at 8.30']) {
      expect((await comment(content, await signUpNewUser())).is_held, content).toBe(false)
    }
  })
})

describe('repeated comments', () => {
  const text = 'This one made my whole evening'

  test('by one user on a third video within an hour are refused, even with different case, accents and punctuation', async () => {
    await comment(text, oldUser, 0)
    await comment(`${text}!`, oldUser, 1)
    expect(await failedReply(comment(`THIS one — made my whole évening`, oldUser, 2))).toEqual({
      status: 400,
      body: {
        code: 'invalid',
        content: ["You've posted this comment on several videos. Change the text or wait an hour."],
      },
    })
    // Short comments may be repeated by everyone.
    for (const n of [0, 1, 2, 3]) await comment('Lovely!', oldUser, n)
    await site.db`update comments set created_at = created_at - interval '2 hours'`
    await comment(text, oldUser, 2)
  })

  test('by several new accounts are held, but not those of older accounts', async () => {
    const content = 'The best prices are in my profile'
    const [first, second, three] = [await signUpNewUser(), await signUpNewUser(), await signUpNewUser()]
    expect((await comment(content, first)).is_held).toBe(false)
    expect((await comment(content, second, 1)).is_held).toBe(false)
    const heldComment = await comment(content, three, 2)
    expect(heldComment.is_held).toBe(true)
    expect(await findReport(heldComment.id)).toMatchObject({
      notes: 'Held because several new accounts posted the same comment.',
    })
    expect((await comment(content, oldUser, 3)).is_held).toBe(false)
  })
})
