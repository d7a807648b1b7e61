/** The trash: emptying and purging deleted bookmarks. */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Sql } from '../../../core/database/database.ts'
import { bookmarkBatchSize } from '../../../shared/batch-size.ts'
import { lockOwnBookmarks } from '../lock-bookmarks.ts'

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
