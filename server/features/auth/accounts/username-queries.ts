/** Queries for changing the username (docs/decisions/0098-changing-usernames.md). */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment, TransactionSql } from '../../../core/database/database.ts'
import { jsonTimestamp } from '../../../core/database/json-timestamp.ts'

/** Selects when users `u` may change their username next, as JSON; null if they may now. */
export function usernameChangeableAt(db: Db): Fragment {
  return db`(select ${jsonTimestamp(db, db`(f.changed_at + make_interval(days => ${limits.usernameChangeDays}))`)}
               from former_usernames f
              where f.user_id = u.id and f.changed_at > now() - make_interval(days => ${limits.usernameChangeDays})
              order by f.changed_at desc limit 1)`
}

export interface UsernameState {
  username: string
  /** Whether the user has the password that was checked. */
  has_password: boolean
  username_changeable_at: string | null
}

/** Returns what a change depends on. The caller has locked the user. */
export async function readUsernameState(
  tx: TransactionSql,
  userId: number,
  passwordHash: string | null,
): Promise<UsernameState | null> {
  const [state] = await tx<UsernameState[]>`
    select u.username, u.password_hash is not distinct from ${passwordHash} as has_password,
           ${usernameChangeableAt(tx)} as username_changeable_at
      from users u where u.id = ${userId}`
  return state ?? null
}

/**
 * Changes a username. The former one still leads to the user, unless only its case changes; the oldest one beyond
 * `limits.formerUsernamesMax` becomes free.
 * @throws the error of isUsernameTakenError()
 */
export async function updateUsername(tx: TransactionSql, userId: number, username: string): Promise<void> {
  await tx`
    with taken_back as (
      delete from former_usernames where user_id = ${userId} and lower(username) = lower(${username})
      returning used_since
    ), given_up as (
      insert into former_usernames (user_id, username, used_since)
      select id, username, coalesce(username_since, created_at) from users
       where id = ${userId} and lower(username) <> lower(${username})
      returning changed_at
    )
    update users
       set username = ${username},
           username_since = case when exists (select from given_up)
             then coalesce((select used_since from taken_back), now()) else username_since end
     where id = ${userId}`
  await tx`
    delete from former_usernames
     where (user_id, changed_at) in (
       select user_id, changed_at from former_usernames where user_id = ${userId}
        order by changed_at desc offset ${limits.formerUsernamesMax})`
}
