import type { LikeStatus } from '@reelmark/contract/likes.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db } from '../../../core/database/database.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { canSeeVideo, hasLead, visibleLikesCount } from '../../../shared/visibility.ts'

/** Returns whether the viewer likes a video, and its number of likes; null if they may not see it. */
export async function getLikeStatus(db: Db, viewer: Viewer, videoId: number): Promise<LikeStatus | null> {
  const [status] = await db<LikeStatus[]>`
    select exists (select from likes l where l.user_id = ${viewer.id} and l.video_id = v.id) as is_liked,
           ${visibleLikesCount(db, viewer.id)} as likes_count
      from videos v where v.id = ${videoId} and ${canSeeVideo(db, viewer.id, viewer.is_moderator)}`
  return status ?? null
}

/**
 * Likes or unlikes a video; returns null if the viewer may not see it. Locks the video first, like everything that changes
 * its counters, so that there is no deadlock and the returned count is exact.
 * @throws ApiError('forbidden') for a like of a video without a public bookmark: it would reveal to later savers that the
 *   user saved it privately.
 */
export async function toggleLike(db: Db, viewer: Viewer, videoId: number): Promise<LikeStatus | null> {
  const [status] = await db<(LikeStatus & { is_refused: boolean })[]>`
    with visible as materialized (
      select v.id, ${visibleLikesCount(db, viewer.id)} as likes_count, ${hasLead(db)} as has_lead from videos v
       where v.id = ${videoId} and ${canSeeVideo(db, viewer.id, viewer.is_moderator)}
         for no key update of v
    ), deleted as (
      delete from likes l using visible where l.user_id = ${viewer.id} and l.video_id = visible.id returning l.video_id
    ), created as (
      insert into likes (user_id, video_id)
      select ${viewer.id}, id from visible where has_lead and not exists (select from deleted)
      on conflict do nothing returning video_id
    )
    select not exists (select from deleted) as is_liked,
           -- The trigger changes the counter after this statement has read it.
           likes_count - (select count(*) from deleted) + (select count(*) from created) as likes_count,
           not has_lead and not exists (select from deleted) as is_refused
      from visible`
  if (status === undefined) return null
  const { is_refused, ...toggled } = status
  if (is_refused) throw new ApiError('forbidden')
  return toggled
}
