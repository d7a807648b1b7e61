import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { bookmarkTitle, CollectDialog, EditBookmarkDialog } from '../bookmarks/public-api.ts'
import { ReportDialog } from '../moderation/public-api.ts'
import { CollectorsDialog } from '../users/public-api.ts'

export type OpenDialog = 'collect' | 'collectors' | 'report' | 'edit'

export interface BookmarkDialogsProps {
  bookmark: Bookmark
  open: OpenDialog | null
  onClose: () => void
  onReported: () => void
}

/** The dialogs of a bookmark's page, loaded separately from it. */
export function BookmarkDialogs({ bookmark, open, onClose, onReported }: BookmarkDialogsProps) {
  return (
    <>
      <CollectDialog
        bookmark={{ id: bookmark.id, title: bookmarkTitle(bookmark) }}
        open={open === 'collect'}
        onClose={onClose}
      />
      <CollectorsDialog videoId={bookmark.video.id} open={open === 'collectors'} onClose={onClose} />
      <ReportDialog
        target={{
          kind: 'video',
          id: bookmark.video.id,
          bookmarkId: bookmark.id,
          title: 'Report Video/Bookmark',
          name: bookmarkTitle(bookmark),
        }}
        open={open === 'report'}
        onClose={onClose}
        onReported={onReported}
      />
      <EditBookmarkDialog bookmark={bookmark} open={open === 'edit'} onClose={onClose} />
    </>
  )
}
