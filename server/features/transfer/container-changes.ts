/** What an import changes of collections and channels that exist already, and how its undo restores them. */
import type { Db, Fragment, Sql } from '../../core/database/database.ts'
import { isNotTrashed, isTrashed } from '../../shared/visibility.ts'
import { lockOwnBookmarks } from '../bookmarks/public-api.ts'
import type { TransferClaim } from './export-queries.ts'
import { type ImportClaim, lockImport } from './import-queries.ts'

/** How many bookmarks in the trash are made private in one transaction. */
const bookmarkBatch = 200

/** The columns that an import can change, as one value. */
function collectionState(db: Db): Fragment {
  return db`jsonb_build_object('description', c.description, 'access', c.access, 'list_order', c.list_order,
    'created_at', c.created_at, 'position', c.position, 'is_watch_later', c.is_watch_later)`
}

function channelState(db: Db): Fragment {
  return db`jsonb_build_object('description', ch.description, 'list_order', ch.list_order, 'position', ch.position)`
}

/** Stores the states of existing collections and their channels, before the import changes them. */
export async function recordStates(
  tx: Db,
  { id }: TransferClaim,
  collectionIds: readonly number[],
): Promise<void> {
  if (collectionIds.length === 0) return
  await tx`
    insert into import_container_changes (import_id, collection_id, channel_id, before)
    select ${id}::bigint, c.id, null::bigint, ${collectionState(tx)} from collections c where c.id = any (${[...collectionIds]}::bigint[])
    union all
    select ${id}::bigint, ch.collection_id, ch.id, ${channelState(tx)} from channels ch
     where ch.collection_id = any (${[...collectionIds]}::bigint[])`
}

/** Stores the states after the change, and deletes those that did not change. */
export async function recordChanges(tx: Db, { id }: TransferClaim): Promise<void> {
  const isNew = tx`i.import_id = ${id} and i.after is null`
  await tx`
    update import_container_changes i set after = ${collectionState(tx)}
      from collections c where ${isNew} and i.channel_id is null and c.id = i.collection_id`
  await tx`
    update import_container_changes i set after = ${channelState(tx)}
      from channels ch where ${isNew} and ch.id = i.channel_id`
  await tx`delete from import_container_changes where import_id = ${id} and before = after`
}

/**
 * Restores the collections and channels that an import changed, unless the user changed them since. A collection becomes public
 * again only if it is empty; its bookmarks in the trash become private before, so that restoring them publishes nothing.
 * @returns false if the claim was lost
 */
export async function restoreContainers(db: Sql, claim: ImportClaim): Promise<boolean> {
  for (;;) {
    const changed = await db.begin(async (tx) => {
      if (!(await lockImport(tx, claim))) return null
      const rows = await tx<{ id: number }[]>`
        select b.id from import_container_changes i join collections c on c.id = i.collection_id
          join bookmarks b on b.collection_id = c.id
         where ${isRestorable(tx, claim)} and i.before ->> 'access' = 'public' and c.access = 'private'
           and ${isTrashed(tx)} and b.access = 'public'
         limit ${bookmarkBatch}`
      const ids = rows.map(({ id }) => id)
      await lockOwnBookmarks(tx, claim.user_id, ids)
      await tx`update bookmarks b set access = 'private' where b.id = any (${ids}::bigint[]) and ${isTrashed(tx)}`
      return ids.length
    })
    if (changed === null) return false
    if (changed === 0) break
  }
  return db.begin(async (tx) => {
    if (!(await lockImport(tx, claim))) return false
    await tx`
      update collections c
         set description = i.before ->> 'description', access = i.before ->> 'access',
             list_order = i.before ->> 'list_order', created_at = (i.before ->> 'created_at')::timestamptz,
             position = (i.before ->> 'position')::int, is_watch_later = (i.before ->> 'is_watch_later')::boolean
        from import_container_changes i where ${isRestorable(tx, claim)}`
    await tx`
      update channels ch
         set description = i.before ->> 'description', list_order = i.before ->> 'list_order',
             position = (i.before ->> 'position')::int
        from import_container_changes i
       where i.import_id = ${claim.id} and ch.id = i.channel_id and ${channelState(tx)} = i.after`
    await tx`delete from import_container_changes where import_id = ${claim.id}`
    return true
  })
}

/** Whether a collection `c` is as the import `i` left it, and is empty if it would become public. */
function isRestorable(tx: Db, { id, user_id }: ImportClaim): Fragment {
  return tx`i.import_id = ${id} and i.channel_id is null and c.id = i.collection_id and c.user_id = ${user_id}
    and ${collectionState(tx)} = i.after
    and (i.before ->> 'access' = c.access
         or not exists (select from bookmarks live where live.collection_id = c.id and ${isNotTrashed(tx, 'live')}))`
}
