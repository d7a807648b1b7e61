import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { exploreQuery, isFiltered } from '../listing/public-api.ts'
import type { LibrarySearch } from './library-search.ts'

/** Returns the query of the viewer's own bookmarks that the search parameters describe. */
export function libraryListing(username: string, search: LibrarySearch): ListingQuery {
  return {
    // In lower case, so that the listing is cached once.
    user: username.toLowerCase(),
    // The newest first, and not the order that the collection has on its own page.
    ...(isContainer(search) && { sort: 'newest' }),
    ...exploreQuery(search),
    // It has its own entry. Searches and filters find it.
    ...(!isContainer(search) && !isFiltered(search) && { watch_later: false }),
  }
}

/** Returns whether the library shows one collection or channel. */
export function isContainer({ collection, channel }: LibrarySearch): boolean {
  return (collection ?? channel) !== undefined
}

/** Returns whether the list is in the order of time, in which periods divide it. */
export function isByTime({ sort, q }: LibrarySearch): boolean {
  return sort === undefined ? q === undefined : sort === 'newest' || sort === 'oldest'
}
