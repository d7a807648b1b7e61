import { type Bookmark, getBookmark } from '@reelmark/contract/bookmarks.ts'
import { limits } from '@reelmark/contract/limits.ts'
import { queryOptions } from '@tanstack/react-query'
import { apiOf } from '../../api-of.ts'
import { pictureForPage } from '../adult/server-pictures.ts'

/** A bookmark with its video and owner; kept for 5 minutes (product.md section 4, Caching). */
export function bookmarkQuery(id: number) {
  return queryOptions({
    queryKey: ['bookmark', id] as const,
    queryFn: async ({ client }): Promise<Bookmark> => {
      const bookmark = await apiOf(client)(getBookmark, { params: { id } })
      return { ...bookmark, video: pictureForPage(bookmark.video) }
    },
    staleTime: limits.bookmarkCacheSeconds * 1000,
  })
}
