import { listBlocks } from '@reelmark/contract/blocks.ts'
import { listMutes } from '@reelmark/contract/mutes.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { type NextPage, nextPageParam } from '../../../shared/paging/next-page.ts'

export const blocksQuery = infiniteQueryOptions({
  queryKey: ['blocks'] as const,
  initialPageParam: { page: 1 } as NextPage,
  queryFn: ({ pageParam, signal }) => api(listBlocks, { query: pageParam }, { signal }),
  getNextPageParam: nextPageParam,
})

export const mutesQuery = infiniteQueryOptions({
  queryKey: ['mutes', 'list'] as const,
  initialPageParam: { page: 1 } as NextPage,
  queryFn: ({ pageParam, signal }) => api(listMutes, { query: { page: pageParam.page } }, { signal }),
  getNextPageParam: nextPageParam,
})
