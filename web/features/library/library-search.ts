import { readId } from '../../shared/paging/search-params.ts'
import { type ListSearch, readListSearch } from '../listing/public-api.ts'

/** The search parameters of the library. Parameters at their default are undefined. */
export interface LibrarySearch extends ListSearch {
  channel?: number | undefined
}

/** Reads the search parameters and drops invalid ones, and the collection next to a channel, which determines it. */
export function readLibrarySearch(search: Record<string, unknown>): LibrarySearch {
  const list = readListSearch(search)
  const channel = readId(search.channel)
  return channel === undefined ? list : { ...list, collection: undefined, channel }
}
