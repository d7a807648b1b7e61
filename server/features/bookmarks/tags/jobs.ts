import type { Sql } from '../../../core/database/database.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import { recountSfw } from './queries.ts'

/** Scheduled jobs for tags. */
export function tagQueues(db: Sql): JobQueue<object>[] {
  return [
    {
      name: 'recount-tags',
      retries: 0,
      seconds: 240,
      cron: '*/5 * * * *',
      concurrency: 1,
      work: () => recountSfw(db),
    },
  ]
}
