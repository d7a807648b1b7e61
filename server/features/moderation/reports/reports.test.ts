/** Reports, decisions and appeals over HTTP, as reporters, owners, moderators and visitors see them. */
import { logIn } from '@reelmark/contract/accounts.ts'
import { decideAppeal, listAppeals } from '@reelmark/contract/appeals.ts'
import { updateBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { getBookmark } from '@reelmark/contract/bookmarks.ts'
import { countCases, getCase, listCases, listReports } from '@reelmark/contract/cases.ts'
import { createComment, createReply, getComment, listComments } from '@reelmark/contract/comments.ts'
import {
  approveReport,
  decideReports,
  editBookmark,
  editVideo,
  rejectReport,
  restoreDecision,
} from '@reelmark/contract/decisions.ts'
import { listVideos } from '@reelmark/contract/listing.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import {
  createAppeal,
  createReport,
  listOwnDecisions,
  listOwnReports,
  type ReportType,
} from '@reelmark/contract/reports.ts'
import { getUserHistory } from '@reelmark/contract/sanctions.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { createDestination, saveFilm } from '../../../testing/test-bookmarks.ts'
import {
  failedReply,
  grantStanding,
  signUp,
  signUpModerator,
  type TestUser,
} from '../../../testing/test-users.ts'
import { purgeRemoved } from '../jobs.ts'

let site: TestApp
let ana: TestUser
let ben: TestUser
let mod: TestUser
let other: TestUser
/** Ana's bookmark and its video, and Ben, are new for each test: Ben has standing. */
let bookmark: number
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
  bookmark = saved.id
  video = saved.video.id
})

const report = (report_type: ReportType, reporter: TestUser = ben, fields = {}) =>
  site.call(
    createReport,
    { body: { video_id: video, bookmark_id: bookmark, report_type, ...fields } },
    reporter,
  )
const approve = (report_id: number, moderator = mod, fields = {}) =>
  site.call(approveReport, { body: { report_id, ...fields } }, moderator)
const reject = (report_id: number, moderator = mod, fields = {}) =>
  site.call(rejectReport, { body: { report_id, ...fields } }, moderator)
/** Returns the status of the video as a viewer sees it, or the HTTP status of the error. */
const statusFor = async (viewer: TestUser | null) =>
  site.call(getBookmark, { params: { id: bookmark } }, viewer).then(
    ({ video: { status } }) => status,
    ({ status }: { status: number }) => status,
  )
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
