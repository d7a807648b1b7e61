/** Undoing decisions: what the audit log records, what cannot be undone, and which notifications users get. */

import { decideAppeal, listAppeals } from '@reelmark/contract/appeals.ts'
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createComment } from '@reelmark/contract/comments.ts'
import { createContentRule, deleteContentRule } from '@reelmark/contract/content-rules.ts'
import { approveReport, restoreDecision } from '@reelmark/contract/decisions.ts'
import { countUnread, listNotifications, markNotificationsRead } from '@reelmark/contract/notifications.ts'
import { createAppeal, createReport, listOwnDecisions, type ReportType } from '@reelmark/contract/reports.ts'
import { banUser, suspendUser, unbanUser, unsuspendUser, warnUser } from '@reelmark/contract/sanctions.ts'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { countLockWaits } from '../../../testing/lock-waits.ts'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, grantStanding, signUp, type TestUser } from '../../../testing/test-users.ts'
import { purgeRemoved } from '../jobs.ts'
import { useModerationSite } from '../reported-film.fixture.ts'

const { site, ana, mod, other, approve } = await useModerationSite()
const ben = await signUp(site, 'ben')
await grantStanding(site, ben)
/** Ana's video, new for each test. */
let video: number
let films = 0
beforeEach(async () => {
  films += 1
  video = (await saveFilm(site, ana, `undone-${films}`)).video.id
})

const report = (report_type: ReportType, reporter: TestUser, target: object = { video_id: video }) =>
  site.call(createReport, { body: { ...target, report_type } }, reporter)
const restore = (decision: number | null, moderator = other) =>
  site.call(restoreDecision, { params: { id: decision ?? 0 }, body: {} }, moderator)
const latestDecision = async (user: TestUser) => {
  const [decision] = (await site.call(listOwnDecisions, { query: {} }, user)).results
  if (decision === undefined) throw new Error('there is no decision')
  return decision
}
/** Appeals against a decision as that user and returns the id of the appeal. */
const appeal = async (user: TestUser, decision: number) => {
  await site.call(createAppeal, { params: { id: decision }, body: { text: 'Please look again' } }, user)
  const { results } = await site.call(listAppeals, { query: { page_size: 100 } }, other)
  return results.find((found) => found.user.id === user.id && found.decision.id === decision)?.id ?? 0
}
const grant = (id: number) =>
  site.call(decideAppeal, { params: { id }, body: { decision: 'grant', answer: 'You are right' } }, other)
const auditEntries = (target_kind: string, target_id: number) =>
  site.db<{ action: string; before: object; after: object; note: string }[]>`
    select action, before, after, note from audit_log
     where target_kind = ${target_kind} and target_id = ${target_id} order by id desc`
const readStatus = async (id: number) =>
  (await site.db<{ status: string }[]>`select status from videos where id = ${id}`)[0]?.status

describe('a sanction', () => {
  test('ended by a moderator or by an appeal is recorded in the audit log with the state before and after', async () => {
    const suspended = { suspended_until: expect.any(String), banned: false }
    const free = { suspended_until: null, banned: false }
    const onBen = <B extends object>(body = {} as B) => ({ params: { id: ben.id }, body })
    await site.call(suspendUser, onBen({ days: 3 }), mod)
    await site.call(unsuspendUser, onBen({ statement: 'You are right' }), other)
    const lifted = { action: 'unsuspend', before: suspended, after: free, note: 'You are right' }
    expect((await auditEntries('user', ben.id))[0]).toEqual(lifted)
    await site.call(suspendUser, onBen({ days: 3 }), mod)
    await grant(await appeal(ben, (await latestDecision(ben)).id))
    expect((await auditEntries('user', ben.id))[0]).toEqual(lifted)
    expect(await latestDecision(ben)).toMatchObject({ action: 'unsuspend', statement: 'You are right' })

    await site.call(banUser, onBen(), mod)
    await site.call(unbanUser, onBen(), other)
    expect((await auditEntries('user', ben.id))[0]).toMatchObject({
      action: 'unban',
      before: { banned: true },
      after: { banned: false },
    })
    await site.db`update sessions set ended_at = null, expires_at = now() + interval '1 day' where user_id = ${ben.id}`
    await site.call(warnUser, onBen(), mod)
    await grant(await appeal(ben, (await latestDecision(ben)).id))
    expect((await auditEntries('user', ben.id))[0]).toMatchObject({
      action: 'undo-warn',
      before: { warn: 'active' },
      after: { warn: 'undone' },
    })
  })

  test('that was followed by another is undone without ending the later one', async () => {
    const onBen = (days: number) => ({ params: { id: ben.id }, body: { days } })
    await site.call(suspendUser, onBen(3), mod)
    const first = await appeal(ben, (await latestDecision(ben)).id)
    await site.call(suspendUser, onBen(30), mod)
    await grant(first)
    const [row] =
      await site.db`select suspended_until > now() + interval '29 days' as is_later from users where id = ${ben.id}`
    expect(row).toEqual({ is_later: true })
    await site.call(unsuspendUser, { params: { id: ben.id }, body: {} }, mod)
  })
})

describe('removed content', () => {
  test('is recorded in the audit log when it is restored, and when an appeal against hiding shows it again', async () => {
    const { decision_id } = await approve((await report('copyright', ben)).id)
    await restore(decision_id)
    expect((await auditEntries('video', video))[0]).toMatchObject({
      action: 'restore',
      before: { status: 'removed' },
      after: { status: 'visible' },
    })
    // Of this type, because a restored video is hidden again by few others.
    await report('non_consensual', ben)
    await grant(await appeal(ana, (await latestDecision(ana)).id))
    expect((await auditEntries('video', video))[0]).toMatchObject({
      action: 'show',
      before: { status: 'hidden' },
      after: { status: 'visible' },
    })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('cannot be restored once a report that it involves minors was approved', async () => {
    const dora = await signUp(site, 'dora')
    video = (await saveFilm(site, dora, 'minors-later')).video.id
    const [broken, minors] = [await report('broken_source', ben), await report('minors', mod)]
    const { decision_id } = await approve(broken.id)
    await approve(minors.id)
    expect(await failedReply(restore(decision_id))).toMatchObject({ status: 409 })
    expect(await readStatus(video)).toBe('removed')
  })

  test('that was deleted or saved again in the meantime answers 409 instead of being restored', async () => {
    const comment = await site.call(
      createComment,
      { params: { id: video }, body: { content: 'Buy this' } },
      ben,
    )
    const { decision_id } = await approve((await report('spam', ana, { comment_id: comment.id })).id)
    await site.db`delete from comments where id = ${comment.id}`
    expect(await failedReply(restore(decision_id))).toMatchObject({ status: 409 })

    const rule = await site.call(
      createContentRule,
      { body: { kind: 'word', pattern: 'casino', effect: 'hold' } },
      mod,
    )
    const held = await saveFilm(site, ana, 'held', { video: { title: 'Casino' } })
    await site.call(deleteContentRule, { params: { id: rule.id } }, mod)
    const [waiting] = await site.db<{ id: number }[]>`select id from reports where bookmark_id = ${held.id}`
    const removed = await approve(waiting?.id ?? 0)
    await saveFilm(site, ana, 'held')
    expect(await failedReply(restore(removed.decision_id))).toMatchObject({ status: 409 })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('is not purged while an appeal is open, however long that takes', async () => {
    const { decision_id } = await approve((await report('copyright', ben)).id)
    const waiting = await appeal(ana, (await latestDecision(ana)).id)
    await site.db`update moderation_decisions set created_at = now() - interval '31 days' where id = ${decision_id}`
    await purgeRemoved(site.db)
    await grant(waiting)
    expect(await readStatus(video)).toBe('visible')
  })

  test('is restored once for all users who appeal, and every appeal is decide', async () => {
    await saveFilm(site, ben, `undone-${films}`)
    await approve((await report('copyright', other)).id)
    const both = [
      await appeal(ana, (await latestDecision(ana)).id),
      await appeal(ben, (await latestDecision(ben)).id),
    ]
    for (const id of both) expect(await grant(id)).toMatchObject({ status: 'granted' })
    expect((await auditEntries('video', video)).filter(({ action }) => action === 'restore')).toHaveLength(1)
  })
})

test('undoing an orientation ruling restores the previous ruling, and then each owner’s choice', async () => {
  const orientation = async () => {
    const [row] = await site.db`
      select array_agg(effective_orientation order by id) as all from bookmarks where video_id = ${video}`
    return row?.all
  }
  await saveFilm(site, ben, `undone-${films}`, { video: { orientation: 'trans' } })
  const rule = async (orientation: 'gay' | 'bi') => {
    const { id } = await report('wrong_orientation', ben, { video_id: video, orientation })
    await site.call(approveReport, { body: { report_id: id, orientation } }, mod)
    return latestDecision(ana)
  }
  const [first, second] = [await rule('gay'), await rule('bi')]
  expect(await orientation()).toEqual(['bi', 'bi'])
  await grant(await appeal(ana, second.id))
  expect(await orientation()).toEqual(['gay', 'gay'])
  expect((await auditEntries('video', video))[0]).toMatchObject({ action: 'undo-set-orientation' })
  await grant(await appeal(ana, first.id))
  expect(await orientation()).toEqual(['sfw', 'trans'])
  expect(await counterMismatches(site)).toEqual([])
})

test('granting an appeal against hiding fails with 409 while another report hides the video', async () => {
  await report('broken_embed', ben)
  const waiting = await appeal(ana, (await latestDecision(ana)).id)
  await report('minors', other)
  expect(await failedReply(grant(waiting))).toMatchObject({ status: 409 })
  expect(await readStatus(video)).toBe('hidden')
})

test('a permanently refused link or player cannot be saved, nor embedded in another page', async () => {
  const eva = await signUp(site, 'eva')
  const embed_url = 'https://player.example.net/v/42'
  const link = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
  for (const [film, fields] of [
    ['played', { embed_url }],
    ['known', { source_url: link }],
  ] as const) {
    const saved = await saveFilm(site, eva, film, { video: fields })
    await approve((await report('minors', ben, { video_id: saved.video.id })).id)
    await site.db`update users set banned_at = null where id = ${eva.id}`
    await site.db`update sessions set ended_at = null, expires_at = now() + interval '1 day' where user_id = ${eva.id}`
  }
  const { channel_id } = await vaultDestination(site, ben)
  const refused = {
    status: 400,
    body: { code: 'invalid', video: { source_url: ['This video was removed by the moderators.'] } },
  }
  const page = (embedded: string, access: 'public' | 'private' = 'public') =>
    site.call(
      saveBookmark,
      {
        body: {
          video: { source_url: 'https://blog.example.net/post', title: 'Post', embed_url: embedded },
          bookmark: { channel_id, access },
        },
      },
      ben,
    )
  expect(await failedReply(page(`${embed_url}#t=3`))).toMatchObject(refused)
  expect(
    await failedReply(page('https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', 'private')),
  ).toMatchObject(refused)
  expect(
    await failedReply(
      saveFilm(site, ben, 'x', { video: { source_url: 'http://youtu.be/dQw4w9WgXcQ?si=a' } }),
    ),
  ).toMatchObject(refused)
  expect(await page('https://player.example.net/v/43')).toMatchObject({ is_public: true })
  // A private save by a user who has the page already is refused, too.
  const second = await signUp(site, 'theirs')
  const destination = await vaultDestination(site, second)
  await site.db`update bookmarks set access = 'private' where user_id = ${ben.id}`
  const own = {
    video: { source_url: 'https://blog.example.net/post', title: 'Post', embed_url },
    bookmark: { channel_id: destination.channel_id, access: 'private' as const },
  }
  expect(await failedReply(site.call(saveBookmark, { body: own }, second))).toMatchObject(refused)
})

describe('the notification onBen an appeal', () => {
  const decide = (id: number, decision: 'grant' | 'reject', answer: string) =>
    site.call(decideAppeal, { params: { id }, body: { decision, answer } }, other)
  const decisionNotifications = async (user: TestUser) =>
    (await site.call(listNotifications, { query: {} }, user)).results.map(({ decision, is_read }) => ({
      action: decision?.action,
      appeal: decision?.appeal_status,
      text: decision?.statement,
      is_read,
    }))

  test('that was rejected replaces the one onBen the decision, contains the answer and is unread', async () => {
    const elsa = await signUp(site, 'elsa')
    await saveFilm(site, elsa, 'notified')
    video = (await saveFilm(site, ben, 'notified')).video.id
    const filed = await report('copyright', other)
    await site.call(approveReport, { body: { report_id: filed.id, statement: 'Taken down' } }, mod)
    const removed = { action: 'remove', appeal: null, text: 'Taken down' }
    expect((await decisionNotifications(elsa))[0]).toEqual({ ...removed, is_read: false })
    await site.call(markNotificationsRead, { body: { all: true } }, elsa)
    await decide(await appeal(elsa, (await latestDecision(elsa)).id), 'reject', 'It is not yours')
    const rejected = { action: 'remove', appeal: 'rejected', text: 'It is not yours' }
    expect((await decisionNotifications(elsa))[0]).toEqual({ ...rejected, is_read: false })
    expect(await site.call(countUnread, {}, elsa)).toEqual({ count: 1 })
    // Other users are not notified onBen the appeal.
    expect((await decisionNotifications(ben))[0]).toEqual({ ...removed, is_read: false })

    await site.db`delete from notifications where user_id = ${ben.id}`
    const [forgotten] = await site.db<{ id: number }[]>`
      insert into appeals (decision_id, user_id, text) values (${(await latestDecision(elsa)).id}, ${ben.id}, 'Why?') returning id`
    await decide(forgotten?.id ?? 0, 'reject', 'It is not yours')
    expect(await decisionNotifications(ben)).toEqual([{ ...rejected, is_read: false }])
  })

  test('that was granted is a single one: onBen the restoring decision, or else onBen the appeal', async () => {
    const finn = await signUp(site, 'finn')
    video = (await saveFilm(site, finn, 'granted')).video.id
    await approve((await report('copyright', ben)).id)
    const waiting = await appeal(finn, (await latestDecision(finn)).id)
    // A user who deleted the bookmark since is notified, too.
    await site.db`update bookmarks set deleted_at = now() where video_id = ${video}`
    await decide(waiting, 'grant', 'You are right')
    expect((await decisionNotifications(finn)).slice(0, 2)).toEqual([
      { action: 'restore', appeal: null, text: 'You are right', is_read: false },
      { action: 'remove', appeal: null, text: '', is_read: false },
    ])

    const gus = await signUp(site, 'gus')
    await site.call(warnUser, { params: { id: gus.id }, body: { statement: 'Stop that' } }, mod)
    await decide(await appeal(gus, (await latestDecision(gus)).id), 'grant', 'It was not you')
    expect(await decisionNotifications(gus)).toEqual([
      { action: 'warn', appeal: 'granted', text: 'It was not you', is_read: false },
    ])
  })
})

test('purging a removed comment does not deadlock with its author, who deletes it at the same time', async () => {
  const comment = await site.call(createComment, { params: { id: video }, body: { content: 'Gone' } }, ana)
  const { id } = comment
  await site.db`
    insert into moderation_decisions (target_kind, target_id, video_id, action, created_at)
    values ('comment', ${id}, ${video}, 'remove', now() - interval '31 days')`
  await site.db`update comments set status = 'removed' where id = ${id}`
  let purge = Promise.resolve(0)
  await site.db.begin(async (tx) => {
    // As deleteComment() locks: the video, then the comment.
    await tx`select from videos where id = ${video} for no key update`
    purge = purgeRemoved(site.db)
    await vi.waitFor(async () => expect(await countLockWaits(site.db)).toBe(1))
    await tx`select from comments where id = ${id} for update`
  })
  expect(await purge).toBe(1)
  expect(await site.db`select from comments where id = ${id}`).toHaveLength(0)
})
