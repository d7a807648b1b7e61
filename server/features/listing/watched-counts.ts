/** Counts Explore for a viewer who sees only watched videos, or only others, without reading everything that they watched. */
import type { FilterTerm } from '@reelmark/contract/search-terms.ts'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import { isVisibleVideo } from '../../shared/visibility.ts'
import { isUnfiltered, type ListingFilter } from './listing-filter.ts'
import type { ListingScope } from './listing-segments.ts'
import { minStoredCount } from './long-lists.ts'
import { isOfWatching, showsWatched } from './search-filters.ts'

/** How many bookmarks of Explore are read to estimate how many the viewer did not watch. */
const sampledBookmarks = 2000
/** An estimate from fewer would be too rough. */
const minMatched = 60

type Counts = Pick<ListingScope, 'exactCount' | 'storedCount'>

/**
 * Returns the counts of Explore with the filter `is:watched` or `is:unwatched`; null for other lists.
 * @param conditions returns the conditions for the bookmarks `b` of Explore that match some of the filters
 */
export function watchedCounts(
  db: Db,
  filter: ListingFilter,
  viewer: Viewer | null,
  conditions: (filters: FilterTerm[]) => Fragment,
): Counts | null {
  const isExplore = isUnfiltered({ ...filter, filters: [] }) && filter.search === null
  const findsWatched = showsWatched(filter.filters)
  if (viewer === null || !isExplore || findsWatched === null) return null
  if (!findsWatched) return { storedCount: estimateSampled(db, conditions(filter.filters)) }
  const others = filter.filters.filter((other) => !isOfWatching(other) || showsWatched([other]) === false)
  // Each visible video is in Explore. Its bookmark is read only for further conditions.
  const isAll = others.length === 0 && filter.orientation === null && !viewer.has_blocks_or_mutes
  return countWatched(db, viewer.id, isAll ? null : conditions(others))
}

/**
 * Estimates the number of rows from a 512th or a 64th of the videos if there must be well over 10,000; null if not. Ids of videos are
 * random, so those of a range of ids are a random sample.
 * @param rowsIn returns a `from` item with the rows of a range, a condition of `video_id`
 */
export function estimateFromIds(db: Db, rowsIn: (range: Fragment) => Fragment): Fragment {
  const estimate = (share: number, min: number) => db`
    (select count(*) * ${inlineNumber(db, share)} from ${rowsIn(db`and video_id < ${inlineNumber(db, 2 ** 52 / share)}`)}
     having count(*) >= ${inlineNumber(db, min)})`
  return db`coalesce(${estimate(512, minMatched)}, ${estimate(64, 4 * minMatched)})`
}

/** Counts the watched videos, and estimates if there are many. */
function countWatched(db: Db, viewerId: number, condition: Fragment | null): Counts {
  // "offset 0" has PostgreSQL look up each video, and not read all of them.
  const watched = (range: Fragment) => db`
    (select from (select video_id from watched_videos where user_id = ${viewerId} ${range} offset 0) w
       cross join lateral (select v.lead_bookmark_id from videos v where v.id = w.video_id and ${isVisibleVideo(db)} offset 0) v
       ${condition === null ? db`` : db`join bookmarks b on b.id = v.lead_bookmark_id and ${condition}`}) watched`
  return {
    storedCount: db`select count from (select ${estimateFromIds(db, watched)} as count) estimate where count is not null`,
    exactCount: db`(select count(*) from ${watched(db``)})`,
  }
}

/** Estimates how many bookmarks of Explore match from a random part of them. Selects no row if there may be few. */
function estimateSampled(db: Db, condition: Fragment): Fragment {
  const part = db`(${inlineNumber(db, sampledBookmarks)} / stored.count::float8)`
  return db`
    select (matched / ${part})::bigint as count
      from (select count from listing_counts where orientation = 'all' and count > ${inlineNumber(db, minStoredCount)}) stored
      cross join lateral (select count(*) as matched from bookmarks b where ${condition} and b.random_key < ${part}) sample
     where matched >= ${inlineNumber(db, minMatched)} and matched / ${part} >= ${inlineNumber(db, minStoredCount)}`
}
