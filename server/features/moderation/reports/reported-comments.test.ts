/** Reported comments, from the report to the decision and appeal. */
import { decideAppeal, listAppeals } from '@reelmark/contract/appeals.ts'
import { createComment, createReply, getComment, listComments } from '@reelmark/contract/comments.ts'
import { createAppeal, createReport, listOwnDecisions } from '@reelmark/contract/reports.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { failedReply, type TestUser } from '../../../testing/test-users.ts'
import { useModerationSite } from '../reported-film.fixture.ts'

const { site, ana, mod, other, createReportedFilm, approve, reject } = await useModerationSite()
/** Ben, who has standing, and Ana's video are new for each test. */
let ben: TestUser
let video: number
beforeEach(async () => {
  ;({ ben, video } = await createReportedFilm(ana))
})

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
