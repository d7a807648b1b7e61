import Rss from 'lucide-react/icons/rss'
import { iconButtonClass } from '../../ui/button.tsx'

/** An icon that leads to a feed. */
export function FeedLink({ address, className = '' }: { address: string; className?: string }) {
  return (
    <a href={address} aria-label="Feed" title="Feed" className={iconButtonClass('plain', 'md', className)}>
      <Rss className="size-4" />
    </a>
  )
}
