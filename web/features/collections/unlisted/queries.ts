import {
  getCollectionLink,
  getUnlistedBookmark,
  getUnlistedCollection,
} from '@reelmark/contract/collection-links.ts'
import type { ListOrder } from '@reelmark/contract/collections.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryApi } from '../../../shared/api/query-api.ts'

/** The secret link of the viewer's own collection. */
export function collectionLinkQuery(id: number) {
  return queryOptions({
    queryKey: ['collections', 'link', id] as const,
    queryFn: ({ client }) => queryApi(client)(getCollectionLink, { params: { id } }),
  })
}

/** A collection and a page of its bookmarks, by its secret link. Without an order, it is the one that the owner chose. */
export function unlistedCollectionQuery(token: string, page: number, sort: ListOrder | undefined) {
  const query = { page, ...(sort !== undefined && { sort }) }
  return queryOptions({
    queryKey: ['unlisted', token, 'page', query] as const,
    queryFn: ({ client }) => queryApi(client)(getUnlistedCollection, { params: { token }, query }),
  })
}

/** A bookmark of a collection, by the secret link of the collection. */
export function unlistedBookmarkQuery(token: string, id: number) {
  return queryOptions({
    queryKey: ['unlisted', token, 'bookmark', id] as const,
    queryFn: ({ client }) => queryApi(client)(getUnlistedBookmark, { params: { token, id } }),
  })
}
