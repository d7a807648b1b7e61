import { listTags } from '@reelmark/contract/tags.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

/**
 * Tags with a prefix: of the viewer's private bookmarks, without a number, and the most used ones.
 * @param sfw whether to exclude tags that only adult videos have.
 */
export function tagsQuery(q: string, sfw: boolean) {
  return queryOptions({
    queryKey: ['tags', q, sfw] as const,
    queryFn: async ({ signal }) => {
      const query = { q, page_size: 10, ...(sfw && { orientation: 'sfw' as const }) }
      const { results, own = [] } = await api(listTags, { query }, { signal })
      return [...own.map((name) => ({ name, uses_count: null })), ...results]
    },
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    retry: false,
  })
}
