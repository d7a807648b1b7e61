import type { ListingItem } from '@reelmark/contract/listing.ts'
import ArrowUpToLine from 'lucide-react/icons/arrow-up-to-line'
import ListOrdered from 'lucide-react/icons/list-ordered'
import { useState } from 'react'
import type { Container } from './container.ts'
import { PositionForm } from './move-to-position-dialog.tsx'
import { useMoveBookmark } from './use-move-bookmark.ts'

interface MoveRowsProps {
  container: Container
  item: ListingItem
  onDone: () => void
}

const rowClass =
  'flex min-h-12 w-full items-center gap-4 rounded-control px-3 text-left text-16 text-ink transition-colors hover:bg-hover [&_svg]:size-5 [&_svg]:shrink-0'

/** The rows of a card's menu that move the bookmark within its list. */
export function MoveRows({ container, item, onDone }: MoveRowsProps) {
  const move = useMoveBookmark(container)
  const [isChoosing, setChoosing] = useState(false)
  const bookmark = { id: item.id, title: item.title || 'Untitled Bookmark' }
  return (
    <>
      <li>
        <button
          type="button"
          className={rowClass}
          onClick={() => {
            void move(bookmark, { after: null })
            onDone()
          }}
        >
          <ArrowUpToLine />
          Move to top
        </button>
      </li>
      <li>
        <button
          type="button"
          className={rowClass}
          aria-expanded={isChoosing}
          onClick={() => setChoosing(!isChoosing)}
        >
          <ListOrdered />
          Move to position…
        </button>
        {isChoosing && (
          <div className="px-3 pb-3">
            <PositionForm container={container} bookmark={bookmark} onClose={onDone} />
          </div>
        )}
      </li>
    </>
  )
}
