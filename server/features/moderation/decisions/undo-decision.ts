/** Taking back what was decided. */

import type { Decision } from '@reelmark/contract/moderation.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { DecisionAction, ReportType, TargetKind } from '@reelmark/contract/reports.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { isKept, isTrashed } from '../../../shared/visibility.ts'
import { readDecisions } from '../cases/case-queries.ts'
import { isRestorable } from '../reports/report-rules.ts'
import { liftSanction, lockUser } from '../sanctions/sanction-queries.ts'
import { type AuditEntryInput, audit, insertDecision, type Moderator } from './decision-queries.ts'

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
 * Takes a decision back, and tells whom it concerned. In a transaction of `withTransaction`.
 * @returns the id of the decision that they are told of; null where nothing is to be told
 * @param isInTime whether it was asked for in time, however old the decision is by now
 * @throws ApiError('not-found'); ('not-restorable') for what was taken back already, is too old, or concerns minors.
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
  const take = () => markUndone(db, decision, isInTime)
  if (action === 'suspend' || action === 'ban')
    return endSanction(db, jobs, moderator, decision, statement, take)
  if (action === 'remove' || action === 'hide')
    return restoreContent(db, jobs, moderator, decision, statement, take)
  await take()
  if (action === 'set_orientation') await undoOrientation(db, decision)
  const { target_kind, target_id } = decision
  const deed = { actor: moderator, action: `undo-${action}`, target_kind, target_id, note: statement }
  await audit(db, { ...deed, before: { [action]: 'stands' }, after: { [action]: 'taken back' } })
  return null
}

/**
 * Takes an orientation ruling back: the previous ruling applies again, or without one what each owner chose. A ruling that
 * was replaced since stays.
 */
async function undoOrientation(db: Db, { id, target_id }: UndoableDecision): Promise<void> {
  await db`
    update videos v
       set orientation_ruling = (
             select r.orientation from moderation_decisions d join reports r on r.decision_id = d.id
              where d.target_kind = 'video' and d.target_id = v.id and d.action = 'set_orientation'
                and d.undone_at is null
              order by d.id desc limit 1)
     where v.id = ${target_id}
       and v.orientation_ruling in (select orientation from reports where decision_id = ${id})`
}

/** After the thing's own lock: who takes it back at the same moment, or found it graver, was first. */
async function markUndone(db: Db, { id, reason }: UndoableDecision, isInTime: boolean): Promise<void> {
  const taken = await db`
    update moderation_decisions set undone_at = now()
     where id = ${id} and undone_at is null and reason is not distinct from ${reason}
       and (${isInTime} or created_at > now() - make_interval(days => ${limits.appealDays}))`
  if (taken.count === 0) throw new ApiError('not-restorable')
}

/** A suspension that another one followed is taken back, and what followed goes on. */
async function endSanction(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  { action, target_id, until }: UndoableDecision,
  statement: string,
  take: () => Promise<void>,
): Promise<number | null> {
  const person = await lockUser(db, target_id)
  await take()
  const ending = action === 'ban' ? 'unban' : 'unsuspend'
  const isInForce = action === 'ban' || person?.suspended_until?.getTime() === until?.getTime()
  const lifted = isInForce ? await liftSanction(db, jobs, moderator, target_id, ending, statement) : null
  if (lifted !== null || person === null) return lifted
  const now = { suspended_until: person.suspended_until, banned: person.banned }
  const deed = { actor: moderator, action: ending, target_kind: 'user', target_id } as const
  await audit(db, { ...deed, before: now, after: now, note: statement })
  return null
}

async function restoreContent(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  decision: UndoableDecision,
  statement: string,
  take: () => Promise<void>,
): Promise<number> {
  const { action: taken, target_kind, target_id, user_id, video_id, reason, title } = decision
  // Of a video that is everyone's: here it was one person's bookmark, which had waited.
  const isHeld = taken === 'remove' && target_kind === 'video' && user_id !== null
  const deed = isHeld ? await restoreFromTrash(db, user_id, target_id) : await showHidden(db, decision)
  await take()
  const action = taken === 'remove' ? 'restore' : 'show'
  const id = await insertDecision(db, jobs, {
    ...{ action, target_kind, target_id, user_id, video_id, reason, title, statement },
    moderator_id: moderator.id,
  })
  await audit(db, { ...deed, actor: moderator, action, note: statement })
  return id
}

type AuditChange = Pick<AuditEntryInput, 'target_kind' | 'target_id' | 'before' | 'after'>

/** @throws ApiError('not-restorable') where it is not in the trash any more, or its owner saved it there anew. */
async function restoreFromTrash(db: Db, userId: number, videoId: number): Promise<AuditChange> {
  const held = await db<{ id: number; hold_reason: string }[]>`
    select b.id, b.hold_reason from bookmarks b
     where b.user_id = ${userId} and b.video_id = ${videoId} and b.hold_reason is not null and ${isTrashed(db)}
     order by b.deleted_at desc limit 1`
  await db`select lock_bookmarks(${held.map(({ id }) => id)}::bigint[])`
  const back = await db<{ id: number }[]>`
    update bookmarks b set deleted_at = null, hold_reason = null
     where b.id = any (${held.map(({ id }) => id)}::bigint[]) and ${isTrashed(db)}
       and not exists (select from bookmarks anew
                        where anew.user_id = b.user_id and anew.video_id = b.video_id and ${isKept(db, 'anew')}
                          and anew.collection_id = b.collection_id
                          and anew.channel_id is not distinct from b.channel_id)
    returning b.id`
  const [first] = held
  if (first === undefined || back.count === 0) throw new ApiError('not-restorable')
  return {
    target_kind: 'bookmark',
    target_id: first.id,
    before: { deleted: true, hold_reason: first.hold_reason },
    after: { deleted: false, hold_reason: null },
  }
}

/** @throws ApiError('not-restorable') where it is not as the decision left it. */
async function showHidden(
  db: Db,
  { action, target_kind, target_id, video_id, created_at }: UndoableDecision,
): Promise<AuditChange> {
  await db`select from videos where id = ${video_id} for no key update`
  // Another report may still hide it, of what nobody has decided yet.
  const isStillHidden = db`exists (
    select from reports r
     where r.target_kind = ${target_kind} and r.target_id = ${target_id} and r.status = 'open' and r.hid
       ${action === 'hide' ? db`and r.created_at > ${created_at}::text::timestamptz` : db``})`
  const table = target_kind === 'video' ? db`videos` : db`comments`
  // What was removed since it was hidden is not brought back by that: it may concern minors.
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

/** Restores what was removed; the decision as it is then. @throws as `undo` does; ('not-found') for other decisions. */
export async function restoreDecision(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  id: number,
  statement: string,
): Promise<Decision> {
  const [decision] = await db`select from moderation_decisions where id = ${id} and action = 'remove'`
  if (decision === undefined) throw new ApiError('not-found')
  await undoDecision(db, jobs, moderator, id, statement)
  const [restored] = await readDecisions(db, db`d.id = ${id}`)
  if (restored === undefined) throw new ApiError('not-found')
  return restored
}
