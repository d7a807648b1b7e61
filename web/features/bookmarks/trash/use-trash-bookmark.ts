import { restoreBookmark, trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../../../shared/api/api.ts'
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts'
import { toast } from '../../../ui/toast.tsx'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'

/** Moves a bookmark to the trash and leads to the viewer's profile; Undo restores it and leads back to it. */
export function useTrashBookmark({ id, user }: Bookmark) {
  const client = useQueryClient()
  const router = useRouter()

  const restore = useApiMutation(restoreBookmark, {
    async onSuccess() {
      invalidateBookmarks(client, [id])
      await router.navigate({ to: '/bookmarks/$id', params: { id: String(id) } })
    },
    onError: () =>
      void toast("Couldn't restore the bookmark. You'll find it in the trash.", { tone: 'danger' }),
  })
  const trash = useApiMutation(
    async () => {
      await api(trashBookmark, { params: { id } })
      await router.navigate({ to: '/users/$username', params: { username: user.username }, replace: true })
    },
    {
      onSuccess() {
        invalidateBookmarks(client, [id])
        const undo = () => void restore.run({ params: { id } })
        toast('Moved to trash.', { action: { label: 'Undo', run: undo } })
      },
      onError: () => void toast("Couldn't delete the bookmark. Try again.", { tone: 'danger' }),
    },
  )

  return { busy: trash.busy, remove: trash.run }
}
