import {
  type Comment,
  type CommentWithContext,
  getComment,
  listComments,
  listReplies,
  type Reply,
} from '@reelmark/contract/comments.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import { queryApi } from '../../shared/api/query-api.ts'
import { type NextPage, nextPageParam } from '../../shared/paging/next-page.ts'

interface ListPage<Row> {
  count: number
  next: string | null
  results: Row[]
}
type ListPages<Row> = InfiniteData<ListPage<Row>, NextPage | null>

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

/** Returns the loaded rows of all pages, and the count that the server sent last. */
export function loadedRows<Row>({ pages }: ListPages<Row>) {
  return { results: pages.flatMap(({ results }) => results), count: pages.at(-1)?.count ?? 0 }
}

/** Adds a posted comment to the top of the cached list. */
export function cacheNewComment(client: QueryClient, videoId: number, comment: Comment): void {
  changePages<Comment>(client, commentsQuery(videoId).queryKey, (pages) => {
    if (pages.some(({ results }) => results.some(({ id }) => id === comment.id))) return pages
    return pages.map(({ count, results, ...page }, index) => ({
      ...page,
      count: count + 1,
      results: index === 0 ? [comment, ...results] : results,
    }))
  })
}

/** Changes one row of a cached list, or removes it if `change` returns null. */
export function changeCachedRow<Row extends Reply>(
  client: QueryClient,
  queryKey: QueryKey,
  rowId: number,
  change: (row: Row) => Row | null,
): void {
  changePages<Row>(client, queryKey, (pages) => {
    let removed = 0
    const changed = pages.map((page) => ({
      ...page,
      results: page.results.flatMap((row) => {
        if (row.id !== rowId) return row
        const after = change(row)
        if (after === null) removed = 1
        return after ?? []
      }),
    }))
    return changed.map((page) => ({ ...page, count: Math.max(0, page.count - removed) }))
  })
}

/** Changes the pages of a cached list. A fetch under way would overwrite the change, so it starts again. */
function changePages<Row>(
  client: QueryClient,
  queryKey: QueryKey,
  change: (pages: ListPage<Row>[]) => ListPage<Row>[],
): void {
  const isFetching = client.isFetching({ queryKey, exact: true }) > 0
  client.setQueryData<ListPages<Row>>(queryKey, (data) => data && { ...data, pages: change(data.pages) })
  if (isFetching) void client.invalidateQueries({ queryKey, exact: true })
}
