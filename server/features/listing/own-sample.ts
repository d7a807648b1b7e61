/**
 * Reads a random part of own bookmarks before a list of them is read: it says how many match and how many an index finds, and so how they
 * are read and counted (docs/decisions/0105-own-searches-in-stages.md).
 */
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import { minStoredCount } from './long-lists.ts'
import { isInSample } from './search-slices.ts'

/** The parts that are read. */
export type OwnShare = 64 | 8

/** How many own bookmarks there are, estimated from a random part of them. */
export interface OwnEstimate {
  share: OwnShare
  /** How many match the list. */
  matches: number
  /** How many an index finds, which are read to find those that match. */
  rows: number
  /** How many the user has, at least 20,000. */
  size: number
  /** How many videos the user watched, if the list is filtered by that. */
  watched: number | null
}

/** How own bookmarks are found of which a part is read. */
export interface SampledRows {
  /** The condition of what an index finds, and the expression of the cells of that index. */
  where: Fragment
  cells: Fragment
  /** Whether a row matches the list: no index contains everything that lists are filtered by. */
  isMatch: Fragment
  /** The number of own bookmarks. */
  size: Fragment | undefined
  /** The user, if the list is filtered by what they watched. */
  viewerId: number | null
}

/** Selects the estimated number of matches, for a statement that needs it only if an index finds too many to count. */
export function selectEstimate(db: Db, { where, cells, isMatch }: SampledRows): Fragment {
  return db`(select 64 * count(*) filter (where ${isMatch}) from bookmarks b where ${where} and ${isInSample(db, 64, cells)})`
}

/** Estimates how many own bookmarks match, and how many are read to find them. */
export async function estimateOwn(
  db: Db,
  share: OwnShare,
  { where, cells, isMatch, size, viewerId }: SampledRows,
): Promise<OwnEstimate> {
  const none = db`null::bigint`
  const [found] = await db<[{ rows: number; matches: number; size: number | null; watched: number | null }]>`
    select count(*) as rows, count(*) filter (where ${isMatch}) as matches, ${size ?? none} as size,
           ${viewerId === null ? none : sampleOfWatched(db, viewerId)} as watched
      from bookmarks b where ${where} and ${isInSample(db, share, cells)}`
  return {
    share,
    matches: found.matches * share,
    rows: found.rows * share,
    size: found.size ?? minStoredCount,
    watched: found.watched === null ? null : found.watched * watchedShare,
  }
}

/** Ids of videos are random numbers of 52 bits, so that those of a range are a random part of them. */
const watchedShare = 64

function sampleOfWatched(db: Db, viewerId: number): Fragment {
  const end = inlineNumber(db, 2 ** 52 / watchedShare)
  return db`(select count(*) from watched_videos where user_id = ${viewerId} and video_id < ${end})`
}

/** With 10,000 matches, a 64th has 156 ± 12 of them, and an eighth 1,250 ± 33. */
const many = { 64: 215 * 64, 8: 1400 * 8 }
/**
 * With fewer expected matches, most lists have not so many that an eighth would show it: 11,200 are 175 ± 13 in a 64th. An eighth takes as
 * long as reading 6,000 bookmarks.
 */
const minUncertain = 170 * 64

/** Returns whether there must be more than 10,000 matches, whose number is not counted. */
export function isMany({ matches, share }: OwnEstimate): boolean {
  return matches >= many[share]
}

/** Returns whether reading all matches may find more than are counted, so that a larger part of them is read before. */
export function isUncertain(estimate: OwnEstimate): boolean {
  return estimate.matches >= minUncertain && !isMany(estimate)
}

/**
 * Returns whether reading all matches is faster than counting them in an index that contains the columns of the list: reading a
 * bookmark takes about as long as reading 20 rows of the index, which has `size` rows.
 */
export function isFewToRead({ rows, size }: OwnEstimate): boolean {
  return rows < size / 20
}

/** A hash of more videos than this would take much memory. */
const maxHashed = 100_000

/**
 * Returns whether all videos that the user watched are read once, because that is faster than looking up the video of each bookmark.
 * If there are many matches, only those of a page are looked up.
 */
export function hashesWatchedVideos(estimate: OwnEstimate): boolean {
  const { rows, watched } = estimate
  return watched !== null && watched < Math.min(4 * rows, maxHashed) && !isMany(estimate)
}

/**
 * Returns whether finding and sorting the matches is faster than reading an index of the order until a page is full. Both take equally
 * long if the number of matches multiplied by the number of bookmarks to read is about 40 times the number of own bookmarks.
 */
export function isFewToSort({ matches, rows, size }: OwnEstimate): boolean {
  return Math.max(matches, 64) * rows < 40 * size
}
