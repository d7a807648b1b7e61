import { listingQuery } from '../listing/public-api.ts'

/** What the home page shows: the newest bookmarks fit for anyone. */
export const newestQuery = listingQuery({ orientation: 'sfw' })
