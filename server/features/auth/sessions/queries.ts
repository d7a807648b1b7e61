import type { Session } from '@reelmark/contract/accounts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ClientInfo } from '../../../core/auth/sign-in.ts'
import type { Db } from '../../../core/database/database.ts'

/**
 * Exchanges a refresh token, in one statement on one row. Of concurrent calls with the same token one rotates it; the
 * others, and those within 10 seconds, return the same successor. A later use of the token ends the session, because it
 * may have been stolen. Refreshing extends a session up to `limits.sessionMaxSeconds` after the login.
 * @returns the user of the session, or null if it has ended; `onReuse` is called if this use ended it
 */
export async function rotateSession(
  db: Db,
  presented: {
    session_id: number
    hash: Buffer
    next_hash: Buffer
    onReuse?: (userId: number) => void
  } & ClientInfo,
): Promise<{ user_id: number } | null> {
  const { session_id, hash, next_hash, user_agent, address } = presented
  const [row] = await db<{ user_id: number; is_alive: boolean }[]>`
    update sessions s
       set refresh_hash  = case when refresh_hash = ${hash} then ${next_hash} else refresh_hash end,
           previous_hash = case when refresh_hash = ${hash} then refresh_hash else previous_hash end,
           generation    = generation + (refresh_hash = ${hash})::int,
           rotated_at    = case when refresh_hash = ${hash} then now() else rotated_at end,
           last_used_at  = greatest(last_used_at, now()),
           user_agent    = ${user_agent},
           address       = ${address}::inet,
           expires_at    = case
             when refresh_hash = ${hash} then least(
               created_at + make_interval(secs => ${limits.sessionMaxSeconds}),
               now() + make_interval(secs => case when remember then ${limits.rememberedSessionSeconds}::int
                                                  else ${limits.shortSessionSeconds}::int end))
             when previous_hash = ${hash} and rotated_at > now() - interval '10 seconds' then expires_at
             else now() end,
           ended_at      = case
             when refresh_hash = ${hash} then null
             when previous_hash = ${hash} and rotated_at > now() - interval '10 seconds' then null
             else now() end
     where id = ${session_id} and ended_at is null and expires_at > now()
       and exists (select from users u where u.id = s.user_id and u.banned_at is null)
    returning user_id, ended_at is null as is_alive`
  if (row !== undefined && !row.is_alive) presented.onReuse?.(row.user_id)
  return row?.is_alive ? { user_id: row.user_id } : null
}

/** Ends a session. Idempotent. */
export async function endSession(db: Db, sessionId: number): Promise<void> {
  await db`
    update sessions set ended_at = now(), expires_at = least(expires_at, now())
     where id = ${sessionId} and ended_at is null`
}

/** Ends those of the sessions that are the user's own and active, and returns how many that were. */
export async function endSessionsById(db: Db, userId: number, ids: readonly number[]): Promise<number> {
  const ended = await db`
    update sessions set ended_at = now(), expires_at = least(expires_at, now())
     where id = any (${[...ids]}::bigint[]) and user_id = ${userId} and ended_at is null and expires_at > now()`
  return ended.count
}

type SessionRow = Omit<Session, 'device'> & { user_agent: string }

/**
 * Returns a user's active sessions, last used first. Addresses are shortened to their network: /24, or /48 for IPv6.
 */
export async function listSessions(
  db: Db,
  viewer: { id: number; session_id: number },
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; rows: SessionRow[] }> {
  const rows = await db<(SessionRow & { count: number })[]>`
    select count(*) over () as count, id, user_agent, created_at, last_used_at,
           id = ${viewer.session_id} as is_current,
           network(set_masklen(address, case family(address) when 4 then 24 else 48 end))::text as address
      from sessions
     where user_id = ${viewer.id} and ended_at is null and expires_at > now()
     order by last_used_at desc, id desc limit ${size} offset ${skip}`
  return { count: rows[0]?.count ?? 0, rows }
}
