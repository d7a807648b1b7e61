import type { ListingQuery } from '@reelmark/contract/listing.ts'
import type { ShownPlace } from './place.ts'

/** What a place's page lists. */
export function placeListing({ kind, id }: Pick<ShownPlace, 'kind' | 'id'>, page?: number): ListingQuery {
  return { [kind]: id, ...(page === undefined ? {} : { page }) }
}
