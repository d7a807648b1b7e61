/** Times inside JSON that PostgreSQL makes, as the driver writes those outside. */
import type { Db, Fragment } from './database.ts'

/** A timestamptz as ISO 8601 in UTC, to the millisecond: '2026-11-21T17:00:00.000Z'. */
export function jsonTimestamp(db: Db, time: Fragment): Fragment {
  return db`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
