import type { ListingQuery } from '@reelmark/contract/listing.ts'
import type { OrientationFilter } from '@reelmark/contract/protocol/fields.ts'
import { readId, readOrientation, readPage } from '../../../shared/paging/search-params.ts'

/** The search parameters of a profile. Parameters at their default are undefined. */
export interface ProfileSearch {
  /** Undefined means bookmarks. */
  tab?: 'liked' | 'collections' | undefined
  page?: number | undefined
  orientation?: Exclude<OrientationFilter, 'all'> | undefined
  /** The collection that is open in the tab Collections, and its channel. */
  collection?: number | undefined
  channel?: number | undefined
}

/** Reads the search parameters and drops those that are invalid or do not apply to the tab. */
export function readProfileSearch(search: Record<string, unknown>): ProfileSearch {
  const tab = search.tab === 'liked' || search.tab === 'collections' ? search.tab : undefined
  const collection = tab === 'collections' ? readId(search.collection) : undefined
  const isGrid = tab !== 'collections' || collection !== undefined
  return {
    tab,
    page: isGrid ? readPage(search.page) : undefined,
    orientation: tab === 'collections' ? undefined : readOrientation(search.orientation),
    collection,
    channel: collection === undefined ? undefined : readId(search.channel),
  }
}

/** Returns the query of the bookmarks that a profile's address describes; null if it shows collections. */
export function profileListing(
  username: string,
  { tab, page, orientation, collection, channel }: ProfileSearch,
): ListingQuery | null {
  if (tab === 'collections' && collection === undefined) return null
  // In lower case, so that the listing is cached once.
  const name = username.toLowerCase()
  return {
    ...(tab === 'liked' ? { liked_by: name } : { user: name }),
    ...(channel !== undefined ? { channel } : collection !== undefined ? { collection } : {}),
    ...(page === undefined ? {} : { page }),
    ...(orientation === undefined ? {} : { orientation }),
  }
}
