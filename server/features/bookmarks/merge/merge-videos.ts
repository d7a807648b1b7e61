/**
 * Moves everything of a video to the one it is merged into, in small transactions, and deletes it. An interrupted merge continues
 * with what is left (docs/decisions/0079-duplicate-videos.md).
 */
import type { Sql, TransactionSql } from '../../../core/database/database.ts'
import { hasLead, isVisibleComment } from '../../../shared/visibility.ts'
import { addMissingFacts } from '../copy-facts.ts'
import { lockNextBookmarks, moveBookmarks, movedBatchSize } from './merge-bookmarks.ts'
import { lockVideos, syncRulings } from './request-merge.ts'

/** Rows of other tables, and comments with their replies, that a transaction moves. */
const rowBatchSize = 1000
const commentBatchSize = 100

interface Merge {
  video_id: number
  survivor_id: number
}

/**
 * Works on the requested merges. A video is deleted a minute after nothing was left, so that requests which had found it before
 * have ended.
 * @param seconds when to begin no further transaction
 * @returns how many videos were deleted
 * @throws the first error, after the other merges were continued
 */
export async function mergeVideos(
  db: Sql,
  { seconds, deleteAfterSeconds = 60 }: { seconds: number; deleteAfterSeconds?: number },
): Promise<number> {
  const end = performance.now() + seconds * 1000
  const isOver = () => performance.now() >= end
  let deleted = 0
  const isDue = db`(emptied_at is null or emptied_at <= now() - make_interval(secs => ${deleteAfterSeconds}))`
  let last = 0
  let failure: unknown = null
  for (;;) {
    const [merge] = await db<(Merge & { is_empty: boolean })[]>`
      select video_id, survivor_id, emptied_at is not null as is_empty from video_merges
       where video_id > ${last} and ${isDue} order by video_id limit 1`
    if (merge === undefined || isOver()) break
    last = merge.video_id
    try {
      let isEmpty = false
      while (!isEmpty && !isOver()) isEmpty = await db.begin((tx) => moveNext(tx, merge))
      if (isEmpty && (merge.is_empty || deleteAfterSeconds === 0) && (await deleteMerged(db, merge)))
        deleted += 1
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== null) throw failure
  return deleted
}

/** Moves the next rows. Returns whether nothing was left to move. */
async function moveNext(tx: TransactionSql, merge: Merge): Promise<boolean> {
  const { video_id: from, survivor_id: to } = merge
  // These are written without a lock of the video, and lock users, which come first in the order of locks.
  const marks = (await moveWatched(tx, from, to)) + (await movePositions(tx, from, to))
  const ids = await lockNextBookmarks(tx, from, to)
  if (ids === null) return true
  await syncRulings(tx, from, to)
  if (ids.length > 0) {
    await moveBookmarks(tx, ids, from, to)
    await copyFacts(tx, from, to)
  }
  if (ids.length === movedBatchSize) return false
  const moved = marks + (await moveLockedRows(tx, from, to))
  if (ids.length + moved > 0) return false
  await mergeHealth(tx, from, to)
  await moveReplacements(tx, from, to)
  await tx`update video_merges set emptied_at = coalesce(emptied_at, now()) where video_id = ${from}`
  return true
}

/** Moves the next likes, comments, notifications and marks. Returns whether there were any. */
export async function moveRows(tx: TransactionSql, from: number, to: number): Promise<boolean> {
  const marks = (await moveWatched(tx, from, to)) + (await movePositions(tx, from, to))
  if (!(await lockVideos(tx, from, to))) return false
  return marks + (await moveLockedRows(tx, from, to)) > 0
}

async function moveLockedRows(tx: TransactionSql, from: number, to: number): Promise<number> {
  const [likes, comments] = [await moveLikes(tx, from, to), await moveComments(tx, from, to)]
  return likes + comments + (await moveNotifications(tx, from, to))
}

/**
 * Gives the survivor what the server determined about the merged video and not about it. A video without a public bookmark has no
 * such facts (docs/decisions/0029-nothing-left-and-nothing-crosses.md).
 */
async function copyFacts(tx: TransactionSql, from: number, to: number): Promise<void> {
  await tx`
    update videos s
       set ${addMissingFacts(tx, 's', 'm')}, created_at = least(s.created_at, m.created_at)
      from videos m where s.id = ${to} and m.id = ${from} and ${hasLead(tx, 's')}`
  const [pictured] = await tx<{ needs_fetch: boolean }[]>`
    update videos s
       set thumbnail_source_url = m.thumbnail_source_url, thumbnail_key = m.thumbnail_key,
           thumbnail_large_key = m.thumbnail_large_key, thumbnail_hash = m.thumbnail_hash,
           thumbnail_state = case when m.thumbnail_key is null then 'none' else m.thumbnail_state end
      from videos m
     where s.id = ${to} and m.id = ${from} and ${hasLead(tx, 's')} and s.thumbnail_key is null and s.thumbnail_state <> 'pending'
       and (m.thumbnail_key is not null or s.thumbnail_source_url is null and m.thumbnail_source_url is not null)
    returning s.thumbnail_key is null as needs_fetch`
  if (pictured?.needs_fetch)
    await tx`insert into picture_syncs values ('video', ${to}) on conflict do nothing`
}

/** Moves watched marks, and returns how many. A user who has both keeps the later one. */
async function moveWatched(tx: TransactionSql, from: number, to: number): Promise<number> {
  const moved = await tx`
    with moved as (
      delete from watched_videos
       where video_id = ${from}
         and user_id in (select user_id from watched_videos where video_id = ${from} order by user_id limit ${rowBatchSize})
      returning user_id, watched_at
    )
    insert into watched_videos as s (user_id, video_id, watched_at)
    select user_id, ${to}, watched_at from moved order by user_id
    on conflict (user_id, video_id) do update set watched_at = greatest(s.watched_at, excluded.watched_at)`
  return moved.count
}

/** Moves positions, and returns how many. A user who has both keeps the later one. */
async function movePositions(tx: TransactionSql, from: number, to: number): Promise<number> {
  const moved = await tx`
    with moved as (
      delete from playback_positions
       where video_id = ${from}
         and user_id in (select user_id from playback_positions where video_id = ${from} order by user_id limit ${rowBatchSize})
      returning user_id, seconds, updated_at
    )
    insert into playback_positions as s (user_id, video_id, seconds, updated_at)
    select user_id, ${to}, seconds, updated_at from moved order by user_id
    on conflict (user_id, video_id) do update
       set seconds = case when excluded.updated_at > s.updated_at then excluded.seconds else s.seconds end,
           updated_at = greatest(s.updated_at, excluded.updated_at)`
  return moved.count
}

/** Moves likes, and returns how many. A user who likes both keeps the earlier one. */
async function moveLikes(tx: TransactionSql, from: number, to: number): Promise<number> {
  const rows = await tx<{ user_id: number }[]>`
    select user_id from likes where video_id = ${from} order by user_id limit ${rowBatchSize}`
  const users = rows.map(({ user_id }) => user_id)
  if (users.length === 0) return 0
  const both = tx`s.video_id = ${to} and m.video_id = ${from} and m.user_id = s.user_id and s.user_id = any (${users}::bigint[])`
  await tx`update likes s set created_at = least(s.created_at, m.created_at) from likes m where ${both}`
  await tx`delete from likes m using likes s where ${both}`
  const moved = await tx`
    update likes set video_id = ${to} where video_id = ${from} and user_id = any (${users}::bigint[])`
  // Triggers count only likes that are inserted or deleted.
  await moveCount(tx, 'likes_count', moved.count, from, to)
  return users.length
}

async function moveCount(
  tx: TransactionSql,
  column: 'likes_count' | 'comments_count',
  count: number,
  from: number,
  to: number,
): Promise<void> {
  const name = tx(column)
  await tx`update videos set ${name} = ${name} - ${count}::int where id = ${from}`
  await tx`update videos set ${name} = ${name} + ${count}::int where id = ${to}`
}

/** Moves comments together with their replies, which refer to the video of the comment. */
async function moveComments(tx: TransactionSql, from: number, to: number): Promise<number> {
  const rows = await tx<{ id: number }[]>`
    select id from comments where video_id = ${from} and parent_id is null
     order by id limit ${commentBatchSize} for update`
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  const moved = await tx<{ is_counted: boolean }[]>`
    update comments c set video_id = ${to} where c.id = any (${ids}::bigint[]) or c.parent_id = any (${ids}::bigint[])
    returning c.parent_id is null and ${isVisibleComment(tx)} as is_counted`
  const counted = moved.filter(({ is_counted }) => is_counted).length
  await moveCount(tx, 'comments_count', counted, from, to)
  return moved.length
}

/** Moves notifications. Two unread ones of the same kind become one, with the users of both. */
async function moveNotifications(tx: TransactionSql, from: number, to: number): Promise<number> {
  const rows = await tx<{ id: number }[]>`
    select id from notifications where video_id = ${from} order by id limit ${rowBatchSize} for update`
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  const pairs = await tx<{ moved_id: number; stored_id: number }[]>`
    select m.id as moved_id, s.id as stored_id
      from notifications m
      join notifications s on s.video_id = ${to} and s.user_id = m.user_id and s.kind = m.kind and s.read_at is null
                          and s.comment_id is not distinct from m.comment_id
     where m.id = any (${ids}::bigint[]) and m.read_at is null`
  if (pairs.length > 0) {
    const named = tx`json_to_recordset(${JSON.stringify(pairs)}::text::json) p (moved_id bigint, stored_id bigint)`
    await tx`
      insert into notification_actors (notification_id, actor_id, bookmark_id, comment_id, created_at)
      select p.stored_id, a.actor_id, a.bookmark_id, a.comment_id, a.created_at
        from ${named} join notification_actors a on a.notification_id = p.moved_id
      on conflict do nothing`
    await tx`
      update notifications s
         set last_event_at = greatest(s.last_event_at, m.last_event_at), in_bell = s.in_bell or m.in_bell,
             in_mail = s.in_mail or m.in_mail
        from ${named} join notifications m on m.id = p.moved_id where s.id = p.stored_id`
    await tx`delete from notifications where id = any (${pairs.map(({ moved_id }) => moved_id)}::bigint[])`
  }
  await tx`update notifications set video_id = ${to} where video_id = ${from} and id = any (${ids}::bigint[])`
  return ids.length
}

/**
 * Merges what is known about the health of both. What was found about the survivor counts; if no check of it had a result, that
 * of the other applies. If one of them is gone and the other is not, the survivor is checked at once.
 */
async function mergeHealth(tx: TransactionSql, from: number, to: number): Promise<void> {
  const adopted = await tx`
    update video_health s
       set outcome = m.outcome, checked_at = m.checked_at, failed_days = m.failed_days, failed_since = m.failed_since,
           failed_at = m.failed_at, failed_bookmark_ids = m.failed_bookmark_ids
      from video_health m
     where s.video_id = ${to} and m.video_id = ${from} and m.failed_days > 0 and s.failed_days = 0
       and coalesce(s.outcome, 'unclear') in ('unclear', 'down')`
  if (adopted.count > 0) {
    await tx`
      update videos s
         set missing_since = m.missing_since, missing_found_at = m.missing_found_at,
             missing_since_bookmark_id = m.missing_since_bookmark_id,
             missing_confirmed_bookmark_id = m.missing_confirmed_bookmark_id
        from videos m where s.id = ${to} and m.id = ${from} and s.missing_since is null`
  }
  await tx`
    update video_health s
       set viewed_at = greatest(s.viewed_at, m.viewed_at), created_at = least(s.created_at, m.created_at),
           next_check_at = case when (m.failed_days > 0) <> (s.failed_days > 0) then now() else s.next_check_at end
      from video_health m
      join video_merges merge on merge.video_id = m.video_id and merge.emptied_at is null
     where s.video_id = ${to} and m.video_id = ${from}`
}

/**
 * Lets replaced links lead to the survivor, so that owners can still return to the old ones. A replacement of one of the two videos by
 * the other is deleted with the merged one, and so is one that is still being moved away from it.
 */
async function moveReplacements(tx: TransactionSql, from: number, to: number): Promise<void> {
  await tx`
    update link_replacements set survivor_id = ${to} where survivor_id = ${from} and video_id <> ${to}`
  await tx`
    update link_replacements set video_id = ${to}
     where video_id = ${from} and survivor_id is distinct from ${to}::bigint
       and (agreed_at is null or moved_at is not null)`
}

/** Deletes an empty video, unless it is used meanwhile, locked, or other videos are merged into it. */
async function deleteMerged(db: Sql, { video_id }: Merge): Promise<boolean> {
  return db.begin(async (tx) => {
    const locked = await tx`select from videos where id = ${video_id} for update skip locked`
    if (locked.count === 0) return false
    const unused = (table: string) => tx`not exists (select from ${tx(table)} u where u.video_id = v.id)`
    const deleted = await tx`
      delete from videos v
       where v.id = ${video_id} and not exists (select from video_merges m where m.survivor_id = v.id)
         and ${unused('bookmarks')} and ${unused('likes')} and ${unused('watched_videos')}
         and ${unused('playback_positions')} and ${unused('comments')} and ${unused('notifications')}
         and ${unused('reports')} and ${unused('moderation_decisions')}`
    return deleted.count > 0
  })
}
