import {
  type ListingPage,
  type ListingQuery,
  listOtherSources,
  listSimilar,
  listVideos,
} from '@reelmark/contract/listing.ts'
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { withholdAdultThumbnail } from '../../shared/adult/server-rendered-thumbnails.ts'
import { queryApi } from '../../shared/api/query-api.ts'

/** A page of bookmarks. Undefined values of `query` are the defaults. */
export function listingQuery(query: ListingQuery) {
  return queryOptions({
    queryKey: ['videos', query] as const,
    queryFn: async ({ client }): Promise<ListingPage> => {
      const page = await queryApi(client)(listVideos, {
        query: { ...query, ...cursorFromPreviousPage(client, query) },
      })
      return { ...page, results: page.results.map(withholdAdultThumbnail) }
    },
    // A failure stays visible after hydration, as in the server's HTML.
    retryOnMount: false,
  })
}

/** Returns whether a cached page of a listing contains an adult video, which labels the page. */
export function hasAdultItems(client: QueryClient, query: ListingQuery | null): boolean {
  if (query === null) return false
  const page = client.getQueryData<ListingPage>(listingQuery(query).queryKey)
  return page?.results.some(({ orientation }) => isAdult(orientation)) ?? false
}

/** Bookmarks similar to one. Cached among the listings, so that changes of likes and marks also reach these cards. */
export function similarQuery(id: number) {
  return relatedQuery(listSimilar, id, { similar_to: id })
}

/** Bookmarks of what seems to be the same work as that of a bookmark, from other sites. Cached among the listings, too. */
export function otherSourcesQuery(id: number) {
  return relatedQuery(listOtherSources, id, { other_sources_of: id })
}

function relatedQuery<Key extends object>(
  endpoint: typeof listSimilar | typeof listOtherSources,
  id: number,
  key: Key,
) {
  return queryOptions({
    queryKey: ['videos', key] as const,
    queryFn: async ({ client }): Promise<ListingPage> => {
      const page = await queryApi(client)(endpoint, { params: { id } })
      return { ...page, results: page.results.map(withholdAdultThumbnail) }
    },
    retryOnMount: false,
  })
}

/**
 * Returns the cursor at the end of the previous page if that page is cached. With it, a deep page is as fast as the
 * first.
 */
function cursorFromPreviousPage(
  client: QueryClient,
  query: ListingQuery,
): Pick<ListingQuery, 'cursor' | 'sort'> {
  if (query.page === undefined || query.page < 2) return {}
  const { page, ...rest } = query
  const previousQuery = page === 2 ? rest : { ...rest, page: page - 1 }
  const next = client.getQueryData<ListingPage>(['videos', previousQuery])?.next
  if (next === null || next === undefined) return {}
  const search = new URLSearchParams(next.split('?')[1])
  const cursor = search.get('cursor')
  if (cursor === null || search.get('page') !== String(page)) return {}
  // The order of a collection or channel, in which its first page was shown.
  const sort = search.get('sort') as NonNullable<ListingQuery['sort']> | null
  return sort === null ? { cursor } : { cursor, sort }
}
