import type { Pin } from '@reelmark/contract/pins.ts'
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import { Link } from '@tanstack/react-router'
import FolderHeart from 'lucide-react/icons/folder-heart'
import { useAdultConsent } from '../../../shared/adult/adult-consent.ts'
import { PrivateMark } from '../../../shared/private-mark.tsx'
import { ThumbnailMarks } from '../../../shared/thumbnail-marks.tsx'
import { ContainerCover } from '../../collections/public-api.ts'
import { pinCover, pinTitle } from './pin.ts'

/**
 * What is pinned to a profile, in one row of cards, which are small on phones. Adult bookmarks are left out until age is
 * confirmed, except for the owner, who sees them concealed as in lists.
 */
export function PinnedShelf({ pins, isOwn }: { pins: readonly Pin[]; isOwn: boolean }) {
  const consent = useAdultConsent()
  const shown = pins.filter((pin) => isOwn || consent || !isAdultBookmark(pin))
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="pinned" className="mt-1 sm:mt-6">
      <h2 id="pinned" className="sr-only">
        Pinned
      </h2>
      <ul className="card-shelf pinned-shelf">
        {shown.map((pin, index) => (
          <li key={`${pin.kind} ${pin.id}`}>
            <article className="group relative">
              <ContainerCover cover={pinCover(pin)} name={pin.title} eager={index < 4} />
              <span className="thumbnail-marks transition-opacity max-sm:inset-x-0 max-sm:top-0 max-sm:max-w-16">
                <ThumbnailMarks {...pin} />
              </span>
              <h3 className="mt-2 line-clamp-2 text-14 font-medium text-ink">
                <Link
                  to={pin.kind === 'bookmark' ? '/bookmarks/$id' : '/collections/$id'}
                  params={{ id: String(pin.id) }}
                  className="outline-none after:absolute after:inset-0 after:rounded-card group-hover:underline group-hover:decoration-line-strong group-hover:underline-offset-4 focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus"
                >
                  {pinTitle(pin)}
                </Link>
              </h3>
              {(pin.kind === 'collection' || !pin.is_public) && (
                <p className="mt-0.5 flex items-center gap-1.5 text-13 text-quiet">
                  {!pin.is_public && <PrivateMark />}
                  {pin.kind === 'collection' && (
                    <>
                      <FolderHeart className="size-3.5" />
                      Collection
                    </>
                  )}
                </p>
              )}
            </article>
          </li>
        ))}
      </ul>
    </section>
  )
}

function isAdultBookmark({ kind, images: [image] }: Pin): boolean {
  return kind === 'bookmark' && image !== undefined && isAdult(image.orientation)
}
