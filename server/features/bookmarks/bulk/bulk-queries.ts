/**
 * Updates of many own bookmarks. Each is one transaction that first takes its locks in the usual order and then changes the
 * bookmarks with one statement, so that the triggers lock tags once and by name, without deadlocks.
 */
import type { BulkResult, PreviousState } from '@reelmark/contract/bookmark-changes.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment, Sql, TransactionSql } from '../../../core/database/database.ts'
import { isNotRemoved, isNotTrashed, isTrashed } from '../../../shared/visibility.ts'
import type { Destination } from '../../collections/public-api.ts'
import { currentRules, holdPublished } from '../../moderation/public-api.ts'
import { lockOwnBookmarks } from '../lock-bookmarks.ts'

export type BulkUpdate =
  | { action: 'move'; destination: Destination }
  | { action: 'tag' | 'untag'; tags: string[] }
  | { action: 'access'; access: 'public' | 'private' }
  | { action: 'trash' | 'restore' | 'remove' }
  | { action: 'undo'; before: readonly PreviousState[] }

/** Changes bookmarks that lockOwnBookmarks() locked. Failures of some bookmarks do not affect the others. */
async function bulkUpdateBookmarks(
  tx: TransactionSql,
  userId: number,
  ids: number[],
  change: BulkUpdate,
): Promise<BulkResult> {
  const { action } = change
  const { target, set } = bulkColumns(tx, change)
  const needsTrashed = action === 'restore' || action === 'remove'
  const isDeletion = action === 'trash' || action === 'remove'
  const rows = await tx<(BulkResult['failed'][number] & { is_same: boolean; before: PreviousState })[]>`
    with target as (
      select b.id, b.video_id, ${target},
             json_build_object('id', b.id, 'collection_id', b.collection_id, 'channel_id', b.channel_id,
                               'access', b.access) as before
        from bookmarks b
        join videos v on v.id = b.video_id and ${isNotRemoved(tx)}
        join collections c on c.id = b.collection_id
        ${action === 'undo' ? joinPreviousDestinations(tx, userId, change.before) : tx``}
       where b.id = any (${ids}::bigint[]) and b.user_id = ${userId}
         and ${needsTrashed ? isTrashed(tx) : isNotTrashed(tx)}
    ), placed as (
      -- If several bookmarks of one video get the same destination, the one that is there stays, else the first wins.
      select t.*, coalesce(o.id, nullif(first_value(t.id) over (
               partition by t.video_id, t.collection_id, t.channel_id order by t.id), t.id)) as occupant
        from target t
        left join bookmarks o
          on o.user_id = ${userId} and o.video_id = t.video_id and o.collection_id = t.collection_id
         and o.channel_id is not distinct from t.channel_id and ${isNotTrashed(tx, 'o')}
    ), checked as (
      select p.*, case when cardinality(p.tags) > ${limits.tagsMax} then 'too-many-tags'
                       when p.occupant <> p.id and not ${isDeletion} then 'already-saved' end as reason
        from placed p
    ), changed as (
      ${action === 'remove' ? tx`delete from bookmarks b using checked j` : tx`update bookmarks b set ${set}, updated_at = now() from checked j`}
       where b.id = j.id and j.reason is null and not j.is_same
    )
    select id, reason, is_same, case when reason = 'already-saved' then occupant end as bookmark_id, before
      from checked order by id`
  const found = new Set(rows.map(({ id }) => id))
  const succeeded = rows.filter(({ reason }) => reason === null)
  const changed = succeeded.filter(({ is_same }) => !is_same)
  return {
    changed: changed.length,
    unchanged: succeeded.length - changed.length,
    failed: [
      ...rows.filter(({ reason }) => reason !== null),
      ...ids
        .filter((id) => !found.has(id))
        .map((id) => ({ id, reason: 'not-found' as const, bookmark_id: null })),
    ],
    before: action === 'move' || action === 'access' ? changed.map(({ before }) => before) : [],
  }
}

/** Joins bookmarks `b` with their previous state `was`, if its destination still exists and is the user's own. */
function joinPreviousDestinations(db: Db, userId: number, before: readonly PreviousState[]): Fragment {
  const column = <K extends keyof PreviousState>(name: K) => before.map((state) => state[name])
  return db`
    join unnest(${column('id')}::bigint[], ${column('collection_id')}::bigint[], ${column('channel_id')}::bigint[],
                ${column('access')}::text[]) as was (id, collection_id, channel_id, access) on was.id = b.id
    join collections home on home.id = was.collection_id and home.user_id = ${userId}
     and (was.channel_id is null
          or exists (select from channels where id = was.channel_id and collection_id = home.id))`
}

/** Returns the new values of bookmarks `b` in collections `c` (`target`), and the assignments that set them (`set`). */
function bulkColumns(db: Db, change: BulkUpdate): { target: Fragment; set: Fragment } {
  const destination = db`b.collection_id, b.channel_id`
  switch (change.action) {
    case 'move': {
      const { collection_id, channel_id, access } = change.destination
      return {
        // A bookmark that leaves a private collection becomes private, so that it stays hidden.
        target: db`${collection_id}::bigint as collection_id, ${channel_id}::bigint as channel_id, b.tags,
          case when c.access = 'private' and ${access} = 'public' then 'private' else b.access end as access,
          (b.collection_id, b.channel_id) is not distinct from (${collection_id}::bigint, ${channel_id}::bigint)
            as is_same`,
        set: db`collection_id = j.collection_id, channel_id = j.channel_id, access = j.access`,
      }
    }
    case 'undo':
      return {
        target: db`was.collection_id, was.channel_id, b.tags, was.access,
          (b.collection_id, b.channel_id, b.access)
            is not distinct from (was.collection_id, was.channel_id, was.access) as is_same`,
        set: db`collection_id = j.collection_id, channel_id = j.channel_id, access = j.access`,
      }
    case 'tag':
    case 'untag': {
      const named = db`${change.tags}::text[]`
      const tags =
        change.action === 'tag'
          ? db`b.tags || array(select tag from unnest(${named}) with ordinality as n (tag, position)
                                where tag <> all (b.tags) order by position)`
          : db`array(select tag from unnest(b.tags) with ordinality as n (tag, position)
                      where tag <> all (${named}) order by position)`
      return {
        target: db`${destination}, ${tags} as tags, b.access, b.tags = ${tags} as is_same`,
        set: db`tags = j.tags`,
      }
    }
    case 'access':
      return {
        target: db`${destination}, b.tags, ${change.access} as access, b.access = ${change.access} as is_same`,
        set: db`access = j.access`,
      }
    case 'trash':
    case 'restore':
    case 'remove':
      return {
        target: db`${destination}, b.tags, b.access, false as is_same`,
        set: change.action === 'trash' ? db`deleted_at = now()` : db`deleted_at = null`,
      }
  }
}

/**
 * Locks a user's own bookmarks and changes them, in one transaction. Those that become public and match a rule are held.
 * @param resolve returns the change, and may lock its destination in the same transaction
 */
export async function bulkUpdateOwnBookmarks(
  db: Sql,
  userId: number,
  ids: number[],
  resolve: (tx: TransactionSql) => BulkUpdate | Promise<BulkUpdate>,
): Promise<BulkResult> {
  const rules = await currentRules(db)
  return db.begin(async (tx) => {
    await lockOwnBookmarks(tx, userId, ids)
    const change = await resolve(tx)
    return holdPublished(tx, rules, ids, () => bulkUpdateBookmarks(tx, userId, ids, change))
  })
}

/**
 * Moves a user's own bookmarks to the trash, in the caller's transaction.
 * @param choose returns which of them, after they are locked
 * @returns the ids of those moved
 */
export async function trashOwnBookmarks(
  tx: TransactionSql,
  userId: number,
  ids: number[],
  choose: () => Promise<number[]>,
): Promise<number[]> {
  await lockOwnBookmarks(tx, userId, ids)
  const chosen = await choose()
  const { failed } = await bulkUpdateBookmarks(tx, userId, chosen, { action: 'trash' })
  const failedIds = new Set(failed.map(({ id }) => id))
  return chosen.filter((id) => !failedIds.has(id))
}
