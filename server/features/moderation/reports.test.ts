/** From a report to what becomes of it, for whoever reports, owns, moderates or only looks. */
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { approveReport, listCases, listReports, rejectReport } from '@reelmark/contract/moderation.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import { fileReport, listOwnReports, type ReportType } from '@reelmark/contract/reports.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bootApp, type TestApp } from '../../testing/app.ts'
import { differences } from '../../testing/counters.ts'
import { failure, type PersonInTest, signUp, signUpModerator } from '../../testing/people.ts'
import { save } from '../../testing/saving.ts'

let site: TestApp
let ana: PersonInTest
let ben: PersonInTest
let mod: PersonInTest
let other: PersonInTest
/** Ana's bookmark and its video, new for each test. */
let bookmark: number
let video: number
let films = 0

beforeAll(async () => {
  site = await bootApp()
  ana = await signUp(site, 'ana')
  ben = await signUp(site, 'ben')
  mod = await signUpModerator(site, 'mod')
  other = await signUpModerator(site, 'other')
})
afterAll(() => site.close())
beforeEach(async () => {
  films += 1
  const saved = await save(site, ana, `reported-${films}`)
  bookmark = saved.id
  video = saved.video.id
})

const report = (report_type: ReportType, who: PersonInTest = ben, more = {}) =>
  site.call(fileReport, { body: { video_id: video, bookmark_id: bookmark, report_type, ...more } }, who)
const approve = (report_id: number, who = mod, more = {}) =>
  site.call(approveReport, { body: { report_id, ...more } }, who)
const reject = (report_id: number, who = mod, more = {}) =>
  site.call(rejectReport, { body: { report_id, ...more } }, who)
const seenBy = async (who: PersonInTest | null) =>
  site.call(getBookmark, { params: { id: bookmark } }, who).then(
    ({ video: { status } }) => status,
    ({ status }: { status: number }) => status,
  )
const told = async (who: PersonInTest) =>
  (await site.call(listNotifications, { query: {} }, who)).results.map(({ kind, decision, report }) => ({
    kind,
    what: decision?.action ?? report?.status,
  }))

describe('a report', () => {
  test('hides the video for all but its owner and moderators, and says so', async () => {
    const filed = await report('broken_source')
    expect(filed).toEqual({
      id: expect.any(Number),
      report_type: 'broken_source',
      status: 'open',
      is_hidden: true,
      detail: expect.stringContaining('now hidden pending admin review'),
    })
    expect([await seenBy(null), await seenBy(ben), await seenBy(ana), await seenBy(mod)]).toEqual([
      404,
      404,
      'hidden',
      'hidden',
    ])
    const { results } = await site.call(listVideos, { query: {} })
    expect(results.map(({ id }) => id)).not.toContain(bookmark)
    expect(await told(ana)).toContainEqual({ kind: 'moderation', what: 'hide' })
    expect(await differences(site)).toEqual([])
  })

  test('comes once from one person while it is open, and again after', async () => {
    const { id } = await report('spam')
    // Although it is hidden, and not there for them any more.
    expect(await failure(report('other', ben, { notes: 'Still' }))).toEqual({
      status: 409,
      body: { detail: 'You already reported this.', error: 'You already reported this.', report_id: id },
    })
    await reject(id)
    expect((await report('spam')).id).not.toBe(id)
  })

  test('rejected shows the video again and tells who reported and who owns', async () => {
    const { id } = await report('copyright')
    expect(await reject(id)).toEqual({
      report_id: id,
      status: 'rejected',
      report_ids: [id],
      decision_id: expect.any(Number),
      state: 'visible',
    })
    expect(await seenBy(null)).toBe('visible')
    expect((await told(ben))[0]).toEqual({ kind: 'report_decided', what: 'rejected' })
    expect((await told(ana))[0]).toEqual({ kind: 'moderation', what: 'show' })
    const { results } = await site.call(listOwnReports, { query: {} }, ben)
    expect(results[0]).toMatchObject({ id, status: 'rejected', snapshot: `Film reported-${films}` })
    expect(await differences(site)).toEqual([])
  })

  test('approved removes the video with all its bookmarks, for their owners too', async () => {
    const theirs = await save(site, ben, `reported-${films}`)
    const { id } = await report('broken_embed', other)
    expect((await approve(id)).state).toBe('removed')
    expect([await seenBy(null), await seenBy(ana), await seenBy(ben)]).toEqual([404, 404, 404])
    expect(await failure(site.call(getBookmark, { params: { id: theirs.id } }, ben))).toMatchObject({
      status: 404,
    })
    expect((await told(ana))[0]).toEqual({ kind: 'moderation', what: 'remove' })
    expect((await told(ben))[0]).toEqual({ kind: 'moderation', what: 'remove' })
    expect(await differences(site)).toEqual([])
  })

  test('of a wrong orientation sets the right one and shows the video again', async () => {
    const { id } = await report('wrong_orientation', ben, { orientation: 'gay' })
    expect(await failure(approve(id))).toMatchObject({
      status: 400,
      body: { orientation: ['This field is required.'] },
    })
    expect((await approve(id, mod, { orientation: 'bi' })).state).toBe('visible')
    const { video: now } = await site.call(getBookmark, { params: { id: bookmark } })
    expect(now).toMatchObject({ orientation: 'bi', status: 'visible' })
  })

  test('stays hidden while another open report hides it', async () => {
    const first = await report('spam', mod)
    const second = await report('violence_or_hate', other)
    expect((await reject(first.id, other)).state).toBe('hidden')
    expect(await seenBy(null)).toBe(404)
    expect((await reject(second.id)).state).toBe('visible')
  })
})

test('two moderators decide one report at once: one wins, the other is told', async () => {
  const { id } = await report('spam')
  const answers = await Promise.allSettled([approve(id, mod), reject(id, other)])
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const lost = answers.find((each) => each.status === 'rejected') as PromiseRejectedResult
  expect(lost.reason).toMatchObject({
    status: 409,
    body: { status: expect.stringMatching(/approved|rejected/) },
  })
})

test('a reporter who was wrong three times hides nothing any more, but minors always', async () => {
  const carl = await signUp(site, 'carl')
  for (let wrong = 0; wrong < 3; wrong += 1) {
    await save(site, ana, `wrong-${wrong}`).then(({ video: { id } }) => {
      video = id
    })
    const { id } = await report('spam', carl, { bookmark_id: null })
    await reject(id)
  }
  const saved = await save(site, ana, 'not-hidden')
  ;[video, bookmark] = [saved.video.id, saved.id]
  const filed = await report('spam', carl)
  expect(filed).toMatchObject({ is_hidden: false })
  expect(await seenBy(null)).toBe('visible')
  await reject(filed.id)
  expect(await report('minors', carl)).toMatchObject({ is_hidden: true })
  expect(await seenBy(null)).toBe(404)
})

test('content involving minors, approved, bans whose it is and can never be saved again', async () => {
  const dora = await signUp(site, 'dora')
  const saved = await save(site, dora, 'never')
  ;[video, bookmark] = [saved.video.id, saved.id]
  const { id } = await report('minors')
  await approve(id)
  expect(await failure(site.call(listOwnReports, { query: {} }, dora))).toMatchObject({ status: 401 })
  expect(await failure(save(site, ben, 'never'))).toMatchObject({ status: 400 })
  const log =
    await site.db`select action from audit_log where target_kind = 'user' and target_id = ${dora.id}`
  expect(log).toEqual([{ action: 'ban' }])
})

test('the queue holds each thing once, with all that is said of it, the gravest first', async () => {
  await report('spam', mod)
  const grave = await save(site, ana, `grave-${films}`)
  const first = { video, bookmark }
  ;[video, bookmark] = [grave.video.id, grave.id]
  await report('non_consensual')
  await report('copyright', other)
  const { results, count } = await site.call(listCases, { query: { page_size: 100 } }, mod)
  const order = results.map(({ target_id }) => target_id)
  expect(order.indexOf(grave.video.id)).toBeLessThan(order.indexOf(first.video))
  expect(count).toBe(results.length)
  expect(results.find(({ target_id }) => target_id === grave.video.id)).toMatchObject({
    target_kind: 'video',
    reports_count: 2,
    types: ['copyright', 'non_consensual'],
    state: 'hidden',
    bookmark_id: grave.id,
    claim: null,
  })
  const { results: flat } = await site.call(
    listReports,
    { query: { target_kind: 'video', target_id: grave.video.id } },
    mod,
  )
  expect(flat.map(({ report_type }) => report_type)).toEqual(['non_consensual', 'copyright'])
  expect(await failure(site.call(listCases, { query: {} }, ben))).toMatchObject({ status: 403 })
})
