import type { ListingQuery } from '@reelmark/contract/listing.ts'
import type { Container } from './container.ts'

/** Returns the query for the bookmarks of a container. */
export function containerListing({ kind, id }: Pick<Container, 'kind' | 'id'>, page?: number): ListingQuery {
  return { [kind]: id, ...(page === undefined ? {} : { page }) }
}
