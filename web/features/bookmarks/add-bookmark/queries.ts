import { findOwnBookmarksByUrl } from '@reelmark/contract/collect.ts'
import { type Collection, listCollections } from '@reelmark/contract/collections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

/** All of one's own collections with their channels, for the selects; asked for in the browser only. */
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

/** Where one keeps the video of a link already, in whatever form the link is. Our server knows: no other is asked. */
export function ownBookmarksByUrlQuery(url: string) {
  return queryOptions({
    queryKey: ['saved', url] as const,
    queryFn: async ({ signal }) =>
      (await api(findOwnBookmarksByUrl, { query: { url } }, { signal })).bookmarks,
    retry: false,
  })
}
