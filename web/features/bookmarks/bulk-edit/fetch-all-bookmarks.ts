import { type ListingItem, type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { api } from '../../../shared/api/api.ts'

/** Returns the bookmarks on all pages of a listing, up to the limit of one bulk request. */
export async function fetchAllBookmarks({ page: _, ...filters }: ListingQuery): Promise<ListingItem[]> {
  const all = new Map<number, ListingItem>()
  let cursor: string | undefined
  for (let page = 1; all.size < limits.bulkMax; page++) {
    const query = {
      ...filters,
      page,
      page_size: limits.maxPageSize,
      ...(cursor === undefined ? {} : { cursor }),
    }
    const { results, next } = await api(listVideos, { query })
    for (const item of results) all.set(item.id, item)
    if (next === null) break
    cursor = new URLSearchParams(next.split('?')[1]).get('cursor') ?? undefined
  }
  return [...all.values()].slice(0, limits.bulkMax)
}
