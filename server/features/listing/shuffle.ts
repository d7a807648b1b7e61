/** The random order of a play queue (docs/decisions/0051-playing-lists-and-notes.md). */

import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { isUnfiltered, type ListingFilter } from './listing-filter.ts'
import { newestRows, windowSegment } from './listing-orders.ts'
import type { ListingSegment } from './listing-segments.ts'

export interface Shuffle {
  /** Determines the order. */
  seed: number
  /** The video with which the order begins; null: any. */
  from: number | null
}

/**
 * Returns a listing in a random order: of its newest bookmarks, after which the others follow, newest first. Explore and
 * feeds, which are too long for that, have the random order of their index instead.
 */
export async function shuffled(db: Db, filter: ListingFilter, shuffle: Shuffle): Promise<ListingFilter> {
  const base = { ...filter, order: 'newest' as const, ranked: null, oldest: null }
  const isExplore = isUnfiltered(filter) && filter.search === null
  if (!filter.following && !isExplore) return { ...base, shuffle }
  return { ...base, randomStart: await readRandomKey(db, shuffle) }
}

/** Returns the position from 0 to 1 at which the random order of the index begins for a seed. */
export function startOf(seed: number): number {
  return seed / 2_147_483_647
}

/** Returns where the order of the index begins: at a video, otherwise at a position that the seed determines. */
async function readRandomKey(db: Db, { seed, from }: Shuffle): Promise<number> {
  const start = startOf(seed)
  if (from === null) return start
  const [row] = await db<{ random_key: number }[]>`
    select b.random_key from bookmarks b where b.video_id = ${from} limit 1`
  return row?.random_key ?? start
}

/** Sorts the newest bookmarks by a hash of their video, counted from the hash of the first video. */
export function shuffledSegments(db: Db, shuffle: Shuffle, newest: ListingSegment): ListingSegment[] {
  const { rows, isOlder } = newestRows(db, newest, limits.sortedMax)
  const seed = db`${shuffle.seed}::bigint`
  // 52 bits, so that JavaScript represents it exactly.
  const mask = db`((1::bigint << 52) - 1)`
  const hash = (videoId: Fragment) => db`(hashint8extended(${videoId}, ${seed}) & ${mask})`
  const start = shuffle.from === null ? db`0` : hash(db`${shuffle.from}::bigint`)
  return [
    {
      ...windowSegment(db, rows),
      key: db`((${hash(db`b.video_id`)} - ${start}) & ${mask})`,
      cursorKey: { type: 'number', hasTies: true, fromKey: (key) => key, toKey: (key) => db`${key}::bigint` },
      isAscending: true,
    },
    { ...newest, afterEarlier: db`and ${isOlder}` },
  ]
}
