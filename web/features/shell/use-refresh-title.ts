import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** The tab's title is made of what a route's loader has: where what is shown was renamed since, that is asked anew. */
export function useRefreshTitle(routeId: string, isRenamed: boolean): void {
  const router = useRouter()
  useEffect(() => {
    if (isRenamed) void router.invalidate({ filter: (match) => match.routeId === routeId })
  }, [routeId, isRenamed, router])
}
