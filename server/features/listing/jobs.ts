import type { Sql } from '../../core/database/database.ts'
import type { JobQueue } from '../../core/database/jobs.ts'
import { recountLongLists } from './long-lists.ts'
import { recountListing } from './queries.ts'

/** Scheduled jobs for lists. */
export function listingQueues(db: Sql): JobQueue<object>[] {
  return [
    {
      name: 'recount-listing',
      retries: 0,
      seconds: 240,
      cron: '*/5 * * * *',
      concurrency: 1,
      work: () => recountListing(db),
    },
    {
      name: 'recount-long-lists',
      retries: 0,
      seconds: 240,
      cron: '41 * * * *',
      concurrency: 1,
      work: () => recountLongLists(db),
    },
  ]
}
