import { isAdult } from '@reelmark/contract/fields.ts'
import type { ListingItem } from '@reelmark/contract/listing.ts'
import { Lock } from 'lucide-react'
import { clockText } from '../../ui/duration.ts'
import { PictureFrame } from '../../ui/picture.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useAdultConsent } from '../adult/consent.ts'
import { Veil } from '../adult/veil.tsx'
import { CardLink } from './card-link.tsx'

/** A bookmark as a card: one link that covers it all. `eager`: in the first row, where the picture is loaded first. */
export function VideoCard({ item, eager = false }: { item: ListingItem; eager?: boolean }) {
  const consent = useAdultConsent()
  const covered = isAdult(item.orientation) && !consent
  return (
    <article className="group relative">
      <PictureFrame
        src={covered ? null : item.thumbnail_url}
        title={item.title}
        contained={item.shape === 'portrait' || item.shape === 'square'}
        eager={eager}
        className="rounded-card"
      >
        {covered && <Veil title={item.title} />}
        <span className="absolute top-2 left-2 max-w-[calc(100%-16px)] truncate rounded-chip bg-picture-shade px-2 py-0.5 text-12 text-picture-ink opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100">
          {item.host}
        </span>
        {item.duration !== null && (
          <span className="absolute right-2 bottom-2 rounded-chip bg-picture-shade px-1.5 py-0.5 text-12 font-medium text-picture-ink tabular-nums">
            <span className="sr-only">Duration </span>
            {clockText(item.duration)}
          </span>
        )}
      </PictureFrame>
      <h3 className="mt-3 line-clamp-2 text-14 font-medium text-ink sm:text-16 sm:leading-[22px]">
        <CardLink
          id={item.id}
          className="outline-none after:absolute after:inset-0 after:rounded-card group-hover:underline group-hover:decoration-line-strong group-hover:underline-offset-4 focus-visible:after:outline-2 focus-visible:after:outline-offset-4 focus-visible:after:outline-focus"
        >
          {item.title || 'Untitled Bookmark'}
        </CardLink>
      </h3>
      <p className="mt-1 flex items-center gap-1.5 text-13 text-quiet">
        {!item.is_public && (
          <Lock role="img" aria-label="Private" className="size-3.5 shrink-0" strokeWidth={1.75} />
        )}
        <span className="truncate">{item.user_username || 'Unknown User'}</span>
        <span aria-hidden="true">·</span>
        <span className="shrink-0">
          <RelativeTime time={item.created_at} />
        </span>
      </p>
    </article>
  )
}
