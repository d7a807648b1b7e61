import { type ListingPage, type ListingQuery, listSimilar, listVideos } from '@reelmark/contract/listing.ts'
import { isAdult } from '@reelmark/contract/protocol/fields.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { withholdAdultThumbnail } from '../../shared/adult/server-rendered-thumbnails.ts'
import { queryApi } from '../../shared/api/query-api.ts'

/** A page of cards. Undefined values of `query` are the defaults. */
export function listingQuery(query: ListingQuery) {
  return queryOptions({
    queryKey: ['videos', query] as const,
    queryFn: async ({ client }): Promise<ListingPage> => {
      const page = await queryApi(client)(listVideos, {
        query: { ...query, ...cursorFromPreviousPage(client, query) },
      })
      return { ...page, results: page.results.map(withholdAdultThumbnail) }
    },
    // What failed shows as failed, the same after hydration as in the server's HTML.
    retryOnMount: false,
  })
}

/** Whether what was read of a listing names an adult video, which its page's head says. */
export function hasAdultItems(client: QueryClient, query: ListingQuery | null): boolean {
  if (query === null) return false
  const page = client.getQueryData<ListingPage>(listingQuery(query).queryKey)
  return page?.results.some(({ orientation }) => isAdult(orientation)) ?? false
}

/** A few others like a bookmark. Kept among the listings, so that a like or a mark reaches its cards as well. */
export function similarQuery(id: number) {
  return queryOptions({
    queryKey: ['videos', { similar_to: id }] as const,
    queryFn: async ({ client }): Promise<ListingPage> => {
      const page = await queryApi(client)(listSimilar, { params: { id } })
      return { ...page, results: page.results.map(withholdAdultThumbnail) }
    },
    retryOnMount: false,
  })
}

/** Where the page before ended, if we have it: with it a deep page costs no more than the first. */
function cursorFromPreviousPage(client: QueryClient, query: ListingQuery): { cursor?: string } {
  if (query.page === undefined || query.page < 2) return {}
  const { page, ...rest } = query
  const before = page === 2 ? rest : { ...rest, page: page - 1 }
  const next = client.getQueryData<ListingPage>(['videos', before])?.next
  if (next === null || next === undefined) return {}
  const search = new URLSearchParams(next.split('?')[1])
  const cursor = search.get('cursor')
  return cursor === null || search.get('page') !== String(page) ? {} : { cursor }
}
