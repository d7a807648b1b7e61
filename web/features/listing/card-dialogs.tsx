import type { ListingItem } from '@reelmark/contract/listing.ts'
import ExternalLink from 'lucide-react/icons/external-link'
import FolderInput from 'lucide-react/icons/folder-input'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Heart from 'lucide-react/icons/heart'
import ListChecks from 'lucide-react/icons/list-checks'
import ListPlus from 'lucide-react/icons/list-plus'
import ListVideo from 'lucide-react/icons/list-video'
import Pencil from 'lucide-react/icons/pencil'
import Share2 from 'lucide-react/icons/share-2'
import Trash2 from 'lucide-react/icons/trash'
import { type MouseEvent, type ReactNode, Suspense } from 'react'
import { useSession } from '../../shared/session/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import {
  CollectDialog,
  EditSelectedBookmark,
  MoveDialog,
  shareBookmark,
  useBulkChange,
} from '../bookmarks/public-api.ts'
import { useLike, useWatchLater } from '../videos/public-api.ts'

export type CardDialogName = 'menu' | 'collect' | 'edit' | 'move'

export interface CardDialogsProps {
  item: ListingItem
  open: CardDialogName | null
  onOpenDialog: (item: ListingItem, name: CardDialogName) => void
  onClose: () => void
  /** Renders rows of the menu that move the bookmark within its list. */
  renderMove?: ((item: ListingItem, onDone: () => void) => ReactNode) | undefined
  /** Starts selecting with the card. */
  onSelect?: ((item: ListingItem) => void) | undefined
}

/** The dialogs of a card: its menu, the dialog to collect it, and those to edit and move the viewer's own. */
export function CardDialogs({ item, open, onOpenDialog, onClose, renderMove, onSelect }: CardDialogsProps) {
  const title = item.title || 'Untitled Bookmark'
  const { username } = useSession()
  const isOwn = item.user_username === username
  return (
    <>
      <Dialog open={open === 'menu'} onClose={onClose} title={title}>
        <CardMenu
          item={item}
          title={title}
          onOpenDialog={(name) => onOpenDialog(item, name)}
          onDone={onClose}
          move={renderMove?.(item, onClose)}
          onSelect={onSelect}
          isOwn={isOwn}
        />
      </Dialog>
      {isOwn ? (
        <>
          <EditSelectedBookmark id={item.id} open={open === 'edit'} onClose={onClose} />
          <MoveDialog bookmarks={new Map([[item.id, title]])} open={open === 'move'} onClose={onClose} />
        </>
      ) : (
        <CollectDialog bookmark={{ id: item.id, title }} open={open === 'collect'} onClose={onClose} />
      )}
    </>
  )
}

const menuRowClass =
  'flex min-h-12 w-full items-center gap-4 rounded-control px-3 text-left text-16 text-ink transition-colors hover:bg-hover [&_svg]:size-5 [&_svg]:shrink-0'

interface CardMenuProps {
  item: ListingItem
  title: string
  onOpenDialog: (name: CardDialogName) => void
  onDone: () => void
  move: ReactNode
  onSelect: CardDialogsProps['onSelect']
  isOwn: boolean
}

/** The menu of a card. It replaces the browser's menu on long-press, so it includes opening the link in a new tab. */
function CardMenu({ item, title, onOpenDialog, onDone, move, onSelect, isOwn }: CardMenuProps) {
  const like = useLike({
    videoId: item.video_id,
    isLiked: item.is_liked ?? false,
    likesCount: item.likes_count,
  })
  const watchLater = useWatchLater({ videoId: item.video_id, isInWatchLater: item.is_in_watch_later })
  const WatchLaterIcon = watchLater.isInWatchLater ? ListVideo : ListPlus
  const bulk = useBulkChange({ onPartialFailure: () => {} })
  const trash = () => {
    const deleted = bulk.run({ action: 'trash' }, new Map([[item.id, title]]), () => 'Moved to trash.')
    void deleted.then((ids) => {
      // Empty: it failed for this bookmark, for example because it was deleted in another tab.
      if (ids === null || ids.size === 0)
        toast("Couldn't delete the bookmark. Try again.", { tone: 'danger' })
    })
    onDone()
  }
  const share = async (event: MouseEvent<HTMLElement>) => {
    await shareBookmark({ id: item.id, title, isPublic: item.is_public }, event.currentTarget)
    onDone()
  }
  return (
    <ul className="-mx-3 flex flex-col">
      {isOwn && (
        <>
          <MenuRow icon={<Pencil />} onClick={() => onOpenDialog('edit')}>
            Edit
          </MenuRow>
          <MenuRow icon={<FolderInput />} onClick={() => onOpenDialog('move')}>
            Move…
          </MenuRow>
          {onSelect !== undefined && (
            <MenuRow
              icon={<ListChecks />}
              onClick={() => {
                onDone()
                onSelect(item)
              }}
            >
              Select
            </MenuRow>
          )}
        </>
      )}
      <MenuRow
        icon={<Heart className={like.isLiked ? 'fill-current' : ''} />}
        on={like.isLiked}
        onClick={like.toggle}
      >
        {like.isLiked ? 'Liked' : 'Like'}
      </MenuRow>
      {!isOwn && (
        <MenuRow icon={<FolderPlus />} onClick={() => onOpenDialog('collect')}>
          Collect
        </MenuRow>
      )}
      <MenuRow icon={<WatchLaterIcon />} on={watchLater.isInWatchLater} onClick={watchLater.toggle}>
        {watchLater.isInWatchLater ? 'In Watch Later' : 'Watch later'}
      </MenuRow>
      <MenuRow icon={<Share2 />} onClick={(event) => void share(event)}>
        Share
      </MenuRow>
      <Suspense>{move}</Suspense>
      <li>
        <a
          href={`/bookmarks/${item.id}`}
          target="_blank"
          rel="noopener"
          className={menuRowClass}
          onClick={onDone}
        >
          <ExternalLink />
          Open in a new tab
        </a>
      </li>
      {isOwn && (
        <MenuRow icon={<Trash2 />} isDanger onClick={trash}>
          Delete
        </MenuRow>
      )}
    </ul>
  )
}

interface MenuRowProps {
  icon: ReactNode
  on?: boolean
  isDanger?: boolean
  onClick: (event: MouseEvent<HTMLElement>) => void
  children: ReactNode
}

function MenuRow({ icon, on = false, isDanger = false, onClick, children }: MenuRowProps) {
  const color = isDanger ? 'text-danger!' : on ? 'text-accent-ink!' : ''
  return (
    <li>
      <button type="button" className={`${menuRowClass} ${color}`} onClick={onClick}>
        {icon}
        {children}
      </button>
    </li>
  )
}
