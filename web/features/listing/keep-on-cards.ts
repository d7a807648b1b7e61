import type { ListingItem, ListingPage, Queue } from '@reelmark/contract/listing.ts'
import type { QueryClient } from '@tanstack/react-query'

/** Puts what became of a video on every card of it, in whatever list or queue. */
export function keepOnCards(client: QueryClient, videoId: number, change: Partial<ListingItem>): void {
  const changed = <Page extends { results: ListingItem[] }>(page: Page | undefined) =>
    page?.results.some((item) => item.video_id === videoId)
      ? {
          ...page,
          results: page.results.map((item) => (item.video_id === videoId ? { ...item, ...change } : item)),
        }
      : page
  client.setQueriesData<ListingPage>({ queryKey: ['videos'] }, changed)
  client.setQueriesData<Queue>({ queryKey: ['queue'] }, changed)
}
