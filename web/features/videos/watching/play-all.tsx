import type { ListingItem, ListingQuery } from '@reelmark/contract/listing.ts'
import { Link, useRouter } from '@tanstack/react-router'
import Play from 'lucide-react/icons/play'
import { buttonClass } from '../../../ui/button.tsx'
import { playContextOf } from './play-context.ts'

/**
 * A link that plays a list from the first video that the viewer has not watched. Without JavaScript, and in a new tab, it
 * leads to the first bookmark.
 */
export function PlayAll({
  first,
  query,
  className = buttonClass('accent'),
}: {
  first: Pick<ListingItem, 'id'> | undefined
  query: ListingQuery
  className?: string
}) {
  const router = useRouter()
  if (first === undefined) return null
  const context = playContextOf(query)
  return (
    <Link
      to="/bookmarks/$id"
      params={{ id: String(first.id) }}
      search={context}
      preload={false}
      className={className}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return
        event.preventDefault()
        void import('./start-playing.ts').then(
          ({ startPlaying }) => startPlaying(router, context, first.id),
          () => router.navigate({ to: '/bookmarks/$id', params: { id: String(first.id) }, search: context }),
        )
      }}
    >
      <Play className="size-4 fill-current" />
      <span>Play all</span>
    </Link>
  )
}
