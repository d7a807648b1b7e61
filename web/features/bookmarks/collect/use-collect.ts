import { collectBookmark } from '@reelmark/contract/collect.ts'
import type { BookmarkAccess } from '@reelmark/contract/protocol/fields.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import {
  type ApiMutationOptions,
  type SendWrite,
  useApiMutation,
} from '../../../shared/api/use-api-mutation.ts'
import { errorBody } from '../../../shared/errors/api-error.ts'
import { errorMessage } from '../../../shared/errors/error-message.ts'
import { type Destination, storeLastDestination } from '../destination/destination.ts'
import { invalidateBookmarks } from '../invalidate-bookmarks.ts'

/** Returns the id of the viewer's existing bookmark of the video at that destination; null for other errors. */
export function existingBookmarkId(error: unknown): number | null {
  const { bookmark_id } = errorBody(error)
  return typeof bookmark_id === 'number' ? bookmark_id : null
}

export type ChosenDestination = Destination & { collection: number; access?: BookmarkAccess }

/** Collects a bookmark into one of the viewer's collections. */
export function useCollect(bookmarkId: number) {
  return useCollectRequest((destination, options) =>
    api(collectBookmark, { body: { bookmark: bookmarkId, ...destination } }, options),
  )
}

/**
 * Collects one or many bookmarks into one of the viewer's collections.
 * @param send sends the request.
 */
export function useCollectRequest<Result>(
  send: SendWrite<ChosenDestination, Result>,
  options: ApiMutationOptions<ChosenDestination, Result> = {},
) {
  const client = useQueryClient()
  return useApiMutation(
    async (destination: ChosenDestination, key) => {
      const result = await send(destination, key)
      const { collection, channel } = destination
      storeLastDestination({ collection, channel })
      invalidateBookmarks(client)
      return result
    },
    // The specification prescribes this text (docs/behaviour.md, Forms and messages).
    { errorText: (error) => errorMessage(error, 'Failed to add bookmark.'), ...options },
  )
}
