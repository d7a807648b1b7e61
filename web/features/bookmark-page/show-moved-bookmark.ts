import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { QueryClient } from '@tanstack/react-query'
import { bookmarkQuery, invalidateBookmarks } from '../bookmarks/public-api.ts'
import { commentsQuery } from '../comments/public-api.ts'

/**
 * Shows a bookmark that was moved to another video. The comments of the video before are not requested again: it may not exist any
 * more.
 */
export function showMovedBookmark(client: QueryClient, before: Bookmark, after: Bookmark): void {
  client.removeQueries({ queryKey: commentsQuery(before.video.id).queryKey })
  client.setQueryData(bookmarkQuery(after.id).queryKey, after)
  invalidateBookmarks(client)
}
