import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Reloads a route when its content was renamed, because the title of the tab comes from the route's loader data. */
export function useRefreshTitle(routeId: string, isRenamed: boolean): void {
  const router = useRouter()
  useEffect(() => {
    if (isRenamed) void router.invalidate({ filter: (match) => match.routeId === routeId })
  }, [routeId, isRenamed, router])
}
