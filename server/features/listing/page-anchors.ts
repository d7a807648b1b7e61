/**
 * Anchors: rows of long lists with their positions, which jobs store (store-anchors.ts). A page number without a cursor starts at the
 * anchor before the page instead of at the beginning of the list (docs/decisions/0042-page-numbers.md).
 */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import type { PageRequest } from '../../core/http/cursor-paging.ts'
import { ApiError } from '../../core/http/errors.ts'
import { longListOf } from './containers.ts'
import { isUnfiltered, type ListingFilter } from './listing-filter.ts'
import { isComputed, type ListingOrder } from './listing-orders.ts'
import type { ListingSegment } from './listing-segments.ts'
import { isIndexedOrder } from './own-orders.ts'
import { planListing } from './plan-listing.ts'
import { isVault } from './vault-source.ts'

/** Rows from one anchor to the next. */
export const spacing = 100

/** Rows newer than the first anchor are counted up to this number. */
const addedMax = 2 * limits.exactCountMax

type Request = PageRequest<number | string>

/** A list with anchors, and the segment of the requested listing in which they are. */
interface AnchoredList {
  where: Fragment
  sort: ListingOrder
  segment: number | null
}

/**
 * Returns a request with the cursor of the anchor before its page, if it has no cursor and the list has anchors.
 * @throws ApiError('invalid-page') if more than `limits.skippedMax` rows would be skipped
 */
export async function startAtAnchor(
  db: Db,
  request: Request,
  filter: ListingFilter,
  viewer: Viewer | null,
): Promise<Request> {
  if (request.cursor !== null || request.skip < spacing) return request
  const list = anchoredList(db, filter, viewer, request.skip)
  const anchored = list === null ? request : await findAnchor(db, request, list, filter, viewer)
  if (anchored.skip > limits.skippedMax) throw new ApiError('invalid-page')
  return anchored
}

/** Returns the list whose anchors a listing uses, or null if it has none. */
function anchoredList(
  db: Db,
  filter: ListingFilter,
  viewer: Viewer | null,
  skip: number,
): AnchoredList | null {
  const { search, randomStart, filters, orientation, order: sort } = filter
  if (search !== null || randomStart !== null || filters.length > 0 || sort === 'last_watched') return null
  if (isUnfiltered(filter)) {
    const where = db`kind = 'explore' and id = 0 and orientation = ${orientation ?? 'all'} and sort = ${sort}`
    return { where, sort, segment: null }
  }
  const list = orientation === null ? longListOf(db, filter, viewer) : null
  if (list === null) return null
  const where = (order: ListingOrder) =>
    db`kind = ${list.kind} and id = ${list.id} and orientation = 'all' and sort = ${order}`
  if (sort === 'newest' || sort === 'oldest' || sort === 'manual')
    return { where: where(sort), sort, segment: null }
  // An index has all bookmarks of the list in this order. The first pages are read without anchors, and are exact.
  if (
    isComputed(sort) &&
    isIndexedOrder(sort) &&
    (sort === 'title' || filter.user !== null) &&
    filter.likedBy === null
  ) {
    return skip < limits.skippedMax ? null : { where: where(sort), sort, segment: null }
  }
  // After the bookmarks that are sorted, the others follow newest first. By saves, own ones begin with those of the most saved
  // videos, so that the page can start as many rows too late.
  const segment = sort === 'most_saved' && isVault(filter, viewer) ? 2 : 1
  return skip < limits.sortedMax ? null : { where: where('newest'), sort: 'newest', segment }
}

/** Returns the request from the last anchor before its page; unchanged if there is no anchor before it. */
async function findAnchor(
  db: Db,
  request: Request,
  { where, sort, segment }: AnchoredList,
  filter: ListingFilter,
  viewer: Viewer | null,
): Promise<Request> {
  const isGrowing = sort === 'newest'
  const { segments } = await planListing(db, { ...filter, order: 'newest' }, viewer)
  const added = isGrowing ? countAdded(db, segments[0], viewer) : db`0`
  const [anchor] = await db<{ position: number; segment: number; key: string; row_id: number }[]>`
    ${isGrowing ? firstAnchor(db, where) : db``}
    select position + added as position, segment, key, row_id
      from (select ${added} as added offset 0) newer
      cross join lateral (select position, segment, key, row_id from page_anchors
                           where ${where} and position <= ${request.skip}::bigint - added
                           order by position desc limit 1) anchor`
  if (anchor === undefined) return request
  const { key, row_id: id, position } = anchor
  return {
    ...request,
    cursor: {
      direction: 'after',
      segment: segment ?? anchor.segment,
      key: sort === 'title' || sort === 'manual' ? key : Number(key),
      id,
    },
    skip: request.skip - position,
  }
}

/** `with first as …`: the first anchor of a list by time. */
function firstAnchor(db: Db, where: Fragment): Fragment {
  return db`with first as materialized (
    select position, timestamptz 'epoch' + key::float8 * interval '1 microsecond' as time, row_id
      from page_anchors where ${where} order by position limit 1)`
}

/** Selects by how many rows the beginning of a list has grown since its anchors were stored, of which it has `first`. */
function countAdded(db: Db, newest: ListingSegment | undefined, viewer: Viewer | null): Fragment {
  // A viewer who does not see everything would be counted fewer rows than the anchors were.
  if (newest === undefined || viewer?.has_blocks_or_mutes) return db`0`
  return db`coalesce((
    select count(*) from (
      select from ${newest.from}
       where ${newest.where} and ${newest.key} >= (select time from first)
         and (${newest.key}, ${newest.id}) >= (select time, row_id from first)
       limit ${inlineNumber(db, addedMax)}) newer) - (select position from first), 0)`
}
