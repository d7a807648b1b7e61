import type { OrientationFilter } from '@reelmark/contract/fields.ts'
import type { ListingQuery } from '@reelmark/contract/listing.ts'

/** A profile's address; what is at its default is undefined. */
export interface ProfileSearch {
  page?: number | undefined
  orientation?: Exclude<OrientationFilter, 'all'> | undefined
}

/** A user's own bookmarks, as their profile's address asks for them. */
export function profileListing(username: string, { page, orientation }: ProfileSearch): ListingQuery {
  return {
    user: username,
    ...(page === undefined ? {} : { page }),
    ...(orientation === undefined ? {} : { orientation }),
  }
}
