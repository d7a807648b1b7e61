/** The trash: listing, emptying and purging deleted bookmarks. */

import type { TrashItem } from '@reelmark/contract/bookmark-changes.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Sql } from '../../../core/database/database.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { bookmarkBatchSize } from '../../../shared/batch-size.ts'
import { effectiveShape, thumbnailUrls } from '../../../shared/bookmark-columns.ts'
import { isNotRemoved, isPublic, isTrashed, visibleLikesCount } from '../../../shared/visibility.ts'
import { lockOwnBookmarks } from '../lock-bookmarks.ts'

/** Returns a page of a user's trash, the latest first. */
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
               ${visibleLikesCount(db, userId)} as likes_count, ${isPublic(db)} as is_public, ${thumbnailUrls(db)}, b.title,
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

/** Deletes bookmarks whose time in the trash is over, in batches, and returns how many. */
export async function purgeExpiredTrash(db: Sql): Promise<number> {
  let deletedCount = 0
  for (;;) {
    const rows = await db<{ id: number }[]>`
      select id from bookmarks
       where deleted_at < now() - make_interval(days => ${limits.trashRetentionDays}) order by deleted_at limit ${bookmarkBatchSize}`
    if (rows.length === 0) return deletedCount
    const ids = rows.map(({ id }) => id)
    const deleted = await db.begin(async (tx) => {
      await tx`select lock_bookmarks(${ids}::bigint[])`
      // Checked again, because one may have been restored before the lock was acquired.
      return tx`
        delete from bookmarks
         where id = any (${ids}::bigint[]) and deleted_at < now() - make_interval(days => ${limits.trashRetentionDays})`
    })
    deletedCount += deleted.count
  }
}

/**
 * Deletes what a user put into their trash until now, the oldest first and at most `max`, in batches so that saves and likes
 * of the same videos do not wait long. An interrupted call can be repeated.
 */
export async function emptyTrash(
  db: Sql,
  userId: number,
  max: number = limits.emptyTrashBatchMax,
): Promise<{ removed: number; remaining: number }> {
  // As text, because a Date has no microseconds.
  const [{ until }] = await db<[{ until: string }]>`select now()::text as until`
  const isTrashedBefore = db`user_id = ${userId} and deleted_at <= ${until}::timestamptz`
  let removed = 0
  while (removed < max) {
    const { found, deleted } = await db.begin(async (tx) => {
      const rows = await tx<{ id: number }[]>`
        select id from bookmarks where ${isTrashedBefore} order by deleted_at, id limit ${Math.min(bookmarkBatchSize, max - removed)}`
      const ids = rows.map(({ id }) => id)
      await lockOwnBookmarks(tx, userId, ids)
      // Checked again, because one may have been restored before the lock was acquired.
      const result = await tx`delete from bookmarks where id = any (${ids}::bigint[]) and ${isTrashedBefore}`
      return { found: ids.length, deleted: result.count }
    })
    if (found === 0) return { removed, remaining: 0 }
    removed += deleted
  }
  const [{ remaining }] = await db<[{ remaining: number }]>`
    select count(*)::int as remaining from bookmarks where ${isTrashedBefore}`
  return { removed, remaining }
}
