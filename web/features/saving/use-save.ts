import type { Bookmark, SaveInput, saveBookmark, saveBookmarkManually } from '@reelmark/contract/bookmarks.ts'
import { isCallError } from '@reelmark/contract/call.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { newIntent } from '../../intent.ts'
import { bookmarksChanged } from '../bookmarks/after-change.ts'
import { rememberPlace } from './place.ts'
import { type SaveFailure, saveFailure } from './save-failure.ts'

export type SaveOutcome = { bookmark: Bookmark; failure: null } | { bookmark: null; failure: SaveFailure }

/**
 * Saving, from the press of the button to the answer. Pressing again after an answer that never came, or while the
 * server is still at it, means the same save: it is done once.
 */
export function useSave(endpoint: typeof saveBookmark | typeof saveBookmarkManually) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<SaveFailure | null>(null)
  const [intent] = useState(newIntent)
  const queryClient = useQueryClient()

  async function save(body: SaveInput, collection: number | null): Promise<SaveOutcome> {
    setBusy(true)
    setFailure(null)
    try {
      const bookmark = await api(endpoint, { body }, { intent: intent.keyFor(body) })
      intent.settled()
      rememberPlace({ collection, channel: body.bookmark.channel_id ?? null })
      bookmarksChanged(queryClient)
      return { bookmark, failure: null }
    } catch (error) {
      const told = saveFailure(error)
      if (isFinal(error, told)) intent.settled()
      setFailure(told)
      return { bookmark: null, failure: told }
    } finally {
      setBusy(false)
    }
  }

  return { busy, failure, save, forget: () => setFailure(null) }
}

/** Whether the server decided: silence, a fault, or 'still under way' leave open what became of the save. */
function isFinal(error: unknown, { bookmarkId }: SaveFailure): boolean {
  if (!isCallError(error) || error.status < 400 || error.status >= 500) return false
  return error.status !== 409 || bookmarkId !== null
}
