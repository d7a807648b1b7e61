import { getPlayQueue, type PlayQueue, type PlayQueueQuery } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { queryOptions, skipToken } from '@tanstack/react-query'
import { withholdAdultThumbnail } from '../../../shared/adult/server-rendered-thumbnails.ts'
import { queryApi } from '../../../shared/api/query-api.ts'
import { readId, readInteger, readText } from '../../../shared/paging/search-params.ts'

/** The search parameters that say in which list a bookmark is played, and how. */
export interface PlayContext {
  channel?: number | undefined
  collection?: number | undefined
  /** The query of another list, as its API takes it: `q=cats&sort=newest`. */
  list?: string | undefined
  /** Determines the random order, and the video with which it begins. */
  shuffle?: number | undefined
  shuffle_from?: number | undefined
  repeat?: 'all' | 'one' | undefined
}

export const highestSeed = 2_147_483_647

export function readPlayContext(search: Record<string, unknown>): PlayContext {
  const channel = readId(search.channel)
  const collection = channel === undefined ? readId(search.collection) : undefined
  const list = (channel ?? collection) === undefined ? readText(search.list, limits.urlMax) : undefined
  const context = { channel, collection, list }
  if (hasNoContext(context)) return context
  const shuffle = readInteger(search.shuffle, 0, highestSeed)
  return {
    ...context,
    shuffle,
    shuffle_from: shuffle === undefined ? undefined : readId(search.shuffle_from),
    repeat: search.repeat === 'all' || search.repeat === 'one' ? search.repeat : undefined,
  }
}

/** Returns whether a bookmark is played on its own. */
export function hasNoContext({ channel, collection, list }: PlayContext): boolean {
  return (channel ?? collection ?? list) === undefined
}

/** Returns the list that is played; null if a bookmark is played on its own. */
export function playedList(context: PlayContext): PlayQueueQuery | null {
  if (hasNoContext(context)) return null
  const { repeat: _, list = '', ...chosen } = context
  const defined = Object.entries(chosen).filter(([, value]) => value !== undefined)
  // The server validates the parameters of the list.
  return { ...Object.fromEntries(new URLSearchParams(list)), ...Object.fromEntries(defined) }
}

/** The part of the play queue around a bookmark. `around` in the result is that bookmark's id. */
export function playQueueQuery(id: number, context: PlayContext) {
  const query = playedList(context)
  return queryOptions({
    queryKey: ['queue', query, id] as const,
    queryFn:
      query === null
        ? skipToken
        : async ({ client }): Promise<PlayQueue & { around: number }> => {
            const queue = await queryApi(client)(getPlayQueue, { params: { id }, query })
            return { ...queue, around: id, results: queue.results.map(withholdAdultThumbnail) }
          },
    staleTime: limits.bookmarkCacheSeconds * 1000,
  })
}
