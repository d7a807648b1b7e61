/** Queries for accounts. */
import type { Registration } from '@reelmark/contract/accounts.ts'
import type { Db } from '../../../core/database/database.ts'
import { selectNamedUser } from '../../../shared/usernames.ts'

export interface NewUser {
  username: string
  email: string
  /** Null for users who sign in without a password. */
  password_hash: string | null
  /** Whether the address was proven before: by an identity provider, or because an operator entered it. */
  is_email_confirmed?: boolean
}

export interface Conflicts {
  username: boolean
  email: boolean
}

/** Returns whether a username is taken, also as a former one, whatever the case. Usernames are public. */
export async function isUsernameTaken(db: Db, username: string): Promise<boolean> {
  const [{ taken }] = await db<[{ taken: boolean }]>`
    select ${selectNamedUser(db, username)} is not null as taken`
  return taken
}

/**
 * Returns which of username and e-mail address are taken, whatever the case; an address is taken if an account confirmed
 * it. Only for users who have proven that the address is theirs, and for operators: others must not learn it.
 */
export async function findConflicts(
  db: Db,
  { username, email }: Pick<Registration, 'username' | 'email'>,
): Promise<Conflicts> {
  const [taken] = await db<[Conflicts]>`
    select ${selectNamedUser(db, username)} is not null as username,
           exists (select from users
                    where lower(email) = lower(${email}) and email_confirmed_at is not null) as email`
  return taken
}

/**
 * Creates a user with the collection 'My Vault' and the channel 'General' in it, so that the first save needs no setup.
 * Returns null if the username is taken, also by a concurrent registration or as a former one, or if the address is
 * confirmed and taken.
 */
export async function createUser(
  db: Db,
  { username, email, password_hash, is_email_confirmed = false }: NewUser,
): Promise<{ id: number; username: string; email: string } | null> {
  const insert = (inner: Db) => inner<{ id: number; username: string; email: string }[]>`
    with new_user as (
      insert into users (username, email, password_hash, email_confirmed_at)
      values (${username}, ${email}, ${password_hash}, case when ${is_email_confirmed} then now() end)
      on conflict do nothing
      returning id, username, email
    ), vault as (
      insert into collections (user_id, name) select id, 'My Vault' from new_user returning id
    ), channel as (
      insert into channels (collection_id, name) select id, 'General' from vault
    )
    select * from new_user`
  // The savepoint lets a transaction continue after the error of a former username.
  const insertion = 'savepoint' in db ? db.savepoint(async (inner) => insert(inner)) : insert(db)
  const [user] = await insertion.catch((error: unknown) => {
    if (isUsernameTakenError(error)) return []
    throw error
  })
  return user ?? null
}

/** Returns whether a statement was refused because a username is taken, also as a former one (functions/usernames.sql). */
export function isUsernameTakenError(error: unknown): boolean {
  const { constraint } = error as { constraint?: string }
  return constraint === 'users_username' || constraint === 'former_usernames_username'
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
 * Finds an account by username or confirmed e-mail address, whatever the case. Usernames contain no @, so at most one
 * matches. Unconfirmed addresses do not count: a user who entered a foreign one could otherwise learn, by logging in with
 * it, whether another account has it.
 */
export async function findLogin(db: Db, name: string): Promise<Login | null> {
  const [login] = await db<Login[]>`
    select id, username, password_hash, banned_at is not null as is_banned, ban_reason
      from users
     where lower(username) = lower(${name}) or (lower(email) = lower(${name}) and email_confirmed_at is not null)`
  return login ?? null
}
