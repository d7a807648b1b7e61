/** Orders of the bookmarks of a user, collection or channel that are read in an index (docs/decisions/0058-own-lists-and-feeds.md). */

import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import type { OrderedList } from '../../shared/order-keys.ts'
import { isNotTrashed, isVisible } from '../../shared/visibility.ts'
import { selectOwner } from './containers.ts'
import { type ComputedOrder, isAscending, numberKey, textKey, titleKey } from './listing-orders.ts'
import type { ListingSegment } from './listing-segments.ts'
import { knownDuration } from './search-filters.ts'

/** Orders in which an index has the bookmarks of each user. */
export const ownOrders = ['title', 'longest', 'shortest'] as const satisfies readonly ComputedOrder[]
export type OwnOrder = (typeof ownOrders)[number]

/** Returns whether there is an index of the bookmarks of each user in an order. */
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

interface OrderedRows extends Pick<ListingSegment, 'where' | 'few'> {
  /** How the bookmarks are found if they are sorted; null if the rows of the index of the order are read. */
  sorted?: Pick<ListingSegment, 'from' | 'where'> | null
}

/** Returns the segments of own bookmarks that are read in the index of an order, by the condition `where`, or found and then sorted. */
export function ownOrderSegments(
  db: Db,
  order: OwnOrder,
  newest: ListingSegment,
  { where, sorted = null, few }: OrderedRows,
): ListingSegment[] {
  const { key, cursorKey } = ownOrderKey(db, order)
  const segment = (condition: Fragment): ListingSegment => ({
    ...newest,
    from: sorted?.from ?? newest.from,
    where: db`${sorted?.where ?? where} ${condition}`,
    ...(few && { few: { ...few, where: db`${few.where} ${condition}` } }),
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

/** Returns the segments of all visible bookmarks of a user in the index of an order. */
export function profileSegments(db: Db, order: OwnOrder, newest: ListingSegment): ListingSegment[] {
  return ownOrderSegments(db, order, newest, {
    where: db`${newest.where} and ${isNotTrashed(db)}`,
  })
}

/** A channel with fewer bookmarks is sorted. A longer one is chosen from the bookmarks of its collection in their order. */
const fewInChannel = 500

/**
 * Returns all bookmarks of a collection or channel by title, in the index of its collection. The segment for the owner and that
 * for others are returned; only one of them selects rows. With `or`, bookmarks that are not visible would be read for others.
 */
export function containerTitleSegments(
  db: Db,
  list: OrderedList,
  newest: ListingSegment,
  viewer: Viewer | null,
): ListingSegment[] {
  const isChannel = list.kind === 'channel'
  const collectionId = isChannel
    ? db`(select collection_id from channels where id = ${list.id})`
    : db`${list.id}`
  const isFew = isChannel
    ? db`(select count(*) < ${inlineNumber(db, fewInChannel)} from (
        select from bookmarks b where b.channel_id = ${list.id} limit ${inlineNumber(db, fewInChannel)}) first)`
    : null
  const segments = (condition: Fragment) =>
    ownOrderSegments(
      db,
      'title',
      { ...newest, where: db`${newest.where} and ${condition}` },
      {
        // `is true`: the collection and the condition alone choose the index.
        where: db`b.collection_id = ${collectionId} and ${condition} and (${newest.where}) is true`,
        ...(isFew && { few: { isFew, where: db`${newest.where} and ${condition}` } }),
      },
    )
  if (viewer === null) return segments(isVisible(db))
  const isOwner = db`(${selectOwner(db, list)}) = ${viewer.id}`
  return [...segments(db`${isVisible(db)} and not ${isOwner}`), ...segments(isOwner)]
}
