import type { Db } from '../../core/database.ts'
import type { JobQueue } from '../../core/jobs.ts'
import { removeExpired } from './queries.ts'

/** What accounts need done by the clock. */
export function accountsQueues(db: Db): JobQueue<object>[] {
  return [
    {
      name: 'remove-expired',
      retries: 3,
      seconds: 600,
      cron: '23 3 * * *',
      concurrency: 1,
      work: async () => {
        await removeExpired(db)
      },
    },
  ]
}
