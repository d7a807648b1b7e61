import type { ListingItem } from '@reelmark/contract/listing.ts'
import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Heart from 'lucide-react/icons/heart'
import ListPlus from 'lucide-react/icons/list-plus'
import ListVideo from 'lucide-react/icons/list-video'
import Pencil from 'lucide-react/icons/pencil'
import Share2 from 'lucide-react/icons/share-2'
import Trash2 from 'lucide-react/icons/trash-2'
import { type MouseEvent, type ReactNode, Suspense } from 'react'
import { useSession } from '../../shared/session/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import {
  bookmarkQuery,
  CollectDialog,
  EditBookmarkDialog,
  shareBookmark,
  useTrashCard,
} from '../bookmarks/public-api.ts'
import { useLike, useWatchLater } from '../videos/public-api.ts'

export type CardDialogName = 'menu' | 'collect' | 'edit'

export interface CardDialogsProps {
  item: ListingItem
  open: CardDialogName | null
  onOpenDialog: (item: ListingItem, name: CardDialogName) => void
  onClose: () => void
  /** Renders rows of the menu that move the bookmark within its list. */
  renderMove?: ((item: ListingItem, onDone: () => void) => ReactNode) | undefined
}

/** The dialogs of a card: its menu on touch screens, and the dialog to collect it. */
export function CardDialogs({ item, open, onOpenDialog, onClose, renderMove }: CardDialogsProps) {
  const title = item.title || 'Untitled Bookmark'
  return (
    <>
      <Dialog open={open === 'menu'} onClose={onClose} title={title}>
        <CardMenu
          item={item}
          title={title}
          onCollect={() => onOpenDialog(item, 'collect')}
          onEdit={() => onOpenDialog(item, 'edit')}
          onDone={onClose}
          move={renderMove?.(item, onClose)}
        />
      </Dialog>
      <CollectDialog bookmark={{ id: item.id, title }} open={open === 'collect'} onClose={onClose} />
      {open === 'edit' && <EditOwnBookmark id={item.id} onClose={onClose} />}
    </>
  )
}

/** Loads a bookmark of the viewer and edits it. */
function EditOwnBookmark({ id, onClose }: { id: number; onClose: () => void }) {
  const { data } = useQuery(bookmarkQuery(id))
  return data === undefined ? null : <EditBookmarkDialog bookmark={data} open onClose={onClose} />
}

const menuRowClass =
  'flex min-h-12 w-full items-center gap-4 rounded-control px-3 text-left text-16 text-ink transition-colors hover:bg-hover [&_svg]:size-5 [&_svg]:shrink-0'

interface CardMenuProps {
  item: ListingItem
  title: string
  onCollect: () => void
  onEdit: () => void
  onDone: () => void
  move: ReactNode
}

/** The menu of a card. It replaces the browser's menu on long-press, so it includes opening the link in a new tab. */
function CardMenu({ item, title, onCollect, onEdit, onDone, move }: CardMenuProps) {
  const isOwn = useSession().username === item.user_username
  const trash = useTrashCard(item.id)
  const like = useLike({
    videoId: item.video_id,
    isLiked: item.is_liked ?? false,
    likesCount: item.likes_count,
  })
  const watchLater = useWatchLater({ videoId: item.video_id, isInWatchLater: item.is_in_watch_later })
  const WatchLaterIcon = watchLater.isInWatchLater ? ListVideo : ListPlus
  const share = async (event: MouseEvent<HTMLElement>) => {
    await shareBookmark({ id: item.id, title, isPublic: item.is_public }, event.currentTarget)
    onDone()
  }
  return (
    <ul className="-mx-3 flex flex-col">
      <MenuRow
        icon={<Heart className={like.isLiked ? 'fill-current' : ''} />}
        on={like.isLiked}
        onClick={like.toggle}
      >
        {like.isLiked ? 'Liked' : 'Like'}
      </MenuRow>
      {isOwn ? (
        <MenuRow icon={<Pencil />} onClick={onEdit}>
          Edit
        </MenuRow>
      ) : (
        <MenuRow icon={<FolderPlus />} onClick={onCollect}>
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
      {isOwn && (
        <MenuRow
          icon={<Trash2 />}
          onClick={() => {
            trash()
            onDone()
          }}
        >
          Delete
        </MenuRow>
      )}
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
    </ul>
  )
}

interface MenuRowProps {
  icon: ReactNode
  on?: boolean
  onClick: (event: MouseEvent<HTMLElement>) => void
  children: ReactNode
}

function MenuRow({ icon, on = false, onClick, children }: MenuRowProps) {
  return (
    <li>
      <button type="button" className={`${menuRowClass} ${on ? 'text-accent-ink' : ''}`} onClick={onClick}>
        {icon}
        {children}
      </button>
    </li>
  )
}
