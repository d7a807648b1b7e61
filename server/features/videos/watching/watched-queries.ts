import type { Db } from '../../../core/database/database.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { canSeeVideo } from '../../../shared/visibility.ts'

/** Marks a video as watched. @throws ApiError('not-found') for a video that the user may not see. */
export async function markWatched(db: Db, userId: number, videoId: number): Promise<void> {
  const marked = await db`
    insert into watched_videos (user_id, video_id)
    select ${userId}, v.id from videos v where v.id = ${videoId} and ${canSeeVideo(db, userId)}
    on conflict (user_id, video_id) do update set watched_at = now()`
  if (marked.count === 0) throw new ApiError('not-found')
}

/** Removes the mark. Succeeds for any video, so that the response does not reveal whether a video exists. */
export async function unmarkWatched(db: Db, userId: number, videoId: number): Promise<void> {
  await db`delete from watched_videos where user_id = ${userId} and video_id = ${videoId}`
}

/** Removes all marks of a user in batches, since there can be more than one statement may delete, and returns how many. */
export async function clearWatched(db: Db, userId: number): Promise<number> {
  let cleared = 0
  let count: number
  do {
    const removed = await db`
      delete from watched_videos
       where user_id = ${userId} and video_id in (
         select video_id from watched_videos where user_id = ${userId} order by video_id limit 5000)`
    count = removed.count
    cleared += count
  } while (count === 5000)
  return cleared
}
