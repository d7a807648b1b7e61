import type { ListingItem, PlayQueue } from '@reelmark/contract/listing.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { hasNoContext, type PlayContext, playQueueQuery } from './play-queue.ts'

export interface PlayQueueView {
  queue: PlayQueue
  /** The index of the current video in the results. */
  index: number
  /** The position from 1; null beyond what the server counts. */
  position: number | null
  previous: ListingItem | null
  next: ListingItem | null
}

/** Returns the queue at a bookmark; immediately if the previous bookmark's queue contains it. */
export function usePlayQueue(id: number, context: PlayContext): PlayQueueView | null {
  const { data } = useQuery({ ...playQueueQuery(id, context), placeholderData: keepPreviousData })
  if (data === undefined || hasNoContext(context)) return null
  const indexById = (bookmarkId: number) => data.results.findIndex((item) => item.id === bookmarkId)
  const index = indexById(id)
  if (index === -1) return null
  return {
    queue: data,
    index,
    position: data.position === null ? null : data.position + index - indexById(data.around),
    previous: data.results[index - 1] ?? null,
    next: data.results[index + 1] ?? null,
  }
}
