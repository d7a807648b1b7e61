/** Replacing the link of a missing video for everyone who saved it. */
import { getBookmark, type SaveInput } from '@reelmark/contract/bookmarks.ts'
import { getCase } from '@reelmark/contract/cases.ts'
import { createComment, listComments } from '@reelmark/contract/comments.ts'
import { createContentRule, deleteContentRule } from '@reelmark/contract/content-rules.ts'
import { approveReport, decideReports, rejectReport, restoreDecision } from '@reelmark/contract/decisions.ts'
import { toggleLike } from '@reelmark/contract/likes.ts'
import {
  decideLinkProposal,
  declineLink,
  listLinkProposals,
  proposeLink,
} from '@reelmark/contract/link-proposals.ts'
import { listNotifications } from '@reelmark/contract/notifications.ts'
import { createReport } from '@reelmark/contract/reports.ts'
import { listAuditLog } from '@reelmark/contract/sanctions.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { counterMismatches } from '../../../testing/counter-mismatches.ts'
import { saveFilm } from '../../../testing/test-bookmarks.ts'
import { failedReply, signUp, signUpModerator, type TestUser } from '../../../testing/test-users.ts'
import { useSite } from '../../../testing/use-site.ts'
import { mergeVideos } from '../../bookmarks/merge/merge-videos.ts'
import { requestMerge } from '../../bookmarks/merge/request-merge.ts'
import { removeUnused } from '../../bookmarks/remove-unused.ts'
import { moveReplaced } from '../../bookmarks/replace-link/move-replaced.ts'
import { filmPages, markMissing, pageOf } from './missing-films.fixture.ts'

const { outbound, statuses, requested } = filmPages()
const { site, alice, bob } = await useSite({ outbound })
const carol = await signUp(site, 'carol')
const moderator = await signUpModerator(site, 'moderator')

/** Saves a film that has been missing for days: alice leads, then bob. */
async function saveMissing(film: string, ofBob: SaveInput['bookmark'] = {}) {
  const lead = await saveFilm(site, alice, film, { bookmark: { title: `Title of ${film}` } })
  const other = await saveFilm(site, bob, film, { bookmark: ofBob })
  await markMissing(site, lead.video.id)
  return { lead, other, videoId: lead.video.id }
}

const read = (id: number, viewer: TestUser | null) => site.call(getBookmark, { params: { id } }, viewer)
const propose = (user: TestUser, id: number, source_url: string) =>
  site.call(proposeLink, { params: { id }, body: { source_url } }, user)
const decide = (user: TestUser, id: number, agrees: boolean) =>
  site.call(decideLinkProposal, { params: { id }, body: { agrees } }, user)
const decline = (user: TestUser, id: number) => site.call(declineLink, { params: { id } }, user)
const proposalsFor = async (user: TestUser, id: number) =>
  (await site.call(listLinkProposals, { params: { id } }, user)).results
const move = () => moveReplaced(site.app.deps, { seconds: 600 })
const linkOf = async (id: number, viewer: TestUser) => (await read(id, viewer)).video.source_url
const notificationsOf = async (user: TestUser, kind: string) =>
  (await site.call(listNotifications, { query: {} }, user)).results.filter((found) => found.kind === kind)
const oldLink = (film: string) => `https://films.example.org/watch/${film}`
const errorOf = async (calling: Promise<unknown>) =>
  (await failedReply(calling)).body as { source_url?: string[] }

/** Lets the time in which owners can decline pass. */
async function endDeclining(): Promise<void> {
  await site.db`update link_replacements set agreed_at = agreed_at - interval '31 days'`
}

beforeEach(() => {
  statuses.clear()
  requested.length = 0
})
afterEach(async () => {
  expect(await counterMismatches(site)).toEqual([])
})

describe('a saver proposes a link', () => {
  test('the owner of the lead bookmark sees it without the name, agrees, and all bookmarks move', async () => {
    const { lead, other, videoId } = await saveMissing('agreed', { tags: ['mine'], private_note: 'A note' })
    const { report_id, is_agreed } = await propose(bob, other.id, pageOf('agreed'))
    expect(is_agreed).toBe(false)
    const [notification] = await notificationsOf(alice, 'link_proposed')
    expect(notification).toMatchObject({ actors: [], bookmark: { id: lead.id } })
    const proposals = await proposalsFor(alice, lead.id)
    expect(proposals).toMatchObject([
      { id: report_id, source_url: pageOf('agreed'), title: 'Found', duration: 61, uploader_name: null },
    ])
    expect(JSON.stringify([notification, proposals])).not.toMatch(/bob/)
    // Others can neither see nor decide it.
    expect(await proposalsFor(bob, other.id)).toEqual([])
    expect((await failedReply(decide(bob, report_id, true))).status).toBe(404)
    expect((await failedReply(site.call(listLinkProposals, { params: { id: lead.id } }, bob))).status).toBe(
      404,
    )

    expect(await decide(alice, report_id, true)).toEqual({ status: 'approved' })
    expect((await failedReply(decide(alice, report_id, true))).status).toBe(404)
    await move()
    const moved = await read(other.id, bob)
    expect(moved).toMatchObject({
      id: other.id,
      private_note: 'A note',
      created_at: other.created_at,
      video: { source_url: pageOf('agreed'), saves_count: 2, is_missing: false, duration: 61 },
      replaced_link: { source_url: oldLink('agreed') },
    })
    expect(moved.tags.map(({ name }) => name)).toEqual(['mine'])
    expect((await read(lead.id, null)).video).toMatchObject({
      id: moved.video.id,
      source_url: pageOf('agreed'),
    })
    expect((await read(lead.id, null)).replaced_link).toBeUndefined()
    // The old video stays, so that owners can return to it.
    await removeUnused(site.db)
    expect(await site.db`select from videos where id = ${videoId}`).toHaveLength(1)
    expect(await notificationsOf(alice, 'link_proposed')).toEqual([])
    const [replaced] = await notificationsOf(bob, 'link_replaced')
    expect(replaced?.replaced_link).toMatchObject({
      bookmark_id: other.id,
      title: other.title,
      before: oldLink('agreed'),
      after: pageOf('agreed'),
    })
    expect(await notificationsOf(bob, 'report_decided')).toMatchObject([
      { report: { report_type: 'replace_link', status: 'approved' } },
    ])
  })

  test('those who may decide it need no one else, and the audit log names them', async () => {
    for (const [film, user] of [
      ['of-lead', alice],
      ['of-moderator', moderator],
    ] as const) {
      const { lead, other, videoId } = await saveMissing(film)
      const own = user === alice ? lead : await saveFilm(site, user, film)
      expect(await propose(user, own.id, pageOf(film))).toMatchObject({ is_agreed: true })
      await move()
      expect(await linkOf(other.id, bob)).toBe(pageOf(film))
      const { results } = await site.call(listAuditLog, { query: { target_id: videoId } }, moderator)
      expect(results[0]).toMatchObject({
        action: 'replace-link',
        actor_name: user.username,
        before: { source_url: oldLink(film) },
        after: { source_url: pageOf(film) },
      })
    }
    const decided = await site.db`select from reports where decided_by = ${alice.id}`
    expect(decided).toHaveLength(0)
  })

  test('a rejected one moves nothing, and neither it nor an agreed one counts for standing', async () => {
    const { lead, other, videoId } = await saveMissing('rejected')
    const first = await propose(bob, other.id, pageOf('rejected'))
    expect((await failedReply(propose(bob, other.id, pageOf('again')))).status).toBe(409)
    await decide(alice, first.report_id, false)
    await move()
    expect(await linkOf(lead.id, alice)).toBe(oldLink('rejected'))
    // The video is not protected from reports by it.
    const report = { video_id: videoId, report_type: 'spam', notes: '' } as const
    expect(await site.call(createReport, { body: report }, moderator)).toMatchObject({ is_hidden: true })
  })

  test('links that a save would refuse or withhold are refused, and only missing videos with a public bookmark', async () => {
    const { other, lead } = await saveMissing('checked')
    const rule = { kind: 'host', pattern: 'held.example.org', effect: 'hold', note: '' } as const
    const { id } = await site.call(createContentRule, { body: rule }, moderator)
    const removed = await saveFilm(site, carol, 'removed', { video: { source_url: pageOf('removed') } })
    await site.db`update videos set status = 'removed' where id = ${removed.video.id}`
    statuses.set(pageOf('down'), 404)
    for (const [url, text] of [
      ['https://held.example.org/a', /can't be used/],
      [pageOf('removed'), /removed by the moderators/],
      [oldLink('checked'), /the link that's gone/],
      [pageOf('down'), /./],
      ['https://www.pornhub.com/view_video.php?viewkey=ph5e1a2b3c4d5e6', /adults/],
    ] as const) {
      expect((await errorOf(propose(bob, other.id, url))).source_url?.[0], url).toMatch(text)
    }
    await site.call(deleteContentRule, { params: { id } }, moderator)
    requested.length = 0
    const available = await saveFilm(site, bob, 'available')
    const hidden = await saveFilm(site, bob, 'only-private', { bookmark: { access: 'private' } })
    await markMissing(site, hidden.video.id)
    expect((await errorOf(propose(bob, available.id, pageOf('x')))).source_url).toEqual([
      "This video isn't gone.",
    ])
    expect((await errorOf(propose(bob, hidden.id, pageOf('x')))).source_url?.[0]).toMatch(
      /no public bookmark/,
    )
    expect((await failedReply(propose(carol, lead.id, pageOf('x')))).status).toBe(404)
    expect(requested).toEqual([])
  })

  test('a block separates the proposal from the owner of the lead bookmark, but not from moderators', async () => {
    const { lead, other, videoId } = await saveMissing('blocked')
    await site.db`insert into blocks (blocker_id, blocked_id) values (${alice.id}, ${bob.id})`
    const { report_id } = await propose(bob, other.id, pageOf('blocked'))
    expect(await notificationsOf(alice, 'link_proposed')).toEqual([])
    expect(await proposalsFor(alice, lead.id)).toEqual([])
    expect((await failedReply(decide(alice, report_id, true))).status).toBe(404)
    await site.db`delete from blocks`
    const { reports } = await site.call(getCase, { params: { kind: 'video', id: videoId } }, moderator)
    expect(reports[0]).toMatchObject({ report_type: 'replace_link', proposal: { title: 'Found' } })
  })
})

describe('moderators', () => {
  test('compare the links, agree to one of them, and can undo it', async () => {
    const { lead, other, videoId } = await saveMissing('undone', { start_seconds: 7 })
    const ofCarol = await saveFilm(site, carol, 'undone')
    const { report_id } = await propose(bob, other.id, pageOf('undone'))
    const second = await propose(carol, ofCarol.id, pageOf('undone-2'))
    const bulk = { report_ids: [report_id], decision: 'approve' as const }
    expect(await site.call(decideReports, { body: bulk }, moderator)).toMatchObject({
      decided: [],
      failed: [{ report_id, detail: 'Open this one and compare the links.' }],
    })
    const decided = await site.call(approveReport, { body: { report_id } }, moderator)
    expect(decided.report_ids.toSorted()).toEqual([report_id, second.report_id].toSorted())
    await move()
    expect(await linkOf(other.id, bob)).toBe(pageOf('undone'))
    expect(await notificationsOf(carol, 'report_decided')).toMatchObject([{ report: { status: 'rejected' } }])
    const params = { params: { id: decided.decision_id ?? 0 }, body: {} }
    await site.call(restoreDecision, params, moderator)
    await move()
    expect(await read(other.id, bob)).toMatchObject({
      video: { id: videoId, is_missing: true },
      start_seconds: 7,
      replaced_link: null,
    })
    expect(await linkOf(lead.id, alice)).toBe(oldLink('undone'))
    expect(
      await notificationsOf(bob, 'link_replaced').then((all) => all.map((n) => n.replaced_link?.before)),
    ).not.toContain(oldLink('undone'))
    expect((await failedReply(decline(bob, other.id))).status).toBe(404)
  })

  test('cannot agree once the video is back, and a removal rejects the proposals', async () => {
    const { other, videoId } = await saveMissing('back')
    const { report_id } = await propose(bob, other.id, pageOf('back'))
    await site.db`update videos set missing_since = null, missing_found_at = null, missing_since_bookmark_id = null,
                                    missing_confirmed_bookmark_id = null where id = ${videoId}`
    expect((await failedReply(site.call(approveReport, { body: { report_id } }, moderator))).status).toBe(400)
    const report = { video_id: videoId, report_type: 'spam', notes: '' } as const
    const spam = await site.call(createReport, { body: report }, moderator)
    const removal = await site.call(approveReport, { body: { report_id: spam.id } }, moderator)
    expect(removal.report_ids.toSorted()).toEqual([report_id, spam.id].toSorted())
    const [proposal] = await site.db`select status from reports where id = ${report_id}`
    expect(proposal).toEqual({ status: 'rejected' })
  })
})

describe('savers', () => {
  test('can decline: the bookmark returns with what belonged to the old link, and is not moved again', async () => {
    const { lead, other, videoId } = await saveMissing('declined', { start_seconds: 12 })
    await propose(alice, lead.id, pageOf('declined'))
    await move()
    expect((await read(other.id, bob)).start_seconds).toBeNull()
    expect((await failedReply(decline(alice, other.id))).status).toBe(404)
    expect(await decline(bob, other.id)).toMatchObject({
      id: other.id,
      start_seconds: 12,
      video: { id: videoId, is_missing: true, saves_count: 1 },
      replaced_link: null,
    })
    await move()
    expect(await linkOf(other.id, bob)).toBe(oldLink('declined'))
    expect((await read(lead.id, null)).video.saves_count).toBe(1)
    expect((await failedReply(decline(bob, other.id))).status).toBe(404)
    await endDeclining()
    expect((await failedReply(decline(alice, lead.id))).status).toBe(404)
  })

  test('can decline also if the new video was removed', async () => {
    const { lead, other } = await saveMissing('harmful')
    await propose(alice, lead.id, pageOf('harmful'))
    await move()
    const { id } = (await read(other.id, bob)).video
    await site.db`update videos set status = 'removed' where id = ${id}`
    expect((await failedReply(read(other.id, bob))).status).toBe(404)
    expect((await decline(bob, other.id)).video.source_url).toBe(oldLink('harmful'))
  })

  test('can decline also if the new video was merged into another one', async () => {
    const { lead, other, videoId } = await saveMissing('merged')
    await propose(alice, lead.id, pageOf('merged'))
    await move()
    const { id } = (await read(other.id, bob)).video
    const same = await saveFilm(site, carol, 'same')
    await site.db.begin((tx) => requestMerge(tx, id, same.video.id))
    await mergeVideos(site.db, { seconds: 600, deleteAfterSeconds: 0 })
    expect((await read(other.id, bob)).video.id).toBe(same.video.id)
    expect((await decline(bob, other.id)).video.id).toBe(videoId)
  })

  test('who have the new video already, or deleted their bookmark, are left alone', async () => {
    const { lead, other, videoId } = await saveMissing('both')
    const has = await saveFilm(site, bob, 'both', { video: { source_url: pageOf('both') } })
    const trashed = await saveFilm(site, carol, 'both')
    await site.db`update bookmarks set deleted_at = now() where id = ${trashed.id}`
    await propose(alice, lead.id, pageOf('both'))
    await move()
    expect(await linkOf(lead.id, alice)).toBe(pageOf('both'))
    expect((await read(other.id, bob)).video.id).toBe(videoId)
    expect((await read(has.id, bob)).video.saves_count).toBe(2)
    expect(await site.db`select video_id from bookmarks where id = ${trashed.id}`).toEqual([
      { video_id: videoId },
    ])
  })

  test('with private bookmarks are moved and notified, and nobody learns that they exist', async () => {
    const { lead, other } = await saveMissing('private', { access: 'private', title: 'Secret' })
    await propose(alice, lead.id, pageOf('private'))
    await move()
    expect(await linkOf(other.id, bob)).toBe(pageOf('private'))
    expect((await notificationsOf(bob, 'link_replaced'))[0]?.replaced_link?.bookmark_id).toBe(other.id)
    const seen = await read(lead.id, null)
    expect(seen.video.saves_count).toBe(1)
    await decline(bob, other.id)
    expect((await read(lead.id, null)).video).toEqual(seen.video)
    const entries = await site.call(listAuditLog, { query: {} }, moderator)
    expect(JSON.stringify(entries)).not.toMatch(/Secret/)
  })
})

describe('after the time to decline', () => {
  test('likes and comments move, also if a private bookmark stays, and a video without bookmarks is removed', async () => {
    for (const staysPrivate of [false, true]) {
      const film = `ended-${staysPrivate}`
      const { lead, other, videoId } = await saveMissing(film, { access: 'private' })
      await site.call(toggleLike, { params: { id: videoId } }, carol)
      await site.call(createComment, { params: { id: videoId }, body: { content: 'Lovely' } }, carol)
      await propose(alice, lead.id, pageOf(film))
      await move()
      if (staysPrivate) await decline(bob, other.id)
      await endDeclining()
      await move()
      await removeUnused(site.db)
      const { video } = await read(lead.id, null)
      expect(video).toMatchObject({ likes_count: 1, comments_count: 1 })
      const comments = await site.call(listComments, { params: { id: video.id }, query: {} }, null)
      expect(comments.results).toMatchObject([{ content: 'Lovely' }])
      expect(await site.db`select from videos where id = ${videoId}`).toHaveLength(staysPrivate ? 1 : 0)
    }
    expect(await site.db`select from link_replacements where agreed_at is not null`).toHaveLength(0)
  })

  test('both videos are removed if no bookmark is left', async () => {
    const { lead, other, videoId } = await saveMissing('unused')
    await propose(alice, lead.id, pageOf('unused'))
    await move()
    const ids = [videoId, (await read(lead.id, null)).video.id]
    await site.db`delete from bookmarks where id = any (${[lead.id, other.id]}::bigint[])`
    await removeUnused(site.db)
    expect(await site.db`select from videos where id = any (${ids}::bigint[])`).toHaveLength(2)
    await endDeclining()
    await move()
    await removeUnused(site.db)
    expect(await site.db`select from videos where id = any (${ids}::bigint[])`).toHaveLength(0)
  })

  test('comments stay with a video of which a public bookmark stays', async () => {
    const { lead, other, videoId } = await saveMissing('stays')
    await site.call(createComment, { params: { id: videoId }, body: { content: 'Lovely' } }, carol)
    await propose(alice, lead.id, pageOf('stays'))
    await move()
    await decline(bob, other.id)
    await endDeclining()
    await move()
    expect((await read(lead.id, null)).video.comments_count).toBe(0)
    expect((await read(other.id, null)).video.comments_count).toBe(1)
  })
})

test('many bookmarks move in several transactions, and an interrupted run continues', async () => {
  const { lead, videoId } = await saveMissing('popular')
  await site.db`
    with owners as (
      insert into users (username, email, password_hash)
      select 'saver' || n, 'saver' || n || '@example.org', 'x' from generate_series(1, 450) n returning id
    ), stored as (insert into collections (user_id, name) select id, 'Vault' from owners returning id, user_id)
    insert into bookmarks (user_id, video_id, collection_id, title)
    select user_id, ${videoId}, id, 'Film' from stored`
  await propose(alice, lead.id, pageOf('popular'))
  await moveReplaced(site.app.deps, { seconds: 0 })
  expect((await read(lead.id, alice)).video.id).toBe(videoId)
  await move()
  expect((await read(lead.id, null)).video).toMatchObject({ source_url: pageOf('popular'), saves_count: 452 })
  expect(await site.db`select from bookmarks where video_id = ${videoId}`).toHaveLength(0)
  const [{ count }] = await site.db<[{ count: number }]>`
    select count(*)::int as count from notifications n join users u on u.id = n.user_id
     where n.kind = 'link_replaced' and u.username like 'saver%'`
  expect(count).toBe(450)
})

test('moderators can reject a proposal, and its user is notified', async () => {
  const { other, lead } = await saveMissing('refused')
  const { report_id } = await propose(bob, other.id, pageOf('refused'))
  await site.call(rejectReport, { body: { report_id } }, moderator)
  expect(await proposalsFor(alice, lead.id)).toEqual([])
  const [notification] = await notificationsOf(bob, 'report_decided')
  expect(notification?.report).toMatchObject({ id: report_id, status: 'rejected' })
})
