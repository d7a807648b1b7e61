import type { ListingItem } from '@reelmark/contract/listing.ts'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import Lock from 'lucide-react/icons/lock'
import { type ComponentType, memo, useState } from 'react'
import { useIsAdultCovered } from '../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../shared/adult/adult-cover.tsx'
import { clockDuration } from '../../ui/duration.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ThumbnailFrame } from '../../ui/thumbnail-frame.tsx'
import { useLongPress } from '../../ui/use-long-press.ts'
import type { PlayContext } from '../videos/public-api.ts'
import type { CardActionsProps } from './card-actions.tsx'
import type { CardDialogName } from './card-dialogs.tsx'
import { CardLink } from './card-link.tsx'

interface VideoCardProps {
  item: ListingItem
  /** Where it is played from, with what else is there. */
  from?: PlayContext | undefined
  /** In the first row, where the picture is loaded first. */
  eager?: boolean
  /** Null until somebody came near. */
  Actions: ComponentType<CardActionsProps> | null
  onPointerNear: () => void
  onOpenDialog: (item: ListingItem, question: CardDialogName) => void
}

/**
 * A bookmark as a card: one link that covers it all. What can be done lies on the picture while the mouse or the focus is
 * on the card; fingers find it behind a button, or by holding the card.
 */
export const VideoCard = memo(function VideoCard({
  item,
  from,
  eager = false,
  Actions,
  onPointerNear,
  onOpenDialog,
}: VideoCardProps) {
  const covered = useIsAdultCovered(item.orientation)
  const [near, setNear] = useState(false)
  const title = item.title || 'Untitled Bookmark'
  const come = () => {
    setNear(true)
    onPointerNear()
  }
  return (
    <article
      className="group relative pointer-coarse:select-none pointer-coarse:[-webkit-touch-callout:none]"
      onPointerEnter={({ pointerType }) => pointerType !== 'touch' && come()}
      onFocus={come}
      {...useLongPress(() => onOpenDialog(item, 'menu'))}
    >
      <ThumbnailFrame
        src={covered ? null : item.thumbnail_url}
        title={item.title}
        contained={item.shape === 'portrait' || item.shape === 'square'}
        eager={eager}
        className="rounded-card"
      >
        {covered && <AdultCover title={item.title} />}
        <span className="absolute inset-x-2 bottom-2 flex justify-end gap-1 text-12 text-picture-ink">
          <span className="truncate rounded-chip bg-picture-shade px-2 py-0.5 opacity-0 transition-opacity group-has-focus-visible:opacity-100 group-hover:opacity-100">
            {item.host}
          </span>
          {item.duration !== null && (
            <span className="shrink-0 rounded-chip bg-picture-shade px-1.5 py-0.5 font-medium tabular-nums">
              <span className="sr-only">Duration </span>
              {clockDuration(item.duration)}
            </span>
          )}
        </span>
      </ThumbnailFrame>
      <h3 className="mt-3 line-clamp-2 text-14 font-medium text-ink sm:text-16 sm:leading-[22px]">
        <CardLink
          id={item.id}
          from={from}
          className="outline-none after:absolute after:inset-0 after:rounded-card group-hover:underline group-hover:decoration-line-strong group-hover:underline-offset-4 focus-visible:after:outline-2 focus-visible:after:outline-offset-4 focus-visible:after:outline-focus"
        >
          {title}
        </CardLink>
      </h3>
      {near && Actions !== null && <Actions item={item} onCollect={() => onOpenDialog(item, 'collect')} />}
      {/* Two columns on a phone have no room for both in one line. */}
      <div className="mt-1 flex items-center gap-1.5 text-13 text-quiet max-sm:flex-col max-sm:items-start max-sm:gap-0 pointer-coarse:pr-8">
        <p className="flex max-w-full min-w-0 items-center gap-1.5">
          {!item.is_public && <Lock role="img" aria-label="Private" className="size-3.5 shrink-0" />}
          <span className="truncate">{item.user_username || 'Unknown User'}</span>
        </p>
        <span aria-hidden="true" className="max-sm:hidden">
          ·
        </span>
        <p className="shrink-0">
          <RelativeTime time={item.created_at} />
        </p>
      </div>
      <button
        type="button"
        aria-label={`Actions for ${title}`}
        aria-haspopup="dialog"
        className="absolute -right-3 -bottom-3 hidden size-11 items-center justify-center rounded-control text-quiet pointer-coarse:flex"
        onClick={() => onOpenDialog(item, 'menu')}
      >
        <EllipsisVertical className="size-5" />
      </button>
    </article>
  )
})
