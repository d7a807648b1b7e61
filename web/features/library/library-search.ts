import { readId } from '../../shared/paging/search-params.ts'
import { type ListSearch, readListSearch } from '../listing/public-api.ts'

/** The search parameters of the library. Parameters at their default are undefined. */
export interface LibrarySearch extends ListSearch {
  channel?: number | undefined
}

/**
 * Reads the search parameters and drops invalid ones: also the collection next to a channel, which determines it, and the
 * manual order of a list that is neither a collection nor a channel.
 */
export function readLibrarySearch(search: Record<string, unknown>): LibrarySearch {
  const list = readListSearch(search)
  const channel = readId(search.channel)
  return {
    ...list,
    ...(channel && { collection: undefined, channel }),
    ...(search.sort === 'manual' && (channel ?? list.collection) && { sort: 'manual' }),
  }
}
