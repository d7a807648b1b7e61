import {
  type Comment,
  type CommentWithContext,
  getComment,
  listComments,
  listReplies,
  type Reply,
} from '@reelmark/contract/comments.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryApi } from '../../shared/api/query-api.ts'
import { type NextPage, nextPageParam } from '../../shared/paging/next-page.ts'

export interface ListPage<Row> {
  count: number
  next: string | null
  results: Row[]
}

const firstPage = null as NextPage | null

/** The comments on a video, newest first. */
export function commentsQuery(videoId: number) {
  return infiniteQueryOptions({
    queryKey: ['comments', videoId] as const,
    queryFn: ({ client, pageParam }): Promise<ListPage<Comment>> =>
      queryApi(client)(listComments, { params: { id: videoId }, query: pageParam ?? {} }),
    initialPageParam: firstPage,
    getNextPageParam: nextPageParam,
    // A failed load is shown as failed after hydration too, as in the server's HTML.
    retryOnMount: false,
  })
}

/** The replies to a comment, oldest first. Dropped from the cache when they are hidden. */
export function repliesQuery(commentId: number) {
  return infiniteQueryOptions({
    queryKey: ['replies', commentId] as const,
    queryFn: ({ client, pageParam }): Promise<ListPage<Reply>> =>
      queryApi(client)(listReplies, { params: { id: commentId }, query: pageParam ?? {} }),
    initialPageParam: firstPage,
    getNextPageParam: nextPageParam,
    gcTime: 0,
  })
}

/** The comment or reply of a permanent link; null if it does not exist. */
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
