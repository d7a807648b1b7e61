/** Making a collection private or public, and with it all that is in it. */
import type { Db, Sql } from '../../core/database/database.ts'
import type { JobQueue } from '../../core/database/jobs.ts'
import { isOutdated } from '../../shared/visibility.ts'

/** Bookmarks that one transaction changes: whoever saves or likes the same videos waits no longer than that takes. */
const batch = 200

/** Sent with the change where it is more than the change itself does: a process that dies over it leaves nothing open. */
export const syncCollectionVisibilityJob = { name: 'sync-collection-visibility' }

export function collectionsQueues(db: Sql): JobQueue<{ collection_id: number }>[] {
  return [
    {
      ...syncCollectionVisibilityJob,
      retries: 5,
      seconds: 600,
      concurrency: 1,
      work: ({ collection_id }) => syncBookmarkVisibility(db, collection_id),
    },
  ]
}

/** Whether bookmarks of a collection still say otherwise than it does. */
export async function isOutOfSync(db: Db, collectionId: number): Promise<boolean> {
  return (await findOutOfSync(db, collectionId, 1)).length > 0
}

/**
 * Hides or shows the bookmarks of a collection as its access says, in batches. Each batch goes by the access at that
 * moment, so that the collection may be changed back meanwhile.
 */
export async function syncBookmarkVisibility(db: Sql, collectionId: number): Promise<void> {
  const ids = await findOutOfSync(db, collectionId, null)
  for (let at = 0; at < ids.length; at += batch) {
    const some = ids.slice(at, at + batch)
    await db.begin(async (tx) => {
      await tx`select lock_bookmarks(${some}::bigint[])`
      await tx`select refresh_bookmark_flags(${some}::bigint[])`
    })
  }
}

async function findOutOfSync(db: Db, collectionId: number, max: number | null): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select b.id from bookmarks b join collections c on c.id = b.collection_id join users u on u.id = b.user_id
     where b.collection_id = ${collectionId} and ${isOutdated(db)}
     limit ${max}::bigint`
  return rows.map(({ id }) => id)
}
