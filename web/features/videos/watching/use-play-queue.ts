import type { ListingItem, PlayQueue } from '@reelmark/contract/listing.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { hasNoContext, type PlayContext, playQueueQuery } from './play-queue.ts'
import { useUnplayable } from './unplayable-videos.ts'

export interface PlayQueueView {
  queue: PlayQueue
  /** The index of the current video in the results. */
  index: number
  /** The position from 1; null beyond what the server counts. */
  position: number | null
  previous: ListingItem | null
  /** The next video that is not gone. */
  next: ListingItem | null
}

/**
 * Returns what follows in a queue without what is known not to play: videos that are gone, and those in `unplayable`.
 */
export function playableAfter(
  view: Pick<PlayQueueView, 'queue' | 'index'> | null,
  unplayable: ReadonlySet<number> = new Set(),
): ListingItem[] {
  if (view === null) return []
  const following = view.queue.results.slice(view.index + 1)
  return following.filter((item) => item.is_missing !== true && !unplayable.has(item.id))
}

/** Returns the queue at a bookmark; immediately if the previous bookmark's queue contains it. */
export function usePlayQueue(id: number, context: PlayContext): PlayQueueView | null {
  const { data } = useQuery({ ...playQueueQuery(id, context), placeholderData: keepPreviousData })
  const unplayable = useUnplayable()
  if (data === undefined || hasNoContext(context)) return null
  const indexById = (bookmarkId: number) => data.results.findIndex((item) => item.id === bookmarkId)
  const index = indexById(id)
  if (index === -1) return null
  const view = {
    queue: data,
    index,
    position: data.position === null ? null : data.position + index - indexById(data.around),
    previous: data.results[index - 1] ?? null,
  }
  return { ...view, next: playableAfter(view, unplayable)[0] ?? null }
}
