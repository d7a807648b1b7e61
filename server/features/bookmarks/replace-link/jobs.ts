import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { replaceLinksJob } from '../../moderation/public-api.ts'
import { moveReplaced } from './move-replaced.ts'

/** A run ends before the next one begins, which continues. */
const runSeconds = 45

/** Returns the job that moves bookmarks to the links that were agreed on for everyone, and back. */
export function replaceLinksQueue({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): JobQueue<object> {
  return {
    ...replaceLinksJob,
    changesResponses: true,
    cron: '* * * * *',
    retries: 0,
    seconds: 300,
    concurrency: 1,
    work: () => moveReplaced({ db, jobs }, { seconds: runSeconds }),
  }
}
