/** The conditions for the rows of a listing: its orientation, filters and search, as the index that is read serves them. */
import type { FilterTerm } from '@reelmark/contract/search-terms.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import type { ListingFilter } from './listing-filter.ts'
import type { ListingSource } from './listing-sources.ts'
import { andFilters, inAnyIndex, isRange, limitsOf, matchesAll } from './search-filters.ts'
import type { SearchCondition } from './search-queries.ts'
import { isBetweenTimes } from './search-slices.ts'
import type { OwnSample } from './vault-source.ts'

export interface ListingConditions {
  /**
   * Returns the conditions for rows that match a search; null: any.
   * @param rows how they are found; by default as those of the listing
   * @param filters the filters as conditions, beginning with `and`; by default for the index that finds the rows of the listing
   */
  matching: (
    search: SearchCondition | null,
    rows?: Pick<OwnSample, 'scope' | 'matches'>,
    filters?: Fragment,
  ) => Fragment
  /** The filters as one condition that is true or false. */
  isMatch: Fragment
  /** What the filters add to the rows that the index of own words reads, beginning with `and`. */
  ofIndex: Fragment
  /** Returns the filters as conditions of the rows that an index of an order finds, which contains the columns of some. */
  inOrderIndex: (isInIndex?: (filter: FilterTerm) => boolean) => Fragment
}

/** Returns the conditions of a listing whose rows `source` selects. */
export function listingConditions(
  db: Db,
  { filters, orientation }: ListingFilter,
  viewer: Viewer | null,
  source: ListingSource,
): ListingConditions {
  // The times that are read in the index of own words.
  const ofIndex =
    source.cells === null
      ? db``
      : isBetweenTimes(db, limitsOf(filters, 'after'), limitsOf(filters, 'before'), source.cells)
  const inOrderIndex = (isInIndex: (filter: FilterTerm) => boolean = isRange) => {
    const others = filters.filter((filter) => !isInIndex(filter))
    return db`${andFilters(db, filters.filter(isInIndex), source, viewer)} ${inAnyIndex(db, others, source, viewer)}`
  }
  const ofOrder = source.hashesWatched ? inOrderIndex() : andFilters(db, filters, source, viewer)
  const ofListing =
    source.cells === null ? ofOrder : db`${ofIndex} ${inAnyIndex(db, filters, source, viewer)}`
  return {
    matching: (search, { scope, matches } = source, conditions = ofListing) => db`${scope}
      ${orientation === null ? db`` : db`and ${source.hasOrientation(orientation)}`} ${conditions}
      ${search === null ? db`` : db`and ${matches(search)}`}`,
    isMatch: matchesAll(db, filters, source, viewer),
    ofIndex,
    inOrderIndex,
  }
}
