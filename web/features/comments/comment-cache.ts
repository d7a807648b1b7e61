/** Reads and changes the cached pages of comments and replies. */
import type { Comment, Reply } from '@reelmark/contract/comments.ts'
import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'
import type { NextPage } from '../../shared/paging/next-page.ts'
import { commentsQuery, type ListPage } from './queries.ts'

type ListPages<Row> = InfiniteData<ListPage<Row>, NextPage | null>

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
    let removedCount = 0
    const changedPages = pages.map((page) => ({
      ...page,
      results: page.results.flatMap((row) => {
        if (row.id !== rowId) return row
        const after = change(row)
        if (after === null) removedCount = 1
        return after ?? []
      }),
    }))
    return changedPages.map((page) => ({ ...page, count: Math.max(0, page.count - removedCount) }))
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
