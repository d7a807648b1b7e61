/**
 * The order `relevance` (docs/decisions/0040-ranked-searches.md): how well a bookmark matches the words of a search, how
 * often its video is saved, and how new it is. Scores are computed for a bounded window of the matches: the newest ones,
 * and those among the most saved bookmarks of the site. The other matches follow, newest first.
 */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type Db, type Fragment, inlineNumber, type Sql } from '../../core/database/database.ts'
import { isVisibleVideo } from '../../shared/visibility.ts'
import { fractionKey, newestRows, windowSegment } from './listing-orders.ts'
import type { ListingSegment } from './listing-segments.ts'
import type { RankedWords, SearchCondition } from './search-queries.ts'

/** How many of the most saved bookmarks of the site every search by relevance looks through. */
const popularMax = 10_000
/** How many matches among them are ranked. */
const popularMatchesMax = 250

/** Returns the ranked window of a search, and the other matches, newest first. */
export function rankedSegments(
  db: Db,
  newest: ListingSegment,
  ranked: RankedWords,
  search: SearchCondition,
): ListingSegment[] {
  const { rows, isOlder } = newestRows(db, newest, limits.rankedMax)
  const newestIds = db`select id from (${rows}) newest`
  // The most saved bookmarks of the site are no better matches in a list of own bookmarks.
  const isPublicSearch = newest.isSearch && newest.cells === null
  const popularIds = isPublicSearch ? popularMatches(db, newest, search) : null
  const window = popularIds === null ? newestIds : db`${newestIds} union ${popularIds}`
  return [
    {
      ...windowSegment(db, window),
      key: matchScore(db, ranked),
      cursorKey: fractionKey(db),
      isAscending: false,
    },
    {
      ...newest,
      afterEarlier: db`and ${isOlder}`,
      without: popularIds === null ? db`` : db`and ${newest.id} not in (${popularIds})`,
    },
  ]
}

/**
 * The score of a bookmark `b` of a video `v`. A word in the title counts 0.61, in a tag 0.24, in the owner's name or host
 * 0.12 and in the description 0.06, of which ts_rank() returns the mean. Seven times as many saves count as much as a year
 * of age. Age counts evenly, so that scores keep their order while time passes.
 */
export function matchScore(db: Db, { query, scale }: RankedWords): Fragment {
  return db`(ts_rank(b.search_vector, ${query})::float8 * ${scale}::float8
    + 0.05 * ln(1 + v.saves_count::float8)
    + 0.1 * greatest(extract(epoch from b.created_at)::float8, 0) / 31557600)`
}

/** Selects the ids of the most saved matches of a search. */
function popularMatches(db: Db, { from, where }: ListingSegment, search: SearchCondition): Fragment {
  return db`(select matched.id
      from (select p.bookmark_id, p.saves_count from popular_bookmarks p
             where p.search_vector @@ ${search.tsquery} order by p.saves_count desc, p.bookmark_id desc offset 0) p
      cross join lateral (select b.id from ${from} where b.id = p.bookmark_id and ${where} limit 1) matched
     order by p.saves_count desc, p.bookmark_id desc limit ${inlineNumber(db, popularMatchesMax)})`
}

/** Selects the most saved bookmarks again. */
export async function selectPopularBookmarks(sql: Sql): Promise<void> {
  await sql.begin(async (db) => {
    await db`set local statement_timeout = '200s'`
    await db`delete from popular_bookmarks`
    await db`
      insert into popular_bookmarks (bookmark_id, saves_count, search_vector)
      select b.id, most_saved.saves_count, b.search_vector
        from (select v.lead_bookmark_id, v.saves_count from videos v where ${isVisibleVideo(db)}
               order by v.saves_count desc, v.lead_bookmark_id desc limit ${popularMax}) most_saved
        join bookmarks b on b.id = most_saved.lead_bookmark_id`
  })
}
