/** The trash: bookmarks that were deleted, until they go for good. */

import type { TrashItem } from '@reelmark/contract/bookmark-changes.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Sql } from '../../../core/database/database.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { effectiveShape, thumbnailUrls } from '../bookmark-columns.ts'
import { lockOwnBookmarks } from '../update/update-queries.ts'
import { isNotRemoved, isPublic, isTrashed } from '../visibility.ts'

/** Bookmarks that one transaction removes; as many as of an account that goes, for the same reason. */
const batch = 200

/** Somebody's trash, the latest first. */
export async function listTrash(
  db: Db,
  userId: number,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; results: TrashItem[] }> {
  const trashed = db`from bookmarks b join videos v on v.id = b.video_id
    where b.user_id = ${userId} and ${isTrashed(db)} and ${isNotRemoved(db)}`
  const rows = await db<(TrashItem & { count: number })[]>`
    select total.count, t.*
      from (select count(*) ${trashed}) total
      left join (
        select b.id, b.video_id, v.host, b.effective_orientation as orientation, ${effectiveShape(db)} as shape,
               coalesce(b.duration, v.duration) as duration, b.created_at, v.saves_count,
               v.likes_count, ${isPublic(db)} as is_public, ${thumbnailUrls(db)}, b.title,
               (select username from users where id = ${userId}) as user_username,
               (select json_build_object('id', c.id, 'name', c.name) from collections c
                 where c.id = b.collection_id) as collection,
               (select json_build_object('id', ch.id, 'name', ch.name) from channels ch
                 where ch.id = b.channel_id) as channel,
               b.deleted_at, greatest(0, ceil(extract(epoch from
                 b.deleted_at + make_interval(days => ${limits.trashRetentionDays}) - now()) / 86400))::int as days_left
          ${trashed}
         order by b.deleted_at desc, b.id desc limit ${size} offset ${skip}) t on true
     order by t.deleted_at desc, t.id desc`
  return splitCount(rows)
}

/** Removes what has been in the trash for its days, in batches. @returns how many. */
export async function purgeExpiredTrash(db: Sql): Promise<number> {
  let removed = 0
  for (;;) {
    const rows = await db<{ id: number }[]>`
      select id from bookmarks
       where deleted_at < now() - make_interval(days => ${limits.trashRetentionDays}) order by deleted_at limit ${batch}`
    if (rows.length === 0) return removed
    const ids = rows.map(({ id }) => id)
    const gone = await db.begin(async (tx) => {
      await tx`select lock_bookmarks(${ids}::bigint[])`
      // Again: one may have been restored while the locks were waited for.
      return tx`
        delete from bookmarks
         where id = any (${ids}::bigint[]) and deleted_at < now() - make_interval(days => ${limits.trashRetentionDays})`
    })
    removed += gone.count
  }
}

/**
 * Removes what somebody put in their trash until now, the oldest first, in batches: whoever saves or likes the same
 * videos waits no longer than one takes. Interrupted, it is begun again by asking again.
 */
export async function emptyTrash(
  db: Sql,
  userId: number,
  max: number = limits.emptyTrashBatchMax,
): Promise<{ removed: number; remaining: number }> {
  // As text: a Date has no microseconds.
  const [{ until }] = await db<[{ until: string }]>`select now()::text as until`
  const inIt = db`user_id = ${userId} and deleted_at <= ${until}::timestamptz`
  let removed = 0
  while (removed < max) {
    const gone = await db.begin(async (tx) => {
      const rows = await tx<{ id: number }[]>`
        select id from bookmarks where ${inIt} order by deleted_at, id limit ${Math.min(batch, max - removed)}`
      const ids = rows.map(({ id }) => id)
      await lockOwnBookmarks(tx, userId, ids)
      // Again: one may have been restored while the locks were waited for.
      const deleted = await tx`delete from bookmarks where id = any (${ids}::bigint[]) and ${inIt}`
      return { found: ids.length, count: deleted.count }
    })
    if (gone.found === 0) return { removed, remaining: 0 }
    removed += gone.count
  }
  const [{ remaining }] = await db<[{ remaining: number }]>`
    select count(*)::int as remaining from bookmarks where ${inIt}`
  return { removed, remaining }
}

export function purgeTrashQueue(db: Sql): JobQueue<object> {
  return {
    name: 'purge-expired-trash',
    cron: '41 3 * * *',
    retries: 3,
    seconds: 3600,
    concurrency: 1,
    work: async () => {
      await purgeExpiredTrash(db)
    },
  }
}
