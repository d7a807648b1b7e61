import type { Fragment } from 'postgres'
import type { Db } from '../../core/database.ts'

/**
 * What somebody made of the videos of bookmarks `b`, as further columns of a card; none for visitors, whose pages are
 * kept for all.
 */
export function ownMarks(db: Db, me: number | null): Fragment {
  if (me === null) return db``
  return db`,
    exists (select from likes where user_id = ${me} and video_id = b.video_id) as is_liked,
    exists (select from watched where user_id = ${me} and video_id = b.video_id) as is_watched,
    exists (select from bookmarks kept join collections later on later.id = kept.collection_id
             where kept.user_id = ${me} and kept.video_id = b.video_id and kept.deleted_at is null
               and later.is_watch_later) as is_in_watch_later`
}
