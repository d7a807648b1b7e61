import Rss from 'lucide-react/icons/rss'
import { useEffect } from 'react'
import { iconButtonClass } from '../../ui/button.tsx'
import { feedAddress, feedLinks } from './feed-links.ts'

/** An icon that leads to the feed of a page, which feed readers also find in the head. */
export function FeedLink({ page, className = '' }: { page: string; className?: string }) {
  useFeedLinks(page)
  return (
    <a
      href={feedAddress(page, 'atom')}
      aria-label="Feed"
      title="Feed"
      className={iconButtonClass('plain', 'md', className)}
    >
      <Rss className="size-4" />
    </a>
  )
}

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
