import { listOwnDecisions, listOwnReports } from '@reelmark/contract/reports.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { type NextPage, nextPageParam } from '../../../shared/paging/next-page.ts'

/** The viewer's own reports, fetched again at every visit. */
export const ownReportsQuery = infiniteQueryOptions({
  queryKey: ['own-reports'] as const,
  queryFn: ({ pageParam, signal }) => api(listOwnReports, { query: pageParam }, { signal }),
  initialPageParam: { page: 1 } as NextPage,
  getNextPageParam: nextPageParam,
  staleTime: 0,
})

/** The decisions about the viewer and their content. */
export const ownDecisionsQuery = infiniteQueryOptions({
  queryKey: ['own-decisions'] as const,
  queryFn: ({ pageParam, signal }) => api(listOwnDecisions, { query: { page: pageParam.page } }, { signal }),
  initialPageParam: { page: 1 } as NextPage,
  getNextPageParam: nextPageParam,
  staleTime: 0,
})
