/** Stops the deletion of pictures while a backup copies them, so that every restored row finds its picture. */
import type { Db } from './database.ts'

/** An arbitrary number, the same in every version of the program. */
const backupLock = 1_043_926_061

/** Announces a backup until the transaction ends. Does not wait for other backups. */
export async function announceBackup(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${backupLock})`
}

/** Returns whether a backup is running. Reads the lock without taking it, so that no caller mistakes another for a backup. */
export async function isBackupRunning(db: Db): Promise<boolean> {
  const found = await db`
    select from pg_locks
     where locktype = 'advisory' and classid = 0 and objid = ${backupLock}
       and database = (select oid from pg_database where datname = current_database())`
  return found.count > 0
}
