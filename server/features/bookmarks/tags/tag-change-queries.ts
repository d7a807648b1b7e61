/** Replacing or deleting tags on all bookmarks of a user, and undoing that. */

import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { TagChange } from '@reelmark/contract/tags.ts'
import type { Db, Fragment, Sql, TransactionSql } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { splitCount } from '../../../core/http/paging.ts'
import { isNotTrashed, isTrashed } from '../../../shared/visibility.ts'
import { lockOwnBookmarks } from '../lock-bookmarks.ts'

/**
 * How many bookmarks one transaction changes. Users who save bookmarks with the same tags wait until it ends, for up to a third
 * of a second. A job completes changes of more bookmarks.
 */
const maxChangedAtOnce = 50

/** Sent with a change that its request does not complete. */
export const changeTagsJob = { name: 'change-tags' }

interface StoredChange {
  id: number
  user_id: number
  tags: string[]
  replacement: string | null
  state: TagChange['state']
}

const changeColumns = (db: Db): Fragment =>
  db`id, tags, replacement, state, bookmarks_count, finished_count, created_at`

const canBeUndone = (db: Db): Fragment =>
  db`created_at > now() - make_interval(days => ${limits.tagChangeUndoDays})`

/**
 * Returns the ids of a user's bookmarks that have one of the tags, those in the trash included, and the number of the others,
 * which the list of own tags counts.
 */
async function findTaggedBookmarks(
  db: Db,
  userId: number,
  tags: string[],
): Promise<{ ids: number[]; untrashedCount: number }> {
  const tagged = db`from bookmarks b where b.user_id = ${userId} and b.tags && ${tags}::text[]`
  // One index contains the bookmarks in the trash, another one all others.
  const rows = await db<{ id: number; is_trashed: boolean }[]>`
    select b.id, false as is_trashed ${tagged} and ${isNotTrashed(db)}
    union all select b.id, true ${tagged} and ${isTrashed(db)} order by id`
  return {
    ids: rows.map(({ id }) => id),
    untrashedCount: rows.filter(({ is_trashed }) => !is_trashed).length,
  }
}

/**
 * Replaces tags on all bookmarks of a user, or deletes them if `replacement` is null. A job changes more than 50.
 * @returns the change, or null if no bookmark has one of the tags, except in the trash
 */
export async function changeTags(
  tx: TransactionSql,
  userId: number,
  { tags, replacement }: { tags: string[]; replacement: string | null },
  jobs: Jobs,
): Promise<TagChange | null> {
  const { ids, untrashedCount } = await findTaggedBookmarks(tx, userId, tags)
  if (untrashedCount === 0) return null
  const [created] = await tx<[{ id: number }]>`
    insert into tag_changes (user_id, tags, replacement, bookmarks_count)
    values (${userId}, ${tags}::text[], ${replacement}, ${untrashedCount}) returning id`
  if (ids.length > maxChangedAtOnce) await jobs.send(tx, changeTagsJob, { tag_change_id: created.id })
  else {
    const change: StoredChange = { id: created.id, user_id: userId, tags, replacement, state: 'running' }
    await replaceTags(tx, change, ids)
    await finish(tx, change)
  }
  return readChange(tx, created.id)
}

/** Restores the tags that a change replaced. A job restores more than 50 bookmarks. @returns null if the user has no such change */
export async function undoTagChange(
  tx: TransactionSql,
  userId: number,
  id: number,
  jobs: Jobs,
): Promise<TagChange | null> {
  const [change] = await tx<StoredChange[]>`
    select id, user_id, tags, replacement, state from tag_changes
     where id = ${id} and user_id = ${userId} and ${canBeUndone(tx)} for no key update`
  if (change === undefined) return null
  if (change.state === 'running' || change.state === 'done') {
    change.state = 'undoing'
    await tx`update tag_changes set state = 'undoing', finished_count = 0 where id = ${id}`
    const ids = await findChangedBookmarks(tx, change, maxChangedAtOnce + 1)
    if (ids.length > maxChangedAtOnce) await jobs.send(tx, changeTagsJob, { tag_change_id: id })
    else {
      await restoreTags(tx, change, ids)
      await finish(tx, change)
    }
  }
  return readChange(tx, id)
}

/** Returns the tags that undoing a change of the user would restore; none if there is no such change. */
export async function findReplacedTags(db: Db, userId: number, id: number): Promise<string[]> {
  const [change] = await db<{ tags: string[] }[]>`
    select tags from tag_changes where id = ${id} and user_id = ${userId} and ${canBeUndone(db)}`
  return change?.tags ?? []
}

/** Completes a change or its undoing, in batches. An interrupted call can be repeated. */
export async function completeTagChange(db: Sql, id: number): Promise<void> {
  const [change] = await db<StoredChange[]>`
    select id, user_id, tags, replacement, state from tag_changes where id = ${id}`
  if (change?.state === 'running') {
    const { ids } = await findTaggedBookmarks(db, change.user_id, change.tags)
    for (let at = 0; at < ids.length; at += maxChangedAtOnce) {
      const batch = ids.slice(at, at + maxChangedAtOnce)
      if (!(await inState(db, change, (tx) => replaceTags(tx, change, batch)))) return
    }
  } else if (change?.state === 'undoing') {
    for (;;) {
      const batch = await findChangedBookmarks(db, change, maxChangedAtOnce)
      if (batch.length === 0) break
      if (!(await inState(db, change, (tx) => restoreTags(tx, change, batch)))) return
    }
  } else return
  await inState(db, change, (tx) => finish(tx, change))
}

/** Runs a batch in a transaction if the change still has its state; otherwise returns false. */
function inState(
  db: Sql,
  { id, state }: StoredChange,
  work: (tx: TransactionSql) => Promise<void>,
): Promise<boolean> {
  return db.begin(async (tx) => {
    const { count } = await tx`
      select from tag_changes where id = ${id} and state = ${state} for no key update`
    if (count === 0) return false
    await work(tx)
    return true
  })
}

/** Replaces the tags of some bookmarks, and stores their tags for undoing it. */
async function replaceTags(
  tx: TransactionSql,
  { id, user_id, tags, replacement }: StoredChange,
  ids: number[],
): Promise<void> {
  const own = await lockOwnBookmarks(tx, user_id, ids)
  await tx`
    with changed as (
      update bookmarks set tags = replace_tags(tags, ${tags}::text[], ${replacement}::text), updated_at = now()
       where id = any (${own}::bigint[]) and tags && ${tags}::text[]
      returning id, old.tags as tags_before
    ), stored as (
      insert into tag_change_bookmarks (tag_change_id, bookmark_id, tags_before)
      select ${id}::bigint, id, tags_before from changed
      on conflict do nothing
    )
    update tag_changes set finished_count = finished_count + ${countUntrashed(tx, ids)} where id = ${id}`
}

/** Counts bookmarks except those in the trash, as the number of bookmarks of a change does. */
const countUntrashed = (db: Db, ids: number[]): Fragment =>
  db`(select count(*)::integer from bookmarks b where b.id = any (${ids}::bigint[]) and ${isNotTrashed(db)})`

/** Restores the tags of some bookmarks that a change replaced, except where the user changed them since. */
async function restoreTags(
  tx: TransactionSql,
  { id, user_id, tags, replacement }: StoredChange,
  ids: number[],
): Promise<void> {
  const own = await lockOwnBookmarks(tx, user_id, ids)
  await tx`
    with restored as (
      select b.id, undo_replace_tags(b.tags, r.tags_before, ${tags}::text[], ${replacement}::text) as tags
        from bookmarks b join tag_change_bookmarks r on r.bookmark_id = b.id and r.tag_change_id = ${id}
       where b.id = any (${own}::bigint[])
    ), changed as (
      update bookmarks b set tags = restored.tags, updated_at = now()
        from restored where restored.id = b.id and restored.tags <> b.tags
    ), forgotten as (
      delete from tag_change_bookmarks where tag_change_id = ${id} and bookmark_id = any (${ids}::bigint[])
    )
    update tag_changes set finished_count = finished_count + ${countUntrashed(tx, ids)} where id = ${id}`
}

async function finish(tx: TransactionSql, { id }: StoredChange): Promise<void> {
  await tx`
    update tag_changes set state = case state when 'running' then 'done' else 'undone' end where id = ${id}`
}

/** Returns the ids of bookmarks that a change has changed. */
async function findChangedBookmarks(db: Db, { id }: StoredChange, max: number): Promise<number[]> {
  const rows = await db<{ bookmark_id: number }[]>`
    select bookmark_id from tag_change_bookmarks where tag_change_id = ${id} order by bookmark_id limit ${max}`
  return rows.map(({ bookmark_id }) => bookmark_id)
}

async function readChange(db: Db, id: number): Promise<TagChange> {
  const [change] = await db<[TagChange]>`select ${changeColumns(db)} from tag_changes where id = ${id}`
  return change
}

/** Returns a page of the changes that a user can still undo, or has undone, latest first. */
export async function listTagChanges(
  db: Db,
  userId: number,
  { skip, size }: { skip: number; size: number },
): Promise<{ count: number; results: TagChange[] }> {
  const own = db`from tag_changes where user_id = ${userId} and ${canBeUndone(db)}`
  const rows = await db<(TagChange & { count: number })[]>`
    select total.count, changes.*
      from (select count(*) ${own}) total
      left join (select ${changeColumns(db)} ${own} order by id desc limit ${size} offset ${skip}) changes on true
     order by changes.id desc`
  return splitCount(rows)
}

/** Deletes changes that can no longer be undone, with what was stored for undoing them, in batches. */
export async function removeOldTagChanges(db: Sql): Promise<void> {
  for (;;) {
    const [old] = await db<{ id: number }[]>`
      select id from tag_changes where not (${canBeUndone(db)}) order by created_at limit 1`
    if (old === undefined) return
    let removed: number
    do {
      removed = (
        await db`
          delete from tag_change_bookmarks where tag_change_id = ${old.id} and bookmark_id in (
            select bookmark_id from tag_change_bookmarks where tag_change_id = ${old.id} limit 5000)`
      ).count
    } while (removed > 0)
    await db`delete from tag_changes where id = ${old.id}`
  }
}
