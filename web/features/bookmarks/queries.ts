import { type Bookmark, getBookmark } from '@reelmark/contract/bookmarks.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { queryOptions } from '@tanstack/react-query'
import { withholdAdultThumbnail } from '../../shared/adult/server-rendered-thumbnails.ts'
import { queryApi } from '../../shared/api/query-api.ts'

/** A bookmark with its video and owner; cached for 5 minutes. */
export function bookmarkQuery(id: number) {
  return queryOptions({
    queryKey: ['bookmark', id] as const,
    queryFn: async ({ client }): Promise<Bookmark> => {
      const bookmark = await queryApi(client)(getBookmark, { params: { id } })
      return { ...bookmark, video: withholdAdultThumbnail(bookmark.video) }
    },
    staleTime: limits.bookmarkCacheSeconds * 1000,
  })
}
