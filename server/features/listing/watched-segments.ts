/** The order `last_watched` of a listing. */
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import type { ListingSegment } from './listing-segments.ts'

interface WatchedRows extends Pick<ListingSegment, 'from' | 'where'> {
  /** Whether so many match that they are looked for among the watched videos, the latest first, and not the other way round. */
  isMany?: boolean
}

/** Selects the watched ones `w` of bookmarks `b`. */
function watchedRows(
  db: Db,
  viewer: Viewer,
  { from, where, isMany = false }: WatchedRows,
): Pick<ListingSegment, 'from' | 'where'> {
  const isSame = db`b.video_id = w.video_id`
  const isOfViewer = db`w.user_id = ${viewer.id}`
  return isMany
    ? {
        from: db`watched_videos w cross join lateral (select b.* from ${from} where ${where} and ${isSame} offset 0) b`,
        where: isOfViewer,
      }
    : { from: db`${from} join watched_videos w on ${isSame} and ${isOfViewer}`, where }
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
      isEmpty: shown === false,
      ...watchedRows(db, viewer, found),
      key: db`w.watched_at`,
      isAscending: false,
      follower: null,
      slices: null,
    },
    {
      ...newest,
      isEmpty: shown === true,
      isAscending: false,
      without: db`and not exists (select from watched_videos w where w.user_id = ${viewer.id} and w.video_id = b.video_id)`,
    },
  ]
}
