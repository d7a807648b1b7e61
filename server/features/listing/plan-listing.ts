/** Plans a listing: which bookmarks it contains, how they are counted, and in which order which index is read. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import { type Feed, hasNewer, ownRow } from './feed.ts'
import { planLikes } from './likes-source.ts'
import { listingConditions } from './listing-conditions.ts'
import { isFiltered, isUnfiltered, type ListingFilter } from './listing-filter.ts'
import { isComputed, listedSegments } from './listing-orders.ts'
import type { ListingScope, ListingSegment } from './listing-segments.ts'
import { listingSource } from './listing-sources.ts'
import { type ListingParts, newestSegment, orderSegments } from './order-segments.ts'
import { howRead, nameOwnRows, planOwnRows } from './own-counts.ts'
import { randomSegments } from './random-segments.ts'
import { andFilters } from './search-filters.ts'
import type { SearchCondition } from './search-queries.ts'
import { shuffledSegments } from './shuffle.ts'
import { watchedCounts } from './watched-counts.ts'

export interface ListingPlan {
  scope: ListingScope
  segments: ListingSegment[]
}

/**
 * Returns the segments of a listing in order, and the scope of all of them together.
 * @param rowCount how many rows are read
 */
export async function planListing(
  db: Db,
  filter: ListingFilter,
  viewer: Viewer | null,
  rowCount = limits.pageSize,
): Promise<ListingPlan> {
  const source = listingSource(db, filter, viewer, await planLikes(db, filter, viewer, rowCount))
  const { id, isSearch, cells, isFeed } = source
  const conditions = listingConditions(db, filter, viewer, source)
  const { matching } = conditions
  const { search, closeSearch, order, randomStart } = filter
  const feedOf = (search: SearchCondition | null): Feed | null =>
    isFeed && viewer !== null
      ? {
          follower: viewer,
          condition: matching(search),
          isUnfiltered: !isFiltered(filter) && filter.likedBy === null && !viewer.has_blocks_or_mutes,
        }
      : null
  const where = (search: SearchCondition | null) => {
    const shownFeed = feedOf(search)
    return shownFeed === null ? matching(search) : db`${matching(search)} and not ${hasNewer(db, shownFeed)}`
  }

  const all = where(closeSearch ?? search)
  const from = isFeed ? db`${source.from} ${ownRow(db)}` : source.from
  // What is named in the statement is read as a whole, and is counted exactly.
  const counts: Pick<ListingScope, 'storedCount' | 'exactCount'> =
    source.named !== undefined
      ? { storedCount: null, exactCount: db`(select count(*) from ${from} where ${all})` }
      : (watchedCounts(db, filter, viewer, (filters) =>
          matching(null, source, andFilters(db, filters, source, viewer)),
        ) ?? {
          storedCount: source.storedCount(isFiltered(filter) ? all : null),
        })
  const own = await planOwnRows(db, filter, viewer, source, conditions)
  const rows: ListingScope = {
    from,
    id,
    isSearch,
    feed: feedOf(closeSearch ?? search),
    cells,
    ...(source.hidesLimit && { hidesLimit: true }),
    where: all,
    own,
    named: nameOwnRows(db, own) ?? source.named,
    ...counts,
  }
  // Videos are counted without determining which bookmark is the newest of each.
  const scope = isFeed
    ? { ...rows, from: source.from, id: db`b.video_id`, where: matching(closeSearch ?? search) }
    : rows
  const parts: ListingParts = { filter, viewer, source, conditions, rows }
  if (randomStart !== null) return { scope, segments: randomSegments(db, rows, randomStart) }
  if (isComputed(order) && search === null && isUnfiltered(filter)) {
    return { scope, segments: listedSegments(db, order, scope) }
  }
  if (filter.shuffle !== null) {
    const newest = { ...newestSegment(db, parts), ...howRead(db, rows, db`true`) }
    return { scope, segments: shuffledSegments(db, filter.shuffle, newest) }
  }
  if (closeSearch === null || search === null) {
    return {
      scope,
      segments: orderSegments(db, parts, { where: all, search, read: howRead(db, rows, db`true`) }),
    }
  }
  // There are few exact matches, otherwise there would be no search for similar words.
  const shown = isFeed ? db`b.video_id` : id
  const isExact = db`${shown} in (select ${shown} from ${source.from} where ${matching(search)})`
  const read = rows.own ? { isFrequent: false } : {}
  // The first segment then contains all of them, except in the order of watching, where it contains the watched ones.
  const exact = orderSegments(db, parts, { where: where(search), search, read })
    .slice(0, order === 'last_watched' && viewer !== null ? 2 : 1)
    .map((segment) => ({ ...segment, isSkipped: segment.isSkipped === true || filter.hasNoExact }))
  const notExact = filter.hasNoExact ? db`true` : db`not ${isExact}`
  const close = orderSegments(db, parts, {
    where: db`${where(closeSearch)} and ${notExact}`,
    search: closeSearch,
    read: howRead(db, rows, notExact),
  })
  return { scope, segments: [...exact, ...close] }
}
