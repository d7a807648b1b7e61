/** Queries for accounts and their sessions. */
import type { Registration, Session } from '@reelmark/contract/accounts.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { ClientInfo } from '../../../core/auth/sign-in.ts'
import type { Db } from '../../../core/database/database.ts'

export interface NewUser {
  username: string
  email: string
  /** Null for users who sign in without a password. */
  password_hash: string | null
}

export interface Conflicts {
  username: boolean
  email: boolean
}

/** Returns which of username and e-mail address are taken, whatever the case. */
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
 * Creates a user with the collection 'My Vault' and the channel 'General' in it, so that the first save needs no setup.
 * Returns null if the username or the e-mail address is taken, also by a concurrent registration.
 */
export async function createUser(
  db: Db,
  { username, email, password_hash }: NewUser,
): Promise<{ id: number; username: string; email: string } | null> {
  const [user] = await db<{ id: number; username: string; email: string }[]>`
    with new_user as (
      insert into users (username, email, password_hash) values (${username}, ${email}, ${password_hash})
      on conflict do nothing
      returning id, username, email
    ), vault as (
      insert into collections (user_id, name) select id, 'My Vault' from new_user returning id
    ), channel as (
      insert into channels (collection_id, name) select id, 'General' from vault
    )
    select * from new_user`
  return user ?? null
}

export interface Login {
  id: number
  username: string
  password_hash: string | null
  is_banned: boolean
  /** The reason of a ban, shown to the user at login. */
  ban_reason: string
}

/**
 * Finds an account by username or e-mail address, whatever the case. Usernames contain no @, so at most one matches.
 */
export async function findLogin(db: Db, name: string): Promise<Login | null> {
  const [login] = await db<Login[]>`
    select id, username, password_hash, banned_at is not null as is_banned, ban_reason
      from users where lower(username) = lower(${name}) or lower(email) = lower(${name})`
  return login ?? null
}

/**
 * Exchanges a refresh token, in one statement on one row. Of concurrent calls with the same token one rotates it; the
 * others, and those within 10 seconds, return the same successor. A later use of the token ends the session, because
 * it may have been stolen.
 * @returns the user of the session, or null if it has ended
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

/** Ends a session. Idempotent. */
export async function endSession(db: Db, sessionId: number): Promise<void> {
  await db`
    update sessions set ended_at = now(), expires_at = least(expires_at, now())
     where id = ${sessionId} and ended_at is null`
}

/** Ends one of a user's own sessions. Returns false if it is not theirs or has ended. */
export async function endUserSession(db: Db, userId: number, sessionId: number): Promise<boolean> {
  const updated = await db`
    update sessions set ended_at = now(), expires_at = least(expires_at, now())
     where id = ${sessionId} and user_id = ${userId} and ended_at is null and expires_at > now()
    returning id`
  return updated.count === 1
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

/** Actions on accounts on the command line. In the audit log the actor is 'operator'. */
export type OperatorAction =
  | 'promote'
  | 'demote'
  | 'ban'
  | 'unban'
  | 'verify'
  | 'unverify'
  | 'remove-second-factor'

/**
 * Applies an operator's action to an account and records it in the audit log. A ban ends all sessions;
 * `remove-second-factor` deletes authenticator, passkeys and recovery codes of a user who lost them.
 * @returns null if no account has that username
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

/** Maximum number of rows per statement, which keeps its duration far below the statement timeout. */
const batchSize = 5_000

/**
 * Deletes expired rows: sessions, password resets, tickets, idempotency keys, full rate limit buckets, access tokens a
 * month after their expiry, and unconfirmed e-mail addresses.
 * @returns the number of deleted rows
 */
export async function removeExpired(db: Db): Promise<number> {
  let removed = 0
  for (const deleteBatch of [
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
      count = (await deleteBatch(db)).count
      removed += count
    } while (count === batchSize)
  }
  return removed
}

function removeSessions(db: Db) {
  return db`delete from sessions where id in (select id from sessions where expires_at < now() limit ${batchSize})`
}

/** Deletes them after an hour and not earlier, because they count towards the limit until then. */
function removeResets(db: Db) {
  return db`
    delete from password_resets where id in (
      select id from password_resets
       where created_at < now() - make_interval(secs => ${limits.passwordResetSeconds}) limit ${batchSize})`
}

function removeTickets(db: Db) {
  return db`delete from one_time_tickets where hash in (select hash from one_time_tickets where expires_at < now() limit ${batchSize})`
}

function removeIdempotencyKeys(db: Db) {
  return db`
    delete from idempotency_keys where (user_id, key) in (
      select user_id, key from idempotency_keys
       where created_at < now() - make_interval(secs => ${limits.idempotencyRetentionSeconds}) limit ${batchSize})`
}

function removeBuckets(db: Db) {
  return db`
    delete from rate_limits where key in (
      select key from rate_limits where updated_at < now() - interval '1 day' limit ${batchSize})`
}

/** Expired access tokens stay visible to their owner for a month. */
function removeTokens(db: Db) {
  return db`
    delete from access_tokens where id in (
      select id from access_tokens where expires_at < now() - interval '30 days' limit ${batchSize})`
}

function removeEmailChanges(db: Db) {
  return db`
    delete from email_changes where user_id in (
      select user_id from email_changes where expires_at < now() limit ${batchSize})`
}
