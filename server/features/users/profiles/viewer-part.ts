/** The part of a profile that only a viewer sees, which completes the response of visitors. */
import type { Pin } from '@reelmark/contract/pins.ts'
import { writeIds } from '../../../core/auth/video-marks.ts'
import { createBatchLoader } from '../../../core/database/batch-loader.ts'
import type { Deps } from '../../../core/deps.ts'
import { rememberUntilWrite } from '../../../core/http/remember-until-write.ts'
import { isWatchedBy } from '../../../shared/viewer-marks.ts'

interface PartKey {
  userId: number
  viewerId: number
  /** The pinned bookmarks, as the text of a bigint[]. */
  bookmarkIds: string
}

interface ViewerPart {
  is_followed: boolean
  /** The pinned bookmarks whose video the viewer watched. */
  watched_ids: number[]
}

interface CachedProfile {
  id: number
  pins: readonly Pin[]
}

/**
 * Returns a function that returns whether a viewer follows a user, and the user's pins with the viewer's watched marks, as they
 * were read since the viewer's last write. Concurrent reads share one statement.
 */
export function createViewerPartLoader({ db, visitorCache }: Pick<Deps, 'db' | 'visitorCache'>) {
  const load = createBatchLoader(
    (keys: PartKey[]) => db<ViewerPart[]>`
      select exists (select from follows f where f.follower_id = part.viewer_id and f.followee_id = part.user_id) as is_followed,
             array(select b.id from unnest(part.bookmark_ids) pinned (id) join bookmarks b on b.id = pinned.id
                    where ${isWatchedBy(db, db`part.viewer_id`)}) as watched_ids
        from (select viewer_id, user_id, list::bigint[] as bookmark_ids, position
                from unnest(${keys.map(({ viewerId }) => viewerId)}::bigint[], ${keys.map(({ userId }) => userId)}::bigint[],
                            ${keys.map(({ bookmarkIds }) => bookmarkIds)}::text[])
                     with ordinality as requested (viewer_id, user_id, list, position) offset 0) part
       order by part.position`,
  )
  const read = rememberUntilWrite(
    visitorCache,
    load,
    ({ userId, viewerId, bookmarkIds }) => `${viewerId} ${userId} ${bookmarkIds}`,
  )
  return async ({ id, pins }: CachedProfile, viewerId: number) => {
    const bookmarkIds = writeIds(pins.filter(({ kind }) => kind === 'bookmark').map((pin) => pin.id))
    const { is_followed, watched_ids } = await read({ userId: id, viewerId, bookmarkIds })
    const isWatched = (pin: Pin) => pin.kind === 'bookmark' && watched_ids.includes(pin.id)
    return { is_followed, pins: pins.map((pin) => ({ ...pin, is_watched: isWatched(pin) })) }
  }
}
