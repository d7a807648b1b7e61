/** What other areas may import from `listing`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export { EmptyFilteredList } from './empty-filtered-list.tsx'
export {
  changeSearch,
  type ExploreSearch,
  exploreQuery,
  isFiltered,
  isNarrowed,
  type ListSearch,
  readListSearch,
  usesLastOrientation,
} from './explore-search.ts'
export { invalidateFeed } from './invalidate-feed.ts'
export { LazyListTools } from './lazy-list-tools.tsx'
export { ListingCount } from './listing-count.tsx'
export { PagedListing } from './paged-listing.tsx'
export { hasAdultItems, listingQuery, otherSourcesQuery, similarQuery } from './queries.ts'
export { type ResultKind, resultKinds } from './result-kinds.ts'
export { ResultTabs } from './result-tabs.tsx'
export { filterLabels, orderLabels } from './search/filters.ts'
export { HeaderSearch, headerSearchId } from './search/header-search.tsx'
export { HeaderSearchLabel } from './search/header-search-label.tsx'
export { ListTools } from './search/list-tools.tsx'
export { SearchBox } from './search/search-box.tsx'
export { VideoGrid } from './video-grid.tsx'
