import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { stringifySearch } from '../../../shared/api/query-string.ts'
import type { PlayContext } from './play-queue.ts'

/** Returns the parameters that say that a list is played. Pages are left out, because the queue continues over them. */
export function playContextOf({ page: _, ...query }: ListingQuery): PlayContext {
  const { user, channel, collection, ...filters } = query
  const isContainer = (channel ?? collection) !== undefined && Object.keys(filters).length === 0
  if (!isContainer) return { list: stringifySearch(query).slice(1) }
  return channel === undefined ? { collection } : { channel }
}
