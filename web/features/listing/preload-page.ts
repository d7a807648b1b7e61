import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { QueryClient } from '@tanstack/react-query'
import { listingQuery } from './queries.ts'

/** Fetches a page of a listing and the thumbnails of its first cards. */
export async function preloadPage(
  client: QueryClient,
  query: ListingQuery,
  { consent, signal }: { consent: boolean; signal: AbortSignal },
): Promise<void> {
  if (signal.aborted) return
  await client.prefetchQuery(listingQuery(query))
  const page = client.getQueryData(listingQuery(query).queryKey)
  if (signal.aborted || page === undefined) return
  for (const item of page.results.slice(0, limits.preloadedThumbnailsMax)) {
    if (item.thumbnail_url !== null && (consent || !isAdult(item.orientation))) {
      new Image().src = item.thumbnail_url
    }
  }
}
