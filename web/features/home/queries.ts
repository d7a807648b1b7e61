import { listingQuery } from '../listing/queries.ts'

/** The newest SFW bookmarks, for the home page. */
export const newestQuery = listingQuery({ orientation: 'sfw' })
