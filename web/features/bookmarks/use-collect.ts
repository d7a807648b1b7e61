import { isCallError } from '@reelmark/contract/call.ts'
import { collectBookmark } from '@reelmark/contract/collecting.ts'
import { errorTexts } from '@reelmark/contract/error-texts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { newIntent } from '../../intent.ts'
import { type Place, rememberPlace } from '../saving/place.ts'
import { bookmarksChanged } from './after-change.ts'

export interface CollectProblem {
  text: string
  /** The bookmark one already has of the video in that place. */
  bookmarkId: number | null
}

/**
 * What the server has against it, in its own words joined by spaces, else 'Failed to add bookmark.' (product.md
 * section 8). What it says of its own faults is for its operator.
 */
export function collectProblem(error: unknown): CollectProblem {
  const problem = { text: 'Failed to add bookmark.', bookmarkId: null }
  if (!isCallError(error) || error.status === 0 || error.status >= 500) return problem
  const { bookmark_id } = (error.body ?? {}) as { bookmark_id?: unknown }
  return {
    text: [...new Set(errorTexts(error.body))].join(' ') || problem.text,
    bookmarkId: typeof bookmark_id === 'number' ? bookmark_id : null,
  }
}

/** Whether the server decided: silence, a fault, or 'still under way' leave open what became of it. */
function isFinal(error: unknown, { bookmarkId }: CollectProblem): boolean {
  if (!isCallError(error) || error.status < 400 || error.status >= 500) return false
  return error.status !== 409 || bookmarkId !== null
}

type Chosen = Place & { collection: number }

/** Collecting a bookmark into a place of one's own. */
export function useCollect(bookmarkId: number) {
  return useCollecting((place, intent) =>
    api(collectBookmark, { body: { bookmark: bookmarkId, ...place } }, { intent }),
  )
}

/**
 * Collecting, from the press to the answer. Pressing again after silence means the same: it is done once.
 * @param send makes the call, with its Idempotency-Key
 */
export function useCollecting<Made>(send: (place: Chosen, intent: string) => Promise<Made>) {
  const client = useQueryClient()
  const [intent] = useState(newIntent)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<CollectProblem | null>(null)

  /** @returns what the server answered, or null where it failed. */
  async function collect(place: Chosen): Promise<Made | null> {
    setBusy(true)
    setProblem(null)
    try {
      const made = await send(place, intent.keyFor(place))
      intent.settled()
      rememberPlace(place)
      bookmarksChanged(client)
      return made
    } catch (error) {
      const told = collectProblem(error)
      if (isFinal(error, told)) intent.settled()
      setProblem(told)
      return null
    } finally {
      setBusy(false)
    }
  }

  return { busy, problem, collect, forget: () => setProblem(null) }
}
