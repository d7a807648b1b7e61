/** What of newcomers waits for a moderator, and what nobody may say over and over. */
import {
  createComment,
  createReply,
  deleteComment,
  editComment,
  listComments,
} from '@reelmark/contract/comments.ts'
import { listReports, rejectReport } from '@reelmark/contract/moderation.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../testing/test-app.ts'
import { saveFilm } from '../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../testing/test-users.ts'

let site: TestApp
let old: TestUser
let mod: TestUser
let people = 0
const films: number[] = []

beforeAll(async () => {
  site = await bootApp()
  old = await signUp(site, 'old')
  mod = await signUpModerator(site, 'mod')
  await site.db`update users set created_at = now() - interval '30 days'`
  for (let n = 0; n < 4; n += 1) films.push((await saveFilm(site, old, `judged-${n}`)).video.id)
})
afterAll(() => site.close())

const newUser = () => {
  people += 1
  return signUp(site, `new${people}`)
}
const film = (n = 0) => films[n] ?? 0
const say = (content: string, who: TestUser, n = 0) =>
  site.call(createComment, { params: { id: film(n) }, body: { content } }, who)
const read = async (who: TestUser | null) =>
  (await site.call(listComments, { params: { id: film() }, query: {} }, who)).results.map(({ id }) => id)
const findReport = async (id: number) =>
  (await site.call(listReports, { query: { target_kind: 'comment', target_id: id } }, mod)).results[0]

describe('links', () => {
  test.each(['See https://a.example', 'www.a.example is it', 'go to a.example/b', 'Look: HTTP://A.example'])(
    'of a newcomer wait: %s',
    async (content) => {
      const who = await newUser()
      const said = await say(content, who)
      expect(said.is_held).toBe(true)
      expect(await read(old)).not.toContain(said.id)
      expect(await read(who)).toContain(said.id)
      const report = await findReport(said.id)
      expect(report).toMatchObject({ reporter: null, report_type: 'spam', status: 'open' })
      await site.call(rejectReport, { body: { report_id: report?.id ?? 0 } }, mod)
      expect(await read(old)).toContain(said.id)
      expect(await counterMismatches(site)).toEqual([])
    },
  )

  test('wait on the first day, and in the first three comments; nobody is told of a reply that waits', async () => {
    const who = await newUser()
    for (const word of ['One', 'Two', 'Three']) await say(word, who)
    expect((await say('https://a.example/1', who)).is_held).toBe(true)
    await site.db`update users set created_at = now() - interval '2 days' where id = ${who.id}`
    expect((await say('https://a.example/2', who)).is_held).toBe(false)
    const late = await newUser()
    await site.db`update users set created_at = now() - interval '2 days' where id = ${late.id}`
    const { id } = await say('What do you think of it?', old)
    const answer = await site.call(
      createReply,
      { params: { id }, body: { content: 'https://b.example' } },
      late,
    )
    expect(answer.is_held).toBe(true)
    expect((await site.call(listNotifications, { query: {} }, old)).results).toEqual([])
    const [edited] = [await say('Fine', late)]
    const changed = await site.call(
      editComment,
      { params: { id: edited.id }, body: { content: 'https://c.example' } },
      late,
    )
    expect(changed.is_held).toBe(true)
    // One's own goes as ever.
    await site.call(deleteComment, { params: { id: edited.id } }, late)
    expect(await counterMismatches(site)).toEqual([])
  })

  test('of others, of moderators and to this site do not wait; nor does what is no link', async () => {
    for (const word of ['One.', 'Two.', 'Three.']) await say(word, old)
    expect((await say('https://a.example/old', old)).is_held).toBe(false)
    expect((await say('https://a.example/mod', mod)).is_held).toBe(false)
    const own = `${site.settings.publicUrl}/bookmarks/1`
    for (const content of [own, 'Vol.2 of 3', 'and/or', 'at 8.30']) {
      expect((await say(content, await newUser())).is_held, content).toBe(false)
    }
  })
})

describe('the same again', () => {
  const text = 'This one made my whole evening'

  test('by one person on a third video within an hour is refused, in other clothes too', async () => {
    await say(text, old, 0)
    await say(`${text}!`, old, 1)
    expect(await failedReply(say(`THIS one — made my whole évening`, old, 2))).toEqual({
      status: 400,
      body: {
        code: 'invalid',
        content: ["You've posted this comment on several videos. Change the text or wait an hour."],
      },
    })
    // Short words are everybody's.
    for (const n of [0, 1, 2, 3]) await say('Lovely!', old, n)
    await site.db`update comments set created_at = created_at - interval '2 hours'`
    await say(text, old, 2)
  })

  test('by several new accounts waits; of others it does not', async () => {
    const words = 'The best prices are in my profile'
    const [one, two, three] = [await newUser(), await newUser(), await newUser()]
    expect((await say(words, one)).is_held).toBe(false)
    expect((await say(words, two, 1)).is_held).toBe(false)
    const third = await say(words, three, 2)
    expect(third.is_held).toBe(true)
    expect(await findReport(third.id)).toMatchObject({
      notes: 'Held because several new accounts posted the same comment.',
    })
    expect((await say(words, old, 3)).is_held).toBe(false)
  })
})
