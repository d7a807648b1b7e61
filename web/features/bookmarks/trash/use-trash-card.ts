import { restoreBookmark, trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { toast } from '../../../ui/toast.tsx'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'

/** Returns a function that moves the viewer's bookmark to the trash and leaves the list open. Undo restores it. */
export function useTrashCard(id: number): () => void {
  const client = useQueryClient()
  const input = { params: { id } }
  const restore = useApiMutation(restoreBookmark, {
    onSuccess: () => invalidateBookmarks(client, [id]),
    onError: () => void toast("Couldn't restore the bookmark. You'll find it in the trash.", { tone: 'danger' }),
  })
  const trash = useApiMutation(trashBookmark, {
    onSuccess() {
      invalidateBookmarks(client, [id])
      toast('Moved to trash.', { action: { label: 'Undo', run: () => void restore.run(input) } })
    },
    onError: () => void toast("Couldn't delete the bookmark. Try again.", { tone: 'danger' }),
  })
  return () => void trash.run(input)
}
