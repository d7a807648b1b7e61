import type { ListingItem, ListingPage, ListingQuery } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { pageCount } from '@reelmark/contract/protocol/paging.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useHydrated, useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { listingQuery } from './queries.ts'
import type { MoreCards } from './show-more.tsx'
import { usePreloadedNextPage } from './use-preloaded-next-page.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many pages of a list are shown below each other. The page in the address is the first of them. */
    shownPages?: number
  }
}

/** The highest number of pages shown below each other, which bounds the cards of a page. The pager leads further. */
const maxShownPages = 4

/** The pages of a listing from `first` to `last`, as one. Cached among the listings, so that changes also reach its cards. */
function pagesQuery(query: ListingQuery, first: number, last: number) {
  return queryOptions({
    queryKey: ['videos', { ...query, page: first, last_page: last }] as const,
    queryFn: async ({ client }): Promise<ListingPage> => {
      let pages = await client.fetchQuery(listingQuery({ ...query, page: first }))
      for (let number = first + 1; number <= last; number++) {
        const page = await client.fetchQuery(listingQuery({ ...query, page: number }))
        pages = { ...page, results: [...pages.results, ...page.results] }
      }
      return pages
    },
    retryOnMount: false,
  })
}

/** Returns items without those that an earlier one repeats, because rows moved between two requests. */
function uniqueItems(items: readonly ListingItem[]): ListingItem[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}

/** Returns whether one query lists what others see of the list of another, apart from Watch Later. */
function isVisitorsList(visitors: ListingQuery | undefined, own: ListingQuery): boolean {
  return JSON.stringify(visitors) === JSON.stringify({ ...own, watch_later: undefined })
}

/**
 * Returns the page of a list that its address names, and the items of that page and of those that were added below it. Their
 * number is in the state of the history entry, so that the way back finds the same cards. The page after them is preloaded.
 * @param enabled whether the list is loaded at all
 */
export function useShownPages(query: ListingQuery, enabled = true) {
  // Until the viewer is known, their own profile is shown as others see it. As long as this is the same function, it stays so,
  // even if that list was fetched again for the viewer and begins with Watch Later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query is a new object at each render.
  const placeholderData = useCallback(
    (data: ListingPage | undefined, previous: { queryKey: readonly [string, ListingQuery] } | undefined) =>
      isVisitorsList(previous?.queryKey[1], query) ? data : undefined,
    [JSON.stringify(query)],
  )
  const listing = useQuery({ ...listingQuery(query), enabled, placeholderData })
  const client = useQueryClient()
  const navigate = useNavigate()
  const stored = useLocation({ select: ({ state }) => state.shownPages ?? 1 })
  // After a reload, the first rendering must be that of the server, which does not know the state of the history entry.
  const requested = useHydrated() ? stored : 1
  const { page = 1 } = query
  const { data } = listing
  const pages = data === undefined ? 1 : pageCount(data.count, limits.pageSize)
  const shown = Math.max(1, Math.min(requested, maxShownPages, pages - page + 1))
  const lastPage = page + shown - 1
  const added = useQuery({ ...pagesQuery(query, page + 1, lastPage), enabled: shown > 1 })
  // While one more page is loading, or if it cannot be loaded, the others stay.
  const before = client.getQueryData(pagesQuery(query, page + 1, lastPage - 1).queryKey)
  const addedItems = shown > 1 ? (added.data ?? before)?.results : undefined
  const items = useMemo(() => {
    const first = data?.results ?? []
    return addedItems === undefined ? first : uniqueItems([...first, ...addedItems])
  }, [data, addedItems])
  usePreloadedNextPage(data !== undefined && lastPage < pages ? { ...query, page: lastPage + 1 } : null)

  const showMore = useCallback(
    () =>
      void navigate({
        to: '.',
        search: true,
        replace: true,
        resetScroll: false,
        state: (state) => ({ ...state, shownPages: shown + 1 }),
      }),
    [navigate, shown],
  )
  const more: MoreCards = {
    count: items.length,
    total: data?.count ?? 0,
    showMore: lastPage < pages && shown < maxShownPages ? showMore : null,
    isLoading: shown > 1 && added.isLoading,
    retry: shown > 1 && added.isError ? () => void added.refetch() : null,
  }
  return { listing, items, page, lastPage, pages, more }
}
