import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useQueryClient } from '@tanstack/react-query'
import Flag from 'lucide-react/icons/flag'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Heart from 'lucide-react/icons/heart'
import Share2 from 'lucide-react/icons/share-2'
import Users from 'lucide-react/icons/users'
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { useSession } from '../../shared/session/session.ts'
import { useRequireSignIn } from '../../shared/session/use-require-sign-in.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { toast } from '../../ui/toast.tsx'
import { bookmarkTitle, shareBookmark } from '../bookmarks/public-api.ts'
import { loadBookmarkModerationTools } from '../moderation/public-api.ts'
import { WatchActions } from '../videos/public-api.ts'
import type { BookmarkDialogsProps, OpenDialog } from './bookmark-dialogs.tsx'

// Loaded for moderators only.
const BookmarkModerationTools = lazy(() =>
  loadBookmarkModerationTools().then((component) => ({ default: component })),
)
const OwnerActions = lazy(() =>
  import('./owner-actions.tsx').then((module) => ({ default: module.OwnerActions })),
)

interface BookmarkActionsProps {
  bookmark: Bookmark
  like: { isLiked: boolean; toggle: () => void }
}

/** The actions on a bookmark. Visitors are redirected to login. The dialogs are loaded when one is first opened. */
export function BookmarkActions({ bookmark, like }: BookmarkActionsProps) {
  const { isModerator } = useSession()
  const { dialogs, open, isReported } = useDialogs(bookmark)
  useShortcuts({ l: like.toggle, c: () => void open('collect') })
  // No other user can see the video, so it has no collectors, and there is nothing to report.
  const isOwnersOnly = bookmark.is_owner && bookmark.video.saves_count === 0
  return (
    <>
      <fieldset
        className={`grid w-full min-w-0 gap-1 xs:gap-2 *:px-0! ${isOwnersOnly ? 'grid-cols-3' : 'grid-cols-[4fr_5fr_6fr_5fr_4fr]'}`}
      >
        <legend className="sr-only">Actions</legend>
        <ActionButton icon={<Heart />} isOn={like.isLiked} aria-keyshortcuts="l" onClick={like.toggle}>
          {like.isLiked ? 'Liked' : 'Like'}
        </ActionButton>
        <ActionButton
          icon={<FolderPlus />}
          aria-haspopup="dialog"
          aria-keyshortcuts="c"
          onClick={() => void open('collect')}
        >
          Collect
        </ActionButton>
        {!isOwnersOnly && (
          <>
            <ActionButton icon={<Users />} aria-haspopup="dialog" onClick={() => void open('collectors')}>
              Collectors
            </ActionButton>
            <ActionButton
              icon={<Flag />}
              aria-haspopup="dialog"
              disabled={isReported}
              onClick={() => void open('report')}
            >
              {isReported ? 'Reported' : 'Report'}
            </ActionButton>
          </>
        )}
        <ActionButton
          icon={<Share2 />}
          onClick={(event) => {
            const { id, is_public: isPublic } = bookmark
            void shareBookmark({ id, title: bookmarkTitle(bookmark), isPublic }, event.currentTarget)
          }}
        >
          Share
        </ActionButton>
      </fieldset>
      <WatchActions bookmark={bookmark} />
      {bookmark.is_owner && (
        <Suspense fallback={<div className="-mt-4 h-9 pointer-coarse:h-11" />}>
          <OwnerActions bookmark={bookmark} onEdit={() => void open('edit')} />
        </Suspense>
      )}
      {isModerator && (
        <Suspense fallback={<div className="-mt-4 h-9 pointer-coarse:h-11" />}>
          <BookmarkModerationTools bookmark={bookmark} />
        </Suspense>
      )}
      {dialogs}
    </>
  )
}

/** Loads the dialogs when one is first opened. */
function useDialogs(bookmark: Bookmark) {
  const requireSignIn = useRequireSignIn()
  const [Dialogs, setDialogs] = useState<ComponentType<BookmarkDialogsProps> | null>(null)
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const client = useQueryClient()
  const reportedKey = ['reported', bookmark.video.id]
  const [isReported, setReported] = useState(() => client.getQueryData(reportedKey) === true)

  /** Disables the report button. The page stays open although the video is hidden now. */
  function markReported(): void {
    client.setQueryData(reportedKey, true)
    setReported(true)
  }

  async function open(dialog: OpenDialog): Promise<void> {
    if (!requireSignIn(dialog === 'collect' ? { action: 'collect', target: bookmark.id } : undefined)) return
    try {
      const { BookmarkDialogs } = await import('./bookmark-dialogs.tsx')
      setDialogs(() => BookmarkDialogs)
      setOpenDialog(dialog)
    } catch {
      toast("Couldn't load this. Check your connection and try again.", { tone: 'danger' })
    }
  }

  const dialogs = Dialogs && (
    <Dialogs
      bookmark={bookmark}
      open={openDialog}
      onClose={() => setOpenDialog(null)}
      onReported={markReported}
    />
  )
  return { dialogs, open, isReported }
}
