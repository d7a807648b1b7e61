import Rss from 'lucide-react/icons/rss'
import { useEffect } from 'react'
import { iconButtonClass } from '../../ui/button.tsx'

/** The media types of feeds. The server has them of its own: a module of both would be part of first loads. */
const feedTypes = { atom: 'application/atom+xml', rss: 'application/rss+xml', json: 'application/feed+json' }

/** Returns the address of a feed with the same list as a page: `/explore?tag=sea` → `/explore/feed.atom?tag=sea`. */
function feedAddress(page: string, format: string): string {
  const [path, ...query] = page.split('?')
  return [`${path}/feed.${format}`, ...query].join('?')
}

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

/** Adds the links to the feeds of a page to its head while the component is mounted, in the place of those of the server. */
function useFeedLinks(page: string): void {
  useEffect(() => {
    const title = document.title.replace(/ · Reelmark$/, '')
    const elements = Object.entries(feedTypes).map(([format, type]) => {
      const href = feedAddress(page, format)
      for (const served of document.head.querySelectorAll('link[rel=alternate]'))
        if (served.getAttribute('href') === href) served.remove()
      const element = Object.assign(document.createElement('link'), { rel: 'alternate', type, title, href })
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
