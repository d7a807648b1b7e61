import type { ListingItem } from '@reelmark/contract/listing.ts'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Heart from 'lucide-react/icons/heart'
import ListPlus from 'lucide-react/icons/list-plus'
import ListVideo from 'lucide-react/icons/list-video'
import Pencil from 'lucide-react/icons/pencil'
import Share2 from 'lucide-react/icons/share-2'
import Trash2 from 'lucide-react/icons/trash-2'
import { type KeyboardEvent, useState } from 'react'
import { useSession } from '../../shared/session/session.ts'
import { shareBookmark, useTrashCard } from '../bookmarks/public-api.ts'
import { useLike, useWatchLater } from '../videos/public-api.ts'

export interface CardActionsProps {
  item: ListingItem
  onCollect: () => void
  /** Edits the viewer's own bookmark, also where it is saved. */
  onEdit: () => void
  /** Opens the menu of the card, if it has more than these actions. */
  onMenu?: () => void
}

const buttonClass =
  'flex size-9 items-center justify-center rounded-control bg-picture-shade transition-colors hover:bg-black [&_svg]:size-[18px]'

/** The actions of a card, as a toolbar, which is one stop in the tab order. */
export function CardActions({ item, onCollect, onEdit, onMenu }: CardActionsProps) {
  const isOwn = useSession().username === item.user_username
  const trash = useTrashCard(item.id)
  const title = item.title || 'Untitled Bookmark'
  const like = useLike({
    videoId: item.video_id,
    isLiked: item.is_liked ?? false,
    likesCount: item.likes_count,
  })
  const watchLater = useWatchLater({ videoId: item.video_id, isInWatchLater: item.is_in_watch_later })
  const [focusedIndex, setFocusedIndex] = useState(0)
  const actions = [
    {
      label: like.isLiked ? 'Liked' : 'Like',
      keys: 'l',
      Icon: Heart,
      on: like.isLiked,
      run: like.toggle,
    },
    isOwn
      ? { label: 'Edit', keys: undefined, Icon: Pencil, on: false, run: onEdit }
      : { label: 'Collect', keys: 'c', Icon: FolderPlus, on: false, run: onCollect },
    {
      label: watchLater.isInWatchLater ? 'In Watch Later' : 'Watch later',
      keys: 'w',
      Icon: watchLater.isInWatchLater ? ListVideo : ListPlus,
      on: watchLater.isInWatchLater,
      run: watchLater.toggle,
    },
    {
      label: 'Share',
      keys: undefined,
      Icon: Share2,
      on: false,
      run: (button: HTMLElement) =>
        void shareBookmark({ id: item.id, title, isPublic: item.is_public }, button),
    },
    ...(isOwn ? [{ label: 'Delete', keys: undefined, Icon: Trash2, on: false, run: trash }] : []),
    ...(onMenu === undefined
      ? []
      : [{ label: 'More actions', keys: undefined, Icon: EllipsisVertical, on: false, run: onMenu }]),
  ]

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const targets: Record<string, number> = {
      ArrowRight: focusedIndex + 1,
      ArrowLeft: focusedIndex - 1,
      Home: 0,
      End: -1,
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    const next = (target + actions.length) % actions.length
    setFocusedIndex(next)
    const button = event.currentTarget.children[next]
    if (button instanceof HTMLElement) button.focus()
  }

  return (
    <div
      role="toolbar"
      aria-label={`Actions for ${title}`}
      className="invisible absolute top-2 right-2 flex max-w-[calc(100%-16px)] flex-wrap justify-end gap-1 opacity-0 transition-opacity group-focus-within:visible group-hover:visible group-has-focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:hidden"
      onKeyDown={onKeyDown}
    >
      {actions.map(({ label, keys, Icon, on, run }, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: the actions never change.
          key={index}
          type="button"
          aria-label={label}
          title={label}
          aria-keyshortcuts={keys}
          tabIndex={index === focusedIndex ? 0 : -1}
          className={`${buttonClass} ${on ? 'text-accent' : 'text-picture-ink'}`}
          onFocus={() => setFocusedIndex(index)}
          onClick={(event) => run(event.currentTarget)}
        >
          <Icon className={on && Icon === Heart ? 'fill-current' : ''} />
        </button>
      ))}
    </div>
  )
}
