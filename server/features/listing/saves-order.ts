/**
 * The order by saves of lists that no index has in it. Neither bookmarks nor videos are read one by one to sort them: the index of
 * saves is read once for all videos, in its order. Of a long list, those bookmarks are sorted that are the newest or of the most
 * saved videos of the site; the others follow, newest first (docs/decisions/0073-vault-speed-and-defects.md).
 */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import { isNotRemoved, isVisible } from '../../shared/visibility.ts'
import { isOlderThan, newestRows, numberKey, windowSegment } from './listing-orders.ts'
import type { ListingSegment } from './listing-segments.ts'
import type { WindowColumn } from './read-slices.ts'
import { isInSample } from './search-slices.ts'

/** How many of the newest bookmarks of a long list are sorted. */
const newestOfLong = 2500

/** How a long list is recognised, and which of its bookmarks are sorted besides the newest. */
export interface LongOrder {
  isLong: Fragment
  /** The condition for the bookmarks `b` of the list that are of the most saved videos of the site. */
  popular: Fragment
}

/**
 * Returns the segments of a list of bookmarks `b`.
 * @param own the condition for own bookmarks, also of removed videos, in an index that contains its columns
 * @param long null: the newest `limits.sortedMax` bookmarks are sorted, however long the list is
 */
export function savesSegments(
  db: Db,
  newest: ListingSegment,
  own: Fragment | null,
  long: LongOrder | null,
): ListingSegment[] {
  const list = own === null ? newest : { ...newest, where: own, slices: null }
  const columns: WindowColumn[] = ['video_id', 'is_visible']
  const whole = newestRows(db, list, limits.sortedMax, columns)
  const { rows, oldest } = long === null ? whole : ofLongOrder(db, list, columns, whole, long)
  const isShown = own === null ? db`` : db`where ${isVisible(db, 'found')} or ${isNotRemoved(db)}`
  const videos = db`select id, saves_count, status from videos where id = any (array(select video_id from found))`
  return [
    {
      ...windowSegment(db, rows),
      from: db`(with found as materialized (${rows})
        select found.id, v.saves_count from found join (${videos}) v on v.id = found.video_id ${isShown}) sorted`,
      id: db`sorted.id`,
      key: db`sorted.saves_count`,
      cursorKey: numberKey(db),
      isAscending: false,
    },
    {
      ...newest,
      afterEarlier: db`and ${isOlderThan(db, newest, oldest)}`,
      without:
        long === null
          ? db``
          : db`and ${newest.id} not in (select id from (${selectPopular(db, long)}) popular)`,
    },
  ]
}

/** Selects the rows of a list that are sorted, and the oldest of those that are sorted because they are the newest. */
function ofLongOrder(
  db: Db,
  list: ListingSegment,
  columns: readonly WindowColumn[],
  whole: ReturnType<typeof newestRows>,
  { isLong, popular }: LongOrder,
): ReturnType<typeof newestRows> {
  const first = newestRows(db, list, newestOfLong, columns)
  const names = db`id, at, video_id, is_visible`
  return {
    rows: db`with size as materialized (select ${isLong} as is_long)
      select ${names} from (${whole.rows}) newest where not (select is_long from size)
      union select ${names} from (${first.rows}) newest where (select is_long from size)
      union ${selectPopular(db, { isLong: db`(select is_long from size)`, popular })}`,
    oldest: db`select at, id from (${first.oldest}) last where ${isLong}
      union all select at, id from (${whole.oldest}) last where not ${isLong}`,
  }
}

function selectPopular(db: Db, { isLong, popular }: LongOrder): Fragment {
  return db`select b.id, b.created_at as at, b.video_id, b.is_visible from bookmarks b where ${isLong} and ${popular}`
}

/** The condition that the bookmarks `b` of the most saved videos of the site are among those of a list. */
export function isOfPopularVideo(db: Db): Fragment {
  return db`b.video_id = any (array(select video_id from popular_bookmarks))`
}

/** How many matches a 64th part of a list has if it is long. */
const longSample = 60

/**
 * The condition that many bookmarks `b` match, estimated from a sample.
 * @param cells as for isInSample()
 */
export function hasMany(db: Db, from: Fragment, where: Fragment, cells: Fragment | null): Fragment {
  const min = inlineNumber(db, longSample)
  return db`(select count(*) >= ${min}
      from (select from ${from} where ${where} and ${isInSample(db, 64, cells)} limit ${min}) sample)`
}
