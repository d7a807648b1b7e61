import type { Sql } from '../../../core/database/database.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import { syncOwnerNameJob } from '../../../shared/profile-visibility.ts'
import { syncOwnerName } from './sync-owner-name.ts'

/** Returns the jobs of profiles. */
export function profileQueues(db: Sql): JobQueue<{ user_id: number }>[] {
  return [
    {
      ...syncOwnerNameJob,
      changesResponses: true,
      retries: 5,
      seconds: 600,
      concurrency: 1,
      work: ({ user_id }) => syncOwnerName(db, user_id),
    },
  ]
}
