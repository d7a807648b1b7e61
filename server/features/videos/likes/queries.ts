import type { LikeStatus } from '@reelmark/contract/likes.ts'
import type { Db } from '../../../core/database/database.ts'
import { canSeeVideo } from '../../../shared/visibility.ts'

interface Viewer {
  id: number
  is_moderator: boolean
}

/** Null for a video that is not the viewer's to see. */
export async function getLikeStatus(db: Db, viewer: Viewer, videoId: number): Promise<LikeStatus | null> {
  const [status] = await db<LikeStatus[]>`
    select exists (select from likes l where l.user_id = ${viewer.id} and l.video_id = v.id) as is_liked, v.likes_count
      from videos v where v.id = ${videoId} and ${canSeeVideo(db, viewer.id, viewer.is_moderator)}`
  return status ?? null
}

/**
 * Likes a video, or likes it no more; null for one that is not the viewer's to see. The video is locked first, as
 * whoever else counts its likes does: nobody waits in a circle, and the count is that of the moment.
 */
export async function toggleLike(db: Db, viewer: Viewer, videoId: number): Promise<LikeStatus | null> {
  const [status] = await db<LikeStatus[]>`
    with seen as materialized (
      select v.id, v.likes_count from videos v
       where v.id = ${videoId} and ${canSeeVideo(db, viewer.id, viewer.is_moderator)}
         for no key update of v
    ), gone as (
      delete from likes l using seen where l.user_id = ${viewer.id} and l.video_id = seen.id returning l.video_id
    ), made as (
      insert into likes (user_id, video_id)
      select ${viewer.id}, id from seen where not exists (select from gone)
      on conflict do nothing returning video_id
    )
    select not exists (select from gone) as is_liked,
           -- The trigger moves the counter after this statement has read it.
           likes_count - (select count(*) from gone) + (select count(*) from made) as likes_count
      from seen`
  return status ?? null
}
