import * as limits from '@reelmark/contract/protocol/limits.ts'
import { listOwnTags, listTagChanges, type ownTagOrders } from '@reelmark/contract/tags.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { type NextPage, nextPageParam } from '../../../shared/paging/next-page.ts'

export type OwnTagOrder = (typeof ownTagOrders)[number]

const firstPage: NextPage = { page: 1 }

/** The tags of the viewer's bookmarks that contain `q`. Browser only. */
export function ownTagsQuery(q: string, sort: OwnTagOrder) {
  return infiniteQueryOptions({
    queryKey: ['own-tags', 'list', q, sort] as const,
    queryFn: ({ pageParam, signal }) =>
      api(listOwnTags, { query: { q, sort, page_size: limits.maxPageSize, ...pageParam } }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPageParam,
    placeholderData: keepPreviousData,
  })
}

/** The viewer's tags that contain `q`, most used first, to choose one of them. */
export function matchingOwnTagsQuery(q: string) {
  return queryOptions({
    queryKey: ['own-tags', 'matching', q] as const,
    queryFn: async ({ signal }) => {
      const query = { q, sort: 'most_used' as const, page_size: 20 }
      return (await api(listOwnTags, { query }, { signal })).results
    },
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** The viewer's latest changes of tags. Fetched each second while a job works on one. */
export const tagChangesQuery = queryOptions({
  queryKey: ['own-tags', 'changes'] as const,
  queryFn: async ({ signal }) => (await api(listTagChanges, { query: {} }, { signal })).results,
  refetchInterval: ({ state }) =>
    state.data?.some((change) => change.state === 'running' || change.state === 'undoing') ? 1000 : false,
})
