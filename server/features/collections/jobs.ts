import type { Sql } from '../../core/database/database.ts'
import type { JobQueue } from '../../core/database/jobs.ts'
import { recountCollections } from './recount-collections.ts'
import { syncBookmarkVisibility, syncCollectionVisibilityJob } from './visibility-sync.ts'

/** Returns the jobs of collections. */
// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function collectionsQueues(db: Sql): JobQueue<any>[] {
  return [
    {
      ...syncCollectionVisibilityJob,
      changesResponses: true,
      retries: 5,
      seconds: 600,
      concurrency: 1,
      work: ({ collection_id }) => syncBookmarkVisibility(db, collection_id),
    },
    {
      name: 'recount-collections',
      retries: 0,
      seconds: 240,
      cron: '11 * * * *',
      concurrency: 1,
      work: () => recountCollections(db),
    },
  ]
}
