import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { savesByUrlQuery } from '../queries.ts'
import type { LinkState } from './link-row.tsx'

/**
 * Returns the state of each link: the result of saving it, or else whether the viewer has a bookmark of it. A link that
 * cannot be checked counts as ready, because saving it checks again. The checks are one query, because `useQueries` would
 * add 0.9 KB to every page.
 */
export function useLinkStates(
  urls: readonly string[],
  results: ReadonlyMap<string, LinkState>,
): ReadonlyMap<string, LinkState> {
  const client = useQueryClient()
  const { data: checks } = useQuery({
    queryKey: ['saved', 'many', urls] as const,
    async queryFn() {
      const check = async (url: string): Promise<[string, LinkState]> => {
        const saves = await client.fetchQuery(savesByUrlQuery(url)).catch(() => null)
        const bookmark = saves?.bookmarks[0]
        if (bookmark === undefined) return [url, { state: 'ready' }]
        return [url, { state: 'known', title: bookmark.title, bookmarkId: bookmark.id }]
      }
      return new Map(await Promise.all(urls.map(check)))
    },
    placeholderData: keepPreviousData,
  })
  return new Map([...(checks ?? []), ...results])
}
