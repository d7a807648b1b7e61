import { limits } from '@reelmark/contract/limits.ts'
import { getQueue, type ListingItem, type Queue } from '@reelmark/contract/listing.ts'
import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { apiOf } from '../../api-of.ts'
import { pictureForPage } from '../adult/server-pictures.ts'
import { readId } from '../listing/explore-search.ts'

/** What a bookmark's address says of where it is played from: a channel, or else a whole collection. */
export interface QueueSearch {
  channel?: number | undefined
  collection?: number | undefined
}

export function readQueueSearch({ channel, collection }: Record<string, unknown>): QueueSearch {
  const id = readId(channel)
  return id === undefined ? { collection: readId(collection) } : { channel: id }
}

/** Played from nowhere in particular. */
export function isAlone({ channel, collection }: QueueSearch): boolean {
  return channel === undefined && collection === undefined
}

/** What is around a bookmark where it is played from. `around`: which bookmark was asked about. */
export function queueQuery(id: number, { channel, collection }: QueueSearch) {
  const place = channel !== undefined ? { channel } : collection !== undefined ? { collection } : null
  return queryOptions({
    queryKey: ['queue', place, id] as const,
    queryFn:
      place === null
        ? skipToken
        : async ({ client }): Promise<Queue & { around: number }> => {
            const queue = await apiOf(client)(getQueue, { params: { id }, query: place })
            return { ...queue, around: id, results: queue.results.map(pictureForPage) }
          },
    staleTime: limits.bookmarkCacheSeconds * 1000,
  })
}

export interface QueueView {
  queue: Queue
  /** Which of its results plays. */
  index: number
  /** From 1; null past what is counted. */
  position: number | null
  previous: ListingItem | null
  next: ListingItem | null
}

/** The queue as it stands at a bookmark: at once, where the bookmark before it knew its neighbours. */
export function useQueue(id: number, search: QueueSearch): QueueView | null {
  const { data } = useQuery({ ...queueQuery(id, search), placeholderData: keepPreviousData })
  if (data === undefined || isAlone(search)) return null
  const indexOf = (wanted: number) => data.results.findIndex((item) => item.id === wanted)
  const index = indexOf(id)
  if (index === -1) return null
  return {
    queue: data,
    index,
    position: data.position === null ? null : data.position + index - indexOf(data.around),
    previous: data.results[index - 1] ?? null,
    next: data.results[index + 1] ?? null,
  }
}
