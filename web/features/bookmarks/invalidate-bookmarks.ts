import type { ListingPage } from '@reelmark/contract/listing.ts'
import type { QueryClient } from '@tanstack/react-query'
import { bookmarkQuery } from './queries.ts'

/**
 * Invalidates cached lists, counts, collections and bookmarks after the viewer's bookmarks changed. Queries on screen
 * are fetched again immediately, others when they are next used. Bookmarks in `removedIds` are also removed from cached
 * lists.
 */
export function invalidateBookmarks(client: QueryClient, removedIds: Iterable<number> = []): void {
  const ids = new Set(removedIds)
  for (const id of ids) client.removeQueries({ queryKey: bookmarkQuery(id).queryKey })
  client.setQueriesData<ListingPage>({ queryKey: ['videos'] }, (page) => {
    if (!page?.results.some(({ id }) => ids.has(id))) return page
    const results = page.results.filter(({ id }) => !ids.has(id))
    return { ...page, results, count: page.count - (page.results.length - results.length) }
  })
  void client.invalidateQueries()
}
