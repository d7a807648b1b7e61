/** Queries for the collectors of a video: users with a public bookmark of it. */

import type { Collector } from '@reelmark/contract/follows.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db } from '../../../core/database/database.ts'
import type { PageRequest } from '../../../core/http/cursor-paging.ts'
import { sharesList } from '../../../shared/profile-visibility.ts'
import { andNotHidden } from '../../../shared/user-visibility.ts'
import { canSeeVideo, isNotTrashed, isPublic } from '../../../shared/visibility.ts'
import { isFollowed, userColumns } from './queries.ts'

/** `key` is the id of the user's latest public bookmark of the video, which determines the position in the list. */
type CollectorRow = Collector & { key: number }

/**
 * Returns a page of a video's collectors, each once, ordered by their latest bookmark; null if the viewer may not see
 * the video. Reads the index bookmarks_of_video from the cursor, so that every page costs the same. Later bookmarks of a user
 * are looked up in the index of destinations, because bookmarks_of_video would read those of all users. `offset 0` makes
 * PostgreSQL look them up for each row, and `is true` prevents it from using the id as a condition of an index.
 */
export async function listCollectors(
  db: Db,
  videoId: number,
  viewer: Viewer,
  { cursor, size, skip }: PageRequest,
): Promise<{ count: number; rows: CollectorRow[] } | null> {
  const backwards = cursor?.direction === 'before'
  const afterCursor =
    cursor === null ? db`` : backwards ? db`and b.id > ${cursor.key}` : db`and b.id < ${cursor.key}`
  // A literal, not a parameter: with a parameter, the planner does not know how few rows are needed.
  const limit = db.unsafe(`limit ${Math.trunc(size) + 1} offset ${Math.trunc(skip)}`)
  const rows = await db<(CollectorRow & { count: number })[]>`
    select v.saves_count as count, page.*
      from videos v
      left join lateral (
        select ${userColumns(db)}, ${isFollowed(db, viewer)} as is_followed, b.id as key
          from bookmarks b join users u on u.id = b.user_id
         where b.video_id = v.id and ${isPublic(db)} and u.banned_at is null
           and ${sharesList(db, 'collector', viewer)} ${andNotHidden(db, db`b.user_id`, viewer)}
           and not exists (
             select from bookmarks later
              where later.user_id = b.user_id and later.video_id = b.video_id and (later.id > b.id) is true
                and ${isNotTrashed(db, 'later')} and ${isPublic(db, 'later')} offset 0)
           ${afterCursor}
         order by b.id ${backwards ? db`` : db`desc`} ${limit}) page on true
     where v.id = ${videoId} and ${canSeeVideo(db, viewer.id, viewer.is_moderator)}
     order by page.key desc`
  const [first] = rows
  return first === undefined ? null : { count: first.count, rows: rows.filter((row) => row.id !== null) }
}
