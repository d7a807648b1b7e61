import type { Db, Fragment } from '../../core/database/database.ts'
import { effectiveShape, isInWatchLater, thumbnailUrls } from '../../shared/bookmark-columns.ts'
import { isPublic, visibleLikesCount } from '../../shared/visibility.ts'

/**
 * The columns of a card (`ListingItem`) of bookmarks `b`, their videos `v` and owners `u`. Signed-in viewers also get their
 * own marks (liked, watched, in Watch Later); visitors do not, because their responses are cached for all of them.
 */
export function cardColumns(db: Db, viewerId: number | null): Fragment {
  return db`b.id, b.video_id, b.title, ${thumbnailUrls(db)}, u.username as user_username, v.host,
    b.effective_orientation as orientation, ${effectiveShape(db)} as shape, coalesce(b.duration, v.duration) as duration,
    b.created_at, v.saves_count, ${visibleLikesCount(db, viewerId)} as likes_count, ${isPublic(db)} as is_public ${viewerId === null ? db`` : viewerMarks(db, viewerId)}`
}

function viewerMarks(db: Db, viewerId: number): Fragment {
  return db`,
    exists (select from likes where user_id = ${viewerId} and video_id = b.video_id) as is_liked,
    exists (select from watched_videos where user_id = ${viewerId} and video_id = b.video_id) as is_watched,
    ${isInWatchLater(db, viewerId)} as is_in_watch_later`
}
