/** Timestamps inside JSON built by PostgreSQL, in the same format as the driver's outside of it. */
import type { Db, Fragment } from './database.ts'

/** A timestamptz as ISO 8601 in UTC with milliseconds: '2026-11-21T17:00:00.000Z'. */
export function jsonTimestamp(db: Db, time: Fragment): Fragment {
  return db`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
