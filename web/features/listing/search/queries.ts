import { getCollection } from '@reelmark/contract/collections.ts'
import type { OrientationFilter } from '@reelmark/contract/protocol/fields.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { findVideoByLink, getSuggestions } from '@reelmark/contract/suggestions.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../shared/api/api.ts'

/** Suggestions for the beginning of a search. Browser only. A request for a text that was changed is aborted. */
export function suggestionsQuery(text: string, orientation: OrientationFilter) {
  const query = { q: text.slice(0, limits.searchMax), orientation }
  return queryOptions({
    queryKey: ['suggestions', query] as const,
    queryFn: ({ signal }) => api(getSuggestions, { query }, { signal }),
  })
}

/** The public bookmark that represents the video of a link; null if the viewer may see no such bookmark. Browser only. */
export function videoByLinkQuery(url: string) {
  return queryOptions({
    queryKey: ['video-by-link', url] as const,
    queryFn: async ({ signal }) => (await api(findVideoByLink, { query: { url } }, { signal })).bookmark,
  })
}

/** The name of the collection by which a list is filtered. Browser only. */
export function collectionNameQuery(id: number) {
  return queryOptions({
    queryKey: ['collections', 'name', id] as const,
    queryFn: async ({ signal }) => (await api(getCollection, { params: { id } }, { signal })).name,
  })
}
