/** What other areas may import from `listing`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export { PagedListing } from './paged-listing.tsx'
export { hasAdultItems, listingQuery, similarQuery } from './queries.ts'
export { SearchBox } from './search/search-box.tsx'
export { VideoGrid } from './video-grid.tsx'
