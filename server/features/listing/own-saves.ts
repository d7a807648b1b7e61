/** Own bookmarks by the saves of their videos (docs/decisions/0089-own-bookmarks-by-saves.md). */
import { type Db, type Fragment, inlineNumber } from '../../core/database/database.ts'
import { numberKey, savesWindow } from './listing-orders.ts'
import type { ListingSegment } from './listing-segments.ts'

/** How many of the most saved videos of the site are looked for in the own bookmarks. */
export const mostSavedVideos = 2500
/** Among how many of the newest the others are sorted: more of a list that is read in an index alone than of one with words. */
export const sortedOwn = { inIndex: 3000, inTable: 2000 }
/** If all matches are read anyway, looking up the saves of so many takes less time than looking for the most saved videos. */
const sortedMatches = 6000

interface OwnSaves {
  viewerId: number
  /** The conditions for the rows of an index of the order. */
  where: Fragment
  /** The conditions in an index that contains their columns, also for bookmarks of removed videos; null without such an index. */
  withRemoved: Fragment | null
}

/**
 * Returns the own bookmarks by saves: first those of the most saved videos of the site, however old they are; then the
 * others among the newest by saves; then the remaining ones, newest first. This bounds the cost. If few match, the second segment has all.
 */
export function ownSavesSegments(
  db: Db,
  newest: ListingSegment,
  { viewerId, where, withRemoved }: OwnSaves,
): ListingSegment[] {
  // At most `mostSavedVideos` have more saves than the next one, also if many have as many as that one.
  const threshold = db`(select coalesce(max(saves_count), 1) from (
    select saves_count from videos where saves_count > 1 order by saves_count desc
    limit 1 offset ${inlineNumber(db, mostSavedVideos)}) next)`
  const { estimate = null, isRead = false } = newest.own ?? {}
  // All of them are then sorted. A third more than the sample says could match.
  const isFew = estimate !== null && estimate.matches < (isRead ? 0.75 * sortedMatches : sortedOwn.inTable)
  const inWindow = withRemoved === null ? sortedOwn.inTable : sortedOwn.inIndex
  const isSortedByTime = isFew
    ? db`true`
    : db`((select saves_count from videos where id = b.video_id) <= ${threshold})`
  const { window, isOlder } = savesWindow(db, newest, isFew && isRead ? sortedMatches : inWindow, {
    own: isRead ? null : withRemoved,
    condition: isFew ? db`true` : db`v.saves_count <= ${threshold}`,
  })
  return [
    {
      ...window,
      // All of these videos are looked up in one scan of the index of destinations, which has those of each owner together.
      from: db`(with popular as materialized (
          select id, saves_count from videos where saves_count > ${threshold} and saves_count > 1)
        select b.id, popular.saves_count from popular join bookmarks b on b.video_id = popular.id
         where b.user_id = ${viewerId} and b.video_id = any (array(select id from popular)) and ${where} offset 0) own`,
      isSkipped: isFew,
      where: db`true`,
      id: db`own.id`,
      key: db`own.saves_count`,
      // Unlike those of videos with few saves, the ties of these are few, so that the scan can start at the first of them.
      cursorKey: { ...numberKey(db), hasTies: false },
    },
    window,
    {
      ...newest,
      where: db`${newest.where} and ${isSortedByTime}`,
      afterEarlier: db`and ${isOlder}`,
    },
  ]
}
