import type { JobQueue } from '../../core/database/jobs.ts'
import type { Deps } from '../../core/deps.ts'
import { announceFeeds } from './feeds/announce-feeds.ts'
import { recountLongLists } from './long-lists.ts'
import { recountListing } from './queries.ts'
import { selectPopularBookmarks } from './search-ranking.ts'
import { purgeSmartCollections } from './smart-collections/queries.ts'
import { storeAnchors, storeOrderAnchors } from './store-anchors.ts'

/** Scheduled jobs for lists. */
export function listingQueues(deps: Pick<Deps, 'db' | 'log' | 'outbound' | 'settings'>): JobQueue<object>[] {
  const { db } = deps
  return [
    {
      name: 'announce-feeds',
      retries: 0,
      seconds: 50,
      cron: '* * * * *',
      concurrency: 1,
      work: () => announceFeeds(deps),
    },
    {
      name: 'recount-listing',
      changesResponses: true,
      retries: 0,
      seconds: 240,
      cron: '*/5 * * * *',
      concurrency: 1,
      work: () => recountListing(db),
    },
    {
      name: 'purge-smart-collections',
      retries: 3,
      seconds: 240,
      cron: '43 3 * * *',
      concurrency: 1,
      work: () => purgeSmartCollections(db),
    },
    {
      name: 'recount-long-lists',
      changesResponses: true,
      retries: 0,
      seconds: 240,
      cron: '41 * * * *',
      concurrency: 1,
      work: () => recountLongLists(db),
    },
    {
      name: 'store-page-anchors',
      retries: 0,
      seconds: 900,
      cron: '47 * * * *',
      concurrency: 1,
      work: () => storeAnchors(db),
    },
    {
      name: 'store-order-anchors',
      retries: 0,
      seconds: 3600,
      cron: '17 3 * * *',
      concurrency: 1,
      work: () => storeOrderAnchors(db),
    },
    {
      name: 'select-popular-bookmarks',
      retries: 0,
      seconds: 240,
      cron: '11 * * * *',
      concurrency: 1,
      work: () => selectPopularBookmarks(db),
    },
  ]
}
