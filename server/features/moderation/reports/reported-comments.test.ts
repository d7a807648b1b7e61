/** Reported comments, from the report to the decision and appeal. */
import { decideAppeal, listAppeals } from '@reelmark/contract/appeals.ts'
import { createComment, createReply, getComment, listComments } from '@reelmark/contract/comments.ts'
import { approveReport, rejectReport } from '@reelmark/contract/decisions.ts'
import { createAppeal, createReport, listOwnDecisions } from '@reelmark/contract/reports.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import {
  failedReply,
  grantStanding,
  signUp,
  signUpModerator,
  type TestUser,
} from '../../../testing/test-users.ts'

let site: TestApp
let ana: TestUser
let ben: TestUser
let mod: TestUser
let other: TestUser
/** A video that Ana saved. It and Ben, who has standing, are new for each test. */
let video: number
let films = 0

beforeAll(async () => {
  site = await bootApp()
  ana = await signUp(site, 'ana')
  await grantStanding(site, ana)
  mod = await signUpModerator(site, 'mod')
  other = await signUpModerator(site, 'other')
})
afterAll(() => site.close())
beforeEach(async () => {
  films += 1
  ben = await signUp(site, `ben${films}`)
  await grantStanding(site, ben)
  const saved = await saveFilm(site, ana, `reported-${films}`)
  video = saved.video.id
})

const approve = (report_id: number, moderator = mod, fields = {}) =>
  site.call(approveReport, { body: { report_id, ...fields } }, moderator)
const reject = (report_id: number, moderator = mod, fields = {}) =>
  site.call(rejectReport, { body: { report_id, ...fields } }, moderator)

describe('a comment', () => {
  const comment = (content: string, author = ben) =>
    site.call(createComment, { params: { id: video }, body: { content } }, author)
  const commentIds = async () =>
    (await site.call(listComments, { params: { id: video }, query: {} })).results.map(({ id }) => id)

  test('that is reported is hidden with its replies and not counted until the report is decided', async () => {
    const { id } = await comment('Buy this')
    const reply = await site.call(createReply, { params: { id }, body: { content: 'I will' } }, ana)
    const filed = await site.call(createReport, { body: { comment_id: id, report_type: 'spam' } }, ana)
    expect(filed.is_hidden).toBe(true)
    expect(await commentIds()).not.toContain(id)
    for (const hidden of [id, reply.id]) {
      expect(await failedReply(site.call(getComment, { params: { id: hidden }, query: {} }))).toMatchObject({
        status: 404,
      })
    }
    expect(
      await failedReply(site.call(createReply, { params: { id }, body: { content: 'Me too' } }, ana)),
    ).toMatchObject({ status: 404 })
    expect(await site.call(getComment, { params: { id }, query: {} }, ben)).toMatchObject({
      content: 'Buy this',
    })
    expect(await counterMismatches(site)).toEqual([])
    await reject(filed.id)
    expect(await commentIds()).toContain(id)
    expect(await counterMismatches(site)).toEqual([])
  })

  test('by a deleted user can be reported and removed', async () => {
    const { id } = await comment('Long ago')
    await site.db`update comments set user_id = null where id = ${id}`
    const filed = await site.call(createReport, { body: { comment_id: id, report_type: 'spam' } }, ana)
    expect(filed.is_hidden).toBe(true)
    await approve(filed.id)
    expect(await commentIds()).not.toContain(id)
    expect(await counterMismatches(site)).toEqual([])
  })

  test('whose report is approved is removed, and its author is notified and can appeal', async () => {
    const { id } = await comment('Something hateful')
    const filed = await site.call(
      createReport,
      { body: { comment_id: id, report_type: 'violence_or_hate' } },
      ana,
    )
    await approve(filed.id, mod, { statement: 'Not here' })
    expect(await failedReply(site.call(getComment, { params: { id }, query: {} }, ben))).toMatchObject({
      status: 404,
    })
    const { results } = await site.call(listOwnDecisions, { query: {} }, ben)
    const [decision] = results
    expect(decision).toMatchObject({
      action: 'remove',
      target_kind: 'comment',
      reason: 'violence_or_hate',
      title: 'Something hateful',
      statement: 'Not here',
      can_appeal: true,
      appeal: null,
    })
    const appealed = await site.call(
      createAppeal,
      { params: { id: decision?.id ?? 0 }, body: { text: 'I quoted another user' } },
      ben,
    )
    expect(appealed).toMatchObject({
      can_appeal: false,
      appeal: { text: 'I quoted another user', status: 'open' },
    })
    const { results: appeals } = await site.call(listAppeals, { query: {} }, mod)
    const open = appeals.find((appeal) => appeal.user.id === ben.id)
    expect(open?.can_decide).toBe(false)
    const grant = {
      params: { id: open?.id ?? 0 },
      body: { decision: 'grant', answer: 'You are right' },
    } as const
    expect(await failedReply(site.call(decideAppeal, grant, mod))).toMatchObject({ status: 403 })
    expect(await site.call(decideAppeal, grant, other)).toMatchObject({ status: 'granted' })
    expect(await site.call(getComment, { params: { id }, query: {} })).toMatchObject({
      content: 'Something hateful',
    })
    expect(await failedReply(site.call(decideAppeal, grant, other))).toMatchObject({
      status: 409,
      body: { status: 'granted' },
    })
    expect(await counterMismatches(site)).toEqual([])
  })
})
