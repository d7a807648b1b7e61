import type { ListingItem } from '@reelmark/contract/listing.ts'
import { Link } from '@tanstack/react-router'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import ChevronUp from 'lucide-react/icons/chevron-up'
import ListVideo from 'lucide-react/icons/list-video'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useIsAdultCovered } from '../../../shared/adult/adult-consent.ts'
import { AdultCover } from '../../../shared/adult/adult-cover.tsx'
import { IconButton, iconButtonClass } from '../../../ui/button.tsx'
import { clockDuration } from '../../../ui/duration.ts'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { ThumbnailFrame } from '../../../ui/thumbnail-frame.tsx'
import { useDeferredComponent } from '../../../ui/use-deferred-component.ts'
import { useUnplayable } from './unplayable-videos.ts'
import type { PlayQueueView } from './use-play-queue.ts'
import type { QueuePlayback } from './use-queue-playback.ts'

/**
 * The play queue next to the player: the list, the current position, and links to the previous and next video. In
 * narrow windows the list is collapsed.
 */
export function PlayQueuePanel({ view, playback }: { view: PlayQueueView; playback: QueuePlayback }) {
  const { queue, index, position, previous, next } = view
  const { goTo } = playback
  const QueueControls = useDeferredComponent(true, loadQueueControls)
  const ListTitle = useDeferredComponent(queue.collection === null, loadListTitle)
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  const FoldIcon = isOpen ? ChevronUp : ChevronDown
  const goToNext = () => goTo(next)
  const goToPrevious = () => goTo(previous)
  useShortcuts({ n: goToNext, N: goToNext, p: goToPrevious, P: goToPrevious })
  const current = queue.results[index]
  const list = useScrollToCurrent(`${current?.id} ${isOpen}`)
  const total = `${queue.count_is_estimate ? 'about ' : ''}${queue.count.toLocaleString('en')}`
  const positionText =
    position === null
      ? `Of ${total} ${queue.count === 1 ? 'video' : 'videos'}`
      : `${position.toLocaleString('en')} of ${total}`
  const endText = queue.collection === null ? 'End of the list.' : 'End of the collection.'
  return (
    <section
      aria-labelledby="queue"
      className="flex flex-col self-start overflow-hidden rounded-card border border-line bg-raised min-[1200px]:sticky min-[1200px]:top-[calc(var(--header-height)+24px)]"
    >
      <div className="queue-bar flex items-center py-2 pr-2 pl-4">
        <ListVideo className="mr-2 size-5 shrink-0 text-quiet" />
        <div className="min-w-0 flex-1">
          <h2 id="queue" className="truncate text-14 font-semibold">
            <span className="sr-only">Now playing: </span>
            {queue.collection === null || queue.user_username === null ? (
              ListTitle !== null && <ListTitle list={playback.context.list} />
            ) : (
              <Link
                to="/users/$username"
                params={{ username: queue.user_username }}
                search={{
                  tab: 'collections',
                  collection: queue.collection.id,
                  ...(queue.channel === null ? {} : { channel: queue.channel.id }),
                }}
                className="hover:underline hover:underline-offset-4"
              >
                {(queue.channel ?? queue.collection).name}
              </Link>
            )}
          </h2>
          <p className="text-13 text-quiet tabular-nums">{positionText}</p>
        </div>
        <StepButton item={previous} label="Previous" keys="p Shift+P" playback={playback}>
          <ChevronLeft className="size-5" />
        </StepButton>
        <StepButton item={next} label="Next" keys="n Shift+N" playback={playback}>
          <ChevronRight className="size-5" />
        </StepButton>
        <IconButton
          label={isOpen ? 'Hide queue' : 'Show queue'}
          aria-expanded={isOpen}
          aria-controls={listId}
          className="min-[1200px]:hidden"
          onClick={() => setOpen(!isOpen)}
        >
          <FoldIcon className="size-5" />
        </IconButton>
      </div>
      <div id={listId} className={isOpen ? '' : 'max-[1199px]:hidden'}>
        <ol
          ref={list}
          className="relative max-h-64 overflow-y-auto overscroll-contain border-t border-line py-1 min-[1200px]:max-h-[max(16rem,calc(100dvh-var(--header-height)-12rem))]"
        >
          {queue.results.map((item, currentIndex) => (
            <li key={item.id} aria-current={currentIndex === index ? 'true' : undefined}>
              <PlayQueueItem item={item} isCurrent={currentIndex === index} playback={playback} />
            </li>
          ))}
        </ol>
        {/* The space of the controls is reserved, so that nothing moves when they appear. */}
        <div className="min-h-13">
          {QueueControls !== null && current !== undefined && (
            <QueueControls playback={playback} current={current} />
          )}
        </div>
      </div>
      <p role="status" className="sr-only">
        {playback.ended !== null && next === null && playback.context.repeat === undefined ? endText : ''}
      </p>
    </section>
  )
}

const loadListTitle = () => import('./list-title.tsx').then((module) => module.ListTitle)
const loadQueueControls = () => import('./queue-controls.tsx').then((module) => module.QueueControls)

function StepButton({
  item,
  label,
  keys,
  playback,
  children,
}: {
  item: ListingItem | null
  label: string
  keys: string
  playback: QueuePlayback
  children: ReactNode
}) {
  if (item === null) {
    return (
      <span aria-hidden="true" className={iconButtonClass('quiet', 'md', 'opacity-40')}>
        {children}
      </span>
    )
  }
  const name = `${label}: ${itemTitle(item)}`
  return (
    <Link
      {...playback.linkTo(item)}
      aria-label={name}
      title={name}
      aria-keyshortcuts={keys}
      className={iconButtonClass('quiet', 'md')}
      onClick={() => playback.leaveFor(item)}
    >
      {children}
    </Link>
  )
}

function PlayQueueItem({
  item,
  isCurrent,
  playback,
}: {
  item: ListingItem
  isCurrent: boolean
  playback: QueuePlayback
}) {
  const isCovered = useIsAdultCovered(item.orientation)
  const isUnplayable = useUnplayable().has(item.id)
  const title = itemTitle(item)
  return (
    <Link
      {...playback.linkTo(item)}
      className={`flex gap-3 px-4 py-2 transition-colors hover:bg-hover focus-visible:-outline-offset-2 ${isCurrent ? 'bg-hover' : ''}`}
      onClick={() => playback.leaveFor(item)}
    >
      <span className="block w-24 shrink-0">
        <ThumbnailFrame
          src={isCovered ? null : item.thumbnail_url}
          title={item.title}
          shape={item.shape}
          className="rounded-control"
        >
          {isCovered && <AdultCover title={item.title} />}
          {item.duration !== null && (
            <span className="absolute right-1 bottom-1 rounded-chip bg-picture-shade px-1 text-12 text-picture-ink tabular-nums">
              <span className="sr-only">Duration </span>
              {clockDuration(item.duration)}
            </span>
          )}
        </ThumbnailFrame>
      </span>
      <span className="min-w-0 flex-1">
        <span
          className={`line-clamp-2 text-13 wrap-anywhere ${isCurrent ? 'font-semibold text-accent-ink' : 'font-medium text-ink'}`}
        >
          {title}
        </span>
        <span className="mt-0.5 flex items-center gap-1 text-12 text-quiet">
          {item.is_watched === true && (
            <Check role="img" aria-label="Watched" className="size-3.5 shrink-0 stroke-2" />
          )}
          {(item.is_missing === true || isUnplayable) && (
            <span className="shrink-0 font-medium text-danger">
              {item.is_missing === true ? 'Gone' : "Didn't play"}
            </span>
          )}
          <span className="truncate">{item.host}</span>
        </span>
      </span>
    </Link>
  )
}

function itemTitle(item: ListingItem): string {
  return item.title || 'Untitled Bookmark'
}

/** Scrolls only the list, to the current video. */
function useScrollToCurrent(trigger: string) {
  const list = useRef<HTMLOListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the current video changes or the list opens.
  useEffect(() => {
    if (list.current === null) return
    const current = list.current.querySelector<HTMLElement>('[aria-current]')
    if (current !== null) list.current.scrollTop = Math.max(0, current.offsetTop - current.offsetHeight)
  }, [trigger])
  return list
}
