/** Orders of a listing other than newest first and random (docs/decisions/0036-search-filters-and-orders.md). */

import type { listingOrders } from '@reelmark/contract/listing.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { cursorKey, cursorTime } from '../../core/http/cursor-paging.ts'
import { isVisibleVideo, visibleLikesCount } from '../../shared/visibility.ts'
import type { ListingScope, ListingSegment, SegmentCursorKey } from './listing-segments.ts'
import { readSlices } from './read-slices.ts'
import { knownDuration } from './search-filters.ts'

export type ListingOrder = (typeof listingOrders)[number]
/** Orders whose key is not a time of the listing itself. */
export type ComputedOrder = Exclude<ListingOrder, 'newest' | 'oldest'>

/** Explore by an index of the order, with or without an orientation. */
export function listedSegments(db: Db, order: ComputedOrder, scope: ListingScope): ListingSegment[] {
  const segment = {
    ...scope,
    cursorKey: numberKey(db),
    isAscending: isAscending(order),
    follower: null,
    slices: null,
  }
  const duration = knownDuration(db, { duration: db`b.effective_duration` })
  switch (order) {
    case 'most_saved':
    case 'most_liked': {
      const leads = {
        ...segment,
        from: db`videos lv join bookmarks b on b.id = lv.lead_bookmark_id`,
        where: db`${isVisibleVideo(db, 'lv')} and ${scope.where}`,
        id: db`lv.lead_bookmark_id`,
      }
      return [{ ...leads, key: order === 'most_saved' ? db`lv.saves_count` : db`lv.likes_count` }]
    }
    case 'longest':
      return [{ ...segment, key: duration }]
    case 'shortest':
      // The same index read forwards: first those whose duration is known.
      return [
        { ...segment, key: duration, where: db`${scope.where} and ${duration} >= 0` },
        { ...segment, key: duration, where: db`${scope.where} and ${duration} = -1` },
      ]
    case 'title':
      return [{ ...segment, key: titleKey(db), cursorKey: textKey(db) }]
  }
}

/**
 * Other listings: the newest `limits.sortedMax` bookmarks in the order, and then the remaining ones, newest first. This
 * bounds the cost, because the bookmarks of a user or the matches of a word can be millions.
 */
export function windowSegments(
  db: Db,
  order: ComputedOrder,
  newest: ListingSegment,
  viewer: Viewer | null,
): ListingSegment[] {
  const { from, where, id, key, slices } = newest
  const end = (count: number, skip: number) => db.unsafe(`limit ${count} offset ${skip}`) as Fragment
  const rows =
    slices === null
      ? db`select ${id} as id, ${key} as at from ${from} where ${where}`
      : db`select id, key as at from (${readSlices(
          db,
          newest,
          slices(null),
          db``,
          db`order by key desc, id desc ${end(limits.sortedMax, 0)}`,
        )} ${end(limits.sortedMax, 0)}) found`
  const selected = (limit: Fragment) => db`${rows} order by at desc, id desc ${limit}`
  const oldest = db`select at, id from (${selected(end(1, limits.sortedMax - 1))}) last`
  return [
    {
      from: db`(${selected(end(limits.sortedMax, 0))}) sorted join bookmarks b on b.id = sorted.id join videos v on v.id = b.video_id`,
      where: db`true`,
      id: db`b.id`,
      isSearch: false,
      storedCount: null,
      slices: null,
      key: sortKey(db, order, viewer),
      cursorKey: order === 'title' ? textKey(db) : numberKey(db),
      isAscending: isAscending(order),
      follower: null,
    },
    { ...newest, where: db`${where} and (${key}, ${id}) < (${oldest})` },
  ]
}

function sortKey(db: Db, order: ComputedOrder, viewer: Viewer | null): Fragment {
  const duration = db`b.effective_duration`
  switch (order) {
    case 'most_saved':
      return db`v.saves_count`
    case 'most_liked':
      return visibleLikesCount(db, viewer?.id ?? null)
    case 'longest':
      return knownDuration(db, { duration })
    case 'shortest':
      return db`coalesce(${duration}, ${db.unsafe(String(limits.durationMax + 1))})`
    case 'title':
      return titleKey(db)
  }
}

function isAscending(order: ComputedOrder): boolean {
  return order === 'shortest' || order === 'title'
}

function titleKey(db: Db): Fragment {
  return db`title_sort_key(b.title)`
}

/** Times, in microseconds. */
export function timeKey(db: Db): SegmentCursorKey {
  return {
    type: 'number',
    fromKey: (key) => cursorKey(db, key),
    toKey: (number) => cursorTime(db, Number(number)),
  }
}

/** Whole numbers from -1. Cursors contain no negative numbers. */
function numberKey(db: Db): SegmentCursorKey {
  return {
    type: 'number',
    fromKey: (key) => db`${key} + 1`,
    toKey: (number) => db`(${Math.trunc(Number(number))}::bigint - 1)`,
  }
}

function textKey(db: Db): SegmentCursorKey {
  return { type: 'string', fromKey: (key) => key, toKey: (text) => db`${text}::text collate "C"` }
}
