import { getPlayQueue, type ListingItem, type PlayQueue } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { withholdAdultThumbnail } from '../../../shared/adult/server-rendered-thumbnails.ts'
import { queryApi } from '../../../shared/api/query-api.ts'
import { readId } from '../../../shared/paging/search-params.ts'

/** The search parameters that say from which channel or collection a bookmark is played. */
export interface PlayContext {
  channel?: number | undefined
  collection?: number | undefined
}

export function readPlayContext({ channel, collection }: Record<string, unknown>): PlayContext {
  const id = readId(channel)
  return id === undefined ? { collection: readId(collection) } : { channel: id }
}

/** Returns whether a bookmark is played on its own. */
export function hasNoContext({ channel, collection }: PlayContext): boolean {
  return channel === undefined && collection === undefined
}

/** The part of the play queue around a bookmark. `around` in the result is that bookmark's id. */
export function playQueueQuery(id: number, { channel, collection }: PlayContext) {
  const container = channel !== undefined ? { channel } : collection !== undefined ? { collection } : null
  return queryOptions({
    queryKey: ['queue', container, id] as const,
    queryFn:
      container === null
        ? skipToken
        : async ({ client }): Promise<PlayQueue & { around: number }> => {
            const queue = await queryApi(client)(getPlayQueue, { params: { id }, query: container })
            return { ...queue, around: id, results: queue.results.map(withholdAdultThumbnail) }
          },
    staleTime: limits.bookmarkCacheSeconds * 1000,
  })
}

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
export function usePlayQueue(id: number, search: PlayContext): PlayQueueView | null {
  const { data } = useQuery({ ...playQueueQuery(id, search), placeholderData: keepPreviousData })
  if (data === undefined || hasNoContext(search)) return null
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
