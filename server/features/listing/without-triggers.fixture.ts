import type { Sql, TransactionSql } from '../../core/database/database.ts'

/** Writes in a transaction without triggers and foreign keys: for many rows they would take minutes. */
export function withoutTriggers(db: Sql, write: (tx: TransactionSql) => Promise<void>): Promise<void> {
  return db.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await write(tx)
  })
}
