/** Pictures of videos, fetched once, made small, and kept on our own origin. */
import type { JobQueue } from '../../core/jobs.ts'

export const fetchThumbnail = { name: 'fetch-thumbnail' }

// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function bookmarksQueues(): JobQueue<any>[] {
  return [{ ...fetchThumbnail, retries: 5, seconds: 60, concurrency: 2, work: async () => {} }]
}
