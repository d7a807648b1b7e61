import Rss from 'lucide-react/icons/rss'
import { iconButtonClass } from '../../ui/button.tsx'
import { feedAddress } from './feed-links.ts'
import { useFeedLinks } from './use-feed-links.ts'

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
