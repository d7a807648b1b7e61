import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAdultConsent } from '../../shared/adult/adult-consent.ts'

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
    const unmounted = new AbortController()
    const preload = async () => {
      const { preloadPage } = await import('./preload-page.ts')
      await preloadPage(client, next, { consent, signal: unmounted.signal })
    }
    // Without a connection nothing is preloaded. Safari has no requestIdleCallback.
    const timer = setTimeout(() => void preload().catch(() => undefined), 1_200)
    return () => {
      unmounted.abort()
      clearTimeout(timer)
    }
  }, [client, key, consent])
}
