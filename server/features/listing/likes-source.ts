/** The likes of a user as a listing, and how a search in them is read (docs/decisions/0112-searches-in-likes.md). */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../core/auth/session.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import { andNotHidden } from '../../shared/user-visibility.ts'
import { isVisible, isVisibleVideo } from '../../shared/visibility.ts'
import { longListOf, selectLikerId } from './containers.ts'
import { estimateFound } from './found-samples.ts'
import type { ListingFilter } from './listing-filter.ts'
import { isComputed } from './listing-orders.ts'
import type { ListingSource } from './listing-sources.ts'
import { longListCount, minStoredCount, sampledLikesCount } from './long-lists.ts'
import { andNotExcluded, matchesCondition, type SearchCondition } from './search-queries.ts'

/** How a search in likes is read: each like is compared with it, latest first, or all its results are looked up among the likes. */
export type LikesPlan = 'compare likes' | 'look up results'

/** Of fewer results than this share of all videos, a sample of 2,000 likes contains less than five. They are counted. */
const minFrequentShare = 1 / 400

/**
 * Chooses how a search in likes is read; null for other listings. With N videos, of which a search finds M, about K · N / M likes are
 * compared until K results are found, and looking up all results reads M bookmarks. Both cost about the same for each.
 * @param rowCount how many rows are read
 */
export async function planLikes(
  db: Db,
  filter: ListingFilter,
  viewer: Viewer | null,
  rowCount: number,
): Promise<LikesPlan | null> {
  const search = filter.closeSearch ?? filter.search
  if (search === null || filter.likedBy === null || filter.findsOwnOnly) return null
  const list = longListOf(db, filter, viewer)
  if (list === null) return null
  const counted = db`(select count(*) from (select from likes l where l.user_id = ${selectLikerId(db, filter.likedBy, viewer)}
                                              limit ${inlineNumber(db, minStoredCount + 1)}) counted)`
  const [row] = await db<[{ found: number; likes: number; videos: number | null }]>`
    select ${estimateFound(db, {
      from: db`bookmarks b`,
      where: db`${isVisible(db)} and ${matchesCondition(db, search)}`,
      id: db`b.video_id`,
    })}::float8 as found,
           coalesce((${longListCount(db, list)}), ${counted})::int as likes,
           (select count from listing_counts where orientation = 'all')::float8 as videos`.unprepared()
  const { found, likes } = row
  const videos = row.videos ?? 0
  const { order } = filter
  const sortedRows =
    isComputed(order) || order === 'last_watched'
      ? limits.sortedMax
      : order === 'relevance'
        ? limits.rankedMax
        : 0
  const readRows = Math.max(rowCount, sortedRows)
  // All likes of a list that is not long are compared to count those that match.
  const compared = likes <= minStoredCount ? likes : (readRows * videos) / Math.max(found, 1)
  const isCountable = likes <= minStoredCount || found >= videos * minFrequentShare
  return compared <= found && isCountable ? 'compare likes' : 'look up results'
}

/** The visible videos that a user likes, by their lead bookmarks, latest like first. */
export function likedVideos(
  db: Db,
  likedBy: string,
  filter: ListingFilter,
  viewer: Viewer | null,
  { plan, size }: { plan: LikesPlan | null; size: Fragment | null },
): Pick<ListingSource, 'from' | 'id' | 'scope' | 'key' | 'storedCount' | 'matches' | 'hidesLimit' | 'named'> {
  const { orientation, filters, randomStart, order } = filter
  const search = filter.closeSearch ?? filter.search
  // Without further conditions, the index of visible videos has all columns, and no bookmark is read.
  const readsLeads =
    orientation !== null ||
    filters.length > 0 ||
    randomStart !== null ||
    order === 'last_watched' ||
    viewer?.has_blocks_or_mutes === true
  const liker = selectLikerId(db, likedBy, viewer)
  const found = (condition: Fragment) => db`from bookmarks m where ${isVisible(db, 'm')} and ${condition}
    ${andNotHidden(db, db`m.user_id`, viewer)}`
  const foundBy = (query: SearchCondition) =>
    found(
      db`${matchesCondition(db, query, 'm')} ${andNotExcluded(db, query, { videoId: db`m.video_id`, leadId: db`m.lead_bookmark_id` }, viewer)}`,
    )
  const withLeads = (likes: Fragment) => db`${likes} join videos lv on lv.id = l.video_id
    ${readsLeads ? db`join bookmarks b on b.id = lv.lead_bookmark_id` : db``}`
  const scope = db`l.user_id = ${liker} and ${isVisibleVideo(db, 'lv')} ${readsLeads ? andNotHidden(db, db`b.user_id`, viewer) : db``}`
  const allLikes = withLeads(db`likes l`)
  const common = { id: db`lv.lead_bookmark_id`, scope, key: db`l.created_at` }
  const among = (query: SearchCondition) => db`l.video_id in (select m.video_id ${foundBy(query)})`
  if (search !== null && plan === 'look up results') {
    return {
      ...common,
      from: withLeads(db`found_likes l`),
      // With `offset 0` the results are looked up one by one, and a like is not compared with all of them.
      named: db`found_likes as materialized (
        select l.* from (select distinct m.video_id ${foundBy(search)} offset 0) m
          cross join lateral (select * from likes where user_id = ${liker} and video_id = m.video_id offset 0) l),`,
      storedCount: () => null,
      matches: (query) => (query === search ? db`true` : among(query)),
    }
  }
  return {
    ...common,
    from: allLikes,
    storedCount: (filtered) =>
      filtered === null || size === null ? size : sampledLikesCount(db, size, allLikes, filtered),
    matches: (query) =>
      query === search
        ? db`exists (select ${found(db`m.video_id = l.video_id and m.search_vector @@ ${query.tsquery}`)} offset 0)
             ${andNotExcluded(db, query, { videoId: db`l.video_id`, leadId: db`lv.lead_bookmark_id` }, viewer)}`
        : among(query),
    hidesLimit: plan === 'compare likes',
  }
}
