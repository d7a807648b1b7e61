import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useQueryClient } from '@tanstack/react-query'
import Flag from 'lucide-react/icons/flag'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Heart from 'lucide-react/icons/heart'
import Share2 from 'lucide-react/icons/share-2'
import Users from 'lucide-react/icons/users'
import { type ComponentType, useState } from 'react'
import { useRequireSignIn } from '../../shared/session/use-require-sign-in.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { toastLoadingFailure } from '../../ui/toast.tsx'
import { useDeferredComponent } from '../../ui/use-deferred-component.ts'
import { bookmarkTitle, loadShareBookmark } from '../bookmarks/public-api.ts'
import { WatchLaterAction } from '../videos/public-api.ts'
import type { BookmarkDialogsProps, OpenDialog } from './bookmark-dialogs.tsx'
import { loadMoreActions } from './load-parts.ts'

interface BookmarkActionsProps {
  bookmark: Bookmark
  like: { isLiked: boolean; toggle: () => void }
}

/**
 * The actions on a bookmark, in one row. Visitors are asked to sign in. The dialogs are loaded when one is first opened.
 */
export function BookmarkActions({ bookmark, like }: BookmarkActionsProps) {
  const { dialogs, open, isReported } = useDialogs(bookmark)
  useShortcuts({ l: like.toggle, c: () => void open('collect') })
  // Only its owner sees this bookmark. Reports and collectors are about public ones (docs/behaviour.md, Visibility).
  const isOwnersOnly = bookmark.is_owner && !bookmark.is_public
  const MoreActions = useDeferredComponent(true, loadMoreActions)
  return (
    <>
      <fieldset className="grid min-w-0 auto-cols-fr grid-flow-col gap-1 sm:-ml-3 sm:flex sm:flex-wrap sm:items-center">
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
        <WatchLaterAction bookmark={bookmark} />
        <ActionButton icon={<Share2 />} onClick={(event) => void share(bookmark, event.currentTarget)}>
          Share
        </ActionButton>
        {!isOwnersOnly && (
          <>
            <Button
              tone="quiet"
              className="max-sm:hidden"
              aria-haspopup="dialog"
              onClick={() => void open('collectors')}
            >
              <Users className="size-5" />
              Collectors
            </Button>
            <Button
              tone="quiet"
              className="max-sm:hidden"
              aria-haspopup="dialog"
              disabled={isReported}
              onClick={() => void open('report')}
            >
              <Flag className="size-5" />
              {isReported ? 'Reported' : 'Report'}
            </Button>
          </>
        )}
        <span className="min-w-0 sm:ml-auto sm:flex sm:gap-1">
          {MoreActions !== null && (
            <MoreActions
              bookmark={bookmark}
              hasPhoneItems={!isOwnersOnly}
              isReported={isReported}
              open={(dialog) => void open(dialog)}
            />
          )}
        </span>
      </fieldset>
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
      toastLoadingFailure()
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

async function share(bookmark: Bookmark, button: HTMLElement): Promise<void> {
  const shareBookmark = await loadShareBookmark().catch(() => null)
  if (shareBookmark === null) return toastLoadingFailure()
  const { id, is_public: isPublic } = bookmark
  await shareBookmark({ id, title: bookmarkTitle(bookmark), isPublic }, button)
}
