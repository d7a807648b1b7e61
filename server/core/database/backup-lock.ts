/** Stops the deletion of pictures while a backup copies them, so that every restored row finds its picture. */
import type { Db } from './database.ts'

/** An arbitrary number, the same in every version of the program. */
const backupLock = 5_271_983_061

/** Announces a backup until the transaction ends. Waits for another backup. */
export async function announceBackup(tx: Db): Promise<void> {
  await tx`select pg_advisory_xact_lock(${backupLock})`
}

/** Returns whether a backup is running. */
export async function isBackupRunning(db: Db): Promise<boolean> {
  const [{ is_running }] = await db<[{ is_running: boolean }]>`
    select not pg_try_advisory_xact_lock_shared(${backupLock}) as is_running`
  return is_running
}
