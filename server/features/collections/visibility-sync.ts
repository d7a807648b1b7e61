/** Updates the visibility of a collection's bookmarks after its access changed. */
import type { Db, Sql } from '../../core/database/database.ts'
import { bookmarkBatchSize } from '../../shared/batch-size.ts'
import { isOutdated } from '../../shared/visibility.ts'
import { type CompiledRules, currentRules, holdPublished } from '../moderation/public-api.ts'

/** Sent with a change of access that leaves bookmarks out of sync, so that a job completes it if the process dies. */
export const syncCollectionVisibilityJob = { name: 'sync-collection-visibility' }

/** Returns whether a collection has bookmarks whose visibility does not match its access. */
export async function isOutOfSync(db: Db, collectionId: number): Promise<boolean> {
  return (await findOutOfSync(db, collectionId, 1)).length > 0
}

/**
 * Hides or shows the bookmarks of a collection according to its access, in batches. Each batch reads the current access,
 * because it can change again in the meantime. Bookmarks that become public and match a rule are held.
 */
export async function syncBookmarkVisibility(db: Sql, collectionId: number): Promise<void> {
  const ids = await findOutOfSync(db, collectionId, null)
  const rules = await currentRules(db)
  for (let at = 0; at < ids.length; at += bookmarkBatchSize) {
    const part = ids.slice(at, at + bookmarkBatchSize)
    await db.begin(async (tx) => {
      await tx`select lock_bookmarks(${part}::bigint[])`
      await holdPublished(tx, rules, part, () => tx`select refresh_bookmark_flags(${part}::bigint[])`)
    })
  }
}

/** The largest collection whose bookmarks the trigger `collection_changed` updates (server/migrations/functions/bookmark.sql). */
const maxUpdatedByTrigger = 1000

/**
 * Runs `change`, which changes the access of a collection, and holds bookmarks that it makes public and that match a rule.
 * The trigger does not update the bookmarks of a larger collection, so `syncBookmarkVisibility` holds those.
 */
export async function holdPublishedByChange(
  tx: Db,
  rules: CompiledRules,
  collectionId: number,
  change: () => Promise<void>,
): Promise<void> {
  await tx`select from collections where id = ${collectionId} for no key update`
  const rows = await tx<{ id: number }[]>`
    select id from bookmarks where collection_id = ${collectionId} limit ${maxUpdatedByTrigger + 1}`
  const ids = rows.length > maxUpdatedByTrigger ? [] : rows.map(({ id }) => id)
  await holdPublished(tx, rules, ids, change)
}

async function findOutOfSync(db: Db, collectionId: number, max: number | null): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select b.id from bookmarks b join collections c on c.id = b.collection_id join users u on u.id = b.user_id
     where b.collection_id = ${collectionId} and ${isOutdated(db)}
     limit ${max}::bigint`
  return rows.map(({ id }) => id)
}
