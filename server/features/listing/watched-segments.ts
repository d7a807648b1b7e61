/** The order `last_watched` of a listing. */
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import type { ListingSegment } from './listing-segments.ts'

export interface WatchedRows extends Pick<ListingSegment, 'from' | 'where'> {
  /**
   * How they are found if PostgreSQL does not choose it: `all` are found and then sorted; `until the page is full`, they are looked up
   * for the watched videos, the latest first, because many of those match.
   */
  read?: 'all' | 'until the page is full'
}

/** Selects the watched ones of bookmarks `b` and their time. */
function watchedRows(
  db: Db,
  viewer: Viewer,
  { from, where, read }: WatchedRows,
): Pick<ListingSegment, 'from' | 'where' | 'key'> & Partial<Pick<ListingSegment, 'id'>> {
  const isSame = db`b.video_id = w.video_id`
  const isOfViewer = db`w.user_id = ${viewer.id}`
  const key = db`w.watched_at`
  const joined = db`${from} join watched_videos w on ${isSame} and ${isOfViewer}`
  switch (read) {
    case 'all':
      return {
        from: db`(select b.id, ${key} from ${joined} where ${where} offset 0) w`,
        where: db`true`,
        id: db`w.id`,
        key,
      }
    case 'until the page is full':
      return {
        from: db`watched_videos w cross join lateral (select b.* from ${from} where ${where} and ${isSame} offset 0) b`,
        where: isOfViewer,
        key,
      }
    default:
      return { from: joined, where, key }
  }
}

/**
 * Videos that the viewer watched, the latest first, and then the others, newest first.
 * @param shown whether the filters leave only watched videos (true) or only others (false); null if they leave both
 * @param found how the watched ones are found
 */
export function watchedSegments(
  db: Db,
  newest: ListingSegment,
  viewer: Viewer,
  shown: boolean | null,
  found: WatchedRows = newest,
): ListingSegment[] {
  return [
    {
      ...newest,
      isSkipped: shown === false,
      ...watchedRows(db, viewer, found),
      isAscending: false,
      follower: null,
      slices: null,
    },
    {
      ...newest,
      isSkipped: shown === true,
      isAscending: false,
      without: db`and not exists (select from watched_videos w where w.user_id = ${viewer.id} and w.video_id = b.video_id)`,
    },
  ]
}
