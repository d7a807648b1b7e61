import { listTags } from '@reelmark/contract/tags.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

/** The most used tags that begin so. */
export function tagsQuery(q: string) {
  return queryOptions({
    queryKey: ['tags', q] as const,
    queryFn: async ({ signal }) => {
      const { results } = await api(listTags, { query: { q, page_size: 10 } }, { signal })
      return results
    },
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    retry: false,
  })
}
