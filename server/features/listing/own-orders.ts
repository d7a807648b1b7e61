/** Orders of own bookmarks that are read in an index (docs/decisions/0058-own-lists-and-feeds.md). */

import type { Db, Fragment } from '../../core/database/database.ts'
import { type ComputedOrder, isAscending, numberKey, textKey, titleKey } from './listing-orders.ts'
import type { ListingSegment } from './listing-segments.ts'
import { knownDuration } from './search-filters.ts'
import { isInSample } from './search-slices.ts'

/** Orders in which an index has the own bookmarks of each user. */
export const ownOrders = ['title', 'longest', 'shortest'] as const satisfies readonly ComputedOrder[]
type OwnOrder = (typeof ownOrders)[number]

/** Returns whether there is an index of own bookmarks in an order. */
export function isIndexedOrder(order: ComputedOrder): order is OwnOrder {
  return ownOrders.some((name) => name === order)
}

/** Returns the key of an order of own bookmarks, and the number of their segment: bookmarks of unknown duration are last. */
export function ownOrderKey(db: Db, order: OwnOrder) {
  const isTitle = order === 'title'
  const duration = knownDuration(db, { duration: db`b.effective_duration` })
  return {
    key: isTitle ? titleKey(db) : duration,
    cursorKey: isTitle ? textKey(db) : numberKey(db),
    direction: isAscending(order) ? db`asc` : db`desc`,
    segment: order === 'shortest' ? db`(${duration} = -1)::int` : db`0`,
  }
}

/**
 * Returns the segments of own bookmarks that are read in the index of an order, or found by the condition of `newest` and then
 * sorted if they are few.
 * @param many `where`: the condition for the rows of the index; `isFew`: the condition that they are few
 */
export function ownOrderSegments(
  db: Db,
  order: OwnOrder,
  newest: ListingSegment,
  many: { where: Fragment; isFew: Fragment },
): ListingSegment[] {
  const { key, cursorKey } = ownOrderKey(db, order)
  const segment = (condition: Fragment): ListingSegment => ({
    ...newest,
    where: db`${many.where} ${condition}`,
    few: { where: db`${newest.where} ${condition}`, isFew: many.isFew },
    key,
    cursorKey,
    isAscending: isAscending(order),
    isSearch: false,
    slices: null,
  })
  // Bookmarks of unknown duration are last.
  if (order === 'shortest') return [segment(db`and ${key} >= 0`), segment(db`and ${key} = -1`)]
  return [segment(db``)]
}

/**
 * The condition that finding and sorting the matching own bookmarks is faster than reading an index of the order until a page is
 * full. Both take equally long if the square of the number of matches is about eight times the number of own bookmarks. The
 * number of matches is estimated from a random 64th part of the own bookmarks.
 */
export function isFewOwn(
  db: Db,
  { where, cells, size }: { where: Fragment; cells: Fragment; size: Fragment },
): Fragment {
  const min = db`ceil(sqrt(${size} / 500.0))`
  return db`(select count(*) < ${min}
      from (select from bookmarks b where ${where} and ${isInSample(db, 64, cells)} limit ${min}) sample)`
}
