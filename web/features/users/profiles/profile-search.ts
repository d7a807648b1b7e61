import type { ListingQuery } from '@reelmark/contract/listing.ts'
import type { OrientationFilter } from '@reelmark/contract/protocol/fields.ts'
import { readId, readOrientation, readPage } from '../../../shared/paging/search-params.ts'

/** A profile's address; what is at its default is undefined. */
export interface ProfileSearch {
  /** Undefined: bookmarks. */
  tab?: 'liked' | 'collections' | undefined
  page?: number | undefined
  orientation?: Exclude<OrientationFilter, 'all'> | undefined
  /** Of the tab collections: which one is open, and which of its channels. */
  collection?: number | undefined
  channel?: number | undefined
}

/** Reads the address; what makes no sense in it, or not on that tab, is left out. */
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

/** The cards that a profile's address asks for; null where it shows collections. */
export function profileListing(
  username: string,
  { tab, page, orientation, collection, channel }: ProfileSearch,
): ListingQuery | null {
  if (tab === 'collections' && collection === undefined) return null
  // However it is spelt in the address, it is asked for once.
  const name = username.toLowerCase()
  return {
    ...(tab === 'liked' ? { liked_by: name } : { user: name }),
    ...(channel !== undefined ? { channel } : collection !== undefined ? { collection } : {}),
    ...(page === undefined ? {} : { page }),
    ...(orientation === undefined ? {} : { orientation }),
  }
}
