/** Queries of `GET /videos/` that several programs measure. */
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import type { Viewer } from '../server/core/auth/session.ts'
import type { Sql } from '../server/core/database/database.ts'
import { listingReply } from '../server/features/listing/routes.ts'
import { vocabulary } from './generated-site.ts'

/** Returns a word of the generated texts by its rank: 1 is the most common one. */
export function word(rank: number): string {
  return vocabulary[rank - 1] as string
}

/** Returns a word that finds about 8,300 videos of a site with so many bookmarks. */
export function mediumWord(rows: number): string {
  return word(Math.round(rows / 10_000))
}

/** Returns a query of a page by the cursor that the page before links to; null if page numbers do not reach that page. */
export async function withCursor(
  db: Sql,
  query: ListingQuery,
  page: number,
  viewer: Viewer | null,
): Promise<ListingQuery | null> {
  const before = await listingReply(db, { ...query, page: page - 1 }, viewer).catch(() => null)
  if (before?.next == null) return null
  const cursor = new URL(before.next, 'http://localhost').searchParams.get('cursor')
  return cursor === null ? null : { ...query, page, cursor }
}
