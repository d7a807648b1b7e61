import type { Bookmark, SaveInput, saveBookmark, saveBookmarkManually } from '@reelmark/contract/bookmarks.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { createIdempotencyKey } from '../../../shared/api/idempotency-key.ts'
import { storeLastDestination } from '../destination/destination.ts'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'
import { type SaveFailure, saveFailureFrom } from './save-failure.ts'

export type SaveOutcome = { bookmark: Bookmark; failure: null } | { bookmark: null; failure: SaveFailure }

/**
 * Saving, from the press of the button to the answer. Pressing again after an answer that never came, or while the
 * server is still at it, means the same save: it is done once.
 */
export function useSaveBookmark(endpoint: typeof saveBookmark | typeof saveBookmarkManually) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<SaveFailure | null>(null)
  const [idempotencyKey] = useState(createIdempotencyKey)
  const queryClient = useQueryClient()

  async function save(body: SaveInput, collection: number | null): Promise<SaveOutcome> {
    setBusy(true)
    setFailure(null)
    try {
      const bookmark = await api(endpoint, { body }, { idempotencyKey: idempotencyKey.keyFor(body) })
      idempotencyKey.reset()
      storeLastDestination({ collection, channel: body.bookmark.channel_id ?? null })
      invalidateBookmarks(queryClient)
      return { bookmark, failure: null }
    } catch (error) {
      const saveError = saveFailureFrom(error)
      if (isFinalError(error, saveError)) idempotencyKey.reset()
      setFailure(saveError)
      return { bookmark: null, failure: saveError }
    } finally {
      setBusy(false)
    }
  }

  return { busy, failure, save, forget: () => setFailure(null) }
}

/** Whether the server decided: silence, a fault, or 'still under way' leave open what became of the save. */
function isFinalError(error: unknown, { bookmarkId }: SaveFailure): boolean {
  if (!isCallError(error) || error.status < 400 || error.status >= 500) return false
  return error.status !== 409 || bookmarkId !== null
}
