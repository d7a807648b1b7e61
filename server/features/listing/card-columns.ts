import type { Db, Fragment } from '../../core/database/database.ts'
import { effectiveShape, thumbnailUrls } from '../../shared/bookmark-columns.ts'
import { isMissing } from '../../shared/missing-videos.ts'
import { viewerMarks } from '../../shared/viewer-marks.ts'
import { isPublic, visibleLikesCount } from '../../shared/visibility.ts'

/**
 * The columns of a card (`ListingItem`) of bookmarks `b`, their videos `v` and owners `u`. Signed-in viewers also get their
 * own marks (liked, watched, in Watch Later); visitors do not, because their responses are cached for all of them.
 */
export function cardColumns(db: Db, viewerId: number | null): Fragment {
  return db`b.id, b.video_id, b.title, ${thumbnailUrls(db)}, u.username as user_username, v.host,
    b.effective_orientation as orientation, ${effectiveShape(db)} as shape, coalesce(b.duration, v.duration) as duration,
    b.created_at, v.saves_count, ${visibleLikesCount(db, viewerId)} as likes_count, ${isPublic(db)} as is_public,
    nullif(${isMissing(db)}, false) as is_missing ${viewerId === null ? db`` : db`, ${viewerMarks(db, viewerId)}`}`
}
