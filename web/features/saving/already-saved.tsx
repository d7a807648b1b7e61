import { isHttpUrl } from '@reelmark/contract/fields.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import type { Place } from './place.ts'
import { savedQuery } from './queries.ts'
import { inlineLink } from './save-failed.tsx'

/** So many are named; whoever keeps a video in more places knows. */
const named = 3

interface AlreadySavedProps {
  /** As it is typed. */
  url: string
  /** Where it is about to go; null where that is not chosen yet. */
  place?: Place | null
  className?: string
}

/** Tells, while a link is typed, where one keeps its video already. It stands in nobody's way. */
export function AlreadySaved({ url, place = null, className = '' }: AlreadySavedProps) {
  const link = useSettled(url.trim(), 400)
  const isLink = isHttpUrl(link)
  const { data = [] } = useQuery({ ...savedQuery(link), enabled: isLink })
  if (!isLink || data.length === 0) return null
  const isHere = data.some(
    ({ collection, channel }) =>
      collection.id === place?.collection && (channel?.id ?? null) === place.channel,
  )
  return (
    <Notice tone="info" polite title="Already in your bookmarks" className={className}>
      <ul className="flex flex-col gap-1">
        {data.slice(0, named).map(({ id, title, collection, channel, is_public, created_at }) => (
          <li key={id} className="wrap-anywhere text-quiet">
            <Link to={`/bookmarks/${id}` as string} className={inlineLink}>
              {title}
            </Link>{' '}
            in {channel === null ? collection.name : `${collection.name} / ${channel.name}`}
            {is_public ? '' : ', private'}, <RelativeTime time={created_at} />
          </li>
        ))}
      </ul>
      {data.length > named && (
        <p className="text-quiet">
          And {data.length - named} more {data.length - named === 1 ? 'collection' : 'collections'}.
        </p>
      )}
      <p className="text-quiet">
        {isHere
          ? "It's already in this collection. Choose a different one to save it again."
          : 'You can also save it to another collection.'}
      </p>
    </Notice>
  )
}
