/** Deciding reports: approving removes the target or corrects it, rejecting shows it again. */

import type { DecisionResult } from '@reelmark/contract/decisions.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { ReportType, TargetKind } from '@reelmark/contract/reports.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { canonicalLinks } from '../../../core/video-links/canonical-url.ts'
import { isHeld } from '../../../shared/visibility.ts'
import { notifyReportsDecided } from '../../notifications/public-api.ts'
import { audit, auditMany } from '../audit/audit-log.ts'
import { isOfHeldBookmark } from '../cases/case-queries.ts'
import { reportRules } from '../reports/report-rules.ts'
import { type Sanction, sanction } from '../sanctions/sanction-queries.ts'
import {
  insertDecision,
  type Moderator,
  orientationOfVideo,
  publicTitle,
  setTargetStatus,
} from './decision-queries.ts'
import { hideSimilarPicturesJob } from './similar-pictures.ts'

type TargetState = DecisionResult['state']

interface OpenReport {
  id: number
  report_type: ReportType
  hid: boolean
  bookmark_id: number | null
  user_id: number | null
  /** Whether the report is about a bookmark held by a content rule. The decision is about that bookmark, not the video. */
  is_held: boolean
}

/** The target of a report, locked together with its open reports, so that concurrent decisions wait. */
interface LockedCase {
  kind: TargetKind
  id: number
  video_id: number | null
  /** The owner; null for a video, which belongs to everyone who saved it. */
  owner_id: number | null
  title: string
  state: TargetState
  orientation: Orientation | null
  open: OpenReport[]
  /** The report that the decision names. */
  named: OpenReport
}

/**
 * Locks and returns the case of a report.
 * @throws ApiError('not-found'); ('already-decided') with the `status` of the report.
 */
async function lockCase(db: Db, reportId: number): Promise<LockedCase> {
  const [report] = await db<
    { target_kind: TargetKind; target_id: number; video_id: number | null; report_type: ReportType }[]
  >`
    select target_kind, target_id, video_id, report_type from reports where id = ${reportId}`
  if (report === undefined) throw new ApiError('not-found')
  const { target_kind: kind, target_id: id, video_id, report_type } = report
  if (reportRules[report_type].isPermanent) await lockReportedUser(db, kind, id)
  if (kind === 'video') await lockHeldBookmarks(db, id)
  const target = await lockTarget(db, kind, id, video_id)
  const open = await db<OpenReport[]>`
    select id, report_type, hid, bookmark_id, user_id,
           ${isOfHeldBookmark(db)} as is_held
      from reports r
     where target_kind = ${kind} and target_id = ${id} and status = 'open' order by id for update`
  const named = open.find((report) => report.id === reportId)
  if (named === undefined) {
    const [decided] = await db<{ status: string }[]>`select status from reports where id = ${reportId}`
    throw new ApiError('already-decided', { status: decided?.status })
  }
  return { kind, id, video_id, ...target, open: [...open], named }
}

/** Locks the users whom an approval may ban. Users come first in the lock order. */
async function lockReportedUser(db: Db, kind: TargetKind, id: number): Promise<void> {
  await db`
    select from users where id in (select r.user_id from reports r
                                    where r.target_kind = ${kind} and r.target_id = ${id} and r.status = 'open')
     order by id for no key update`
}

/** Locks the bookmarks held until a decision about a video. They come before the video in the lock order. */
async function lockHeldBookmarks(db: Db, videoId: number): Promise<void> {
  const held = await db<{ id: number }[]>`
    select b.id from reports r join bookmarks b on b.id = r.bookmark_id and b.hold_reason is not null
     where r.target_kind = 'video' and r.target_id = ${videoId} and r.status = 'open'`
  if (held.length > 0) await db`select lock_bookmarks(${held.map(({ id }) => id)}::bigint[])`
}

type LockedTarget = Pick<LockedCase, 'owner_id' | 'title' | 'state' | 'orientation'>

/** Locks the target and returns its state. In lock order: the video, then the comment. */
async function lockTarget(
  db: Db,
  kind: TargetKind,
  id: number,
  videoId: number | null,
): Promise<LockedTarget> {
  const removed: LockedTarget = { owner_id: null, title: '', state: 'gone', orientation: null }
  if (kind === 'user') {
    const [user] = await db<LockedTarget[]>`
      select id as owner_id, username as title, case when banned_at is null then 'visible' else 'removed' end as state,
             null as orientation
        from users where id = ${id} for no key update`
    return user ?? removed
  }
  const [video] = await db<LockedTarget[]>`
    select null as owner_id, ${publicTitle(db)} as title, v.status as state, ${orientationOfVideo(db)} as orientation
      from videos v
     where v.id = ${videoId} for no key update`
  if (kind === 'video') return video ?? removed
  const [comment] = await db<LockedTarget[]>`
    select user_id as owner_id, content as title, status as state, null as orientation
      from comments where id = ${id} for no key update`
  return comment ?? removed
}

export interface Approval {
  statement: string
  orientation: Orientation | null
  sanction: Sanction['action']
  days: number
}

/**
 * Approves a report. Its target is removed, which approves all reports of the target; or the target is corrected, which
 * approves the reports that requested it. Runs in a transaction of `withTransaction`.
 */
export async function approveReport(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  reportId: number,
  approval: Approval,
): Promise<DecisionResult> {
  const found = await lockCase(db, reportId)
  const { kind, named } = found
  if (kind === 'user') return approveUserReport(db, jobs, moderator, found, approval)
  if (named.is_held) return approveHeldBookmark(db, jobs, moderator, found, approval)
  if (reportRules[named.report_type].approved === 'set orientation') {
    return setOrientation(db, jobs, moderator, found, approval)
  }
  // A permanent removal needs the approval of exactly that report: the moderator who removes a broken link has not
  // checked the other reports.
  const isPermanent = ({ report_type }: OpenReport) => reportRules[report_type].isPermanent
  const approved = {
    ...found,
    open: isPermanent(named) ? found.open : found.open.filter((report) => !isPermanent(report)),
  }
  const decision_id = await removeContent(db, jobs, moderator, approved, approval.statement)
  const decided = await closeReports(db, moderator, approved.open, 'approved', decision_id)
  if (isPermanent(named)) await refusePermanently(db, jobs, moderator, approved)
  return { report_id: reportId, status: 'approved', report_ids: decided, decision_id, state: 'removed' }
}

async function approveUserReport(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  { id, named, open, state }: LockedCase,
  { statement, sanction: chosen, days }: Approval,
): Promise<DecisionResult> {
  const action = reportRules[named.report_type].isPermanent ? 'ban' : chosen
  const order = { action, user_id: id, reason: named.report_type, statement, days }
  const decision_id = state === 'gone' ? null : await sanction(db, jobs, moderator, order)
  const decided = await closeReports(db, moderator, open, 'approved', decision_id)
  const stateAfter = action === 'ban' && state !== 'gone' ? 'removed' : state
  return { report_id: named.id, status: 'approved', report_ids: decided, decision_id, state: stateAfter }
}

/**
 * Moves the held bookmark to its owner's trash, where only the owner sees it; other users' bookmarks of the video stay. If
 * the owner made it private or deleted it in the meantime, only the report is closed.
 */
async function approveHeldBookmark(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  { id, named, state }: LockedCase,
  { statement }: Approval,
): Promise<DecisionResult> {
  const { bookmark_id, user_id, report_type: reason } = named
  const [removed] = await db<{ title: string }[]>`
    update bookmarks b set deleted_at = now(), updated_at = now() where b.id = ${bookmark_id} and ${isHeld(db)} returning b.title`
  if (removed === undefined) {
    const decided = await closeReports(db, moderator, [named], 'approved', null)
    return { report_id: named.id, status: 'approved', report_ids: decided, decision_id: null, state }
  }
  const decision_id = await insertDecision(db, jobs, {
    ...{ action: 'remove', target_kind: 'video', target_id: id, user_id, video_id: id, reason },
    ...{ title: removed.title, statement, moderator_id: moderator.id },
  })
  await audit(db, {
    ...{ actor: moderator, action: 'remove', target_kind: 'bookmark', target_id: bookmark_id ?? 0 },
    before: { title: removed.title },
    note: reason,
  })
  const decided = await closeReports(db, moderator, [named], 'approved', decision_id)
  return { report_id: named.id, status: 'approved', report_ids: decided, decision_id, state }
}

async function setOrientation(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  found: LockedCase,
  { orientation, statement }: Approval,
): Promise<DecisionResult> {
  const { id, named, open, title, state, orientation: before } = found
  if (orientation === null) throw new InvalidFields({ orientation: ['This field is required.'] })
  const matching = open.filter(({ report_type }) => reportRules[report_type].approved === 'set orientation')
  await db`
    update videos set orientation_ruling = ${orientation}, updated_at = now()
     where id = ${id} and orientation_ruling is distinct from ${orientation}`
  const decision_id = await insertDecision(db, jobs, {
    action: 'set_orientation',
    target_kind: 'video',
    target_id: id,
    user_id: null,
    video_id: id,
    reason: named.report_type,
    title,
    statement,
    moderator_id: moderator.id,
  })
  const entry = { actor: moderator, action: 'set-orientation', target_kind: 'video', target_id: id } as const
  await audit(db, { ...entry, before: { orientation: before }, after: { orientation }, note: statement })
  const decided = await closeReports(db, moderator, matching, 'approved', decision_id, orientation)
  const remaining = open.filter((report) => !matching.includes(report))
  const shown = await showUnlessStillReported(db, { ...found, open: remaining })
  return {
    report_id: named.id,
    status: 'approved',
    report_ids: decided,
    decision_id,
    state: shown ? 'visible' : state,
  }
}

/**
 * Rejects a report, or with `all` every open report of the target. A hidden target is shown again once no open report
 * hides it. Runs in a transaction of `withTransaction`.
 */
export async function rejectReport(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  reportId: number,
  { statement, all }: { statement: string; all: boolean },
): Promise<DecisionResult> {
  const found = await lockCase(db, reportId)
  const rejected = all ? found.open : [found.named]
  const remaining = found.open.filter((report) => !rejected.includes(report))
  const released = rejected.flatMap(({ bookmark_id, is_held }) => (is_held ? [bookmark_id] : []))
  if (released.length > 0) {
    await db`update bookmarks set hold_reason = null where id = any (${released}::bigint[])`
  }
  const shown = await showUnlessStillReported(db, { ...found, open: remaining })
  const decision_id = shown ? await showAndNotify(db, jobs, moderator, found, statement) : null
  const decided = await closeReports(db, moderator, rejected, 'rejected', decision_id)
  const state = shown ? 'visible' : found.state
  return { report_id: reportId, status: 'rejected', report_ids: decided, decision_id, state }
}

/** Shows a hidden target if none of its open reports hides it. Returns whether it did. */
async function showUnlessStillReported(db: Db, { kind, id, state, open }: LockedCase): Promise<boolean> {
  if (state !== 'hidden' || open.some(({ hid }) => hid)) return false
  await setTargetStatus(db, { kind, id }, 'visible')
  return true
}

/** Records a `show` decision and notifies the owners, who were notified of the hiding. Returns the decision's id. */
async function showAndNotify(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  found: LockedCase,
  statement: string,
): Promise<number> {
  const { kind, id, owner_id, video_id, named, title } = found
  return insertDecision(db, jobs, {
    action: 'show',
    target_kind: kind,
    target_id: id,
    user_id: owner_id,
    video_id,
    reason: named.report_type,
    title,
    statement,
    moderator_id: moderator.id,
  })
}

/** Removes a video or comment for everyone including its owners. Returns the decision's id, or null if it was removed before. */
async function removeContent(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  found: LockedCase,
  statement: string,
): Promise<number | null> {
  const { kind, id, owner_id, video_id, named, title, state: before } = found
  if (before === 'gone' || before === 'removed') return null
  // Inserted before the removal, because the users to notify are read from the bookmarks.
  const decision_id = await insertDecision(db, jobs, {
    action: 'remove',
    target_kind: kind,
    target_id: id,
    user_id: owner_id,
    video_id,
    reason: mostSevere(found),
    title,
    statement,
    moderator_id: moderator.id,
  })
  await setTargetStatus(db, { kind, id }, 'removed')
  const entry = { actor: moderator, action: 'remove', target_kind: kind, target_id: id } as const
  await audit(db, {
    ...entry,
    before: { status: before, title },
    after: { status: 'removed' },
    note: named.report_type,
  })
  return decision_id
}

/** Returns the most severe report type of a case, which determines whether the decision can be undone. */
function mostSevere({ open }: LockedCase): ReportType | null {
  const weight = ({ report_type }: OpenReport) => reportRules[report_type].weight
  return open.toSorted((a, b) => weight(b) - weight(a))[0]?.report_type ?? null
}

/**
 * Refuses the link, players and pictures of the video and of the reported bookmarks from now on, and bans the owners of
 * the reported content.
 */
async function refusePermanently(db: Db, jobs: Jobs, moderator: Moderator, found: LockedCase): Promise<void> {
  const { kind, id, named } = found
  // An earlier removal for another reason becomes permanent, too.
  await db`
    update moderation_decisions set reason = ${named.report_type}
     where target_kind = ${kind} and target_id = ${id} and action = 'remove' and undone_at is null`
  if (kind === 'video') {
    const bookmarkIds = found.open.map(({ bookmark_id }) => bookmark_id)
    const [video] = await db<
      { canonical_url: string; players: (string | null)[]; hashes: (string | null)[] }[]
    >`
      select v.canonical_url, json_agg(facts.embed_url) as players, json_agg(facts.thumbnail_hash) as hashes
        from videos v,
             lateral (select v.embed_url, v.thumbnail_hash union all
                      select b.embed_url, b.thumbnail_hash from bookmarks b
                       where b.video_id = v.id and (b.id = v.lead_bookmark_id or b.id = any (${bookmarkIds}::bigint[]))) facts
       where v.id = ${id} group by v.id`
    if (video !== undefined) {
      const links = canonicalLinks(video.canonical_url, video.players)
      await db`
        insert into refused_links (canonical_hash)
        select distinct url_hash(link) from unnest(${links}::text[]) link on conflict do nothing`
      for (const hash of new Set(video.hashes)) {
        if (hash === null) continue
        await db`insert into refused_pictures (hash) values (${hash}::bit(64)) on conflict do nothing`
        await jobs.send(db, hideSimilarPicturesJob, { hash })
      }
    }
  }
  const reported = found.open.filter(({ report_type }) => reportRules[report_type].isPermanent)
  const owners = new Set(reported.map(({ user_id }) => user_id))
  for (const user_id of owners) {
    // Moderators are not banned automatically: the report shows the owner, and other moderators can act.
    const [user] = await db<{ is_moderator: boolean }[]>`
      select is_moderator from users where id = ${user_id} and id <> ${moderator.id}`
    if (user === undefined || user.is_moderator || user_id === null) continue
    const statement = 'Content involving minors brings a permanent ban.'
    await sanction(db, jobs, moderator, { action: 'ban', user_id, reason: 'minors', statement, days: 0 })
  }
}

/** Marks open reports as decided and notifies the reporters. Returns the ids of the reports. */
async function closeReports(
  db: Db,
  moderator: Moderator,
  reports: readonly OpenReport[],
  status: 'approved' | 'rejected',
  decision_id: number | null,
  orientation: Orientation | null = null,
): Promise<number[]> {
  const ids = reports.map(({ id }) => id)
  await db`
    update reports
       set status = ${status}, decided_by = ${moderator.id}, decided_at = now(), decision_id = ${decision_id},
           orientation = ${orientation}
     where id = any (${ids}::bigint[])`
  const action = status === 'approved' ? 'approve' : 'reject'
  const toEntry = ({ id, report_type }: OpenReport) =>
    ({ actor: moderator, action, target_kind: 'report', target_id: id, note: report_type }) as const
  await auditMany(db, reports.map(toEntry))
  await notifyReportsDecided(db, ids)
  return ids
}
