import type { ListOrder } from '@reelmark/contract/collections.ts'
import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { type ListSearch, listingQuery, readListSearch } from '../listing/public-api.ts'
import { containerListing } from './container-listing.ts'

/** Reads the search parameters of a collection's or channel's page. Without `sort`, it has the order that its owner chose. */
export function readContainerSearch(search: Record<string, unknown>): ListSearch {
  const { collection: _, ...filters } = readListSearch(search)
  return { ...filters, sort: readListOrder(search.sort) ?? filters.sort }
}

/** Reads one of the orders of collections and channels from a search parameter. */
export function readListOrder(value: unknown): ListOrder | undefined {
  return listOrders.find((order) => order === value)
}

/** The contract's `ListOrder`, without loading its schemas. */
export const listOrders = ['manual', 'newest', 'oldest', 'title'] as const satisfies readonly ListOrder[]

interface ContainerRequest {
  kind: 'collection' | 'channel'
  /** As in the address. */
  id: string
  search: ListSearch
}

/**
 * Loads a container and its bookmarks in parallel. Throws `notFound` if it does not exist or the viewer may not see it.
 */
export async function loadContainer<Container>(
  client: QueryClient,
  { kind, id: text, search }: ContainerRequest,
  read: (id: number) => Promise<Container>,
): Promise<Container> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (id === 0) throw notFound()
  const query = listingQuery(containerListing({ kind, id }, search))
  const listing = client.prefetchQuery(query)
  try {
    const container = await read(id)
    if (import.meta.env.SSR) await listing
    return container
  } catch (error) {
    // The bookmarks of a private container are an empty list for visitors, which its owner must not see meanwhile.
    if (import.meta.env.SSR) client.removeQueries(query)
    if (isCallError(error) && error.status === 404) throw notFound()
    throw error
  }
}
