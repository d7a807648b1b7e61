/** What a viewer sees of videos in addition to what visitors see: whether they liked, watched or want to watch them. */
import type { MarkQueries } from '../core/auth/video-marks.ts'
import type { Db, Fragment } from '../core/database/database.ts'
import { isNotTrashed } from './visibility.ts'

/** The marks of a viewer on a video. */
export interface ViewerMarks {
  is_liked: boolean
  is_watched: boolean
  is_in_watch_later: boolean
}

/**
 * The columns of the marks of a viewer (null: a visitor, who has none) on bookmarks `b`. With "offset 0", PostgreSQL looks up each
 * video, and does not read everything that the viewer marked: if most users marked little, it expects that to be faster.
 */
export function viewerMarks(db: Db, viewerId: number | null): Fragment {
  return db`
    exists (select from likes where user_id = ${viewerId}::bigint and video_id = b.video_id offset 0) as is_liked,
    ${isWatchedBy(db, db`${viewerId}::bigint`)} as is_watched,
    exists (
      -- The owner is a condition for both tables: an index finds the collection by its owner, and another one the
      -- bookmarks by owner and video.
      select from collections c join bookmarks later on later.collection_id = c.id
       where c.user_id = ${viewerId}::bigint and c.is_watch_later
         and later.user_id = ${viewerId}::bigint and later.video_id = b.video_id and ${isNotTrashed(db, 'later')} offset 0
    ) as is_in_watch_later`
}

/** Whether a user watched a video: without other arguments, that of bookmarks `b`. */
export function isWatchedBy(db: Db, userId: Fragment, videoId = db`b.video_id`): Fragment {
  return db`exists (select from watched_videos where user_id = ${userId} and video_id = ${videoId} offset 0)`
}

/**
 * Which of some videos a user marked. No query reads everything that the user marked. Likes and watched videos are found by
 * the primary keys, which PostgreSQL prefers because of the statistics of these tables (server/migrations/0033-statistics.sql).
 * Videos in Watch Later are looked up one by one, because few of all bookmarks are in it.
 */
export const markQueries = {
  is_liked: (db, userId, videoIds) => db`
    select l.video_id from likes l where l.user_id = ${userId} and l.video_id = any (${videoIds})`,
  is_watched: (db, userId, videoIds) => db`
    select w.video_id from watched_videos w where w.user_id = ${userId} and w.video_id = any (${videoIds})`,
  is_in_watch_later: (db, userId, videoIds) => db`
    select v.id from collections c cross join unnest(${videoIds}) v (id)
     where c.user_id = ${userId} and c.is_watch_later
       and exists (select from bookmarks later
                    where later.user_id = ${userId} and later.video_id = v.id and later.collection_id = c.id
                      and ${isNotTrashed(db, 'later')}
                   -- Without "offset 0", PostgreSQL joins the tables and reads all bookmarks of the collection and of the user.
                   offset 0)`,
} satisfies { [Mark in keyof ViewerMarks]: MarkQueries[string] }
