import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { exploreQuery, isFiltered, type ListSearch } from '../listing/public-api.ts'
import type { Container } from './container.ts'

/** Returns the query for the bookmarks of a container. */
export function containerListing(
  { kind, id }: Pick<Container, 'kind' | 'id'>,
  { collection: _, ...search }: ListSearch = {},
): ListingQuery {
  return { [kind]: id, ...exploreQuery(search) }
}

/**
 * Returns the same query for its page: searches of its owner also find words of private notes, and filters do not change
 * the order.
 */
export function containerPageListing(container: Container, search: ListSearch): ListingQuery {
  const query = containerListing(container, search)
  if (!isFiltered(search)) return query
  return {
    sort: container.listOrder,
    ...query,
    ...(container.isOwner && { user: container.user.username.toLowerCase() }),
  }
}

/** Returns the query of all pages of the list on the page of a container, which is played and saved as a smart collection. */
export function containerWholeListing(container: Container, search: ListSearch): ListingQuery {
  return containerPageListing(container, { ...search, page: undefined })
}

/** Returns the query for a page of what a smart collection shows. */
export function smartListing(id: number, page: number | undefined): ListingQuery {
  return { smart_collection: id, ...(page === undefined ? {} : { page }) }
}
