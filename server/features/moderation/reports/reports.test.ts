/** Reports and their effects over HTTP, as reporters, owners, moderators and visitors see them. */
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { countCases, getCase, listCases, listReports } from '@reelmark/contract/cases.ts'
import { editVideo, restoreDecision } from '@reelmark/contract/decisions.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import { createReport, listOwnDecisions, listOwnReports } from '@reelmark/contract/reports.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, grantStanding, signUp, type TestUser } from '../../../testing/test-users.ts'
import { reportedFilmCalls, useModerationSite } from '../reported-film.fixture.ts'

const { site, ana, mod, other, createReportedFilm, approve, reject } = await useModerationSite()
/** Ben, who has standing, and Ana's bookmark and its video are new for each test. */
let ben: TestUser
let bookmark: number
let video: number
let films: number
beforeEach(async () => {
  ;({ ben, bookmark, video, films } = await createReportedFilm(ana))
})

const { report, statusFor } = reportedFilmCalls(site, () => ({ ben, bookmark, video }))
const loadNotifications = async (user: TestUser) =>
  (await site.call(listNotifications, { query: {} }, user)).results.map(({ kind, decision, report }) => ({
    kind,
    outcome: decision?.action ?? report?.status,
  }))

describe('a private bookmark', () => {
  test('is visible to moderators only while an open report names it', async () => {
    const { id } = await report('spam')
    await site.call(updateBookmark, { params: { id: bookmark }, body: { access: 'private' } }, ana)
    expect([await statusFor(mod), await statusFor(ben), await statusFor(null)]).toEqual(['hidden', 404, 404])
    // Another private bookmark of the same video stays visible only to its owner.
    const second = await saveFilm(site, ana, `reported-${films}`, {
      bookmark: { ...(await createDestination(site, ana)), access: 'private' },
    })
    expect((await failedReply(site.call(getBookmark, { params: { id: second.id } }, mod))).status).toBe(404)
    const readCase = () => site.call(getCase, { params: { kind: 'video', id: video } }, mod)
    expect((await readCase()).video).toMatchObject({ title: `Film reported-${films}` })
    await reject(id)
    expect([await statusFor(mod), await statusFor(ana)]).toEqual([404, 'visible'])
    // The case still shows what was reported, and nothing of the bookmark as it is now.
    await site.db`update bookmarks set title = 'Private by now' where id = ${bookmark}`
    const decided = await readCase()
    expect(decided).toMatchObject({
      video: null,
      case: { title: `Film reported-${films}`, state: 'deleted' },
    })
    expect(JSON.stringify(decided)).not.toContain('Private by now')
    const edit = { params: { id: video }, body: { title: 'Not mine to change' } }
    expect(await failedReply(site.call(editVideo, edit, mod))).toMatchObject({ status: 404 })
  })
})

describe('a video saved privately by several users', () => {
  test('does not reveal one user’s title to another or to moderators when one of them reports it', async () => {
    const asPrivate = { bookmark: { access: 'private' as const } }
    const film = `private-twice-${films}`
    const cora = await signUp(site, 'cora')
    await grantStanding(site, cora)
    const first = await saveFilm(site, ana, film, { ...asPrivate, video: { title: 'Title by Ana' } })
    const second = await saveFilm(site, cora, film, { ...asPrivate, video: { title: 'Title by Cora' } })
    video = first.video.id
    const { id } = await report('spam', cora, { bookmark_id: null })
    const [own] = (await site.call(listOwnReports, { query: {} }, cora)).results
    expect(own).toMatchObject({ id, snapshot: 'Title by Cora' })
    const readCase = async () =>
      JSON.stringify(await site.call(getCase, { params: { kind: 'video', id: video } }, mod))
    expect(await readCase()).not.toContain('Title by Ana')
    await reject(id)
    // Of this type, because a rejected video is hidden again by few others.
    await report('non_consensual', cora, { bookmark_id: second.id })
    expect(await readCase()).not.toContain('Title by Ana')
    const { results } = await site.call(listOwnDecisions, { query: {} }, ana)
    const titles = results.filter(({ target_id }) => target_id === video).map(({ title }) => title)
    expect(titles).toEqual(['films.example.org', 'films.example.org', 'films.example.org'])
  })
})

describe('a report', () => {
  test('hides the video from everyone but its owner and moderators, and the response says so', async () => {
    const filed = await report('broken_source')
    expect(filed).toEqual({
      id: expect.any(Number),
      report_type: 'broken_source',
      status: 'open',
      is_hidden: true,
      detail: expect.stringContaining('now hidden pending admin review'),
    })
    expect([await statusFor(null), await statusFor(ben), await statusFor(ana), await statusFor(mod)]).toEqual(
      [404, 404, 'hidden', 'hidden'],
    )
    const { results } = await site.call(listVideos, { query: {} })
    expect(results.map(({ id }) => id)).not.toContain(bookmark)
    expect(await loadNotifications(ana)).toContainEqual({ kind: 'moderation', outcome: 'hide' })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('can be made once by a user while it is open, and again after it is decided', async () => {
    const { id } = await report('spam')
    // The reporter gets this answer although the video is hidden from them.
    expect(await failedReply(report('other', ben, { notes: 'Still' }))).toEqual({
      status: 409,
      body: {
        detail: "You've already reported this.",
        code: 'already-reported',
        error: "You've already reported this.",
        report_id: id,
      },
    })
    await reject(id)
    expect((await report('spam')).id).not.toBe(id)
  })

  test('without exactly one target or a required field is answered with 400 and the text in `error`, too', async () => {
    const sent = (body: object) =>
      failedReply(site.call(createReport, { body: { report_type: 'spam', ...body } }, ben))
    expect(await sent({})).toEqual({
      status: 400,
      body: {
        code: 'invalid',
        error: 'Video information not available.',
        video_id: ['Video information not available.'],
      },
    })
    expect(await sent({ video_id: video, user_id: ana.id })).toMatchObject({ status: 400 })
    expect(await sent({ video_id: video, report_type: 'other' })).toMatchObject({
      status: 400,
      body: { error: 'Describe the problem.', notes: ['Describe the problem.'] },
    })
  })

  test('that is rejected shows the video again and notifies the reporter and the owner', async () => {
    const { id } = await report('copyright')
    expect(await reject(id)).toEqual({
      report_id: id,
      status: 'rejected',
      report_ids: [id],
      decision_id: expect.any(Number),
      state: 'visible',
    })
    expect(await statusFor(null)).toBe('visible')
    expect((await loadNotifications(ben))[0]).toEqual({ kind: 'report_decided', outcome: 'rejected' })
    expect((await loadNotifications(ana))[0]).toEqual({ kind: 'moderation', outcome: 'show' })
    const { results } = await site.call(listOwnReports, { query: {} }, ben)
    expect(results[0]).toMatchObject({ id, status: 'rejected', snapshot: `Film reported-${films}` })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('that is approved removes the video with all its bookmarks, also for their owners', async () => {
    const second = await saveFilm(site, ben, `reported-${films}`)
    const { id } = await report('broken_embed', other)
    expect((await approve(id)).state).toBe('removed')
    expect([await statusFor(null), await statusFor(ana), await statusFor(ben)]).toEqual([404, 404, 404])
    expect(await failedReply(site.call(getBookmark, { params: { id: second.id } }, ben))).toMatchObject({
      status: 404,
    })
    expect((await loadNotifications(ana))[0]).toEqual({ kind: 'moderation', outcome: 'remove' })
    expect((await loadNotifications(ben))[0]).toEqual({ kind: 'moderation', outcome: 'remove' })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('of a wrong orientation, once approved, sets the right one and shows the video again', async () => {
    const { id } = await report('wrong_orientation', ben, { orientation: 'gay' })
    expect(await failedReply(approve(id))).toMatchObject({
      status: 400,
      body: { code: 'invalid', orientation: ['This field is required.'] },
    })
    expect((await approve(id, mod, { orientation: 'bi' })).state).toBe('visible')
    const { video: corrected } = await site.call(getBookmark, { params: { id: bookmark } })
    expect(corrected).toMatchObject({ orientation: 'bi', status: 'visible' })
  })

  test('that is rejected leaves the video hidden while another open report hides it', async () => {
    const first = await report('spam', mod)
    const second = await report('violence_or_hate', other)
    expect((await reject(first.id, other)).state).toBe('hidden')
    expect(await statusFor(null)).toBe(404)
    expect((await reject(second.id)).state).toBe('visible')
  })
})

test('when two moderators decide one report at the same time, one succeeds and the other gets 409 with its status', async () => {
  const { id } = await report('spam')
  const answers = await Promise.allSettled([approve(id, mod), reject(id, other)])
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const lost = answers.find((answer) => answer.status === 'rejected') as PromiseRejectedResult
  expect(lost.reason).toMatchObject({
    status: 409,
    body: { status: expect.stringMatching(/approved|rejected/) },
  })
})

test('a reporter with three rejected reports in a row hides nothing any more, except content involving minors', async () => {
  const carl = await signUp(site, 'carl')
  await grantStanding(site, carl)
  for (let wrong = 0; wrong < 3; wrong += 1) {
    await saveFilm(site, ana, `wrong-${wrong}`).then(({ video: { id } }) => {
      video = id
    })
    const { id } = await report('spam', carl, { bookmark_id: null })
    await reject(id)
  }
  const saved = await saveFilm(site, ana, 'not-hidden')
  ;[video, bookmark] = [saved.video.id, saved.id]
  const filed = await report('spam', carl)
  expect(filed).toMatchObject({ is_hidden: false })
  expect(await statusFor(null)).toBe('visible')
  await reject(filed.id)
  expect(await report('minors', carl)).toMatchObject({ is_hidden: true })
  expect(await statusFor(null)).toBe(404)
})

test('approving a report of content involving minors bans the owner and refuses the link from then on', async () => {
  const dora = await signUp(site, 'dora')
  const saved = await saveFilm(site, dora, 'never')
  ;[video, bookmark] = [saved.video.id, saved.id]
  const { id } = await report('minors')
  await approve(id)
  expect(await failedReply(site.call(listOwnReports, { query: {} }, dora))).toMatchObject({ status: 401 })
  expect(await failedReply(saveFilm(site, ben, 'never'))).toMatchObject({ status: 400 })
  const log =
    await site.db`select action from audit_log where target_kind = 'user' and target_id = ${dora.id}`
  expect(log).toEqual([{ action: 'ban' }])
})

test('a report of content involving minors stays open when the video is removed for another reason', async () => {
  const dan = await signUp(site, 'dan')
  const saved = await saveFilm(site, dan, 'two-reports')
  ;[video, bookmark] = [saved.video.id, saved.id]
  const broken = await report('broken_source', mod)
  const minors = await report('minors', other)
  const removal = await approve(broken.id)
  expect(removal).toMatchObject({ state: 'removed', report_ids: [broken.id] })
  await site.call(listOwnReports, { query: {} }, dan)
  // Restoring it leaves it hidden, because that report is open.
  await site.call(restoreDecision, { params: { id: removal.decision_id ?? 0 }, body: {} }, other)
  expect(await statusFor(null)).toBe(404)
  expect(await statusFor(dan)).toBe('hidden')
  expect((await approve(minors.id)).state).toBe('removed')
  expect(await failedReply(site.call(listOwnReports, { query: {} }, dan))).toMatchObject({ status: 401 })
  expect(await counterMismatches(site)).toEqual([])
})

test('the queue lists each reported video once with all its reports, the most severe first', async () => {
  await report('spam', mod)
  const severe = await saveFilm(site, ana, `severe-${films}`)
  const first = { video, bookmark }
  ;[video, bookmark] = [severe.video.id, severe.id]
  await report('non_consensual')
  await report('copyright', other)
  const { results, count } = await site.call(listCases, { query: { page_size: 100 } }, mod)
  const order = results.map(({ target_id }) => target_id)
  expect(order.indexOf(severe.video.id)).toBeLessThan(order.indexOf(first.video))
  expect(count).toBe(results.length)
  expect(await site.call(countCases, {}, mod)).toEqual({ count })
  expect(results.find(({ target_id }) => target_id === severe.video.id)).toMatchObject({
    target_kind: 'video',
    reports_count: 2,
    types: ['copyright', 'non_consensual'],
    state: 'hidden',
    bookmark_id: severe.id,
    claim: null,
  })
  const { results: flat } = await site.call(
    listReports,
    { query: { target_kind: 'video', target_id: severe.video.id } },
    mod,
  )
  expect(flat.map(({ report_type }) => report_type)).toEqual(['non_consensual', 'copyright'])
  expect(await failedReply(site.call(listCases, { query: {} }, ben))).toMatchObject({ status: 403 })
})
