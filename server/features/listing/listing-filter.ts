/** What a listing contains: the filters and the order that a request asks for. */
import type { Orientation } from '@reelmark/contract/protocol/fields.ts'
import type { FilterTerm } from '@reelmark/contract/search-terms.ts'
import type { ListingOrder } from './listing-orders.ts'
import type { ListingScope } from './listing-segments.ts'
import type { RankedWords, SearchCondition } from './search-queries.ts'
import type { Shuffle } from './shuffle.ts'

export interface ListingFilter {
  orientation: Orientation | null
  /** Null for no search. */
  search: SearchCondition | null
  /** Whether the search only excludes words. */
  excludesOnly: boolean
  /** Tags named by the search, which are shown although the viewer muted them. */
  tags: string[]
  filters: FilterTerm[]
  /** Whether search and filters match only the viewer's own bookmarks, which are then listed. */
  findsOwnOnly: boolean
  /** Only bookmarks in the viewer's trash, by the time of their deletion. */
  isTrash: boolean
  /** What the order `relevance` ranks by, with similar words if the search has them; null for other orders. */
  ranked: RankedWords | null
  /** A search that similar words also match; what only it matches follows the exact matches. Null if not needed. */
  closeSearch: SearchCondition | null
  /** Whether `search` is known to find nothing, so that only what `closeSearch` matches is read. */
  hasNoExact: boolean
  /** The time of the oldest bookmarks in microseconds, where a search for the oldest begins; null if not needed. */
  oldest: number | null
  user: string | null
  likedBy: string | null
  channel: number | null
  collection: number | null
  /** Only bookmarks of users whom the viewer follows. */
  following: boolean
  order: ListingOrder
  /** Where the random order starts, from 0 to 1; null for the other orders. */
  randomStart: number | null
  /** The random order of a play queue; null for the other orders. */
  shuffle: Shuffle | null
}

/** All visible bookmarks, newest first. */
export const allBookmarks: ListingFilter = {
  orientation: null,
  search: null,
  excludesOnly: false,
  tags: [],
  filters: [],
  findsOwnOnly: false,
  isTrash: false,
  ranked: null,
  closeSearch: null,
  hasNoExact: false,
  oldest: null,
  user: null,
  likedBy: null,
  channel: null,
  collection: null,
  following: false,
  order: 'newest',
  randomStart: null,
  shuffle: null,
}

/** Returns whether a listing is Explore or a search in it, without filters other than the orientation. */
export function isUnfiltered(filter: ListingFilter): boolean {
  const { filters, user, likedBy, channel, collection, following, isTrash } = filter
  const isSelected = [user, likedBy, channel, collection].some((value) => value !== null)
  return !isSelected && !following && !isTrash && !filter.findsOwnOnly && filters.length === 0
}

/** Returns whether a listing has a search, filters or an orientation, so that it is a part of what it selects from. */
export function isFiltered({ search, orientation, filters }: ListingFilter): boolean {
  return search !== null || orientation !== null || filters.length > 0
}

/**
 * Returns whether the best plan of a listing depends on what it searches or on how much the viewer watched, so that a stored plan
 * would be slow. Searches in an index of words are written so that one plan suits all words
 * (docs/decisions/0101-stored-plans-of-searches.md).
 */
export function isPlannedEachTime(
  { search, filters, order, likedBy, following }: ListingFilter,
  { cells, isSearch, own }: Pick<ListingScope, 'cells' | 'isSearch' | 'own'>,
): boolean {
  if (order === 'last_watched') return true
  if (own?.readsMatchesOnly) return false
  if (filters.length > 0) return true
  if (search === null && cells === null) return false
  return likedBy !== null || following || (cells === null && !isSearch)
}
