import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import { Button } from '../../ui/button.tsx'
import { useTrashBookmark } from '../bookmarks/public-api.ts'

/** The actions of the owner. Loaded separately, for the owner only. */
export function OwnerActions({ bookmark, onEdit }: { bookmark: Bookmark; onEdit: () => void }) {
  const { busy, remove } = useTrashBookmark(bookmark)
  return (
    <div className="-mt-4 flex w-full gap-2">
      <Button size="sm" className="flex-1" aria-haspopup="dialog" onClick={onEdit}>
        <Pencil className="size-4" />
        Edit
      </Button>
      <Button size="sm" className="flex-1" busy={busy} onClick={() => void remove()}>
        <Trash2 className="size-4" />
        Delete
      </Button>
    </div>
  )
}
