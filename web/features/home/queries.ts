import { listingQuery } from '../listing/public-api.ts'

/** The newest SFW bookmarks, for the home page. */
export const newestQuery = listingQuery({ orientation: 'sfw' })
