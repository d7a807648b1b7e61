/** Queries for authenticator apps. The user is locked first, to prevent deadlocks. */
import type { Db, TransactionSql } from '../../../core/database/database.ts'

/** Locks a user for a login. Changes to the account wait for the lock, other logins do not. */
export async function lockUserForLogin(tx: TransactionSql, id: number): Promise<void> {
  await tx`select from users where id = ${id} for share`
}

/** Stores the secret of a new app, also in place of an unconfirmed one. Returns false if an app is set up. */
export async function beginAuthenticator(db: Db, userId: number, encryptedSecret: Buffer): Promise<boolean> {
  const begun = await db`
    insert into authenticators as a (user_id, secret) values (${userId}, ${encryptedSecret})
    on conflict (user_id) do update set secret = excluded.secret, created_at = now()
     where a.confirmed_at is null
    returning user_id`
  return begun.count === 1
}

/** Returns the encrypted secret of a user's app: the one that is set up, or the one that was begun. */
export async function findAuthenticator(
  db: Db,
  userId: number,
  state: 'set up' | 'begun',
): Promise<Buffer | null> {
  const [found] = await db<{ secret: Buffer }[]>`
    select secret from authenticators
     where user_id = ${userId} and (confirmed_at is not null) = ${state === 'set up'}`
  return found?.secret ?? null
}

/**
 * Marks the code of a time step and all earlier ones as used. Returns false if it was; of concurrent calls one
 * succeeds.
 */
export async function consumeTotpStep(tx: TransactionSql, userId: number, step: number): Promise<boolean> {
  const updated = await tx`
    update authenticators set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
     where user_id = ${userId} and last_step < ${step}
    returning user_id`
  return updated.count === 1
}

/** Deletes the app that is set up. Returns false if no app is set up; an unconfirmed app does not count. */
export async function deleteAuthenticator(tx: TransactionSql, userId: number): Promise<boolean> {
  const deleted = await tx`
    delete from authenticators where user_id = ${userId} and confirmed_at is not null returning user_id`
  return deleted.count === 1
}
