import { trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import X from 'lucide-react/icons/x'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { useSession } from '../../../shared/session/session.ts'
import { buttonClass, IconButton } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { usePausableTimeout } from '../add-bookmark/use-pausable-timeout.ts'
import { bookmarkTitle } from '../bookmark-title.ts'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'
import { CoverableThumbnail } from '../thumbnail/thumbnail-preview.tsx'
import { EditBookmarkDialog } from '../update/edit-bookmark-dialog.tsx'
import { getSaved, showSaved, subscribeToSaved } from './saved-store.ts'

/** How long the card is shown, in milliseconds; longer while the pointer or the focus is on it. */
const shownForMs = 20_000

const actionClass = buttonClass('quiet', 'sm', 'px-2! text-accent-ink!')

/** Shows the bookmark that was saved last, with what can be done next: View, Edit, Undo. */
export function SavedCard() {
  const saved = useSyncExternalStore(subscribeToSaved, getSaved, () => null)
  const viewer = useSession().username?.toLowerCase()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next user of this browser must not see it.
  useEffect(() => () => showSaved(null), [viewer])
  return saved && <Card key={saved.id} bookmark={saved} />
}

function Card({ bookmark }: { bookmark: Bookmark }) {
  const client = useQueryClient()
  const [isEditing, setEditing] = useState(false)
  const close = useCallback(() => showSaved(null), [])
  const timeout = usePausableTimeout(!isEditing, shownForMs, close)
  const undo = useApiMutation(trashBookmark, {
    onSuccess() {
      invalidateBookmarks(client, [bookmark.id])
      close()
      toast("Not saved. It's in the trash for 30 days.")
    },
    onError: () => void toast("Couldn't undo. Try again.", { tone: 'danger' }),
  })
  const title = bookmarkTitle(bookmark)
  return (
    <>
      <section
        {...timeout}
        aria-label="Saved bookmark"
        className="fixed bottom-(--above-bar) left-0 z-40 w-full p-4 sm:w-auto sm:p-6 print:hidden"
      >
        <div className="flex items-center gap-3 rounded-card border border-line-strong bg-raised p-2 pr-1 sm:w-100">
          <CoverableThumbnail
            src={bookmark.video.thumbnail_url}
            title={title}
            orientation={bookmark.video.orientation}
            className="w-24 shrink-0"
          />
          <div className="min-w-0 flex-1">
            <p role="status" className="line-clamp-2 text-14 text-ink">
              <span className="text-quiet">Saved:</span> {title}
            </p>
            {bookmark.is_held === true && (
              <p className="text-13 text-quiet">It will be public after a quick review.</p>
            )}
            <div className="-ml-2 flex">
              <Link
                to="/bookmarks/$id"
                params={{ id: String(bookmark.id) }}
                className={actionClass}
                onClick={close}
              >
                View
              </Link>
              <button type="button" className={actionClass} onClick={() => setEditing(true)}>
                Edit
              </button>
              <button
                type="button"
                className={actionClass}
                disabled={undo.busy}
                onClick={() => void undo.run({ params: { id: bookmark.id } })}
              >
                Undo
              </button>
            </div>
          </div>
          <IconButton label="Dismiss" size="sm" className="self-start" onClick={close}>
            <X className="size-4" />
          </IconButton>
        </div>
      </section>
      <EditBookmarkDialog
        bookmark={bookmark}
        open={isEditing}
        onClose={() => {
          setEditing(false)
          close()
        }}
      />
    </>
  )
}
