import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { failedLoginsQueue } from '../challenge/login-challenge.ts'
import { confirmEmailQueue } from '../email-confirmation/jobs.ts'
import { passwordResetQueue } from '../passwords/jobs.ts'
import { removeExpired } from './cleanup-queries.ts'
import { unfinishedRemovalsQueue } from './remove-account.ts'

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'serverKeys' | 'settings' | 'media'>

/** Returns the jobs of accounts. */
// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function accountQueues(deps: Dependencies): JobQueue<any>[] {
  return [
    confirmEmailQueue(deps),
    failedLoginsQueue(deps),
    unfinishedRemovalsQueue(deps),
    passwordResetQueue(deps),
    {
      name: 'remove-expired',
      retries: 3,
      seconds: 600,
      cron: '23 * * * *',
      concurrency: 1,
      work: async () => {
        await removeExpired(deps.db)
      },
    },
  ]
}
