import type { ListingPage } from '@reelmark/contract/listing.ts'
import type { QueryClient } from '@tanstack/react-query'
import { bookmarkQuery } from './queries.ts'

/**
 * After bookmarks of one's own were changed: lists, counts, collections and what is kept of each for 5 minutes are asked
 * again, at once where they are on screen, else when they are next looked at. `gone` are not there any more: nothing that
 * is kept shows them meanwhile.
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
