import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { CollectorsDialog } from '../follows/collectors-dialog.tsx'

export type OpenDialog = 'collectors'

export interface BookmarkDialogsProps {
  bookmark: Bookmark
  open: OpenDialog | null
  onClose: () => void
}

/** What a bookmark's page asks in dialogs: code of their own, that only who needs it loads. */
export function BookmarkDialogs({ bookmark, open, onClose }: BookmarkDialogsProps) {
  return <CollectorsDialog videoId={bookmark.video.id} open={open === 'collectors'} onClose={onClose} />
}
