/** Appeals against decisions: creating, listing and deciding them. */

import type { Appeal } from '@reelmark/contract/appeals.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { appealableActions, type DecisionAction, type OwnDecision } from '@reelmark/contract/reports.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { jsonTimestamp } from '../../../core/database/json-timestamp.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { userSummary } from '../../../shared/user-columns.ts'
import { notifyAppealDecided, notifyDecision } from '../../notifications/public-api.ts'
import { readDecisions } from '../cases/case-queries.ts'
import type { Moderator } from '../decisions/decision-queries.ts'
import { undoDecision } from '../decisions/undo-decision.ts'

/** Decisions `d` that are about the user, or that a notification informed them of. */
function concernsUser(db: Db, userId: number): Fragment {
  return db`(d.user_id = ${userId}
    or d.id in (select n.decision_id from notifications n where n.user_id = ${userId} and n.kind = 'moderation'))`
}

/** Returns a user's decisions, the newest first, and their number. One statement. */
export async function listOwnDecisions(
  db: Db,
  userId: number,
  { skip, size }: { skip: number; size: number },
  only: Fragment = db`true`,
): Promise<{ count: number; results: OwnDecision[] }> {
  const rows = await db<(OwnDecision & { count: number })[]>`
    with own as materialized (select d.* from moderation_decisions d where ${concernsUser(db, userId)} and ${only}),
    total as (select count(*)::int as count from own)
    select total.count, page.* from total left join (
      select d.id, d.action, d.target_kind, d.target_id, d.reason, d.title, d.statement, d.created_at, d.until,
             d.undone_at is not null as is_undone,
             d.action = any (${appealableActions as DecisionAction[]}::text[]) and d.undone_at is null and a.id is null
               and d.created_at > now() - make_interval(days => ${limits.appealDays})
               -- A later decision about the same target replaces the hiding.
               and (d.action <> 'hide' or not exists (
                 select from moderation_decisions later
                  where later.target_kind = d.target_kind and later.target_id = d.target_id and later.id > d.id
                    and later.action in ('show', 'remove', 'set_orientation'))) as can_appeal,
             case when a.id is not null then json_build_object(
               'text', a.text, 'status', a.status, 'answer', a.answer, 'created_at',
               ${jsonTimestamp(db, db`a.created_at`)}) end as appeal
        from own d left join appeals a on a.decision_id = d.id and a.user_id = ${userId}
       order by d.id desc limit ${size} offset ${skip}) page on true
     order by page.id desc`
  return splitCount(rows)
}

/**
 * Creates an appeal against a decision that concerns the user, and returns the decision.
 * @throws ApiError('not-found') if there is no such decision or it is too old; ('already-appealed').
 */
export async function createAppeal(
  db: Db,
  userId: number,
  decisionId: number,
  text: string,
): Promise<OwnDecision> {
  const read = async () =>
    (await listOwnDecisions(db, userId, { skip: 0, size: 1 }, db`d.id = ${decisionId}`)).results[0]
  const decision = await read()
  if (decision === undefined) throw new ApiError('not-found')
  if (decision.appeal !== null) throw new ApiError('already-appealed')
  if (!decision.can_appeal) throw new ApiError('not-found')
  const [created] = await db`
    insert into appeals (decision_id, user_id, text) values (${decisionId}, ${userId}, ${text})
    on conflict do nothing returning id`
  if (created === undefined) throw new ApiError('already-appealed')
  return (await read()) ?? decision
}

/** Whether the viewer may decide appeals `a` of decisions `d`. A moderator may not review their own decision if another can. */
function canDecideAppeal(db: Db, viewerId: number): Fragment {
  return db`(d.moderator_id is distinct from ${viewerId} or not exists (
    select from users other
     where other.is_moderator and other.banned_at is null and (other.suspended_until > now()) is not true
       and other.id <> ${viewerId} and other.id <> a.user_id))`
}

/** Returns appeals, the oldest first, and their number. */
export async function listAppeals(
  db: Db,
  viewerId: number,
  { status = 'open', id }: { status?: string; id?: number },
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; results: Appeal[] }> {
  const where = id === undefined ? db`a.status = ${status}` : db`a.id = ${id}`
  const rows = await db<(Omit<Appeal, 'decision'> & { count: number; decision_id: number })[]>`
    select (select count(*)::int from appeals a where ${where}) as count, a.id, a.decision_id, ${userSummary(db, 'u')} as user,
           a.text, a.status, a.answer, a.created_at, a.decided_at,
           case when m.id is not null then ${userSummary(db, 'm')} end as decided_by,
           a.status = 'open' and a.user_id <> ${viewerId} and ${canDecideAppeal(db, viewerId)} as can_decide
      from appeals a join moderation_decisions d on d.id = a.decision_id join users u on u.id = a.user_id
      left join users m on m.id = a.decided_by
     where ${where} order by a.created_at, a.id limit ${size} offset ${skip}`
  const decisions = await readDecisions(
    db,
    db`d.id = any (${rows.map(({ decision_id }) => decision_id)}::bigint[])`,
  )
  const decisionsById = new Map(decisions.map((decision) => [decision.id, decision]))
  const results = rows.flatMap(({ decision_id, count: _, ...row }) => {
    const decision = decisionsById.get(decision_id)
    return decision === undefined ? [] : [{ ...row, decision }]
  })
  return { count: rows[0]?.count ?? 0, results }
}

/**
 * Decides an appeal. Granting it undoes the decision, unless that happened already (another user who saved the video may
 * have appealed too). The user who appealed gets exactly one notification: about the decision that undoes the first one,
 * otherwise about the appeal. Runs in a transaction of `withTransaction`.
 * @throws ApiError('not-found'); ('already-decided') with its `status`; ('cannot-review-own-decision'); as `undoDecision`.
 */
export async function decideAppeal(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  id: number,
  { decision, answer }: { decision: 'grant' | 'reject'; answer: string },
): Promise<Appeal> {
  const [found] = await db<
    { status: string; decision_id: number; user_id: number; is_undone: boolean; can_decide: boolean }[]
  >`
    select a.status, a.decision_id, a.user_id, d.undone_at is not null as is_undone,
           a.user_id <> ${moderator.id} and ${canDecideAppeal(db, moderator.id)} as can_decide
      from appeals a join moderation_decisions d on d.id = a.decision_id where a.id = ${id} for no key update of a`
  if (found === undefined) throw new ApiError('not-found')
  if (found.status !== 'open') throw new ApiError('already-decided', { status: found.status })
  if (!found.can_decide) throw new ApiError('cannot-review-own-decision')
  const undoDecisionId =
    decision === 'grant' && !found.is_undone
      ? // The appeal was created in time, so the decision may be older than the limit by now.
        await undoDecision(db, jobs, moderator, found.decision_id, answer, { isInTime: true })
      : null
  const status = decision === 'grant' ? 'granted' : 'rejected'
  await db`
    update appeals set status = ${status}, answer = ${answer}, decided_by = ${moderator.id}, decided_at = now()
     where id = ${id}`
  // `undoDecision` may not have notified them: they may have deleted the bookmark, or a later job notifies them.
  if (undoDecisionId !== null) await notifyDecision(db, undoDecisionId, [found.user_id])
  else await notifyAppealDecided(db, found.decision_id, found.user_id)
  const {
    results: [row],
  } = await listAppeals(db, moderator.id, { id }, { skip: 0, size: 1 })
  if (row === undefined) throw new ApiError('not-found')
  return row
}
