import type { ListingItem } from '@reelmark/contract/listing.ts'
import Check from 'lucide-react/icons/check'
import { type ComponentProps, useId } from 'react'
import { useIsAdultCovered } from '../../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../../shared/adult/adult-cover.tsx'
import { PrivateMark } from '../../../shared/private-mark.tsx'
import { ThumbnailMarks } from '../../../shared/thumbnail-marks.tsx'
import { clockDuration } from '../../../ui/duration.ts'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { ThumbnailFrame } from '../../../ui/thumbnail-frame.tsx'

/** A card to select a bookmark. One checkbox covers it, so that the browser reports Shift with a click. */
export function SelectableCard({
  item,
  checkboxProps,
}: {
  item: ListingItem
  checkboxProps: ComponentProps<'input'>
}) {
  const isCovered = useIsAdultCovered(item.orientation)
  const id = useId()
  return (
    <article draggable data-bookmark={item.id} className="group relative select-none">
      <ThumbnailFrame
        src={isCovered ? null : item.thumbnail_url}
        title={item.title}
        shape={item.shape}
        className="rounded-card group-has-checked:after:absolute group-has-checked:after:inset-0 group-has-checked:after:rounded-card group-has-checked:after:border-4 group-has-checked:after:border-accent"
      >
        {isCovered && <AdultCover title={item.title} />}
        <span
          aria-hidden="true"
          className="absolute top-3 left-3 z-1 flex size-7 items-center justify-center rounded-chip border-2 border-picture-ink bg-picture-shade/45 text-transparent group-has-checked:border-accent group-has-checked:bg-accent group-has-checked:text-accent-text"
        >
          <Check className="size-5 stroke-3" />
        </span>
        <span id={`${id}-marks`} className="absolute top-3 right-2 flex gap-1">
          <ThumbnailMarks {...item} />
        </span>
        {item.duration !== null && (
          <span className="absolute right-2 bottom-2 rounded-chip bg-picture-shade px-1.5 py-0.5 text-12 font-medium text-picture-ink tabular-nums">
            {clockDuration(item.duration)}
          </span>
        )}
      </ThumbnailFrame>
      <h3 id={id} className="mt-3 line-clamp-2 text-14 font-medium text-ink sm:text-16 sm:leading-[1.375rem]">
        {item.title || 'Untitled Bookmark'}
      </h3>
      <div
        id={`${id}-facts`}
        className="mt-1 flex items-center gap-1.5 text-13 text-quiet max-sm:flex-col max-sm:items-start max-sm:gap-0"
      >
        <p className="flex max-w-full min-w-0 items-center gap-1.5">
          {!item.is_public && <PrivateMark />}
          <span className="truncate">{item.host}</span>
        </p>
        <span aria-hidden="true" className="max-sm:hidden">
          ·
        </span>
        <p className="shrink-0">
          <RelativeTime time={item.created_at} />
        </p>
      </div>
      <input
        {...checkboxProps}
        aria-labelledby={id}
        aria-describedby={`${id}-marks ${id}-facts`}
        className="absolute inset-0 z-2 size-full scroll-mt-24 scroll-mb-36 cursor-pointer appearance-none rounded-card bg-transparent focus-visible:outline-2 focus-visible:outline-offset-4 focus-visible:outline-focus"
      />
    </article>
  )
}
