import { collectBookmark } from '@reelmark/contract/collect.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { errorTexts } from '@reelmark/contract/protocol/error-texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../shared/api/api.ts'
import { createIdempotencyKey } from '../../../shared/api/idempotency-key.ts'
import { type Destination, storeLastDestination } from '../destination/destination.ts'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'

export interface CollectError {
  text: string
  /** The bookmark one already has of the video in that place. */
  bookmarkId: number | null
}

/**
 * Returns the server's field messages joined by spaces, else 'Failed to add bookmark.' (docs/behaviour.md, Forms and
 * messages). The texts of server errors (5xx) are for the operator and are not shown.
 */
export function collectErrorFrom(error: unknown): CollectError {
  const problem = { text: 'Failed to add bookmark.', bookmarkId: null }
  if (!isCallError(error) || error.status === 0 || error.status >= 500) return problem
  const { bookmark_id } = (error.body ?? {}) as { bookmark_id?: unknown }
  return {
    text: [...new Set(errorTexts(error.body))].join(' ') || problem.text,
    bookmarkId: typeof bookmark_id === 'number' ? bookmark_id : null,
  }
}

/** Whether the server decided: silence, a fault, or 'still under way' leave open what became of it. */
function isFinalError(error: unknown, { bookmarkId }: CollectError): boolean {
  if (!isCallError(error) || error.status < 400 || error.status >= 500) return false
  return error.status !== 409 || bookmarkId !== null
}

type ChosenDestination = Destination & { collection: number }

/** Collecting a bookmark into a place of one's own. */
export function useCollect(bookmarkId: number) {
  return useCollectRequest((destination, idempotencyKey) =>
    api(collectBookmark, { body: { bookmark: bookmarkId, ...destination } }, { idempotencyKey }),
  )
}

/**
 * Collecting, from the press to the answer. Pressing again after silence means the same: it is done once.
 * @param send makes the call, with its Idempotency-Key
 */
export function useCollectRequest<Made>(
  send: (destination: ChosenDestination, idempotencyKey: string) => Promise<Made>,
) {
  const client = useQueryClient()
  const [idempotencyKey] = useState(createIdempotencyKey)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<CollectError | null>(null)

  /** @returns what the server answered, or null where it failed. */
  async function collect(destination: ChosenDestination): Promise<Made | null> {
    setBusy(true)
    setProblem(null)
    try {
      const created = await send(destination, idempotencyKey.keyFor(destination))
      idempotencyKey.reset()
      storeLastDestination(destination)
      invalidateBookmarks(client)
      return created
    } catch (error) {
      const collectError = collectErrorFrom(error)
      if (isFinalError(error, collectError)) idempotencyKey.reset()
      setProblem(collectError)
      return null
    } finally {
      setBusy(false)
    }
  }

  return { busy, problem, collect, forget: () => setProblem(null) }
}
