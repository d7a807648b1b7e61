import type { Db, Fragment } from '../../core/database/database.ts'
import { thumbnailUrls } from '../bookmarks/bookmark-columns.ts'

/**
 * A card (`ListingItem`) of bookmarks `b`, their videos `v` and owners `u`. What somebody made of the video is told them
 * alone; visitors, whose pages are kept for all, nothing.
 */
export function cardColumns(db: Db, me: number | null): Fragment {
  return db`b.id, b.video_id, coalesce(nullif(b.title, ''), v.title) as title, ${thumbnailUrls(db)},
    u.username as user_username, v.host, b.orientation, v.shape, v.duration, b.created_at, v.saves_count,
    v.likes_count, b.is_public ${me === null ? db`` : viewerMarks(db, me)}`
}

function viewerMarks(db: Db, me: number): Fragment {
  return db`,
    exists (select from likes where user_id = ${me} and video_id = b.video_id) as is_liked,
    exists (select from watched where user_id = ${me} and video_id = b.video_id) as is_watched,
    exists (select from bookmarks kept join collections later on later.id = kept.collection_id
             where kept.user_id = ${me} and kept.video_id = b.video_id and kept.deleted_at is null
               and later.is_watch_later) as is_in_watch_later`
}
