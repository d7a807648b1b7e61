/** Recording decisions: the decision itself and the notifications about it. */
import type { DecisionAction, ReportType, TargetKind } from '@reelmark/contract/reports.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { isNotTrashed } from '../../../shared/visibility.ts'
import { notifyDecision } from '../../notifications/public-api.ts'

/** The moderator who decides. */
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

/** How many savers the transaction of a decision notifies; a job notifies the rest. */
const notifiedInTransaction = 500

/** Sent if more users saved a video than the transaction notifies; `after` is the id of the last one notified. */
export const notifySaversJob = { name: 'notify-savers' }

/** Inserts a decision, notifies the users concerned and returns its id. Runs in a transaction of `withTransaction`. */
export async function insertDecision(db: Db, jobs: Jobs, decision: NewDecision): Promise<number> {
  const row = { statement: '', until: null, ...decision, title: decision.title.slice(0, 500) }
  const [created] = await db<[{ id: number }]>`insert into moderation_decisions ${db(row)} returning id`
  if (decision.user_id !== null) await notifyDecision(db, created.id, [decision.user_id])
  // Savers learn of another link when their bookmark is moved.
  else if (decision.target_kind === 'video' && decision.action !== 'replace_link')
    await notifyNextSavers(db, jobs, created.id, decision.target_id, 0)
  return created.id
}

/**
 * Notifies the next savers of a video, also those who saved it privately, because it is gone for them, too. Users who have
 * it only in the trash are not notified.
 */
export async function notifyNextSavers(
  db: Db,
  jobs: Jobs,
  decision_id: number,
  video_id: number,
  after: number,
): Promise<void> {
  const savers = await db<{ user_id: number }[]>`
    select distinct b.user_id from bookmarks b
     where b.video_id = ${video_id} and b.user_id > ${after} and ${isNotTrashed(db)}
     order by b.user_id limit ${notifiedInTransaction}`
  const ids = savers.map(({ user_id }) => user_id)
  await notifyDecision(db, decision_id, ids)
  if (ids.length === notifiedInTransaction) {
    await jobs.send(db, notifySaversJob, { decision_id, video_id, after: ids.at(-1) ?? 0 })
  }
}

/** The title of videos `v` that everyone may see: the lead bookmark's, or the host if it is only saved privately. */
export function publicTitle(db: Db): Fragment {
  return db`coalesce((select lead.title from bookmarks lead where lead.id = v.lead_bookmark_id), v.host)`
}

/** The orientation of videos `v`: the ruling, else the lead bookmark's. */
export function orientationOfVideo(db: Db): Fragment {
  return db`coalesce(v.orientation_ruling,
    (select lead.orientation from bookmarks lead where lead.id = v.lead_bookmark_id), 'sfw')`
}

/** Sets the status of a video or comment and does nothing for a user. The caller locks the target, the video first. */
export async function setTargetStatus(
  db: Db,
  { kind, id }: { kind: TargetKind; id: number },
  status: 'visible' | 'hidden' | 'removed',
): Promise<void> {
  if (kind === 'video') await db`update videos set status = ${status} where id = ${id}`
  if (kind === 'comment') await db`update comments set status = ${status} where id = ${id}`
}
