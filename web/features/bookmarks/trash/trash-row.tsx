import type { TrashItem } from '@reelmark/contract/bookmark-changes.ts'
import { type ComponentProps, useId } from 'react'
import { useIsAdultCovered } from '../../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../../shared/adult/adult-cover.tsx'
import { ThumbnailMarks } from '../../../shared/thumbnail-marks.tsx'
import { Button } from '../../../ui/button.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { ThumbnailFrame } from '../../../ui/thumbnail-frame.tsx'

interface TrashRowProps {
  item: TrashItem
  checkboxProps: ComponentProps<'input'>
  busy: boolean
  /** Receives the destination's name. */
  onRestore: (destination: string) => void
  onRemove: () => void
}

/** A deleted bookmark: its title, its former destination and the remaining time. */
export function TrashRow({ item, checkboxProps, busy, onRestore, onRemove }: TrashRowProps) {
  const isCovered = useIsAdultCovered(item.orientation)
  const id = useId()
  const { collection, channel } = item
  const destination = channel === null ? collection.name : `${collection.name}, ${channel.name}`
  const title = item.title || 'Untitled Bookmark'
  return (
    <li className="group relative flex flex-wrap items-center gap-x-3 gap-y-2 p-3 has-checked:bg-hover sm:gap-x-4 sm:px-4">
      {/* Covers the row; buttons lie above it. */}
      <input
        {...checkboxProps}
        aria-labelledby={id}
        aria-describedby={`${id}-marks ${id}-facts`}
        className="size-5 shrink-0 scroll-mt-24 scroll-mb-36 cursor-pointer accent-accent outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
      />
      <ThumbnailFrame
        src={isCovered ? null : item.thumbnail_url}
        title={title}
        shape={item.shape}
        className="w-24 shrink-0 rounded-chip sm:w-32"
      >
        {isCovered && <AdultCover title={title} />}
        <span id={`${id}-marks`} className="absolute inset-x-1 top-1 flex flex-wrap gap-1">
          <ThumbnailMarks {...item} />
        </span>
      </ThumbnailFrame>
      <div className="min-w-0 flex-1">
        <h2 id={id} className="line-clamp-2 text-14 font-medium wrap-anywhere text-ink">
          {title}
        </h2>
        <p id={`${id}-facts`} className="mt-0.5 flex flex-wrap gap-x-3 text-13 text-quiet tabular-nums">
          <span className="wrap-anywhere">In {destination}</span>
          <span>
            Deleted <RelativeTime time={item.deleted_at} />
          </span>
          <span className={item.days_left <= 3 ? 'font-medium text-danger' : ''}>
            {daysLeftText(item.days_left)}
          </span>
        </p>
      </div>
      <div className="relative ml-auto flex shrink-0 gap-2 max-sm:w-full max-sm:pl-8 max-sm:*:flex-1">
        <Button
          size="sm"
          disabled={busy}
          aria-label={`Restore ${title}`}
          onClick={() => onRestore(destination)}
        >
          Restore
        </Button>
        <Button
          size="sm"
          tone="quiet"
          disabled={busy}
          aria-haspopup="dialog"
          aria-label={`Delete permanently: ${title}`}
          onClick={onRemove}
        >
          Delete permanently
        </Button>
      </div>
    </li>
  )
}

function daysLeftText(days: number): string {
  if (days === 0) return 'Less than 1 day left'
  return days === 1 ? '1 day left' : `${days} days left`
}
