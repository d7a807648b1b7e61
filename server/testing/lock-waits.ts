import type { Sql } from '../core/database/database.ts'

/** Returns how many connections to the test's database wait for a lock that another connection holds. */
export async function countLockWaits(db: Sql): Promise<number> {
  const [{ count }] = await db<[{ count: number }]>`
    select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return count
}
