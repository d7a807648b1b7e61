/** Sent in the transaction of a save, so that it runs only if that commits. Its data is a ThumbnailOwner. */
export const fetchThumbnailJob = { name: 'fetch-thumbnail' }

/** The columns of videos and bookmarks whose stored thumbnail is replaced. */
export const noThumbnail = {
  thumbnail_key: null,
  thumbnail_large_key: null,
  thumbnail_hash: null,
  thumbnail_failures: 0,
  thumbnail_retry_at: null,
}
