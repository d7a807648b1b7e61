/** Moderators who decide at the same moment, and users who act while their content is decided about. */

import { decideAppeal, listAppeals } from '@reelmark/contract/appeals.ts'
import { createComment } from '@reelmark/contract/comments.ts'
import { approveReport, restoreDecision } from '@reelmark/contract/decisions.ts'
import { createAppeal, createReport, listOwnDecisions } from '@reelmark/contract/reports.ts'
import { promoteUser, suspendUser } from '@reelmark/contract/sanctions.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { countLockWaits } from '../../../testing/lock-waits.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { signUp, signUpModerator, signUpOwner, type TestUser } from '../../../testing/test-users.ts'

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
    .map((result) => (result.status === 'fulfilled' ? 200 : result.reason.status))
    .sort()

test('an owner who is dismissed while they appoint a moderator appoints none', async () => {
  const owner = await signUpOwner(site, 'owner')
  let promotion: Promise<number[]> = Promise.resolve([])
  await site.db.begin(async (tx) => {
    await tx`select from users where id = ${owner.id} for update`
    await signUpOwner(site, 'owner2')
    await tx`update users set is_owner = false where id = ${owner.id}`
    promotion = statuses([site.call(promoteUser, { params: { id: ana.id } }, owner)])
    // The call has been authorised and waits for the lock.
    await vi.waitFor(async () => expect(await countLockWaits(site.db)).toBe(1), 60_000)
  })
  expect(await promotion).toEqual([403])
  expect(await site.db`select from users where id = ${ana.id} and is_moderator`).toHaveLength(0)
})

test('when two moderators restore the same video or decide the same appeal, one succeeds and the other gets 409', async () => {
  const { video } = await saveFilm(site, ana, 'restored')
  const { id } = await site.call(createReport, { body: { video_id: video.id, report_type: 'spam' } }, ben)
  const { decision_id } = await site.call(approveReport, { body: { report_id: id } }, mod)
  const restore = (moderator: TestUser) =>
    site.call(restoreDecision, { params: { id: decision_id ?? 0 }, body: {} }, moderator)
  expect(await statuses([restore(mod), restore(other)])).toEqual([200, 409])

  const third = await signUpModerator(site, 'third')
  await site.call(suspendUser, { params: { id: ben.id }, body: { days: 3 } }, mod)
  const [decision] = (await site.call(listOwnDecisions, { query: {} }, ben)).results
  const appeal = { params: { id: decision?.id ?? 0 }, body: { text: 'Sorry' } }
  expect(
    await statuses([site.call(createAppeal, appeal, ben), site.call(createAppeal, appeal, ben)]),
  ).toEqual([200, 409])
  const [waiting] = (await site.call(listAppeals, { query: {} }, other)).results
  const grant = { params: { id: waiting?.id ?? 0 }, body: { decision: 'grant' } } as const
  expect(
    await statuses([site.call(decideAppeal, grant, other), site.call(decideAppeal, grant, third)]),
  ).toEqual([200, 409])
  const ended = await site.db`select from audit_log where action = 'unsuspend' and target_id = ${ben.id}`
  expect(ended).toHaveLength(1)
  expect(await counterMismatches(site)).toEqual([])
})

test('a user who comments on their own video while it is permanently removed causes no deadlock', async () => {
  const { video } = await saveFilm(site, ana, 'refused')
  const { id } = await site.call(createReport, { body: { video_id: video.id, report_type: 'minors' } }, ben)
  await site.db
    .begin(async (tx) => {
      // A comment locks its author first, then the video.
      await tx`select from users where id = ${ana.id} for no key update`
      const approved = site.call(approveReport, { body: { report_id: id } }, mod)
      await vi.waitFor(async () => expect(await countLockWaits(site.db)).toBeGreaterThan(0))
      await tx`select from videos where id = ${video.id} for no key update`
      return { approved }
    })
    .then(({ approved }) => approved)
  const [row] = await site.db`select banned_at is not null as banned from users where id = ${ana.id}`
  expect(row).toEqual({ banned: true })
})

test('comments and saves made while their author is banned cause no error and leave the counters correct', async () => {
  const carl = await signUp(site, 'carl')
  const { video } = await saveFilm(site, carl, 'busy')
  const { id } = await site.call(createReport, { body: { video_id: video.id, report_type: 'minors' } }, ben)
  const long = 'Something that is long enough to be distinguished from others, number'
  const results = await statuses([
    ...[1, 2, 3].map((n) =>
      site.call(createComment, { params: { id: video.id }, body: { content: `${long} ${n}` } }, carl),
    ),
    site.call(approveReport, { body: { report_id: id } }, mod),
    saveFilm(site, ben, 'busy'),
    ...[4, 5].map((n) =>
      site.call(createComment, { params: { id: video.id }, body: { content: `${long} ${n}` } }, mod),
    ),
  ])
  expect(results.filter((status) => status >= 500)).toEqual([])
  expect(await counterMismatches(site)).toEqual([])
})
