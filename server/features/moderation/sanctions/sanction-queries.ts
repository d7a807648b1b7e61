/** Warnings, suspensions and bans. Their effect on later requests is in server/core/auth/session.ts. */
import type { ReportType } from '@reelmark/contract/reports.ts'
import { endUserSessions, revokeProgramAccess } from '../../../core/auth/session.ts'
import type { Db } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { type AuditEntryInput, audit } from '../audit/audit-log.ts'
import { insertDecision, type Moderator, type NewDecision } from '../decisions/decision-queries.ts'
import { syncBannedUserJob } from './user-queries.ts'

export interface Sanction {
  action: 'warn' | 'suspend' | 'ban'
  user_id: number
  reason: ReportType | null
  statement: string
  /** The length of a suspension; ignored otherwise. */
  days: number
}

/**
 * Sanctions a user with immediate effect and returns the decision's id, or null if they are banned already or do not exist.
 * @throws ApiError('cannot-target-self'); ('forbidden') for a moderator, who must be demoted first.
 */
export async function sanction(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  { action, user_id, reason, statement, days }: Sanction,
): Promise<number | null> {
  if (user_id === moderator.id) throw new ApiError('cannot-target-self')
  const [user] = await db<
    {
      id: number
      username: string
      is_moderator: boolean
      banned_at: Date | null
      suspended_until: Date | null
    }[]
  >`select id, username, is_moderator, banned_at, suspended_until from users where id = ${user_id} for no key update`
  if (user === undefined || user.banned_at !== null) return null
  if (user.is_moderator) throw new ApiError('forbidden')
  const until = action === 'suspend' ? new Date(Date.now() + days * 24 * 60 * 60 * 1000) : null
  if (until !== null) await db`update users set suspended_until = ${until} where id = ${user_id}`
  const id = await notifySanction(db, jobs, moderator, user, { action, reason, statement, until })
  if (action === 'ban') await banUser(db, jobs, user_id, statement)
  await auditSanction(db, moderator, user_id, action, {
    before: { suspended_until: user.suspended_until, banned: false },
    after: { suspended_until: until ?? user.suspended_until, banned: action === 'ban' },
    note: statement,
  })
  return id
}

/** Records a decision about a user and notifies them. */
function notifySanction(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  { id, username }: { id: number; username: string },
  decision: Pick<NewDecision, 'action' | 'reason' | 'statement' | 'until'>,
): Promise<number> {
  const about = { target_kind: 'user', target_id: id, user_id: id, video_id: null, title: username } as const
  return insertDecision(db, jobs, { ...decision, ...about, moderator_id: moderator.id })
}

function auditSanction(
  db: Db,
  actor: Moderator,
  target_id: number,
  action: NewDecision['action'],
  entry: Pick<AuditEntryInput, 'before' | 'after' | 'note'>,
): Promise<void> {
  return audit(db, { ...entry, actor, action, target_kind: 'user', target_id })
}

async function banUser(db: Db, jobs: Jobs, userId: number, reason: string): Promise<void> {
  await db`update users set banned_at = now(), ban_reason = ${reason} where id = ${userId}`
  await jobs.send(db, syncBannedUserJob, { user_id: userId })
  await endUserSessions(db, userId)
  await revokeProgramAccess(db, userId)
}

/**
 * Ends a suspension or ban and returns the decision's id, or null if the user has no such sanction. Marks the decision
 * that imposed it as undone, so that it cannot be appealed any more.
 */
export async function liftSanction(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  user_id: number,
  action: 'unsuspend' | 'unban',
  statement: string,
): Promise<number | null> {
  const user = await lockUser(db, user_id)
  if (user === null || (action === 'unban' ? !user.banned : user.suspended_until === null)) return null
  if (action === 'unban') {
    await db`update users set banned_at = null, ban_reason = '' where id = ${user_id}`
    await jobs.send(db, syncBannedUserJob, { user_id })
  } else {
    await db`update users set suspended_until = null where id = ${user_id}`
  }
  await db`
    update moderation_decisions set undone_at = now()
     where target_kind = 'user' and target_id = ${user_id} and undone_at is null
       and action = ${action === 'unban' ? 'ban' : 'suspend'}`
  const id = await notifySanction(db, jobs, moderator, user, { action, reason: null, statement })
  const { banned, suspended_until } = user
  await auditSanction(db, moderator, user_id, action, {
    before: { suspended_until, banned },
    after: { suspended_until: action === 'unsuspend' ? null : suspended_until, banned: false },
    note: statement,
  })
  return id
}

/** Locks and returns a user with their current sanctions; null if the account is closed. */
export async function lockUser(db: Db, id: number) {
  const [user] = await db<{ id: number; username: string; banned: boolean; suspended_until: Date | null }[]>`
    select id, username, banned_at is not null as banned, case when suspended_until > now() then suspended_until end
             as suspended_until
      from users where id = ${id} and closed_at is null for no key update`
  return user ?? null
}
