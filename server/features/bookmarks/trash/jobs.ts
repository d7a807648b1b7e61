import type { Sql } from '../../../core/database/database.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import { purgeExpiredTrash } from './trash-queries.ts'

/** The job that purges the trash every night. */
export function purgeTrashQueue(db: Sql): JobQueue<object> {
  return {
    name: 'purge-expired-trash',
    cron: '41 3 * * *',
    retries: 3,
    seconds: 3600,
    concurrency: 1,
    work: async () => {
      await purgeExpiredTrash(db)
    },
  }
}
