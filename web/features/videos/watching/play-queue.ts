import { getPlayQueue, type ListingItem, type PlayQueue } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { withholdAdultThumbnail } from '../../../shared/adult/server-rendered-thumbnails.ts'
import { queryApi } from '../../../shared/api/query-api.ts'
import { readId } from '../../../shared/paging/search-params.ts'

/** What a bookmark's address says of where it is played from: a channel, or else a whole collection. */
export interface PlayContext {
  channel?: number | undefined
  collection?: number | undefined
}

export function readPlayContext({ channel, collection }: Record<string, unknown>): PlayContext {
  const id = readId(channel)
  return id === undefined ? { collection: readId(collection) } : { channel: id }
}

/** Played from nowhere in particular. */
export function hasNoContext({ channel, collection }: PlayContext): boolean {
  return channel === undefined && collection === undefined
}

/** What is around a bookmark where it is played from. `around`: which bookmark was asked about. */
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
  /** Which of its results plays. */
  index: number
  /** From 1; null past what is counted. */
  position: number | null
  previous: ListingItem | null
  next: ListingItem | null
}

/** The queue as it stands at a bookmark: at once, where the bookmark before it knew its neighbours. */
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
