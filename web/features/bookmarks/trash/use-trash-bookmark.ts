import { restoreBookmark, trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { toast } from '../../../ui/toast.tsx'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'

/** Deleting a bookmark of one's own: it goes at once, to one's profile; Undo brings it back and leads back to it. */
export function useTrashBookmark({ id, user }: Bookmark) {
  const client = useQueryClient()
  const router = useRouter()
  const [busy, setBusy] = useState(false)

  async function undo(): Promise<void> {
    try {
      await api(restoreBookmark, { params: { id } })
      invalidateBookmarks(client, [id])
      await router.navigate({ to: '/bookmarks/$id', params: { id: String(id) } })
    } catch {
      toast("Couldn't restore the bookmark. You'll find it in the trash.", { tone: 'danger' })
    }
  }

  async function remove(): Promise<void> {
    setBusy(true)
    try {
      await api(trashBookmark, { params: { id } })
      await router.navigate({ to: '/users/$username', params: { username: user.username }, replace: true })
      invalidateBookmarks(client, [id])
      toast('Moved to trash.', { action: { label: 'Undo', run: () => void undo() } })
    } catch {
      setBusy(false)
      toast("Couldn't delete the bookmark. Try again.", { tone: 'danger' })
    }
  }

  return { busy, remove }
}
