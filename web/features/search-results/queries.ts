import { searchCollections } from '@reelmark/contract/collections.ts'
import { searchProfiles } from '@reelmark/contract/profiles.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { listTags } from '@reelmark/contract/tags.ts'
import { type QueryClient, queryOptions, type UseQueryOptions } from '@tanstack/react-query'
import { withholdAdultCover } from '../../shared/adult/server-rendered-thumbnails.ts'
import { queryApi } from '../../shared/api/query-api.ts'
import type { ResultKind } from '../listing/public-api.ts'

/** A search and the page of its results; undefined is the first. */
export interface ResultsRequest {
  q: string
  page?: number | undefined
}

/** Page size of every kind of results. */
const page_size = limits.pageSize

export function foundCollectionsQuery({ q, page = 1 }: ResultsRequest) {
  return queryOptions({
    queryKey: ['collections', 'found', q, page] as const,
    queryFn: async ({ client }) => {
      const found = await queryApi(client)(searchCollections, { query: { q, page, page_size } })
      return { ...found, results: found.results.map(withholdAdultCover) }
    },
    // A failure stays visible after hydration, as in the server's HTML.
    retryOnMount: false,
  })
}

export function foundUsersQuery({ q, page = 1 }: ResultsRequest) {
  return queryOptions({
    queryKey: ['found-users', q, page] as const,
    queryFn: ({ client }) => queryApi(client)(searchProfiles, { query: { q, page, page_size } }),
    retryOnMount: false,
  })
}

export function foundTagsQuery({ q, page = 1 }: ResultsRequest) {
  const query = { q: q.slice(0, limits.tagMax), page, page_size }
  return queryOptions({
    queryKey: ['tags', 'found', query] as const,
    queryFn: ({ client }) => queryApi(client)(listTags, { query }),
    retryOnMount: false,
  })
}

/** Loads the results of a kind. Returns the error if that fails. */
export async function prefetchResults(
  client: QueryClient,
  kind: ResultKind,
  request: ResultsRequest,
): Promise<unknown> {
  if (kind === 'collections') return prefetch(client, foundCollectionsQuery(request))
  if (kind === 'people') return prefetch(client, foundUsersQuery(request))
  return prefetch(client, foundTagsQuery(request))
}

async function prefetch<Page, Key extends readonly unknown[]>(
  client: QueryClient,
  query: UseQueryOptions<Page, Error, Page, Key> & { queryKey: Key },
): Promise<unknown> {
  await client.prefetchQuery(query)
  return client.getQueryState(query.queryKey)?.error
}
