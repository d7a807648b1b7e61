import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** A line at the window's upper edge while a page is on its way for longer than a moment (ui/base.css). */
export function NavigationProgress() {
  const router = useRouter()
  const [isOnItsWay, setOnItsWay] = useState(false)
  useEffect(() => {
    const stops = [
      router.subscribe('onBeforeLoad', ({ hrefChanged }) => hrefChanged && setOnItsWay(true)),
      router.subscribe('onResolved', () => setOnItsWay(false)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [router])
  return isOnItsWay && <div role="progressbar" aria-label="Loading page" className="navigation-progress" />
}
