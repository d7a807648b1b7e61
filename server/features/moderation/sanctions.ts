/** Warnings, suspensions and bans. What follows from them on the next request: core/session.ts. */
import type { ReportType } from '@reelmark/contract/reports.ts'
import type { Db } from '../../core/database.ts'
import { ApiError } from '../../core/errors.ts'
import type { Jobs } from '../../core/jobs.ts'
import { endSessionsOf, removeAccessTokensOf } from '../../core/session.ts'
import { audit, decide } from './decisions.ts'

export interface Sanction {
  action: 'warn' | 'suspend' | 'ban'
  user_id: number
  reason: ReportType | null
  statement: string
  /** Of a suspension. */
  days: number
}

interface Moderator {
  id: number
  username: string
}

/**
 * Sanctions somebody, at once. The decision's id; null where they are banned already, or gone.
 * @throws ApiError('yourself'); ('not-allowed') for a moderator, who has to be demoted first.
 */
export async function sanction(
  db: Db,
  jobs: Jobs,
  moderator: Moderator,
  { action, user_id, reason, statement, days }: Sanction,
): Promise<number | null> {
  if (user_id === moderator.id) throw new ApiError('yourself')
  const [user] = await db<
    { username: string; is_moderator: boolean; banned_at: Date | null; suspended_until: Date | null }[]
  >`select username, is_moderator, banned_at, suspended_until from users where id = ${user_id} for no key update`
  if (user === undefined || user.banned_at !== null) return null
  if (user.is_moderator) throw new ApiError('not-allowed')
  const until = action === 'suspend' ? new Date(Date.now() + days * 24 * 60 * 60 * 1000) : null
  if (until !== null) await db`update users set suspended_until = ${until} where id = ${user_id}`
  const id = await decide(db, jobs, {
    action,
    target_kind: 'user',
    target_id: user_id,
    user_id,
    video_id: null,
    reason,
    title: user.username,
    statement,
    moderator_id: moderator.id,
    until,
  })
  if (action === 'ban') await ban(db, user_id, statement)
  await audit(db, {
    actor: moderator,
    action,
    target_kind: 'user',
    target_id: user_id,
    before: { suspended_until: user.suspended_until, banned: false },
    after: { suspended_until: until ?? user.suspended_until, banned: action === 'ban' },
    note: statement,
  })
  return id
}

async function ban(db: Db, userId: number, reason: string): Promise<void> {
  await db`update users set banned_at = now(), ban_reason = ${reason} where id = ${userId}`
  await endSessionsOf(db, userId)
  await removeAccessTokensOf(db, userId)
}
