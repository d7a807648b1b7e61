import type { ListingItem } from '@reelmark/contract/listing.ts'
import { ExternalLink, FolderPlus, Heart, Share2 } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { CollectDialog } from '../bookmarks/collect-dialog.tsx'
import { shareBookmark } from '../bookmarks/share.ts'
import { useLike } from '../likes/use-like.ts'

export type CardQuestion = 'menu' | 'collect'

export interface CardDialogsProps {
  item: ListingItem
  open: CardQuestion | null
  onAsk: (item: ListingItem, question: CardQuestion) => void
  onClose: () => void
}

/** What fingers do with a card, and where it is collected to. */
export function CardDialogs({ item, open, onAsk, onClose }: CardDialogsProps) {
  const title = item.title || 'Untitled Bookmark'
  return (
    <>
      <Dialog open={open === 'menu'} onClose={onClose} title={title}>
        <CardMenu item={item} title={title} onCollect={() => onAsk(item, 'collect')} onDone={onClose} />
      </Dialog>
      <CollectDialog bookmark={{ id: item.id, title }} open={open === 'collect'} onClose={onClose} />
    </>
  )
}

const rowClass =
  'flex min-h-12 w-full items-center gap-4 rounded-control px-3 text-left text-16 text-ink transition-colors hover:bg-hover [&_svg]:size-5 [&_svg]:shrink-0'

interface CardMenuProps {
  item: ListingItem
  title: string
  onCollect: () => void
  onDone: () => void
}

/** What the browser's own menu of a link is most used for is here as well, whose place this takes. */
function CardMenu({ item, title, onCollect, onDone }: CardMenuProps) {
  const like = useLike({
    videoId: item.video_id,
    isLiked: item.is_liked ?? false,
    likesCount: item.likes_count,
  })
  const share = useRef<HTMLButtonElement>(null)
  return (
    <ul className="-mx-3 flex flex-col">
      <Row icon={<Heart aria-hidden="true" strokeWidth={1.75} />} on={like.isLiked} onPress={like.toggle}>
        {like.isLiked ? 'Liked' : 'Like'}
      </Row>
      <Row icon={<FolderPlus aria-hidden="true" strokeWidth={1.75} />} onPress={onCollect}>
        Collect
      </Row>
      <li>
        <button
          ref={share}
          type="button"
          className={rowClass}
          onClick={(event) => {
            void shareBookmark({ id: item.id, title, isPublic: item.is_public }, event.currentTarget).then(
              onDone,
            )
          }}
        >
          <Share2 aria-hidden="true" strokeWidth={1.75} />
          Share
        </button>
      </li>
      <li>
        <a
          href={`/bookmarks/${item.id}`}
          target="_blank"
          rel="noopener"
          className={rowClass}
          onClick={onDone}
        >
          <ExternalLink aria-hidden="true" strokeWidth={1.75} />
          Open in a new tab
        </a>
      </li>
    </ul>
  )
}

interface RowProps {
  icon: ReactNode
  on?: boolean
  onPress: () => void
  children: ReactNode
}

function Row({ icon, on = false, onPress, children }: RowProps) {
  return (
    <li>
      <button
        type="button"
        className={`${rowClass} ${on ? 'text-accent-ink [&_svg]:fill-current' : ''}`}
        onClick={onPress}
      >
        {icon}
        {children}
      </button>
    </li>
  )
}
