/** Authenticator apps and recovery codes in SQL. The user's row is locked first, so that none wait in a ring. */
import type { Db, TransactionSql } from '../../../core/database/database.ts'

/** Locks somebody's row for a login: changes wait for it, other logins do not. */
export async function lockUserForLogin(tx: TransactionSql, id: number): Promise<void> {
  await tx`select from users where id = ${id} for share`
}

/** Begins, or begins again; false where one is set up already. */
export async function beginAuthenticator(db: Db, userId: number, sealed: Buffer): Promise<boolean> {
  const begun = await db`
    insert into authenticators as a (user_id, secret) values (${userId}, ${sealed})
    on conflict (user_id) do update set secret = excluded.secret, created_at = now()
     where a.confirmed_at is null
    returning user_id`
  return begun.count === 1
}

/** The sealed secret of somebody's app: of the one that is set up, or of the one that was begun. */
export async function findAuthenticator(
  db: Db,
  userId: number,
  which: 'set up' | 'begun',
): Promise<Buffer | null> {
  const [found] = await db<{ secret: Buffer }[]>`
    select secret from authenticators
     where user_id = ${userId} and (confirmed_at is not null) = ${which === 'set up'}`
  return found?.secret ?? null
}

/** Uses the code of a step, and every one before it, up; false where it is. Of two at once one gets it. */
export async function consumeTotpStep(tx: TransactionSql, userId: number, step: number): Promise<boolean> {
  const taken = await tx`
    update authenticators set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
     where user_id = ${userId} and last_step < ${step}
    returning user_id`
  return taken.count === 1
}

/** False where none is set up; one that was only begun does not count, and is replaced by the next. */
export async function deleteAuthenticator(tx: TransactionSql, userId: number): Promise<boolean> {
  const removed = await tx`
    delete from authenticators where user_id = ${userId} and confirmed_at is not null returning user_id`
  return removed.count === 1
}

/** Uses a recovery code up. Answers how many are left, or null where it is none of theirs. */
export async function consumeRecoveryCode(
  tx: TransactionSql,
  userId: number,
  hash: Buffer,
): Promise<number | null> {
  const spent = await tx`
    delete from recovery_codes where user_id = ${userId} and code_hash = ${hash} returning user_id`
  if (spent.count === 0) return null
  const [{ left }] = await tx<[{ left: number }]>`
    select count(*) as left from recovery_codes where user_id = ${userId}`
  return left
}
