/** What other areas may import from `bookmarks`: re-exports only. */

export { loadBookmarkReply } from './bookmark-reply.ts'
export { trashOwnBookmarks } from './bulk/bulk-queries.ts'
export { extractedFacts, storeExtraction } from './extracted-facts.ts'
export { lockOwnBookmarks } from './lock-bookmarks.ts'
export { resolveVideo } from './merge/scan-videos.ts'
export { fillInBookmark } from './metadata/fill-in.ts'
export {
  type ClaimedRequest,
  claimRequest,
  endRequest,
  type ImportedBookmark,
  maxMetadataAttempts,
  postponeHost,
  readWait,
  releaseHost,
  removeEndedRequests,
  requestMetadata,
  skipHost,
} from './metadata/request-queries.ts'
export { importNotes } from './notes/import-notes.ts'
export { choosePlayer } from './player/player.ts'
export { readBookmark } from './read-bookmark.ts'
export { declineLink } from './replace-link/move-replaced.ts'
export { type FoundLink, requireReplaceable, requireUsable } from './replace-link/proposals.ts'
export { linkError, replaceLink, requireMissing } from './replace-link/replace-link.ts'
export { type BookmarkImport, type BookmarkOutcome, importBookmarks } from './save/import-bookmarks.ts'
export { findPopularTags } from './tags/queries.ts'
export { deleteThumbnail, storeThumbnail } from './thumbnails/thumbnail-files.ts'
export { isRefusedPicture, setImportedThumbnail } from './thumbnails/thumbnail-queries.ts'
export { findUploaderDestination, storeUploader } from './uploaders.ts'
