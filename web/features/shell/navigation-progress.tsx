import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** A progress bar at the top of the window while a page takes more than a moment to load (ui/base.css). */
export function NavigationProgress() {
  const router = useRouter()
  const [isNavigating, setNavigating] = useState(false)
  useEffect(() => {
    const unsubscribes = [
      router.subscribe('onBeforeLoad', ({ hrefChanged }) => hrefChanged && setNavigating(true)),
      router.subscribe('onResolved', () => setNavigating(false)),
    ]
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
    }
  }, [router])
  return isNavigating && <div role="progressbar" aria-label="Loading page" className="navigation-progress" />
}
