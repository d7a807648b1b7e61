import type { ListingItem, ListingPage, PlayQueue } from '@reelmark/contract/listing.ts'
import type { QueryClient } from '@tanstack/react-query'

/** Changes all cached cards of a video, in listings and play queues. */
export function patchCachedCards(client: QueryClient, videoId: number, changes: Partial<ListingItem>): void {
  const patchPage = <Page extends { results: ListingItem[] }>(page: Page | undefined) =>
    page?.results.some((item) => item.video_id === videoId)
      ? {
          ...page,
          results: page.results.map((item) => (item.video_id === videoId ? { ...item, ...changes } : item)),
        }
      : page
  client.setQueriesData<ListingPage>({ queryKey: ['videos'] }, patchPage)
  client.setQueriesData<PlayQueue>({ queryKey: ['queue'] }, patchPage)
}
