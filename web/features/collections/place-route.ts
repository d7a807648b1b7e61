import { isCallError } from '@reelmark/contract/call.ts'
import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { readPage } from '../listing/explore-search.ts'
import { listingQuery } from '../listing/queries.ts'
import { placeListing } from './place-listing.ts'

/** The address of a collection or channel: which page of its bookmarks. */
export function readPlaceSearch(search: Record<string, unknown>): { page?: number | undefined } {
  return { page: readPage(search.page) }
}

interface Asked {
  kind: 'collection' | 'channel'
  /** As it stands in the address. */
  id: string
  page: number | undefined
}

/** Reads a place and what its page lists, at once. One that is not there, or not to be seen, is not found. */
export async function loadPlace<Place>(
  client: QueryClient,
  { kind, id: text, page }: Asked,
  read: (id: number) => Promise<Place>,
): Promise<Place> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (id === 0) throw notFound()
  const below = client.prefetchQuery(listingQuery(placeListing({ kind, id }, page)))
  try {
    const place = await read(id)
    if (import.meta.env.SSR) await below
    return place
  } catch (error) {
    if (isCallError(error) && error.status === 404) throw notFound()
    throw error
  }
}
