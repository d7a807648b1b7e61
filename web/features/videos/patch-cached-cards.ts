import type { ListingItem, ListingPage, PlayQueue } from '@reelmark/contract/listing.ts'
import type { QueryClient } from '@tanstack/react-query'

/** Puts what became of a video on every card of it, in whatever list or queue. */
export function patchCachedCards(client: QueryClient, videoId: number, change: Partial<ListingItem>): void {
  const patchPage = <Page extends { results: ListingItem[] }>(page: Page | undefined) =>
    page?.results.some((item) => item.video_id === videoId)
      ? {
          ...page,
          results: page.results.map((item) => (item.video_id === videoId ? { ...item, ...change } : item)),
        }
      : page
  client.setQueriesData<ListingPage>({ queryKey: ['videos'] }, patchPage)
  client.setQueriesData<PlayQueue>({ queryKey: ['queue'] }, patchPage)
}
