import { listCollectors } from '@reelmark/contract/follows.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../api/api.ts'

export interface NextPage {
  page: number
  cursor?: string
}

/** The page that a list's `next` leads to: `/api/…?page=2&cursor=…`. */
export function nextPageParam({ next }: { next: string | null }): NextPage | undefined {
  if (next === null) return undefined
  const search = new URLSearchParams(next.split('?')[1])
  const cursor = search.get('cursor')
  return { page: Number(search.get('page') ?? 1), ...(cursor !== null && { cursor }) }
}

/** Who keeps a video in public, page by page; asked for in the browser only. */
export function collectorsQuery(videoId: number) {
  return infiniteQueryOptions({
    queryKey: ['users-list', 'collectors', videoId] as const,
    queryFn: ({ pageParam, signal }) =>
      api(listCollectors, { params: { id: videoId }, query: pageParam }, { signal }),
    initialPageParam: { page: 1 } as NextPage,
    getNextPageParam: nextPageParam,
  })
}
