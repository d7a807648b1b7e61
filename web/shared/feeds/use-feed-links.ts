import { useEffect } from 'react'
import { feedLinks } from './feed-links.ts'

/**
 * Adds the links to the feeds of a page to its head while the component is mounted, in the place of those that the server wrote.
 * Null for a page without feeds.
 */
export function useFeedLinks(page: string | null): void {
  useEffect(() => {
    if (page === null) return
    const title = document.title.replace(/ · Reelmark$/, '')
    const links = feedLinks(page, title)
    for (const served of document.head.querySelectorAll('link[rel=alternate]')) {
      if (links.some(({ href }) => href === served.getAttribute('href'))) served.remove()
    }
    const elements = links.map((link) => {
      const element = Object.assign(document.createElement('link'), link)
      // Navigation removes only the links of the server (web/features/shell/background-effects.tsx).
      element.dataset.feed = ''
      return element
    })
    document.head.append(...elements)
    return () => {
      for (const element of elements) element.remove()
    }
  }, [page])
}
