/** Accounts and their sessions in SQL. */
import type { Registration, Session } from '@reelmark/contract/accounts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ClientInfo } from '../../../core/auth/sign-in.ts'
import type { Db } from '../../../core/database/database.ts'

export interface NewUser {
  username: string
  email: string
  /** Null: signs in by other means. */
  password_hash: string | null
}

export interface Conflicts {
  username: boolean
  email: boolean
}

/** Which of the two somebody has already, whatever the case. */
export async function findConflicts(
  db: Db,
  { username, email }: Pick<Registration, 'username' | 'email'>,
): Promise<Conflicts> {
  const [taken] = await db<[Conflicts]>`
    select exists (select from users where lower(username) = lower(${username})) as username,
           exists (select from users where lower(email) = lower(${email})) as email`
  return taken
}

/**
 * Makes a user with a collection 'My Vault' and in it a channel 'General', so that the first save works at once.
 * Null where the username or the e-mail is taken, also when somebody else takes it at the same moment.
 */
export async function createUser(
  db: Db,
  { username, email, password_hash }: NewUser,
): Promise<{ id: number; username: string; email: string } | null> {
  const [user] = await db<{ id: number; username: string; email: string }[]>`
    with made as (
      insert into users (username, email, password_hash) values (${username}, ${email}, ${password_hash})
      on conflict do nothing
      returning id, username, email
    ), vault as (
      insert into collections (user_id, name) select id, 'My Vault' from made returning id
    ), channel as (
      insert into channels (collection_id, name) select id, 'General' from vault
    )
    select * from made`
  return user ?? null
}

export interface Login {
  id: number
  username: string
  password_hash: string | null
  is_banned: boolean
  /** What they are told when they were banned. */
  ban_reason: string
}

/** By username or e-mail, whatever the case. A username holds no @, so at most one matches. */
export async function findLogin(db: Db, name: string): Promise<Login | null> {
  const [login] = await db<Login[]>`
    select id, username, password_hash, banned_at is not null as is_banned, ban_reason
      from users where lower(username) = lower(${name}) or lower(email) = lower(${name})`
  return login ?? null
}

/**
 * Exchanges a refresh token. One statement on one row, so that of any number at once one rotates; the others, and
 * whoever comes within 10 seconds, are told that it is alive and answer the same successor. A token used longer ago
 * ends the session: somebody has it who should not.
 * @returns whose session it is, or null where it is over.
 */
export async function rotateSession(
  db: Db,
  presented: { session_id: number; hash: Buffer; next_hash: Buffer } & ClientInfo,
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
             when refresh_hash = ${hash} then now() + make_interval(secs =>
               case when remember then ${limits.rememberedSessionSeconds}::int
                    else ${limits.shortSessionSeconds}::int end)
             when previous_hash = ${hash} and rotated_at > now() - interval '10 seconds' then expires_at
             else now() end,
           ended_at      = case
             when refresh_hash = ${hash} then null
             when previous_hash = ${hash} and rotated_at > now() - interval '10 seconds' then null
             else now() end
     where id = ${session_id} and ended_at is null and expires_at > now()
       and exists (select from users u where u.id = s.user_id and u.banned_at is null)
    returning user_id, ended_at is null as is_alive`
  return row?.is_alive ? { user_id: row.user_id } : null
}

/** Ends a session; nothing where it is over already. */
export async function endSession(db: Db, sessionId: number): Promise<void> {
  await db`
    update sessions set ended_at = now(), expires_at = least(expires_at, now())
     where id = ${sessionId} and ended_at is null`
}

/** One of somebody's own sessions; false where it is not theirs, or over. */
export async function endUserSession(db: Db, userId: number, sessionId: number): Promise<boolean> {
  const ended = await db`
    update sessions set ended_at = now(), expires_at = least(expires_at, now())
     where id = ${sessionId} and user_id = ${userId} and ended_at is null and expires_at > now()
    returning id`
  return ended.count === 1
}

type SessionRow = Omit<Session, 'device'> & { user_agent: string }

/** Somebody's sessions that go on, the last used first. Addresses are cut to the network: /24, and /48 of IPv6. */
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

/** What an operator does to an account at the command line; the audit log names them 'operator'. */
export type OperatorAction =
  | 'promote'
  | 'demote'
  | 'ban'
  | 'unban'
  | 'verify'
  | 'unverify'
  | 'remove-second-factor'

/**
 * Makes somebody a moderator or no longer one, bans them and ends all their sessions or lets them in again, gives or
 * takes the verified badge, or removes every second factor of somebody who lost them all; with a line in the audit log.
 * @returns null where there is nobody of that name.
 */
export async function applyOperatorAction(
  db: Db,
  action: OperatorAction,
  username: string,
): Promise<{ id: number; username: string } | null> {
  const [user] = await db<{ id: number; username: string }[]>`
    with before as (
      select id, username, is_moderator, is_verified, banned_at from users
       where lower(username) = lower(${username}) and closed_at is null for update
    ), changed as (
      update users u
         set is_moderator = case ${action} when 'promote' then true when 'demote' then false else u.is_moderator end,
             is_verified = case ${action} when 'verify' then true when 'unverify' then false else u.is_verified end,
             banned_at = case ${action} when 'ban' then coalesce(u.banned_at, now()) when 'unban' then null
                                        else u.banned_at end
        from before where u.id = before.id
      returning u.id, u.is_moderator, u.is_verified, u.banned_at
    ), ended as (
      update sessions set ended_at = now(), expires_at = least(expires_at, now())
       where ${action} = 'ban' and ended_at is null and user_id = (select id from before)
    ), no_app as (
      delete from authenticators
       where ${action} = 'remove-second-factor' and user_id = (select id from before)
    ), no_passkeys as (
      delete from passkeys
       where ${action} = 'remove-second-factor' and user_id = (select id from before)
    ), no_codes as (
      delete from recovery_codes
       where ${action} = 'remove-second-factor' and user_id = (select id from before)
    ), logged as (
      insert into audit_log (actor_name, action, target_kind, target_id, before, after)
      select 'operator', ${action}, 'user', before.id,
             jsonb_build_object('is_moderator', before.is_moderator, 'is_verified', before.is_verified,
                                'banned_at', before.banned_at),
             jsonb_build_object('is_moderator', changed.is_moderator, 'is_verified', changed.is_verified,
                                'banned_at', changed.banned_at)
        from before join changed using (id)
    )
    select id, username from before`
  return user ?? null
}

/** How many rows one statement removes: it stays far below the time a statement may take. */
const batch = 5_000

/**
 * Removes what is over: sessions, password resets, tickets, idempotency keys after their 24 hours, buckets that are
 * full again, access tokens a month after their end, and addresses that nobody confirmed.
 * @returns how many rows went.
 */
export async function removeExpired(db: Db): Promise<number> {
  let removed = 0
  for (const remove of [
    removeSessions,
    removeResets,
    removeTickets,
    removeIdempotencyKeys,
    removeBuckets,
    removeTokens,
    removeEmailChanges,
  ]) {
    let count: number
    do {
      count = (await remove(db)).count
      removed += count
    } while (count === batch)
  }
  return removed
}

function removeSessions(db: Db) {
  return db`delete from sessions where id in (select id from sessions where expires_at < now() limit ${batch})`
}

/** After their hour, and not before: until then they count. */
function removeResets(db: Db) {
  return db`
    delete from password_resets where id in (
      select id from password_resets
       where created_at < now() - make_interval(secs => ${limits.passwordResetSeconds}) limit ${batch})`
}

function removeTickets(db: Db) {
  return db`delete from one_time_tickets where hash in (select hash from one_time_tickets where expires_at < now() limit ${batch})`
}

function removeIdempotencyKeys(db: Db) {
  return db`
    delete from idempotency_keys where (user_id, key) in (
      select user_id, key from idempotency_keys
       where created_at < now() - make_interval(secs => ${limits.idempotencyRetentionSeconds}) limit ${batch})`
}

function removeBuckets(db: Db) {
  return db`
    delete from rate_limits where key in (
      select key from rate_limits where updated_at < now() - interval '1 day' limit ${batch})`
}

/** People see for a month which of theirs ended. */
function removeTokens(db: Db) {
  return db`
    delete from access_tokens where id in (
      select id from access_tokens where expires_at < now() - interval '30 days' limit ${batch})`
}

function removeEmailChanges(db: Db) {
  return db`
    delete from email_changes where user_id in (
      select user_id from email_changes where expires_at < now() limit ${batch})`
}
