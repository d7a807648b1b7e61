import type { ListingItem } from '@reelmark/contract/listing.ts'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import { type ComponentType, memo, type ReactNode, useState } from 'react'
import { useIsAdultCovered } from '../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../shared/adult/adult-cover.tsx'
import { PrivateMark } from '../../shared/private-mark.tsx'
import { ThumbnailMarks } from '../../shared/thumbnail-marks.tsx'
import { clockDuration } from '../../ui/duration.ts'
import { pluralise } from '../../ui/pluralise.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ThumbnailFrame } from '../../ui/thumbnail-frame.tsx'
import { useLongPress } from '../../ui/use-long-press.ts'
import type { PlayContext } from '../videos/public-api.ts'
import type { CardActionsProps } from './card-actions.tsx'
import type { CardDialogName } from './card-dialogs.tsx'
import { CardLink } from './card-link.tsx'

interface VideoCardProps {
  item: ListingItem
  /** The channel or collection whose bookmarks are played after it. */
  from?: PlayContext | undefined
  /** Whether it is in the first row, whose thumbnails load immediately. */
  eager?: boolean
  renderTitle?: ((title: string) => ReactNode) | undefined
  /** Renders a further element on the thumbnail. */
  renderOnPicture?: ((item: ListingItem) => ReactNode) | undefined
  /** Null until the pointer or the focus reached a card. */
  Actions: ComponentType<CardActionsProps> | null
  onPointerNear: () => void
  onOpenDialog: (item: ListingItem, question: CardDialogName) => void
  /** Starts selecting with this card. */
  onSelect?: ((item: ListingItem) => void) | undefined
  /** The name of the viewer's collection with the bookmark, shown instead of the owner. */
  collectionName?: string | undefined
}

export const cardTitleClass =
  'mt-3 line-clamp-2 text-14 font-medium text-ink sm:text-16 sm:leading-[1.375rem]'

/** The link of a card's title, which is the link of the whole card. */
export const cardLinkClass =
  'outline-none after:absolute after:inset-0 after:rounded-card group-hover:underline group-hover:decoration-line-strong group-hover:underline-offset-4 focus-visible:after:outline-2 focus-visible:after:outline-offset-4 focus-visible:after:outline-focus'

/**
 * A bookmark as a card; one link covers it. Its actions appear on the thumbnail while the pointer or the focus is on
 * the card. On touch screens they are behind a button, or on long-press.
 */
export const VideoCard = memo(function VideoCard({
  item,
  from,
  eager = false,
  renderTitle,
  renderOnPicture,
  Actions,
  onPointerNear,
  onOpenDialog,
  onSelect,
  collectionName,
}: VideoCardProps) {
  const isCovered = useIsAdultCovered(item.orientation)
  const [isActive, setActive] = useState(false)
  const title = item.title || 'Untitled Bookmark'
  const activate = () => {
    setActive(true)
    onPointerNear()
  }
  return (
    <article
      data-bookmark={item.id}
      className="group relative pointer-coarse:select-none pointer-coarse:[-webkit-touch-callout:none]"
      onPointerEnter={({ pointerType }) => pointerType !== 'touch' && activate()}
      onFocus={activate}
      {...useLongPress(() => onOpenDialog(item, 'menu'))}
    >
      <ThumbnailFrame
        src={isCovered ? null : item.thumbnail_url}
        title={item.title}
        shape={item.shape}
        eager={eager}
        className="rounded-card"
      >
        {isCovered && <AdultCover title={item.title} />}
        {renderOnPicture?.(item)}
        <span className="thumbnail-marks transition-opacity">
          <ThumbnailMarks {...item} />
        </span>
        <span className="absolute inset-x-2 bottom-2 flex justify-end gap-1 text-12 text-picture-ink">
          <span className="truncate rounded-chip bg-picture-shade px-2 py-0.5 max-sm:hidden opacity-0 transition-opacity group-has-focus-visible:opacity-100 group-hover:opacity-100">
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
      <h3 className={cardTitleClass}>
        <CardLink id={item.id} from={from} className={cardLinkClass}>
          {renderTitle?.(title) ?? title}
        </CardLink>
      </h3>
      {isActive && Actions !== null && (
        <Actions
          item={item}
          onOpenDialog={(name) => onOpenDialog(item, name)}
          onSelect={onSelect && (() => onSelect(item))}
        />
      )}
      {/* Phones show two columns, which are too narrow for both in one line. */}
      <div className="mt-1 flex items-center gap-1.5 text-13 text-quiet max-sm:flex-col max-sm:items-start max-sm:gap-0 pointer-coarse:pr-8">
        {/* Without a visible word, it takes no space. */}
        <p
          className={`flex max-w-full min-w-0 items-center gap-1.5 ${collectionName ? '' : 'in-data-one-owner:not-has-[svg]:absolute'}`}
        >
          {!item.is_public && <PrivateMark />}
          {/* A list of one user's bookmarks names them above it. */}
          <span className={`truncate ${collectionName === undefined ? 'in-data-one-owner:sr-only' : ''}`}>
            {collectionName ?? (item.user_username || 'Unknown User')}
          </span>
        </p>
        {!!item.other_savers_count && <p>and {pluralise(item.other_savers_count, 'other')} you follow</p>}
        <span
          aria-hidden="true"
          className={`max-sm:hidden ${collectionName === undefined ? 'in-data-one-owner:hidden' : ''}`}
        >
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
