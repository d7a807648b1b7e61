import { findOwnBookmarksByUrl } from '@reelmark/contract/collect.ts'
import { type Collection, listCollections } from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

/** All collections of the viewer with their channels, for selects. Browser only. */
export const ownCollectionsQuery = queryOptions({
  queryKey: ['collections', 'own', 'all'],
  queryFn: async ({ signal }) => {
    const all: Collection[] = []
    for (let page = 1; ; page++) {
      const query = { page, page_size: limits.maxPageSize }
      const { results, next } = await api(listCollections, { query }, { signal })
      all.push(...results)
      if (next === null) return all
    }
  },
})

/**
 * The viewer's bookmarks of the video that a link refers to, in any form of the link, and how many others saved it. No other
 * server is contacted.
 */
export function savesByUrlQuery(url: string) {
  return queryOptions({
    queryKey: ['saved', url] as const,
    queryFn: ({ signal }) => api(findOwnBookmarksByUrl, { query: { url } }, { signal }),
    retry: false,
  })
}
