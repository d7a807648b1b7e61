import type { Sql } from '../../../core/database/database.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import { recountSfw } from './queries.ts'
import { changeTagsJob, completeTagChange, removeOldTagChanges } from './tag-change-queries.ts'

/** Returns the jobs of tags. */
// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function tagQueues(db: Sql): JobQueue<any>[] {
  return [
    {
      name: 'recount-tags',
      changesResponses: true,
      retries: 0,
      seconds: 240,
      cron: '17 * * * *',
      concurrency: 1,
      work: () => recountSfw(db),
    },
    {
      ...changeTagsJob,
      changesResponses: true,
      retries: 5,
      seconds: 1800,
      concurrency: 2,
      work: ({ tag_change_id }) => completeTagChange(db, tag_change_id),
    },
    {
      name: 'remove-old-tag-changes',
      retries: 3,
      seconds: 600,
      cron: '37 4 * * *',
      concurrency: 1,
      work: () => removeOldTagChanges(db),
    },
  ]
}
