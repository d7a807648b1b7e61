/** Undoing decisions. */

import type { Decision } from '@reelmark/contract/decisions.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { DecisionAction, ReportType, TargetKind } from '@reelmark/contract/reports.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { isNotTrashed, isTrashed } from '../../../shared/visibility.ts'
import { type AuditEntryInput, audit } from '../audit/audit-log.ts'
import { readDecisions } from '../cases/case-queries.ts'
import { isRestorable, restorableActions } from '../reports/report-rules.ts'
import { liftSanction, lockUser } from '../sanctions/sanction-queries.ts'
import { insertDecision, type Moderator } from './decision-queries.ts'
import { restoreTitles, undoOrientation, undoReplacement } from './rulings.ts'

interface UndoableDecision {
  id: number
  created_at: string
  action: DecisionAction
  target_kind: TargetKind
  target_id: number
  user_id: number | null
  video_id: number | null
  reason: ReportType | null
  title: string
  until: Date | null
}

/**
 * Undoes a decision and notifies the users concerned. Runs in a transaction of `withTransaction`.
 * @param isInTime whether the request was made in time, although the decision may be older than the limit by now
 * @returns the id of the decision that the notifications are about; null if there is nothing to notify about
 * @throws ApiError('not-found'); ('not-restorable') if it was undone before, is too old, or concerns minors.
 */
export async function undoDecision(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  decisionId: number,
  statement: string,
  { isInTime = false } = {},
): Promise<number | null> {
  const [decision] = await db<UndoableDecision[]>`
    select id, created_at::text as created_at, action, target_kind, target_id, user_id, video_id, reason, title, until
      from moderation_decisions where id = ${decisionId}`
  if (decision === undefined) throw new ApiError('not-found')
  const { action } = decision
  if (!isRestorable(decision.reason) && action !== 'hide') throw new ApiError('not-restorable')
  const undo = () => markUndone(db, decision, isInTime)
  if (action === 'suspend' || action === 'ban')
    return endSanction(db, jobs, moderator, decision, statement, undo)
  if (action === 'remove' || action === 'hide')
    return restoreContent(db, jobs, moderator, decision, statement, undo)
  const { target_kind, target_id } = decision
  await db`select from videos where id = ${decision.video_id} for no key update`
  await undo()
  if (action === 'set_orientation') await undoOrientation(db, decisionId, target_id)
  if (action === 'remove_title_and_picture') await restoreTitles(db, target_id)
  if (action === 'replace_link') await undoReplacement(db, jobs, decisionId)
  // Actions of the audit log are written with hyphens.
  const auditAction = `undo-${action.replaceAll('_', '-')}`
  await audit(db, {
    actor: moderator,
    action: auditAction,
    target_kind,
    target_id,
    note: statement,
    before: { [action]: 'active' },
    after: { [action]: 'undone' },
  })
  return null
}

/**
 * Marks a decision as undone. The caller has locked the target, so that another moderator who undid the decision or made
 * it permanent at the same moment was first.
 */
async function markUndone(db: Db, { id, reason }: UndoableDecision, isInTime: boolean): Promise<void> {
  const marked = await db`
    update moderation_decisions set undone_at = now()
     where id = ${id} and undone_at is null and reason is not distinct from ${reason}
       and (${isInTime} or created_at > now() - make_interval(days => ${limits.appealDays}))`
  if (marked.count === 0) throw new ApiError('not-restorable')
}

/** Ends a ban or suspension. If a later suspension followed, that one stays in force. */
async function endSanction(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  { action, target_id, until }: UndoableDecision,
  statement: string,
  undo: () => Promise<void>,
): Promise<number | null> {
  const user = await lockUser(db, target_id)
  await undo()
  const ending = action === 'ban' ? 'unban' : 'unsuspend'
  const isInForce = action === 'ban' || user?.suspended_until?.getTime() === until?.getTime()
  const lifted = isInForce ? await liftSanction(db, jobs, moderator, target_id, ending, statement) : null
  if (lifted !== null || user === null) return lifted
  const state = { suspended_until: user.suspended_until, banned: user.banned }
  await audit(db, {
    actor: moderator,
    action: ending,
    target_kind: 'user',
    target_id,
    before: state,
    after: state,
    note: statement,
  })
  return null
}

async function restoreContent(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  decision: UndoableDecision,
  statement: string,
  undo: () => Promise<void>,
): Promise<number> {
  const { action: undone, target_kind, target_id, user_id, video_id, reason, title } = decision
  // A decision about a video has a user only if it removed one user's held bookmark.
  const isHeld = undone === 'remove' && target_kind === 'video' && user_id !== null
  const entry = isHeld ? await restoreFromTrash(db, user_id, target_id) : await showHidden(db, decision)
  await undo()
  const action = undone === 'remove' ? 'restore' : 'show'
  const id = await insertDecision(db, jobs, {
    action,
    target_kind,
    target_id,
    user_id,
    video_id,
    reason,
    title,
    statement,
    moderator_id: moderator.id,
  })
  await audit(db, { ...entry, actor: moderator, action, note: statement })
  return id
}

type AuditChange = Pick<AuditEntryInput, 'target_kind' | 'target_id' | 'before' | 'after'>

/**
 * Restores a held bookmark from its owner's trash.
 * @throws ApiError('not-restorable') if it is not in the trash any more, or its owner saved the video there again.
 */
async function restoreFromTrash(db: Db, userId: number, videoId: number): Promise<AuditChange> {
  const held = await db<{ id: number; hold_reason: string }[]>`
    select b.id, b.hold_reason from bookmarks b
     where b.user_id = ${userId} and b.video_id = ${videoId} and b.hold_reason is not null and ${isTrashed(db)}
     order by b.deleted_at desc limit 1`
  await db`select lock_bookmarks(${held.map(({ id }) => id)}::bigint[])`
  const restored = await db<{ id: number }[]>`
    update bookmarks b set deleted_at = null, hold_reason = null
     where b.id = any (${held.map(({ id }) => id)}::bigint[]) and ${isTrashed(db)}
       and not exists (select from bookmarks newer
                        where newer.user_id = b.user_id and newer.video_id = b.video_id and ${isNotTrashed(db, 'newer')}
                          and newer.collection_id = b.collection_id
                          and newer.channel_id is not distinct from b.channel_id)
    returning b.id`
  const [first] = held
  if (first === undefined || restored.count === 0) throw new ApiError('not-restorable')
  return {
    target_kind: 'bookmark',
    target_id: first.id,
    before: { deleted: true, hold_reason: first.hold_reason },
    after: { deleted: false, hold_reason: null },
  }
}

/**
 * Shows a hidden or removed video or comment again.
 * @throws ApiError('not-restorable') if its status is not the one that the decision set.
 */
async function showHidden(
  db: Db,
  { action, target_kind, target_id, video_id, created_at }: UndoableDecision,
): Promise<AuditChange> {
  await db`select from videos where id = ${video_id} for no key update`
  // Another report that is still open may hide it.
  const isStillHidden = db`exists (
    select from reports r
     where r.target_kind = ${target_kind} and r.target_id = ${target_id} and r.status = 'open' and r.did_hide
       ${action === 'hide' ? db`and r.created_at > ${created_at}::text::timestamptz` : db``})`
  const table = target_kind === 'video' ? db`videos` : db`comments`
  // Undoing a hiding does not restore what was removed since: that may concern minors.
  const [shown] =
    action === 'hide'
      ? await db<{ status: string }[]>`
          update ${table} set status = 'visible'
           where id = ${target_id} and status = 'hidden' and not ${isStillHidden} returning status`
      : await db<{ status: string }[]>`
          update ${table} set status = case when ${isStillHidden} then 'hidden' else 'visible' end
           where id = ${target_id} and status = 'removed' returning status`
  if (shown === undefined) throw new ApiError('not-restorable')
  const before = { status: action === 'hide' ? 'hidden' : 'removed' }
  return { target_kind, target_id, before, after: { status: shown.status } }
}

/**
 * Undoes a removal and returns the decision as it is afterwards.
 * @throws as `undoDecision`; ApiError('not-found') also for decisions that remove nothing.
 */
export async function restoreDecision(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  id: number,
  statement: string,
): Promise<Decision> {
  const [decision] =
    await db`select from moderation_decisions where id = ${id} and action = any (${restorableActions}::text[])`
  if (decision === undefined) throw new ApiError('not-found')
  await undoDecision(db, jobs, moderator, id, statement)
  const [restored] = await readDecisions(db, db`d.id = ${id}`)
  if (restored === undefined) throw new ApiError('not-found')
  return restored
}
