/** Deciding reports: approving removes the target or corrects it, rejecting shows it again. */

import type { DecisionResult } from '@reelmark/contract/decisions.ts'
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { afterCommit } from '../../../core/database/transaction.ts'
import type { Deps } from '../../../core/deps.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { deleteQueuedPictures } from '../../../core/media/picture-deletion.ts'
import { isHeld } from '../../../shared/visibility.ts'
import { notifyReportsDecided } from '../../notifications/public-api.ts'
import { audit, auditMany } from '../audit/audit-log.ts'
import { isProposal, reportRules } from '../reports/report-rules.ts'
import { type Sanction, sanction } from '../sanctions/sanction-queries.ts'
import { insertDecision, type Moderator, setTargetStatus } from './decision-queries.ts'
import { type LockedCase, lockCase, type OpenReport } from './lock-case.ts'
import { refusePermanently, removeContent } from './remove-content.ts'
import { type Ruling, removeTitleAndPicture, replaceLink, setOrientation } from './rulings.ts'

/** Both links, and title and picture of the new one, must be seen before. */
export const proposalInBulkText = 'Open this one and compare the links.'

export interface Approval {
  statement: string
  orientation: Orientation | null
  sanction: Sanction['action']
  days: number
  /** Whether it is one of several at once, which the moderator did not look at in detail. */
  isBulk?: boolean
}

/**
 * Approves a report. Its target is removed, which approves all reports of the target; or the target is corrected, which
 * approves the reports that requested it. Runs in a transaction of `withTransaction`.
 */
export async function approveReport(
  db: Db,
  deps: Pick<Deps, 'jobs' | 'media'>,
  moderator: Moderator,
  reportId: number,
  approval: Approval,
): Promise<DecisionResult> {
  const { jobs } = deps
  const found = await lockCase(db, reportId)
  const { kind, named } = found
  if (kind === 'user') return approveUserReport(db, deps, moderator, found, approval)
  if (named.is_held) return approveHeldBookmark(db, jobs, moderator, found, approval)
  if (reportRules[named.report_type].approved !== 'remove') return rule(db, jobs, moderator, found, approval)
  // A permanent removal needs the approval of exactly that report: the moderator who removes a broken link has not
  // checked the other reports.
  const isPermanent = ({ report_type }: OpenReport) => reportRules[report_type].isPermanent
  const complaints = found.open.filter((report) => !isProposal(report))
  const approved = {
    ...found,
    open: isPermanent(named) ? complaints : complaints.filter((report) => !isPermanent(report)),
  }
  const decision_id = await removeContent(db, jobs, moderator, approved, approval.statement)
  const decided = [
    ...(await closeReports(db, moderator, approved.open, 'approved', decision_id)),
    ...(await closeReports(db, moderator, found.open.filter(isProposal), 'rejected', null)),
  ]
  if (isPermanent(named)) await refusePermanently(db, deps, moderator, approved)
  return { report_id: reportId, status: 'approved', report_ids: decided, decision_id, state: 'removed' }
}

async function approveUserReport(
  db: Db,
  { jobs, media }: Pick<Deps, 'jobs' | 'media'>,
  moderator: Moderator,
  { id, named, open, state }: LockedCase,
  { statement, sanction: chosen, days }: Approval,
): Promise<DecisionResult> {
  const { isPermanent } = reportRules[named.report_type]
  const action = isPermanent ? 'ban' : chosen
  const order = { action, user_id: id, reason: named.report_type, statement, days }
  const decision_id = state === 'deleted' ? null : await sanction(db, jobs, moderator, order)
  if (isPermanent) await removeAvatar(db, media, id)
  const decided = await closeReports(db, moderator, open, 'approved', decision_id)
  const stateAfter = action === 'ban' && state !== 'deleted' ? 'removed' : state
  return { report_id: named.id, status: 'approved', report_ids: decided, decision_id, state: stateAfter }
}

/** Removes a user's avatar and deletes the picture after the commit. If the process dies then, a job deletes it. */
async function removeAvatar(db: Db, media: Deps['media'], userId: number): Promise<void> {
  const [user] = await db<{ key: string | null }[]>`
    update users set avatar_key = null where id = ${userId} returning old.avatar_key as key`
  const key = user?.key
  if (key != null) afterCommit(db, (pool) => deleteQueuedPictures({ db: pool, media }, [key]))
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
    action: 'remove',
    target_kind: 'video',
    target_id: id,
    user_id,
    video_id: id,
    reason,
    title: removed.title,
    statement,
    moderator_id: moderator.id,
  })
  await audit(db, {
    actor: moderator,
    action: 'remove',
    target_kind: 'bookmark',
    target_id: bookmark_id ?? 0,
    before: { title: removed.title },
    note: reason,
  })
  const decided = await closeReports(db, moderator, [named], 'approved', decision_id)
  return { report_id: named.id, status: 'approved', report_ids: decided, decision_id, state }
}

/** Carries out a ruling and approves the reports that requested it. The video is shown again if no other report hides it. */
async function rule(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  found: LockedCase,
  { orientation: chosen, statement, isBulk = false }: Approval,
): Promise<DecisionResult> {
  const { id, named, open, state } = found
  if (isBulk && isProposal(named)) throw new InvalidFields({ report_id: [proposalInBulkText] })
  const { approved } = reportRules[named.report_type]
  const orientation = approved === 'set orientation' ? chosen : null
  const { action, title, before, after } = await carryOut(db, jobs, found, orientation)
  const decision_id = await insertDecision(db, jobs, {
    action,
    target_kind: 'video',
    target_id: id,
    user_id: null,
    video_id: id,
    reason: named.report_type,
    title,
    statement,
    moderator_id: moderator.id,
  })
  await audit(db, {
    actor: moderator,
    action: action.replaceAll('_', '-'),
    target_kind: 'video',
    target_id: id,
    before,
    after,
    note: statement,
  })
  const isMatching = ({ report_type, is_held }: OpenReport) =>
    !is_held && reportRules[report_type].approved === approved
  // Only one of several proposed links is used.
  const matching = isProposal(named) ? [named] : open.filter(isMatching)
  const unused = isProposal(named) ? open.filter((report) => isProposal(report) && report !== named) : []
  const decided = [
    ...(await closeReports(db, moderator, matching, 'approved', decision_id, orientation)),
    ...(await closeReports(db, moderator, unused, 'rejected', decision_id)),
  ]
  const remaining = open.filter(({ id }) => !decided.includes(id))
  const shown = await showUnlessStillReported(db, { ...found, open: remaining })
  return {
    report_id: named.id,
    status: 'approved',
    report_ids: decided,
    decision_id,
    state: shown ? 'visible' : state,
  }
}

function carryOut(db: Db, jobs: Jobs, found: LockedCase, orientation: Orientation | null): Promise<Ruling> {
  const { approved } = reportRules[found.named.report_type]
  if (approved === 'set orientation') return setOrientation(db, found, orientation)
  return approved === 'replace link' ? replaceLink(db, jobs, found) : removeTitleAndPicture(db, found)
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
export async function showUnlessStillReported(
  db: Db,
  { kind, id, state, open }: LockedCase,
): Promise<boolean> {
  if (state !== 'hidden' || open.some(({ did_hide }) => did_hide)) return false
  await setTargetStatus(db, { kind, id }, 'visible')
  return true
}

/** Records a `show` decision and notifies the owners, who were notified of the hiding. Returns the decision's id. */
export async function showAndNotify(
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

/** Marks open reports as decided and notifies the reporters. Returns the ids of the reports. */
export async function closeReports(
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
           orientation = ${orientation}, network = null
     where id = any (${ids}::bigint[])`
  const action = status === 'approved' ? 'approve' : 'reject'
  const toEntry = ({ id, report_type }: OpenReport) =>
    ({ actor: moderator, action, target_kind: 'report', target_id: id, note: report_type }) as const
  await auditMany(db, reports.map(toEntry))
  await notifyReportsDecided(db, ids)
  return ids
}
