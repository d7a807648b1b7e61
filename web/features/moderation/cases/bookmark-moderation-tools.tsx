import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { Link } from '@tanstack/react-router'
import PencilLine from 'lucide-react/icons/pencil-line'
import Trash2 from 'lucide-react/icons/trash'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDeleteVideo } from './use-delete-video.ts'

const EditVideoDialog = lazy(() =>
  import('./edit-video-dialog.tsx').then((module) => ({ default: module.EditVideoDialog })),
)

/** Moderation tools on the page of a video. */
export function BookmarkModerationTools({ bookmark }: { bookmark: Bookmark }) {
  const [editing, setEditing] = useState<'never' | 'open' | 'closed'>('never')
  const [isConfirming, setConfirming] = useState(false)
  const deletion = useDeleteVideo(bookmark)
  const { video } = bookmark
  const tagNames = (tags: Bookmark['tags']) => tags.map(({ name }) => name)
  return (
    <fieldset className="w-full min-w-0">
      <legend className="mb-2 text-13 font-medium text-quiet">For moderators</legend>
      <div className="flex gap-2">
        <Button size="sm" className="flex-1" aria-haspopup="dialog" onClick={() => setEditing('open')}>
          <PencilLine className="size-4" />
          Edit Video
        </Button>
        <Button
          size="sm"
          className="flex-1"
          aria-haspopup="dialog"
          disabled={deletion.state === 'done'}
          onClick={() => setConfirming(true)}
        >
          <Trash2 className="size-4" />
          Delete Video
        </Button>
      </div>
      {(video.status === 'hidden' || bookmark.is_held === true) && (
        <Link
          to="/moderator"
          search={{ status: 'all', case: `video-${video.id}` }}
          className="mt-2 inline-flex min-h-6 items-center text-13 text-accent-ink underline underline-offset-4 pointer-coarse:min-h-11"
        >
          View reports
        </Link>
      )}
      {editing !== 'never' && (
        <Suspense>
          <EditVideoDialog
            video={{ ...video, tags: tagNames(video.tags) }}
            bookmark={{ ...bookmark, tags: tagNames(bookmark.tags) }}
            open={editing === 'open'}
            onClose={() => setEditing('closed')}
          />
        </Suspense>
      )}
      <DeleteVideoDialog deletion={deletion} open={isConfirming} onClose={() => setConfirming(false)} />
    </fieldset>
  )
}

interface DeleteVideoDialogProps {
  deletion: ReturnType<typeof useDeleteVideo>
  open: boolean
  onClose: () => void
}

/** Asks for confirmation before a video is deleted (text: docs/behaviour.md, Forms and messages). */
function DeleteVideoDialog({ deletion, open, onClose }: DeleteVideoDialogProps) {
  const busy = deletion.state === 'busy'
  function close() {
    if (busy) return
    deletion.forget()
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Delete Video"
      actions={
        <>
          <Button data-autofocus disabled={busy} onClick={close}>
            Cancel
          </Button>
          <Button
            tone="danger"
            busy={busy}
            busyText="Deleting..."
            onClick={async () => {
              if (await deletion.remove()) onClose()
            }}
          >
            Delete Video
          </Button>
        </>
      }
    >
      <div className="measure flex flex-col gap-3 text-14 text-ink">
        <p>
          Are you sure you want to delete this video? This will also delete all bookmarks that reference this
          video. This action cannot be undone.
        </p>
        <p>
          Only moderators can restore the video with its bookmarks, for {limits.appealDays} days. Then it is
          deleted for good.
        </p>
        {deletion.problem !== null && (
          <Notice tone="danger" urgent>
            <p>{deletion.problem}</p>
          </Notice>
        )}
      </div>
    </Dialog>
  )
}
