/** Queries that count notifications, mark them as read, and determine who is notified. */

import type { NotificationKind } from '@reelmark/contract/notifications.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { isVisible } from '../../shared/visibility.ts'
import { groupedKinds, groupKey, groupNumber } from './groups.ts'
import { countFollowedLists, followsContainers, listenersOfList } from './list-bookmarks.ts'
import {
  followedBookmarks,
  isOnFor,
  isShownTo,
  lastSeenAt,
  maxListed,
  recentNotifications,
  retentionPeriod,
} from './shown-events.ts'

/** Returns the number of unread notifications of each kind that a digest contains, since a time. */
export async function countForDigest(
  db: Db,
  userId: number,
  time: Date,
): Promise<{ kind: NotificationKind; count: number }[]> {
  const since = db`${lastSeenAt(db)}, ${time}::timestamptz`
  const { counts, follows_containers } = await countWithoutLists(db, userId, time, since)
  const listed = follows_containers ? await countFollowedLists(db, userId, 'mail', since) : 0
  if (listed === 0) return counts
  const kind = 'new_bookmark_from_followed_user'
  const others = counts.filter((found) => found.kind !== kind)
  const ofUsers = counts.find((found) => found.kind === kind)?.count ?? 0
  return [...others, { kind, count: ofUsers + listed }]
}

async function countWithoutLists(db: Db, userId: number, time: Date, since: Fragment) {
  const [row] = await db<
    [{ counts: { kind: NotificationKind; count: number }[]; follows_containers: boolean }]
  >`
    with stored as (
      select n.kind from ${recentNotifications(db, userId, 'mail')} and ${isShownTo(db, userId)} and n.read_at is null and n.last_event_at > ${time}
       order by n.last_event_at desc limit ${maxListed}
    ), followed as (
      select 'new_bookmark_from_followed_user' as kind from ${followedBookmarks(db, userId, 'mail', since)} limit ${maxListed}
    ), counted as (
      select kind, count(*)::int as count from (select * from stored union all select * from followed) found group by kind
    )
    select ${followsContainers(db, userId)} as follows_containers,
           coalesce((select json_agg(counted order by kind) from counted), '[]') as counts`
  return row
}

/** Returns the number of unread notifications as the list shows them, at most 100. */
export async function countUnread(db: Db, userId: number): Promise<number> {
  const cap = limits.unreadMax
  const [row] = await db<[{ count: number; follows_containers: boolean }]>`
    select ${followsContainers(db, userId)} as follows_containers, least(${cap},
      (select count(*) from (
         select from (select array_agg(id) as ids from (
                        select n.id, n.kind, n.last_event_at from ${recentNotifications(db, userId, 'bell')}
                           and n.read_at is null limit ${maxListed}) unread
                       group by kind, ${groupKey(db, db`last_event_at`, db`id`)}) entry
          -- Stops at the first event of the entry that is shown.
          where (select true from notifications n where n.id = any (entry.ids) and ${isShownTo(db, userId)} limit 1)
          limit ${cap}) stored)
      + (select count(*) from (select from ${followedBookmarks(db, userId, 'bell', lastSeenAt(db))} limit ${cap}) followed))::int as count`
  if (!row.follows_containers || row.count === cap) return row.count
  return Math.min(cap, row.count + (await countFollowedLists(db, userId, 'bell', lastSeenAt(db))))
}

/**
 * Marks notifications as read: the given ids, or all if `ids` is null. Later ones than `until` stay unread. Times are
 * sent in milliseconds but stored in microseconds, so the whole millisecond is included.
 */
export async function markNotificationsRead(
  db: Db,
  userId: number,
  ids: readonly string[] | null,
  until: Date | null,
): Promise<void> {
  const readUntil = db`least(now(), coalesce(${until}::timestamptz, now()) + interval '999 microseconds')`
  const idsWith = (prefix: string) =>
    ids?.filter((id) => id.startsWith(prefix)).map((id) => Number(id.slice(prefix.length))) ?? null
  const eventIds = idsWith('event-')
  const followeeIds = idsWith('bookmarks-of-')
  const listIds = idsWith('bookmarks-in-')
  const isInNamedGroup = Object.entries(groupedKinds).map(
    ([prefix, kind]) =>
      db`or kind = ${kind} and ${groupNumber(db, db`last_event_at`)} = any (${idsWith(`${prefix}-`) ?? []}::bigint[])`,
  )
  await db`
    -- The user row is locked first, in the same order as by a follow.
    with me as (
      update users set followed_bookmarks_seen_at = greatest(followed_bookmarks_seen_at, ${readUntil})
       where id = ${userId} and ${ids === null} returning id
    ), stored as (
      update notifications set read_at = now()
       where user_id = coalesce((select id from me), ${userId}) and in_bell and read_at is null and last_event_at <= ${readUntil}
         and (${eventIds}::bigint[] is null or id = any (${eventIds}::bigint[]) ${isInNamedGroup.reduce((all, one) => db`${all} ${one}`, db``)})
    ), followed as (
      update follows set bookmarks_seen_at = greatest(bookmarks_seen_at, ${readUntil})
       where follower_id = ${userId} and followee_id = any (${followeeIds}::bigint[])
    ), listed as (
      update followed_lists set bookmarks_seen_at = greatest(bookmarks_seen_at, ${readUntil})
       where user_id = ${userId} and id = any (${listIds}::bigint[])
    )
    select`
}

/**
 * Returns those of `listening` whose unread count grew by one with a new bookmark: they follow its owner, collection or channel,
 * and had no other unseen bookmark of it.
 */
export async function findListenersToNotify(
  db: Db,
  bookmarkId: number,
  listenerIds: readonly number[],
): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    with saved as materialized (
      select b.id, b.user_id, b.collection_id, b.channel_id, b.created_at
        from bookmarks b join users author on author.id = b.user_id and author.banned_at is null
       where b.id = ${bookmarkId} and ${isVisible(db)}
    ), hidden (id) as (
      select blocker_id from blocks where blocked_id = (select user_id from saved)
      union all select blocked_id from blocks where blocker_id = (select user_id from saved)
      union all select user_id from mutes where muted_id = (select user_id from saved)
    )
    select me.id
      from saved b
      join follows f on f.followee_id = b.user_id and f.follower_id = any (${listenerIds as number[]}::bigint[])
      join users me on me.id = f.follower_id and ${isOnFor(db, 'bell')}
     where b.created_at > greatest(f.created_at, ${lastSeenAt(db)}) and me.id not in (select id from hidden)
       and not exists (select from bookmarks other
                        where other.user_id = b.user_id and ${isVisible(db, 'other')} and other.id <> b.id
                          and other.created_at > greatest(f.created_at, ${lastSeenAt(db)}))
    union all ${listenersOfList(db, listenerIds)}`
  return rows.map(({ id }) => id)
}

/** Returns those of the sessions that are still active. */
export async function findActiveSessions(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db<{ id: number }[]>`
    select s.id from sessions s join users u on u.id = s.user_id
     where s.id = any (${ids as number[]}::bigint[])
       and s.ended_at is null and s.expires_at > now() and u.banned_at is null`
  return new Set(rows.map(({ id }) => id))
}

/**
 * Deletes up to `batch` notifications beyond the retention period. Returns how many; fewer than `batch` if none are
 * left.
 */
export function removeOldBatch(db: Db, batchSize: number) {
  return db`
    delete from notifications where id in (
      select id from notifications where last_event_at < now() - ${retentionPeriod(db)} limit ${batchSize} for update skip locked)`
}
