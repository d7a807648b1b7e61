import type { JobQueue } from '../../core/database/jobs.ts'
import type { Deps } from '../../core/deps.ts'
import { extractionsQueue } from './extracted-facts.ts'
import { mergeVideosQueue } from './merge/jobs.ts'
import { removeUnusedQueue } from './remove-unused.ts'
import { replaceLinksQueue } from './replace-link/jobs.ts'
import { tagQueues } from './tags/jobs.ts'
import { thumbnailQueues } from './thumbnails/jobs.ts'
import { purgeTrashQueue } from './trash/jobs.ts'
import { syncUploadersQueue } from './uploader-sync.ts'

/** Returns the jobs of bookmarks. */
// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function bookmarkQueues(deps: Deps): JobQueue<any>[] {
  return [
    purgeTrashQueue(deps.db),
    extractionsQueue(deps.db),
    removeUnusedQueue(deps.db),
    mergeVideosQueue(deps),
    replaceLinksQueue(deps),
    syncUploadersQueue(deps.db),
    ...thumbnailQueues(deps),
    ...tagQueues(deps.db),
  ]
}
