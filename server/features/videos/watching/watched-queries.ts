import type { Db, Fragment } from '../../../core/database/database.ts'
import { deleteInBatches } from '../../../core/database/delete-in-batches.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { canSeeVideo } from '../../../shared/visibility.ts'

/** How many rows one statement deletes. */
const batchSize = 5000

/**
 * Marks a video as watched and deletes the position in it.
 * @throws ApiError('not-found') for a video that the user may not see.
 */
export async function markWatched(db: Db, userId: number, videoId: number): Promise<void> {
  const marked = await db`
    with deleted as (
      delete from playback_positions where user_id = ${userId} and video_id = ${videoId}
    )
    insert into watched_videos (user_id, video_id)
    select ${userId}, v.id from videos v where v.id = ${videoId} and ${canSeeVideo(db, userId)}
    on conflict (user_id, video_id) do update set watched_at = now()`
  if (marked.count === 0) throw new ApiError('not-found')
}

/** Removes the mark. Succeeds for any video, so that the response does not reveal whether a video exists. */
export async function unmarkWatched(db: Db, userId: number, videoId: number): Promise<void> {
  await db`delete from watched_videos where user_id = ${userId} and video_id = ${videoId}`
}

/**
 * Deletes the position in a video that ended and marks the video as watched, unless the user's history is paused. Returns
 * whether the video is marked.
 * @throws ApiError('not-found') for a video that the user may not see.
 */
export async function recordEnd(db: Db, userId: number, videoId: number): Promise<boolean> {
  const [outcome] = await db<{ is_watched: boolean }[]>`
    with ended as (${videoToRecord(db, userId, videoId)}), deleted as (
      delete from playback_positions p using ended where p.user_id = ${userId} and p.video_id = ended.id
    ), marked as (
      insert into watched_videos (user_id, video_id) select ${userId}, id from ended where not is_history_paused
      on conflict (user_id, video_id) do update set watched_at = now() returning video_id
    )
    select exists (select from marked)
           or exists (select from watched_videos w where w.user_id = ${userId} and w.video_id = ended.id) as is_watched
      from ended`
  if (outcome === undefined) throw new ApiError('not-found')
  return outcome.is_watched
}

/** Returns where the user stopped watching a video; null if they did not, or may not see it. */
export async function getPosition(db: Db, userId: number, videoId: number): Promise<number | null> {
  const [position] = await db<{ seconds: number }[]>`
    select p.seconds from playback_positions p join videos v on v.id = p.video_id
     where p.user_id = ${userId} and p.video_id = ${videoId} and ${canSeeVideo(db, userId)}`
  return position?.seconds ?? null
}

/**
 * Stores where the user is in a video, unless their history is paused. Returns whether it was stored.
 * @throws ApiError('not-found') for a video that the user may not see.
 */
export async function savePosition(
  db: Db,
  userId: number,
  videoId: number,
  seconds: number,
): Promise<boolean> {
  const [outcome] = await db<{ is_stored: boolean }[]>`
    with shown as (${videoToRecord(db, userId, videoId)}), stored as (
      insert into playback_positions (user_id, video_id, seconds)
      select ${userId}, id, ${seconds} from shown where not is_history_paused
      on conflict (user_id, video_id) do update set seconds = excluded.seconds, updated_at = now()
    )
    select not is_history_paused as is_stored from shown`
  if (outcome === undefined) throw new ApiError('not-found')
  return outcome.is_stored
}

/** Selects a video that the user may see, and whether their history is paused. */
function videoToRecord(db: Db, userId: number, videoId: number): Fragment {
  return db`
    select v.id, u.is_history_paused from videos v, users u
     where v.id = ${videoId} and u.id = ${userId} and ${canSeeVideo(db, userId)}`
}

/** Removes all marks and positions of a user and returns how many marks there were. */
export async function clearWatched(db: Db, userId: number): Promise<number> {
  await deleteRows(db, 'playback_positions', userId)
  return deleteRows(db, 'watched_videos', userId)
}

/** Deletes the rows of a user in batches, since there can be more than one statement may delete, and returns how many. */
function deleteRows(db: Db, table: 'watched_videos' | 'playback_positions', userId: number): Promise<number> {
  return deleteInBatches(
    batchSize,
    () => db`
      delete from ${db(table)}
       where user_id = ${userId} and video_id in (
         select video_id from ${db(table)} where user_id = ${userId} order by video_id limit ${batchSize})`,
  )
}
