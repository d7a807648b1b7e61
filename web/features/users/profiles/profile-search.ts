import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { readId } from '../../../shared/paging/search-params.ts'
import { containerListing } from '../../collections/public-api.ts'
import { exploreQuery, isFiltered, type ListSearch, readListSearch } from '../../listing/public-api.ts'

/** The search parameters of a profile. Parameters at their default are undefined. */
export interface ProfileSearch extends ListSearch {
  /** Undefined means bookmarks. */
  tab?: 'liked' | 'collections' | undefined
  /** The collection that is open in the tab Collections; in the other tabs, a filter. */
  collection?: number | undefined
  /** The open channel of that collection. */
  channel?: number | undefined
}

/**
 * Reads the search parameters and drops those that are invalid or do not apply to the tab. Bookmarks of one collection can be in
 * its manual order.
 */
export function readProfileSearch(search: Record<string, unknown>): ProfileSearch {
  const tab = search.tab === 'liked' || search.tab === 'collections' ? search.tab : undefined
  const list = readListSearch(search)
  if (tab !== 'collections') {
    const isManual = tab === undefined && list.collection && search.sort === 'manual'
    return { tab, ...list, ...(isManual && { sort: 'manual' }) }
  }
  const { collection, page } = list
  return {
    tab,
    collection,
    page: collection === undefined ? undefined : page,
    channel: collection === undefined ? undefined : readId(search.channel),
  }
}

/**
 * Returns the query of the bookmarks that a profile's address describes; null if it shows collections.
 * @param isOwn whether it is the viewer's profile, whose bookmarks are shown without Watch Later unless they are searched
 */
export function profileListing(
  username: string,
  { tab, ...search }: ProfileSearch,
  isOwn: boolean,
): ListingQuery | null {
  const { collection, channel, page } = search
  if (tab === 'collections') {
    if (collection === undefined) return null
    // The listing of the collection's own page, which its header also needs.
    const container =
      channel === undefined
        ? ({ kind: 'collection', id: collection } as const)
        : ({ kind: 'channel', id: channel } as const)
    return containerListing(container, { page })
  }
  // In lower case, so that the listing is cached once.
  const name = username.toLowerCase()
  return {
    ...(tab === 'liked' ? { liked_by: name } : { user: name }),
    ...exploreQuery(search),
    ...(isOwn && tab === undefined && !isFiltered(search) && { watch_later: false }),
  }
}
