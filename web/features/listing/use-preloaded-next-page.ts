import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAdultConsent } from '../../shared/adult/adult-consent.ts'
import { listingQuery } from './queries.ts'

/**
 * Fetches the next page when idle, and the thumbnails of its first 6 cards (docs/behaviour.md, Times and sizes).
 * @param query null if there is no next page.
 */
export function usePreloadedNextPage(query: ListingQuery | null): void {
  const client = useQueryClient()
  const consent = useAdultConsent()
  const key = JSON.stringify(query)
  useEffect(() => {
    const next = JSON.parse(key) as ListingQuery | null
    if (next === null) return
    let isUnmounted = false
    const preload = async () => {
      await client.prefetchQuery(listingQuery(next))
      const page = client.getQueryData(listingQuery(next).queryKey)
      if (isUnmounted || page === undefined) return
      for (const item of page.results.slice(0, limits.preloadedThumbnailsMax)) {
        if (item.thumbnail_url !== null && (consent || !isAdult(item.orientation))) {
          new Image().src = item.thumbnail_url
        }
      }
    }
    // Safari has no requestIdleCallback.
    const timer = setTimeout(() => void preload(), 1_200)
    return () => {
      isUnmounted = true
      clearTimeout(timer)
    }
  }, [client, key, consent])
}
