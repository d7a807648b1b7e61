import { isHttpUrl } from '@reelmark/contract/protocol/parse-url.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Notice } from '../../../ui/notice.tsx'
import { pluralise } from '../../../ui/pluralise.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { type Destination, destinationName } from '../destination/destination.ts'
import { savesByUrlQuery } from './queries.ts'
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

/**
 * Shows while the user types a link whether they or other users have saved its video. Saving stays possible. The texts of
 * other users are not shown, and the bookmark that is saved contains only the user's own.
 */
export function AlreadySavedNotice({ url, destination = null, className = '' }: AlreadySavedNoticeProps) {
  const link = useDebouncedValue(url.trim(), 400)
  const isLink = isHttpUrl(link)
  const { data } = useQuery({ ...savesByUrlQuery(link), enabled: isLink })
  if (!isLink || data === undefined) return null
  const { bookmarks, others } = data
  if (bookmarks.length === 0)
    return others === null ? null : <SavedByOthers {...others} className={className} />
  const isHere = bookmarks.some(
    ({ collection, channel }) =>
      collection.id === destination?.collection && (channel?.id ?? null) === destination.channel,
  )
  return (
    <Notice tone="info" polite title="Already in your bookmarks" className={className}>
      <ul className="flex flex-col gap-1">
        {bookmarks.slice(0, maxListed).map(({ id, title, collection, channel, is_public, created_at }) => (
          <li key={id} className="wrap-anywhere text-quiet">
            <Link to={`/bookmarks/${id}` as string} className={inlineLinkClass}>
              {title}
            </Link>{' '}
            in {destinationName(collection, channel)}
            {is_public ? '' : ', private'}, <RelativeTime time={created_at} />
          </li>
        ))}
      </ul>
      {bookmarks.length > maxListed && (
        <p className="text-quiet">
          And {bookmarks.length - maxListed} more{' '}
          {bookmarks.length - maxListed === 1 ? 'collection' : 'collections'}.
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

function SavedByOthers({
  saves_count,
  bookmark_id,
  className,
}: {
  saves_count: number
  bookmark_id: number
  className: string
}) {
  return (
    <Notice tone="info" polite title="Already on this site" className={className}>
      <p className="text-quiet">
        {pluralise(saves_count, 'other user')} saved this video.{' '}
        <Link to={`/bookmarks/${bookmark_id}` as string} className={inlineLinkClass}>
          View it
        </Link>
      </p>
    </Notice>
  )
}
