import { listBlocks } from '@reelmark/contract/blocks.ts'
import { listMutes } from '@reelmark/contract/mutes.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { type PageAfter, pageAfter } from '../follows/people-queries.ts'

export const blocksQuery = infiniteQueryOptions({
  queryKey: ['blocks'] as const,
  initialPageParam: { page: 1 } as PageAfter,
  queryFn: ({ pageParam, signal }) => api(listBlocks, { query: pageParam }, { signal }),
  getNextPageParam: pageAfter,
})

export const mutesQuery = infiniteQueryOptions({
  queryKey: ['mutes', 'list'] as const,
  initialPageParam: { page: 1 } as PageAfter,
  queryFn: ({ pageParam, signal }) => api(listMutes, { query: { page: pageParam.page } }, { signal }),
  getNextPageParam: pageAfter,
})
