import type { ListingItem } from '@reelmark/contract/listing.ts'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Heart from 'lucide-react/icons/heart'
import ListPlus from 'lucide-react/icons/list-plus'
import ListVideo from 'lucide-react/icons/list-video'
import Share2 from 'lucide-react/icons/share-2'
import { type KeyboardEvent, useState } from 'react'
import { shareBookmark } from '../bookmarks/public-api.ts'
import { useLike, useWatchLater } from '../videos/public-api.ts'

export interface CardActionsProps {
  item: ListingItem
  onCollect: () => void
}

const buttonClass =
  'flex size-9 items-center justify-center rounded-control bg-picture-shade transition-colors hover:bg-black [&_svg]:size-[18px]'

/** What can be done with a card's bookmark: a toolbar, so that the keyboard passes it in one step. */
export function CardActions({ item, onCollect }: CardActionsProps) {
  const title = item.title || 'Untitled Bookmark'
  const like = useLike({
    videoId: item.video_id,
    isLiked: item.is_liked ?? false,
    likesCount: item.likes_count,
  })
  const later = useWatchLater({ videoId: item.video_id, isInWatchLater: item.is_in_watch_later })
  const [stop, setStop] = useState(0)
  const actions = [
    {
      label: like.isLiked ? 'Liked' : 'Like',
      keys: 'l',
      Icon: Heart,
      on: like.isLiked,
      run: like.toggle,
    },
    { label: 'Collect', keys: 'c', Icon: FolderPlus, on: false, run: onCollect },
    {
      label: later.isInWatchLater ? 'In Watch Later' : 'Watch later',
      keys: 'w',
      Icon: later.isInWatchLater ? ListVideo : ListPlus,
      on: later.isInWatchLater,
      run: later.toggle,
    },
    {
      label: 'Share',
      keys: undefined,
      Icon: Share2,
      on: false,
      run: (pressed: HTMLElement) =>
        void shareBookmark({ id: item.id, title, isPublic: item.is_public }, pressed),
    },
  ]

  function move(event: KeyboardEvent<HTMLElement>): void {
    const steps: Record<string, number> = { ArrowRight: stop + 1, ArrowLeft: stop - 1, Home: 0, End: -1 }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = (to + actions.length) % actions.length
    setStop(next)
    const button = event.currentTarget.children[next]
    if (button instanceof HTMLElement) button.focus()
  }

  return (
    <div
      role="toolbar"
      aria-label={`Actions for ${title}`}
      className="invisible absolute top-2 right-2 flex max-w-[calc(100%-16px)] flex-wrap justify-end gap-1 opacity-0 transition-opacity group-focus-within:visible group-hover:visible group-has-focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:hidden"
      onKeyDown={move}
    >
      {actions.map(({ label, keys, Icon, on, run }, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: always the same ones.
          key={index}
          type="button"
          aria-label={label}
          title={label}
          aria-keyshortcuts={keys}
          tabIndex={index === stop ? 0 : -1}
          className={`${buttonClass} ${on ? 'text-accent' : 'text-picture-ink'}`}
          onFocus={() => setStop(index)}
          onClick={(event) => run(event.currentTarget)}
        >
          <Icon className={on && Icon === Heart ? 'fill-current' : ''} />
        </button>
      ))}
    </div>
  )
}
