/** What was decided: written down for whom it concerns, for the audit log, and told. */
import type { DecisionAction, ReportType, TargetKind } from '@reelmark/contract/reports.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { isKept } from '../../../shared/visibility.ts'
import { notifyDecision } from '../../notifications/public-api.ts'

/** Who decides. */
export interface Moderator {
  id: number
  username: string
}

export interface NewDecision {
  action: DecisionAction
  target_kind: TargetKind
  target_id: number
  user_id: number | null
  video_id: number | null
  reason: ReportType | null
  title: string
  statement?: string
  moderator_id: number | null
  until?: Date | null
}

/** So many are told in the transaction of a decision; the rest by a job. */
const notifiedInTransaction = 500

/** Sent where more keep a video than are told at once; `after` is the id of the last that was told. */
export const notifySaversJob = { name: 'notify-savers' }

/** Writes a decision down and tells whom it concerns. Its id. In a transaction of `withTransaction`. */
export async function insertDecision(db: Db, jobs: Jobs, decision: NewDecision): Promise<number> {
  const row = { statement: '', until: null, ...decision, title: decision.title.slice(0, 500) }
  const [created] = await db<[{ id: number }]>`insert into moderation_decisions ${db(row)} returning id`
  if (decision.user_id !== null) await notifyDecision(db, created.id, [decision.user_id])
  else if (decision.target_kind === 'video')
    await notifyNextSavers(db, jobs, created.id, decision.target_id, 0)
  return created.id
}

/** Everyone who keeps a video, in private too: it is gone for them as well. Those in the trash are told nothing. */
export async function notifyNextSavers(
  db: Db,
  jobs: Jobs,
  decision_id: number,
  video_id: number,
  after: number,
): Promise<void> {
  const savers = await db<{ user_id: number }[]>`
    select distinct b.user_id from bookmarks b
     where b.video_id = ${video_id} and b.user_id > ${after} and ${isKept(db)}
     order by b.user_id limit ${notifiedInTransaction}`
  const ids = savers.map(({ user_id }) => user_id)
  await notifyDecision(db, decision_id, ids)
  if (ids.length === notifiedInTransaction) {
    await jobs.send(db, notifySaversJob, { decision_id, video_id, after: ids.at(-1) ?? 0 })
  }
}

/** The title of videos `v` for everyone who saved them: the lead's. What is only saved privately is named by its host. */
export function publicTitle(db: Db): Fragment {
  return db`coalesce((select lead.title from bookmarks lead where lead.id = v.lead_bookmark_id), v.host)`
}

/** The orientation of videos `v` for everyone: the ruling, else the lead's. */
export function orientationOfVideo(db: Db): Fragment {
  return db`coalesce(v.orientation_ruling,
    (select lead.orientation from bookmarks lead where lead.id = v.lead_bookmark_id), 'sfw')`
}

/** Hides, removes or shows a video or a comment; of people nothing. Locked before, the video first. */
export async function setTargetStatus(
  db: Db,
  { kind, id }: { kind: TargetKind; id: number },
  status: 'visible' | 'hidden' | 'removed',
): Promise<void> {
  if (kind === 'video') await db`update videos set status = ${status} where id = ${id}`
  if (kind === 'comment') await db`update comments set status = ${status} where id = ${id}`
}

export interface AuditEntryInput {
  actor: Moderator | null
  action: string
  target_kind: 'user' | 'video' | 'bookmark' | 'comment' | 'report' | 'rule'
  target_id: number
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
  note?: string
}

/** Records a moderator's action in the audit log: who, what, when, before and after. */
export function audit(db: Db, deed: AuditEntryInput): Promise<void> {
  return auditMany(db, [deed])
}

/** The same, of many at once. */
export async function auditMany(db: Db, deeds: readonly AuditEntryInput[]): Promise<void> {
  const rows = deeds.map(({ actor, note = '', ...deed }) => ({
    ...{ ...deed, note },
    actor_id: actor?.id ?? null,
    actor_name: actor?.username ?? 'site',
  }))
  await db`
    insert into audit_log (actor_id, actor_name, action, target_kind, target_id, before, after, note)
    select actor_id, actor_name, action, target_kind, target_id, before, after, note
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (
             actor_id bigint, actor_name text, action text, target_kind text, target_id bigint, before jsonb,
             after jsonb, note text)`
}
