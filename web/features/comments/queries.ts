import {
  type Comment,
  type CommentWithContext,
  getComment,
  listComments,
  listReplies,
  type Reply,
} from '@reelmark/contract/comments.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import { queryApi } from '../../shared/api/query-api.ts'
import type { CommentList } from './comment-list-cache.ts'

/** The comments on a video that are shown: a page, to which the next ones are added. */
export function commentsQuery(videoId: number) {
  const queryKey = ['comments', videoId] as const
  return queryOptions({
    queryKey,
    queryFn: ({ client }): Promise<CommentList<Comment>> =>
      queryApi(client)(listComments, { params: { id: videoId }, query: pageSizeOfShown(client, queryKey) }),
    // What failed shows as failed, the same after hydration as in the server's HTML.
    retryOnMount: false,
  })
}

/** The replies to a comment that are shown; forgotten once they are hidden. */
export function repliesQuery(commentId: number) {
  const queryKey = ['replies', commentId] as const
  return queryOptions({
    queryKey,
    queryFn: ({ client }): Promise<CommentList<Reply>> =>
      queryApi(client)(listReplies, { params: { id: commentId }, query: pageSizeOfShown(client, queryKey) }),
    gcTime: 0,
  })
}

/** What a permanent link leads to; null where it is not there. */
export function commentQuery(id: number) {
  return queryOptions({
    queryKey: ['comment', id] as const,
    queryFn: async ({ client }): Promise<CommentWithContext | null> => {
      try {
        return await queryApi(client)(getComment, { params: { id }, query: {} })
      } catch (error) {
        if (isCallError(error) && error.status === 404) return null
        throw error
      }
    },
  })
}

/** Asked again, a list that has grown does not shrink to its first page under the reader's eyes. */
function pageSizeOfShown(client: QueryClient, key: QueryKey): { page_size?: number } {
  const shown = client.getQueryData<CommentList<Reply>>(key)?.results.length ?? 0
  return shown > limits.commentsPageSize ? { page_size: Math.min(shown, limits.maxPageSize) } : {}
}

/** What a `next` link asks for. */
export function queryFromLink(next: string) {
  const search = new URLSearchParams(next.split('?')[1])
  const cursor = search.get('cursor')
  return {
    page: Number(search.get('page')),
    page_size: Number(search.get('page_size')),
    ...(cursor === null ? {} : { cursor }),
  }
}
