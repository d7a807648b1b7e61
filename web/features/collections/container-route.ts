import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { readPage } from '../../shared/paging/search-params.ts'
import { listingQuery } from '../listing/public-api.ts'
import { containerListing } from './container-listing.ts'

/** Reads the search parameters of a collection's or channel's page. */
export function readContainerSearch(search: Record<string, unknown>): { page?: number | undefined } {
  return { page: readPage(search.page) }
}

interface ContainerRequest {
  kind: 'collection' | 'channel'
  /** As in the address. */
  id: string
  page: number | undefined
}

/**
 * Loads a container and its bookmarks in parallel. Throws `notFound` if it does not exist or the viewer may not see it.
 */
export async function loadContainer<Container>(
  client: QueryClient,
  { kind, id: text, page }: ContainerRequest,
  read: (id: number) => Promise<Container>,
): Promise<Container> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (id === 0) throw notFound()
  const listing = client.prefetchQuery(listingQuery(containerListing({ kind, id }, page)))
  try {
    const container = await read(id)
    if (import.meta.env.SSR) await listing
    return container
  } catch (error) {
    if (isCallError(error) && error.status === 404) throw notFound()
    throw error
  }
}
