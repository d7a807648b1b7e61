import type { ListingItem } from '@reelmark/contract/listing.ts'
import { Link } from '@tanstack/react-router'
import Play from 'lucide-react/icons/play'
import { buttonClass } from '../../../ui/button.tsx'
import type { PlayContext } from './play-queue.ts'

/** A link that plays a channel or collection from its first bookmark. */
export function PlayAll({
  first,
  container,
}: {
  first: Pick<ListingItem, 'id'> | undefined
  container: PlayContext
}) {
  if (first === undefined) return null
  return (
    <Link
      to="/bookmarks/$id"
      params={{ id: String(first.id) }}
      search={container}
      className={buttonClass('accent')}
    >
      <Play className="size-4 fill-current" />
      Play all
    </Link>
  )
}
