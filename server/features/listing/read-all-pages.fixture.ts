import { type ListingPage, type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import type { TestApp } from '../../testing/test-app.ts'

/** Requests a listing and every page after it, and returns the ids of all its bookmarks, and the last page with its count. */
export async function readAllPages(
  site: TestApp,
  query: ListingQuery,
  viewer: { access: string } | null,
): Promise<{ ids: number[]; count: number; last: ListingPage }> {
  const ids: number[] = []
  let page = await site.call(listVideos, { query }, viewer)
  for (;;) {
    ids.push(...page.results.map(({ id }) => id))
    if (page.next === null) return { ids, count: page.count, last: page }
    const headers = viewer === null ? {} : { authorization: `Bearer ${viewer.access}` }
    page = (await site.app.inject({ url: page.next, headers })).json()
  }
}
