import { type Bookmark, getBookmark } from '@reelmark/contract/bookmarks.ts'
import { isAdult } from '@reelmark/contract/fields.ts'
import { limits } from '@reelmark/contract/limits.ts'
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import { queryOptions } from '@tanstack/react-query'
import { apiOf } from '../../api-of.ts'
import { pictureForPage } from '../adult/server-pictures.ts'
import { listingQuery } from '../listing/queries.ts'

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

/** How many are shown as more like a bookmark. */
export const likeThisShown = 10

/** Others with the same first tag, or by the same person; beside what is fit for anyone only what is, too. */
export function likeThisQuery(bookmark: Bookmark) {
  const [tag] = bookmark.tags
  const query: ListingQuery = tag === undefined ? { user: bookmark.user.username } : { tag: tag.name }
  if (!isAdult(bookmark.video.orientation)) query.orientation = 'sfw'
  return listingQuery({ ...query, page_size: likeThisShown + 1 })
}
