/** Decisions of moderators: appeals, restored and edited videos, several reports at once, a user's history. */
import { logIn } from '@reelmark/contract/accounts.ts'
import { decideAppeal, listAppeals } from '@reelmark/contract/appeals.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { decideReports, editBookmark, editVideo, restoreDecision } from '@reelmark/contract/decisions.ts'
import { createAppeal, listOwnDecisions } from '@reelmark/contract/reports.ts'
import { getUserHistory } from '@reelmark/contract/sanctions.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, type TestUser } from '../../../testing/test-users.ts'
import { purgeRemoved } from '../jobs.ts'
import { reportedFilmCalls, useModerationSite } from '../reported-film.fixture.ts'

const moderationSite = await useModerationSite()
const { site, mod, other, createReportedFilm, approve, reject } = moderationSite
/** Ana with her current session. */
let { ana } = moderationSite
/** Ben, who has standing, and Ana's bookmark and its video are new for each test. */
let ben: TestUser
let bookmark: number
let video: number
let films: number
beforeEach(async () => {
  ;({ ben, bookmark, video, films } = await createReportedFilm(ana))
})

const { report, statusFor } = reportedFilmCalls(site, () => ({ ben, bookmark, video }))

test('an appeal against hiding cannot be granted once the video was removed, nor created once it is shown again', async () => {
  const ownDecision = async (action: string) =>
    (await site.call(listOwnDecisions, { query: {} }, ana)).results.find(
      (decision) => decision.target_id === video && decision.action === action,
    )
  const first = await report('copyright')
  const hidden = await ownDecision('hide')
  expect(hidden).toMatchObject({ target_kind: 'video', can_appeal: true })
  const appeal = { params: { id: hidden?.id ?? 0 }, body: { text: 'It is mine' } }
  await site.call(createAppeal, appeal, ana)
  await approve(first.id)
  const { results } = await site.call(listAppeals, { query: {} }, other)
  const id = results.find(({ decision }) => decision.id === hidden?.id)?.id ?? 0
  const grant = { params: { id }, body: { decision: 'grant' } } as const
  expect(await failedReply(site.call(decideAppeal, grant, other))).toMatchObject({ status: 409 })
  expect(await statusFor(null)).toBe(404)

  const again = await saveFilm(site, ana, `hidden-again-${films}`)
  video = again.video.id
  bookmark = again.id
  await reject((await report('spam')).id)
  expect(await ownDecision('hide')).toMatchObject({ can_appeal: false })
})

describe('a removed video', () => {
  test('can be restored once within thirty days, but not if it involves minors', async () => {
    const { id } = await report('copyright')
    const { decision_id } = await approve(id)
    const restore = { params: { id: decision_id ?? 0 }, body: {} }
    expect(await site.call(restoreDecision, restore, other)).toMatchObject({
      action: 'remove',
      can_restore: false,
    })
    expect(await statusFor(null)).toBe('visible')
    expect(await failedReply(site.call(restoreDecision, restore, mod))).toMatchObject({ status: 409 })
    expect(await counterMismatches(site)).toEqual([])

    const minors = await report('minors', ben)
    const removed = await approve(minors.id)
    expect(
      await failedReply(
        site.call(restoreDecision, { params: { id: removed.decision_id ?? 0 }, body: {} }, mod),
      ),
    ).toMatchObject({ status: 409 })
    await site.db`update users set banned_at = null where id = ${ana.id}`
    ana = {
      ...ana,
      ...(await site.call(logIn, { body: { username: ana.username, password: ana.password } })),
    }
  })

  test('is deleted permanently after thirty days', async () => {
    const { id } = await report('broken_source')
    await approve(id)
    expect(await purgeRemoved(site.db)).toBe(0)
    await site.db`update moderation_decisions set created_at = now() - interval '31 days' where action = 'remove'`
    expect(await purgeRemoved(site.db)).toBeGreaterThan(0)
    expect(await site.db`select from videos where id = ${video}`).toEqual([])
    expect(await counterMismatches(site)).toEqual([])
  })
})

test('a moderator’s edit of a video changes the lead bookmark and everyone’s orientation, and is in the audit log', async () => {
  const edit = { title: 'Right', tags: ['One', ' two '], orientation: 'bi' as const }
  expect(await site.call(editVideo, { params: { id: video }, body: edit }, mod)).toMatchObject({
    title: 'Right',
    tags: ['one', 'two'],
    orientation: 'bi',
  })
  const seen = await site.call(getBookmark, { params: { id: bookmark } })
  expect(seen).toMatchObject({ title: 'Right', video: { title: 'Right', orientation: 'bi' } })
  expect(seen.tags.map(({ name }) => name)).toEqual(['one', 'two'])
  // Another user's bookmark keeps its own title and has the video's orientation.
  const film = seen.video.source_url
  const second = await saveFilm(site, ben, 'second', { video: { source_url: film, title: 'Theirs' } })
  expect(second).toMatchObject({ title: 'Theirs', video: { orientation: 'bi' } })
  const metadata = { params: { id: second.id }, body: { title: 'Better', tags: [] } }
  expect(await site.call(editBookmark, metadata, mod)).toMatchObject({ title: 'Better', tags: [] })
  expect((await site.call(getBookmark, { params: { id: bookmark } })).title).toBe('Right')
  const lifted = { params: { id: video }, body: { orientation: null } }
  expect(await site.call(editVideo, lifted, mod)).toMatchObject({ title: 'Right', orientation: 'sfw' })
  const log = await site.db`
    select action, before, after from audit_log where target_kind = 'video' and target_id = ${video} order by id`
  expect(log[0]).toMatchObject({ action: 'edit', before: { orientation: 'sfw' }, after: { title: 'Right' } })
  const another = await saveFilm(site, ana, `another-${films}`)
  const link = { params: { id: video }, body: { source_url: another.video.source_url } }
  expect(await failedReply(site.call(editVideo, link, mod))).toMatchObject({
    status: 409,
    body: { video_id: another.video.id },
  })
  // A refused link stays refused after its video was purged.
  const refused = 'https://vimeo.com/refused-for-good'
  await site.db`insert into refused_links (canonical_hash) values (url_hash(${refused}))`
  const refusedEdit = { params: { id: video }, body: { source_url: refused } }
  expect(await failedReply(site.call(editVideo, refusedEdit, mod))).toMatchObject({
    status: 400,
    body: { code: 'invalid', source_url: ['The video at this link was permanently removed.'] },
  })
  expect(await counterMismatches(site)).toEqual([])
})

test('deciding several reports decides all reports of each target and names those that could not be decided', async () => {
  const [first, second] = [await report('minors'), await report('minors', other)]
  const rejecting = { report_ids: [first.id], decision: 'reject' as const }
  await site.call(decideReports, { body: { ...rejecting, all: false } }, mod)
  // Another report still hides the video.
  expect(await statusFor(null)).toBe(404)
  const again = { report_ids: [first.id, second.id], decision: 'reject' as const, all: true }
  expect(await site.call(decideReports, { body: again }, mod)).toEqual({
    decided: [second.id],
    failed: [{ report_id: first.id, detail: 'This has already been resolved.' }],
  })
  expect(await statusFor(null)).toBe('visible')

  const [third, fourth] = [await report('minors'), await report('minors', other)]
  const rejectAll = { report_ids: [third.id], decision: 'reject' as const, all: true }
  const { decided } = await site.call(decideReports, { body: rejectAll }, mod)
  expect(decided.toSorted((a, b) => a - b)).toEqual([third.id, fourth.id])
  expect(await counterMismatches(site)).toEqual([])
})

test('the history of a user contains decisions about videos that were reported through their bookmark', async () => {
  const { id } = await report('broken_embed')
  const { decision_id } = await approve(id)
  const record = await site.call(getUserHistory, { params: { username: ana.username } }, mod)
  expect(record.decisions.map((decision) => decision.id)).toContain(decision_id)
  const another = await site.call(getUserHistory, { params: { username: ben.username } }, mod)
  expect(another.decisions.map((decision) => decision.id)).not.toContain(decision_id)
})
