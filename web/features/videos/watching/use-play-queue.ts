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
  /** What follows, without videos that are gone and those that did not play. */
  following: readonly ListingItem[]
  next: ListingItem | null
}

/** Returns the queue at a bookmark; immediately if the previous bookmark's queue contains it. */
export function usePlayQueue(id: number, context: PlayContext): PlayQueueView | null {
  const { data } = useQuery({ ...playQueueQuery(id, context), placeholderData: keepPreviousData })
  const unplayable = useUnplayable()
  if (data === undefined || hasNoContext(context)) return null
  const indexById = (bookmarkId: number) => data.results.findIndex((item) => item.id === bookmarkId)
  const index = indexById(id)
  if (index === -1) return null
  const following = data.results
    .slice(index + 1)
    .filter((item) => item.is_missing !== true && !unplayable.has(item.id))
  return {
    queue: data,
    index,
    position: data.position === null ? null : data.position + index - indexById(data.around),
    previous: data.results[index - 1] ?? null,
    following,
    next: following[0] ?? null,
  }
}
