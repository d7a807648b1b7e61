import * as limits from '@reelmark/contract/protocol/limits.ts'
import {
  listSmartCollections,
  listTrashedSmartCollections,
  type SmartCollection,
} from '@reelmark/contract/smart-collections.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'
import { queryApi } from '../../../shared/api/query-api.ts'

/** All are fetched: a user has at most `smartCollectionsMax`. */
const maxPages = limits.smartCollectionsMax / limits.maxPageSize

/** A user's smart collections that the viewer may see. */
export function smartCollectionsQuery(username: string) {
  const user = username.toLowerCase()
  return queryOptions({
    queryKey: ['smart-collections', 'of', user] as const,
    queryFn: async ({ client }): Promise<SmartCollection[]> => {
      const all: SmartCollection[] = []
      for (let page = 1; page <= maxPages; page++) {
        const query = { user, page, page_size: limits.maxPageSize }
        const { results, next } = await queryApi(client)(listSmartCollections, { query })
        all.push(...results)
        if (next === null) break
      }
      return all
    },
  })
}

/** The viewer's deleted smart collections. Browser only. */
export const trashedSmartCollectionsQuery = queryOptions({
  queryKey: ['smart-collections', 'trash'] as const,
  queryFn: async ({ signal }) =>
    (await api(listTrashedSmartCollections, { query: { page_size: limits.maxPageSize } }, { signal }))
      .results,
})

/** Fetches everything about smart collections again after one changed. */
export function invalidateSmartCollections(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['smart-collections'] })
  void client.invalidateQueries({ queryKey: ['videos'] })
}
