import { isCallError } from '@reelmark/contract/protocol/call.ts'
import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { readPage } from '../../shared/paging/search-params.ts'
import { listingQuery } from '../listing/public-api.ts'
import { containerListing } from './container-listing.ts'

/** The address of a collection or channel: which page of its bookmarks. */
export function readContainerSearch(search: Record<string, unknown>): { page?: number | undefined } {
  return { page: readPage(search.page) }
}

interface ContainerRequest {
  kind: 'collection' | 'channel'
  /** As it stands in the address. */
  id: string
  page: number | undefined
}

/** Reads a place and what its page lists, at once. One that is not there, or not to be seen, is not found. */
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
