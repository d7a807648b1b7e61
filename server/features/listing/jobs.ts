import type { Sql } from '../../core/database.ts'
import type { JobQueue } from '../../core/jobs.ts'
import { recount } from './queries.ts'

/** What lists need done by the clock. */
export function listingQueues(db: Sql): JobQueue<object>[] {
  return [
    {
      name: 'recount-listing',
      retries: 0,
      seconds: 240,
      cron: '*/5 * * * *',
      concurrency: 1,
      work: () => recount(db),
    },
  ]
}
