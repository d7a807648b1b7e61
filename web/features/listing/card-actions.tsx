import type { ListingItem } from '@reelmark/contract/listing.ts'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import FolderInput from 'lucide-react/icons/folder-input'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Heart from 'lucide-react/icons/heart'
import ListPlus from 'lucide-react/icons/list-plus'
import ListVideo from 'lucide-react/icons/list-video'
import Pencil from 'lucide-react/icons/pencil'
import Share2 from 'lucide-react/icons/share-2'
import { useSession } from '../../shared/session/session.ts'
import { shareBookmark } from '../bookmarks/public-api.ts'
import { useLike, useWatchLater } from '../videos/public-api.ts'
import type { CardDialogName } from './card-dialogs.tsx'
import { type CardAction, CardToolbar } from './card-toolbar.tsx'

export interface CardActionsProps {
  item: ListingItem
  onOpenDialog: (name: CardDialogName) => void
  /** Starts selecting with this card, in a list of the viewer's own bookmarks. */
  onSelect?: (() => void) | undefined
}

/** The actions on the thumbnail of a card. Users edit their own bookmarks, and like and collect those of others. */
export function CardActions(props: CardActionsProps) {
  const { username } = useSession()
  return props.item.user_username === username ? (
    <OwnCardActions {...props} />
  ) : (
    <OtherCardActions {...props} />
  )
}

const titleOf = (item: ListingItem) => item.title || 'Untitled Bookmark'

const shareAction = (item: ListingItem): CardAction => ({
  label: 'Share',
  Icon: Share2,
  run: (button) =>
    void shareBookmark({ id: item.id, title: titleOf(item), isPublic: item.is_public }, button),
})

function OwnCardActions({ item, onOpenDialog, onSelect }: CardActionsProps) {
  const title = titleOf(item)
  const actions: CardAction[] = [
    { label: 'Edit', keys: 'e', Icon: Pencil, run: () => onOpenDialog('edit') },
    { label: 'Move', keys: 'm', Icon: FolderInput, run: () => onOpenDialog('move') },
    shareAction(item),
    { label: 'More actions', Icon: EllipsisVertical, run: () => onOpenDialog('menu') },
  ]
  return (
    <>
      {onSelect !== undefined && (
        // biome-ignore lint/a11y/useSemanticElements: it starts the selection, in which the whole card is a checkbox.
        <button
          type="button"
          role="checkbox"
          aria-checked="false"
          aria-label={`Select ${title}`}
          title="Select"
          aria-keyshortcuts="x"
          className="invisible absolute top-3 left-3 size-7 rounded-chip border-2 border-picture-ink bg-picture-shade/45 opacity-0 transition-opacity group-focus-within:visible group-hover:visible group-has-focus-visible:opacity-100 group-hover:opacity-100 hover:bg-picture-shade pointer-coarse:hidden"
          onClick={onSelect}
        />
      )}
      <CardToolbar label={`Actions for ${title}`} actions={actions} />
    </>
  )
}

function OtherCardActions({ item, onOpenDialog }: CardActionsProps) {
  const like = useLike({
    videoId: item.video_id,
    isLiked: item.is_liked ?? false,
    likesCount: item.likes_count,
  })
  const watchLater = useWatchLater({ videoId: item.video_id, isInWatchLater: item.is_in_watch_later })
  const actions: CardAction[] = [
    {
      label: like.isLiked ? 'Liked' : 'Like',
      keys: 'l',
      Icon: Heart,
      on: like.isLiked,
      isFilled: like.isLiked,
      run: like.toggle,
    },
    { label: 'Collect', keys: 'c', Icon: FolderPlus, run: () => onOpenDialog('collect') },
    {
      label: watchLater.isInWatchLater ? 'In Watch Later' : 'Watch later',
      keys: 'w',
      Icon: watchLater.isInWatchLater ? ListVideo : ListPlus,
      on: watchLater.isInWatchLater,
      run: watchLater.toggle,
    },
    shareAction(item),
  ]
  return <CardToolbar label={`Actions for ${titleOf(item)}`} actions={actions} />
}
