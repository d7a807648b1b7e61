import { type Bookmark, getBookmark } from '@reelmark/contract/bookmarks.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryApi } from '../../shared/api/query-api.ts'
import { withholdAdultThumbnail } from '../adult/server-rendered-thumbnails.ts'

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
