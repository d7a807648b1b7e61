/** What a viewer sees of videos in addition to what visitors see: whether they liked, watched or want to watch them. */
import { createBatchLoader } from '../core/database/batch-loader.ts'
import type { Db, Fragment } from '../core/database/database.ts'
import { isNotTrashed } from './visibility.ts'

export interface ViewerMarks {
  is_liked: boolean
  is_watched: boolean
  is_in_watch_later: boolean
}

/** Returns the marks of a viewer on each of the videos, in the same order. */
export type LoadViewerMarks = (viewerId: number, videoIds: readonly number[]) => Promise<ViewerMarks[]>

interface MarksKey {
  viewer_id: number
  video_ids: readonly number[]
}

interface MarkedVideos {
  liked: number[]
  watched: number[]
  later: number[]
}

/** The columns of the marks of a viewer (null: a visitor, who has none) on bookmarks `b`. */
export function viewerMarks(db: Db, viewerId: number | null): Fragment {
  return db`
    exists (select from likes where user_id = ${viewerId}::bigint and video_id = b.video_id) as is_liked,
    exists (select from watched_videos where user_id = ${viewerId}::bigint and video_id = b.video_id) as is_watched,
    exists (select from ${watchLaterOf(db, db`${viewerId}::bigint`)} and later.video_id = b.video_id) as is_in_watch_later`
}

/** The bookmarks `later` in a user's Watch Later, as the tables and the beginning of the conditions of a query. */
function watchLaterOf(db: Db, userId: Fragment): Fragment {
  return db`bookmarks later join collections c on c.id = later.collection_id
    where later.user_id = ${userId} and ${isNotTrashed(db, 'later')} and c.is_watch_later`
}

/** Creates a function that reads the marks for concurrent requests with one statement. */
export function createMarksLoader(db: Db): LoadViewerMarks {
  const load = createBatchLoader((keys: MarksKey[]) => readMarks(db, keys))
  return async (viewer_id, video_ids) => {
    const { liked, watched, later } = await load({ viewer_id, video_ids })
    return video_ids.map((id) => ({
      is_liked: liked.includes(id),
      is_watched: watched.includes(id),
      is_in_watch_later: later.includes(id),
    }))
  }
}

/** Reads which of its videos each viewer marked, with one index scan per viewer and mark. */
function readMarks(db: Db, keys: MarksKey[]): Promise<MarkedVideos[]> {
  return db<MarkedVideos[]>`
    select array(select l.video_id from likes l
                  where l.user_id = page.viewer_id and l.video_id = any (page.video_ids)) as liked,
           array(select w.video_id from watched_videos w
                  where w.user_id = page.viewer_id and w.video_id = any (page.video_ids)) as watched,
           array(select later.video_id from ${watchLaterOf(db, db`page.viewer_id`)}
                    and later.video_id = any (page.video_ids)) as later
      from rows from (jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as (viewer_id bigint, video_ids bigint[]))
           with ordinality as page (viewer_id, video_ids, position)
     order by position`
}
