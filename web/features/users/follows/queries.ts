import { listCollectors } from '@reelmark/contract/follows.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { type NextPage, nextPageParam } from '../../../shared/paging/next-page.ts'

/** Lists the users with a public bookmark of a video. For the browser only. */
export function collectorsQuery(videoId: number) {
  return infiniteQueryOptions({
    queryKey: ['users-list', 'collectors', videoId] as const,
    queryFn: ({ pageParam, signal }) =>
      api(listCollectors, { params: { id: videoId }, query: pageParam }, { signal }),
    initialPageParam: { page: 1 } as NextPage,
    getNextPageParam: nextPageParam,
  })
}
