import { type ListingItem, type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { api } from '../../../shared/api/api.ts'

/** What a listing holds over all of its pages, the first of them as many as one request changes. */
export async function fetchAllBookmarks({ page: _, ...query }: ListingQuery): Promise<ListingItem[]> {
  const all = new Map<number, ListingItem>()
  let cursor: string | undefined
  for (let page = 1; all.size < limits.bulkMax; page++) {
    const dialog = {
      ...query,
      page,
      page_size: limits.maxPageSize,
      ...(cursor === undefined ? {} : { cursor }),
    }
    const { results, next } = await api(listVideos, { query: dialog })
    for (const item of results) all.set(item.id, item)
    if (next === null) break
    cursor = new URLSearchParams(next.split('?')[1]).get('cursor') ?? undefined
  }
  return [...all.values()].slice(0, limits.bulkMax)
}
