/** The random order of a listing: that of an index, beginning at a position and continuing at its start. */
import type { Db, Fragment } from '../../core/database/database.ts'
import { fewOfFeed } from './feed.ts'
import { fractionKey } from './listing-orders.ts'
import type { ListingScope, ListingSegment } from './listing-segments.ts'
import { howRead } from './own-counts.ts'
import { randomSlices, type SearchIndex } from './search-slices.ts'

/** Returns the rows of `scope` from a position downwards, and then those above it. */
export function randomSegments(db: Db, scope: ListingScope, start: number): ListingSegment[] {
  const { feed, isSearch, cells } = scope
  const index = cells === null ? 'public' : 'own'
  const segment = (condition: Fragment, first: number, last: number): ListingSegment => {
    const where = db`${scope.where} and ${condition}`
    return {
      ...scope,
      where,
      key: db`b.random_key`,
      cursorKey: fractionKey(db),
      isAscending: false,
      follower: null,
      // A sample is the first part of the random order, which the segment may leave out.
      sampled: scope.where,
      slices: isSearch ? slicesBetween(index, first, last) : null,
      ...howRead(db, scope, condition),
      ...(feed?.follower.follows_lists && !isSearch && { few: fewOfFeed(db, feed.follower.id, where) }),
    }
  }
  return [
    segment(db`b.random_key <= ${start}::float8`, start, 0),
    segment(db`b.random_key > ${start}::float8`, 1, start),
  ]
}

/** Returns the slices of a segment of the random order, which begins at the position `first`, above `last`. */
function slicesBetween(
  index: SearchIndex,
  first: number,
  last: number,
): NonNullable<ListingSegment['slices']> {
  return (cursor) => {
    const start = cursor === null ? first : Number(cursor.key)
    return randomSlices(index, start, cursor?.direction === 'before' ? first : last)
  }
}
