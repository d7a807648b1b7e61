/** Sent in the transaction of a save, so that it runs only if that commits. Its data is a ThumbnailOwner. */
export const fetchThumbnailJob = { name: 'fetch-thumbnail' }
