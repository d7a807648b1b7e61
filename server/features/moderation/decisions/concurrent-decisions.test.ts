/** Moderators who decide at the same moment, and people who act while something of theirs is decided. */
import { createComment } from '@reelmark/contract/comments.ts'
import { approveReport, decideAppeal, listAppeals, restoreDecision } from '@reelmark/contract/moderation.ts'
import { createAppeal, createReport, listOwnDecisions } from '@reelmark/contract/reports.ts'
import { demoteUser, promoteUser, suspendUser } from '@reelmark/contract/sanctions.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'

let site: TestApp
let ana: TestUser
let ben: TestUser
let mod: TestUser
let other: TestUser

beforeAll(async () => {
  site = await bootApp()
  ana = await signUp(site, 'ana')
  ben = await signUp(site, 'ben')
  mod = await signUpModerator(site, 'mod')
  other = await signUpModerator(site, 'other')
})
afterAll(() => site.close())

const statuses = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls))
    .map((each) => (each.status === 'fulfilled' ? 200 : each.reason.status))
    .sort()

test('two moderators who demote each other leave one', async () => {
  const demote = (who: TestUser, by: TestUser) => site.call(demoteUser, { params: { id: who.id } }, by)
  expect(await statuses([demote(mod, other), demote(other, mod)])).toEqual([200, 403])
  const left = await site.db<{ id: number }[]>`select id from users where is_moderator`
  expect(left).toHaveLength(1)
  const [stays, removed] = left[0]?.id === mod.id ? [mod, other] : [other, mod]
  await site.call(promoteUser, { params: { id: removed.id } }, stays)
})

test('what is restored by two at once is restored once, and an appeal decided once', async () => {
  const { video } = await saveFilm(site, ana, 'restored')
  const { id } = await site.call(createReport, { body: { video_id: video.id, report_type: 'spam' } }, ben)
  const { decision_id } = await site.call(approveReport, { body: { report_id: id } }, mod)
  const back = (who: TestUser) =>
    site.call(restoreDecision, { params: { id: decision_id ?? 0 }, body: {} }, who)
  expect(await statuses([back(mod), back(other)])).toEqual([200, 409])

  const third = await signUpModerator(site, 'third')
  await site.call(suspendUser, { params: { id: ben.id }, body: { days: 3 } }, mod)
  const [decision] = (await site.call(listOwnDecisions, { query: {} }, ben)).results
  const asked = { params: { id: decision?.id ?? 0 }, body: { text: 'Sorry' } }
  expect(await statuses([site.call(createAppeal, asked, ben), site.call(createAppeal, asked, ben)])).toEqual([
    200, 409,
  ])
  const [waiting] = (await site.call(listAppeals, { query: {} }, other)).results
  const grant = { params: { id: waiting?.id ?? 0 }, body: { decision: 'grant' } } as const
  expect(
    await statuses([site.call(decideAppeal, grant, other), site.call(decideAppeal, grant, third)]),
  ).toEqual([200, 409])
  const ended = await site.db`select from audit_log where action = 'unsuspend' and target_id = ${ben.id}`
  expect(ended).toHaveLength(1)
  expect(await counterMismatches(site)).toEqual([])
})

test('whoever comments below their own video while it is refused for good is waited for, not in a circle', async () => {
  const { video } = await saveFilm(site, ana, 'refused')
  const { id } = await site.call(createReport, { body: { video_id: video.id, report_type: 'minors' } }, ben)
  await site.db
    .begin(async (tx) => {
      // As a comment does: who says it, then the video.
      await tx`select from users where id = ${ana.id} for no key update`
      const approved = site.call(approveReport, { body: { report_id: id } }, mod)
      await vi.waitFor(async () => {
        const waiting = await site.db`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        expect(waiting.count).toBeGreaterThan(0)
      })
      await tx`select from videos where id = ${video.id} for no key update`
      return { approved }
    })
    .then(({ approved }) => approved)
  const [row] = await site.db`select banned_at is not null as banned from users where id = ${ana.id}`
  expect(row).toEqual({ banned: true })
})

test('whatever comes at once while somebody is banned, the numbers are right', async () => {
  const carl = await signUp(site, 'carl')
  const { video } = await saveFilm(site, carl, 'busy')
  const { id } = await site.call(createReport, { body: { video_id: video.id, report_type: 'minors' } }, ben)
  const long = 'Something that is long enough to be told apart from others, number'
  const done = await statuses([
    ...[1, 2, 3].map((n) =>
      site.call(createComment, { params: { id: video.id }, body: { content: `${long} ${n}` } }, carl),
    ),
    site.call(approveReport, { body: { report_id: id } }, mod),
    saveFilm(site, ben, 'busy'),
    ...[4, 5].map((n) =>
      site.call(createComment, { params: { id: video.id }, body: { content: `${long} ${n}` } }, mod),
    ),
  ])
  expect(done.filter((status) => status >= 500)).toEqual([])
  expect(await counterMismatches(site)).toEqual([])
})
