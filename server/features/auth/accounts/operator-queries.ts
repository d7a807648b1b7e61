import type { Db, Sql } from '../../../core/database/database.ts'
import { createUser, type NewUser } from './queries.ts'

/** Actions on accounts on the command line. In the audit log the actor is 'operator'. */
export type OperatorAction =
  | 'promote'
  | 'make-owner'
  | 'demote'
  | 'ban'
  | 'unban'
  | 'verify'
  | 'unverify'
  | 'remove-second-factor'

/** The rights of a new account. */
export interface NewUserRights {
  is_moderator: boolean
  is_owner: boolean
  is_verified: boolean
}

/**
 * Creates an account with rights, whose address counts as confirmed, and records it in the audit log.
 * @returns null if the username or the address is taken
 */
export async function createUserWithRights(
  db: Sql,
  user: NewUser,
  rights: NewUserRights,
): Promise<{ username: string } | null> {
  return db.begin(async (tx) => {
    const created = await createUser(tx, { ...user, is_email_confirmed: true })
    if (created === null) return null
    await tx`update users set ${tx({ ...rights })} where id = ${created.id}`
    await tx`
      insert into audit_log (actor_name, action, target_kind, target_id, after)
      values ('operator', 'create-user', 'user', ${created.id}, ${tx.json(rights)})`
    return created
  })
}

/** Returns whether a statement was refused because it would remove the last owner (last_owner_stays() in owners.sql). */
export function isLastOwnerError(error: unknown): boolean {
  return (error as { constraint?: string } | null)?.constraint === 'last_owner_stays'
}

/**
 * Applies an operator's action to an account and records it in the audit log. A ban ends sessions and tokens;
 * `remove-second-factor` deletes authenticator, passkeys and recovery codes of a user who lost them.
 * @returns null if no account has that username
 * @throws the error of isLastOwnerError()
 */
export async function applyOperatorAction(
  db: Db,
  action: OperatorAction,
  username: string,
): Promise<{ id: number; username: string } | null> {
  const [user] = await db<{ id: number; username: string }[]>`
    with before as (
      select id, username, is_moderator, is_owner, is_verified, banned_at from users
       where lower(username) = lower(${username}) and closed_at is null for update
    ), changed as (
      update users u
         set is_moderator = case when ${action} in ('promote', 'make-owner') then true
                                 when ${action} = 'demote' then false else u.is_moderator end,
             is_owner = case ${action} when 'make-owner' then true when 'demote' then false else u.is_owner end,
             is_verified = case ${action} when 'verify' then true when 'unverify' then false else u.is_verified end,
             device_generation = u.device_generation + (${action} = 'ban')::int,
             banned_at = case ${action} when 'ban' then coalesce(u.banned_at, now()) when 'unban' then null
                                        else u.banned_at end
        from before where u.id = before.id
      returning u.id, u.is_moderator, u.is_owner, u.is_verified, u.banned_at
    ), ended as (
      update sessions set ended_at = now(), expires_at = least(expires_at, now())
       where ${action} = 'ban' and ended_at is null and user_id = (select id from before)
    ), no_tokens as (
      delete from access_tokens where ${action} = 'ban' and user_id = (select id from before)
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
             jsonb_build_object('is_moderator', before.is_moderator, 'is_owner', before.is_owner, 'is_verified', before.is_verified,
                                'banned_at', before.banned_at),
             jsonb_build_object('is_moderator', changed.is_moderator, 'is_owner', changed.is_owner, 'is_verified', changed.is_verified,
                                'banned_at', changed.banned_at)
        from before join changed using (id)
    )
    select id, username from before`
  return user ?? null
}

/**
 * Ends the sessions of one user, or of all users if `username` is null, and records it in the audit log.
 * @returns the number of sessions that were open, or null if no account has that username
 */
export async function endAllSessions(db: Db, username: string | null): Promise<number | null> {
  const [row] = await db<[{ is_known: boolean; count: number }]>`
    with targets as (
      select id from users
       where ${username}::text is null or (lower(username) = lower(${username}) and closed_at is null)
    ), ended as (
      update sessions set ended_at = now(), expires_at = now()
       where ended_at is null and expires_at > now() and user_id in (select id from targets)
      returning user_id
    ), untrusted as (
      update users set device_generation = device_generation + 1 where id in (select user_id from ended)
    ), logged as (
      insert into audit_log (actor_name, action, target_kind, target_id)
      select distinct 'operator', 'end-sessions', 'user', user_id from ended
    )
    select ${username}::text is null or exists (select from targets) as is_known, (select count(*) from ended) as count`
  return row.is_known ? row.count : null
}
