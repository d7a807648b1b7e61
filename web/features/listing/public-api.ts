/** What other areas may import from `listing`. See web/build/shared-chunks-plugin.ts for what pages load of it. */
export { PagedListing } from './paged-listing.tsx'
export { hasAdultItems, listingQuery, similarQuery } from './queries.ts'
export { VideoGrid } from './video-grid.tsx'
