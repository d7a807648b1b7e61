/** Taking back what was decided: what the log says of it, and what cannot be taken back. */
import { saveBookmark } from '@reelmark/contract/bookmarks.ts'
import { createComment } from '@reelmark/contract/comments.ts'
import { createContentRule, deleteContentRule } from '@reelmark/contract/content-rules.ts'
import { approveReport, decideAppeal, listAppeals, restoreDecision } from '@reelmark/contract/moderation.ts'
import { countUnread, listNotifications, markNotificationsRead } from '@reelmark/contract/notifications.ts'
import { createAppeal, createReport, listOwnDecisions, type ReportType } from '@reelmark/contract/reports.ts'
import { banUser, suspendUser, unbanUser, unsuspendUser, warnUser } from '@reelmark/contract/sanctions.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { bootApp, type TestApp } from '../../../testing/test-app.ts'
import { saveFilm, vaultDestination } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { purgeRemoved } from '../jobs.ts'

let site: TestApp
let ana: TestUser
let ben: TestUser
let mod: TestUser
let other: TestUser
/** Ana's video, new for each test. */
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
  video = (await saveFilm(site, ana, `undone-${films}`)).video.id
})

const report = (report_type: ReportType, who: TestUser, about: object = { video_id: video }) =>
  site.call(createReport, { body: { ...about, report_type } }, who)
const approve = (report_id: number, who = mod) => site.call(approveReport, { body: { report_id } }, who)
const back = (decision: number | null, who = other) =>
  site.call(restoreDecision, { params: { id: decision ?? 0 }, body: {} }, who)
const latest = async (who: TestUser) => {
  const [decision] = (await site.call(listOwnDecisions, { query: {} }, who)).results
  if (decision === undefined) throw new Error('nothing was decided')
  return decision
}
/** Somebody appeals against a decision; the appeal's id. */
const appealed = async (who: TestUser, decision: number) => {
  await site.call(createAppeal, { params: { id: decision }, body: { text: 'Please look again' } }, who)
  const { results } = await site.call(listAppeals, { query: { page_size: 100 } }, other)
  return results.find((each) => each.user.id === who.id && each.decision.id === decision)?.id ?? 0
}
const grant = (id: number) =>
  site.call(decideAppeal, { params: { id }, body: { decision: 'grant', answer: 'You are right' } }, other)
const logged = (target_kind: string, target_id: number) =>
  site.db<{ action: string; before: object; after: object; note: string }[]>`
    select action, before, after, note from audit_log
     where target_kind = ${target_kind} and target_id = ${target_id} order by id desc`
const readStatus = async (id: number) =>
  (await site.db<{ status: string }[]>`select status from videos where id = ${id}`)[0]?.status

describe('a sanction', () => {
  test('that a moderator or an appeal ends is in the log alike, with how it was and how it is', async () => {
    const suspended = { suspended_until: expect.any(String), banned: false }
    const free = { suspended_until: null, banned: false }
    const about = <B extends object>(body = {} as B) => ({ params: { id: ben.id }, body })
    await site.call(suspendUser, about({ days: 3 }), mod)
    await site.call(unsuspendUser, about({ statement: 'You are right' }), other)
    const lifted = { action: 'unsuspend', before: suspended, after: free, note: 'You are right' }
    expect((await logged('user', ben.id))[0]).toEqual(lifted)
    await site.call(suspendUser, about({ days: 3 }), mod)
    await grant(await appealed(ben, (await latest(ben)).id))
    expect((await logged('user', ben.id))[0]).toEqual(lifted)
    expect(await latest(ben)).toMatchObject({ action: 'unsuspend', statement: 'You are right' })

    await site.call(banUser, about(), mod)
    await site.call(unbanUser, about(), other)
    expect((await logged('user', ben.id))[0]).toMatchObject({
      action: 'unban',
      before: { banned: true },
      after: { banned: false },
    })
    await site.db`update sessions set ended_at = null, expires_at = now() + interval '1 day' where user_id = ${ben.id}`
    await site.call(warnUser, about(), mod)
    await grant(await appealed(ben, (await latest(ben)).id))
    expect((await logged('user', ben.id))[0]).toMatchObject({
      action: 'undo-warn',
      before: { warn: 'stands' },
      after: { warn: 'taken back' },
    })
  })

  test('that another followed is taken back without ending that', async () => {
    const about = (days: number) => ({ params: { id: ben.id }, body: { days } })
    await site.call(suspendUser, about(3), mod)
    const first = await appealed(ben, (await latest(ben)).id)
    await site.call(suspendUser, about(30), mod)
    await grant(first)
    const [row] =
      await site.db`select suspended_until > now() + interval '29 days' as is_so from users where id = ${ben.id}`
    expect(row).toEqual({ is_so: true })
    await site.call(unsuspendUser, { params: { id: ben.id }, body: {} }, mod)
  })
})

describe('what was removed', () => {
  test('is in the log when it is restored, and when an appeal against hiding shows it again', async () => {
    const { decision_id } = await approve((await report('copyright', ben)).id)
    await back(decision_id)
    expect((await logged('video', video))[0]).toMatchObject({
      action: 'restore',
      before: { status: 'removed' },
      after: { status: 'visible' },
    })
    await report('spam', ben)
    await grant(await appealed(ana, (await latest(ana)).id))
    expect((await logged('video', video))[0]).toMatchObject({
      action: 'show',
      before: { status: 'hidden' },
      after: { status: 'visible' },
    })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('is not brought back any more once it turned out to concern minors', async () => {
    const dora = await signUp(site, 'dora')
    video = (await saveFilm(site, dora, 'graver')).video.id
    const [broken, grave] = [await report('broken_source', ben), await report('minors', mod)]
    const { decision_id } = await approve(broken.id)
    await approve(grave.id)
    expect(await failedReply(back(decision_id))).toMatchObject({ status: 409 })
    expect(await readStatus(video)).toBe('removed')
  })

  test('and is gone, or was saved anew meanwhile, is not said to be restored', async () => {
    const said = await site.call(createComment, { params: { id: video }, body: { content: 'Buy this' } }, ben)
    const { decision_id } = await approve((await report('spam', ana, { comment_id: said.id })).id)
    await site.db`delete from comments where id = ${said.id}`
    expect(await failedReply(back(decision_id))).toMatchObject({ status: 409 })

    const rule = await site.call(
      createContentRule,
      { body: { kind: 'word', pattern: 'casino', effect: 'hold' } },
      mod,
    )
    const held = await saveFilm(site, ana, 'held', { video: { title: 'Casino' } })
    await site.call(deleteContentRule, { params: { id: rule.id } }, mod)
    const [waiting] = await site.db<{ id: number }[]>`select id from reports where bookmark_id = ${held.id}`
    const gone = await approve(waiting?.id ?? 0)
    await saveFilm(site, ana, 'held')
    expect(await failedReply(back(gone.decision_id))).toMatchObject({ status: 409 })
    expect(await counterMismatches(site)).toEqual([])
  })

  test('waits for an appeal that came in time, however long that takes', async () => {
    const { decision_id } = await approve((await report('copyright', ben)).id)
    const waiting = await appealed(ana, (await latest(ana)).id)
    await site.db`update moderation_decisions set created_at = now() - interval '31 days' where id = ${decision_id}`
    await purgeRemoved(site.db)
    await grant(waiting)
    expect(await readStatus(video)).toBe('visible')
  })

  test('comes back once for all who appealed, and each of them is answered', async () => {
    await saveFilm(site, ben, `undone-${films}`)
    await approve((await report('copyright', other)).id)
    const both = [await appealed(ana, (await latest(ana)).id), await appealed(ben, (await latest(ben)).id)]
    for (const each of both) expect(await grant(each)).toMatchObject({ status: 'granted' })
    expect((await logged('video', video)).filter(({ action }) => action === 'restore')).toHaveLength(1)
  })
})

test('an orientation ruling that is taken back gives way to the previous one, and then to each owner’s choice', async () => {
  const orientation = async () => {
    const [row] = await site.db`
      select array_agg(effective_orientation order by id) as all from bookmarks where video_id = ${video}`
    return row?.all
  }
  await saveFilm(site, ben, `undone-${films}`, { video: { orientation: 'trans' } })
  const rule = async (orientation: 'gay' | 'bi') => {
    const { id } = await report('wrong_orientation', ben, { video_id: video, orientation })
    await site.call(approveReport, { body: { report_id: id, orientation } }, mod)
    return latest(ana)
  }
  const [first, second] = [await rule('gay'), await rule('bi')]
  expect(await orientation()).toEqual(['bi', 'bi'])
  await grant(await appealed(ana, second.id))
  expect(await orientation()).toEqual(['gay', 'gay'])
  await grant(await appealed(ana, first.id))
  expect(await orientation()).toEqual(['sfw', 'trans'])
  expect(await counterMismatches(site)).toEqual([])
})

test('an appeal against hiding does not show what another report hides', async () => {
  await report('broken_embed', ben)
  const waiting = await appealed(ana, (await latest(ana)).id)
  await report('minors', other)
  expect(await failedReply(grant(waiting))).toMatchObject({ status: 409 })
  expect(await readStatus(video)).toBe('hidden')
})

test('what was refused for good is refused inside of another page too', async () => {
  const eva = await signUp(site, 'eva')
  const embed_url = 'https://player.example.net/v/42'
  const link = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
  for (const [film, more] of [
    ['played', { embed_url }],
    ['known', { source_url: link }],
  ] as const) {
    const bad = await saveFilm(site, eva, film, { video: more })
    await approve((await report('minors', ben, { video_id: bad.video.id })).id)
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
  // Neither as what another keeper in private calls it.
  const theirs = await signUp(site, 'theirs')
  const destination = await vaultDestination(site, theirs)
  await site.db`update bookmarks set access = 'private' where user_id = ${ben.id}`
  const own = {
    video: { source_url: 'https://blog.example.net/post', title: 'Post', embed_url },
    bookmark: { channel_id: destination.channel_id, access: 'private' as const },
  }
  expect(await failedReply(site.call(saveBookmark, { body: own }, theirs))).toMatchObject(refused)
})

describe('what became of an appeal', () => {
  const decided = (id: number, decision: 'grant' | 'reject', answer: string) =>
    site.call(decideAppeal, { params: { id }, body: { decision, answer } }, other)
  const told = async (who: TestUser) =>
    (await site.call(listNotifications, { query: {} }, who)).results.map(({ decision, is_read }) => ({
      ...{ action: decision?.action, appeal: decision?.appeal_status, said: decision?.statement, is_read },
    }))

  test('rejected is told with the answer, where the decision was told, and is new again', async () => {
    const elsa = await signUp(site, 'elsa')
    await saveFilm(site, elsa, 'told')
    video = (await saveFilm(site, ben, 'told')).video.id
    const filed = await report('copyright', other)
    await site.call(approveReport, { body: { report_id: filed.id, statement: 'Taken down' } }, mod)
    const removed = { action: 'remove', appeal: null, said: 'Taken down' }
    expect((await told(elsa))[0]).toEqual({ ...removed, is_read: false })
    await site.call(markNotificationsRead, { body: { all: true } }, elsa)
    await decided(await appealed(elsa, (await latest(elsa)).id), 'reject', 'It is not yours')
    const rejected = { action: 'remove', appeal: 'rejected', said: 'It is not yours' }
    expect((await told(elsa))[0]).toEqual({ ...rejected, is_read: false })
    expect(await site.call(countUnread, {}, elsa)).toEqual({ count: 1 })
    // Of others' appeals nobody is told.
    expect((await told(ben))[0]).toEqual({ ...removed, is_read: false })

    await site.db`delete from notifications where user_id = ${ben.id}`
    const [forgotten] = await site.db<{ id: number }[]>`
      insert into appeals (decision_id, user_id, text) values (${(await latest(elsa)).id}, ${ben.id}, 'Why?') returning id`
    await decided(forgotten?.id ?? 0, 'reject', 'It is not yours')
    expect(await told(ben)).toEqual([{ ...rejected, is_read: false }])
  })

  test('granted is told once: by what brings it back, else of the appeal', async () => {
    const finn = await signUp(site, 'finn')
    video = (await saveFilm(site, finn, 'granted')).video.id
    await approve((await report('copyright', ben)).id)
    const waiting = await appealed(finn, (await latest(finn)).id)
    // Whoever keeps it no more is told of it too.
    await site.db`update bookmarks set deleted_at = now() where video_id = ${video}`
    await decided(waiting, 'grant', 'You are right')
    expect((await told(finn)).slice(0, 2)).toEqual([
      { action: 'restore', appeal: null, said: 'You are right', is_read: false },
      { action: 'remove', appeal: null, said: '', is_read: false },
    ])

    const gus = await signUp(site, 'gus')
    await site.call(warnUser, { params: { id: gus.id }, body: { statement: 'Stop that' } }, mod)
    await decided(await appealed(gus, (await latest(gus)).id), 'grant', 'It was not you')
    expect(await told(gus)).toEqual([
      { action: 'warn', appeal: 'granted', said: 'It was not you', is_read: false },
    ])
  })
})
