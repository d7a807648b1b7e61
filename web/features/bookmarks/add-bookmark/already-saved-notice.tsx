import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Notice } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import type { Destination } from '../destination/destination.ts'
import { ownBookmarksByUrlQuery } from './queries.ts'
import { inlineLinkClass } from './save-failure-notice.tsx'

/** The number of bookmarks listed. */
const maxListed = 3

interface AlreadySavedNoticeProps {
  /** As typed by the user. */
  url: string
  /** The chosen destination; null before one is chosen. */
  destination?: Destination | null
  className?: string
}

/** Lists the viewer's bookmarks of the video while they type its link. Saving stays possible. */
export function AlreadySavedNotice({ url, destination = null, className = '' }: AlreadySavedNoticeProps) {
  const link = useDebouncedValue(url.trim(), 400)
  const isLink = isHttpUrl(link)
  const { data = [] } = useQuery({ ...ownBookmarksByUrlQuery(link), enabled: isLink })
  if (!isLink || data.length === 0) return null
  const isHere = data.some(
    ({ collection, channel }) =>
      collection.id === destination?.collection && (channel?.id ?? null) === destination.channel,
  )
  return (
    <Notice tone="info" polite title="Already in your bookmarks" className={className}>
      <ul className="flex flex-col gap-1">
        {data.slice(0, maxListed).map(({ id, title, collection, channel, is_public, created_at }) => (
          <li key={id} className="wrap-anywhere text-quiet">
            <Link to={`/bookmarks/${id}` as string} className={inlineLinkClass}>
              {title}
            </Link>{' '}
            in {channel === null ? collection.name : `${collection.name} / ${channel.name}`}
            {is_public ? '' : ', private'}, <RelativeTime time={created_at} />
          </li>
        ))}
      </ul>
      {data.length > maxListed && (
        <p className="text-quiet">
          And {data.length - maxListed} more {data.length - maxListed === 1 ? 'collection' : 'collections'}.
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
