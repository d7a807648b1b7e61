/** How many bookmarks one transaction changes or deletes, so that saves and likes of the same videos do not wait long. */
export const bookmarkBatchSize = 200
