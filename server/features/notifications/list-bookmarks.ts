/**
 * New bookmarks in the collections and channels that a user follows. They notify like those of followed users, with the same
 * switches, but no bookmark notifies twice: those of a user whom the reader follows notify as bookmarks of that user, and those of a
 * followed collection not as bookmarks of its channels (docs/decisions/0108-notifications-of-followed-lists.md).
 */
import type { Db, Fragment } from '../../core/database/database.ts'
import { isVisible } from '../../shared/visibility.ts'
import {
  hiddenUserIds,
  isOnFor,
  lastSeenAt,
  type NotificationChannel,
  retentionPeriod,
} from './shown-events.ts'

/** Returns a `from` clause item: the owner of the list that `f` follows, and the time from which its bookmarks notify in another way. */
function listOwner(db: Db): Fragment {
  return db`(
    select c.user_id,
           coalesce(least((select u.created_at from follows u where u.follower_id = f.user_id and u.followee_id = c.user_id),
                          (select whole.created_at from followed_lists whole
                            where whole.user_id = f.user_id and whole.collection_id = c.id and f.channel_id is not null)),
                    'infinity') as until
      from collections c
     where c.id = coalesce(f.collection_id, (select ch.collection_id from channels ch where ch.id = f.channel_id))) owner`
}

/** Returns a query for the newest visible bookmark of the list that `f` follows, of those that match the condition on `b`. */
function newestOfList(db: Db, condition: Fragment): Fragment {
  const newest = (name: 'collection_id' | 'channel_id') => db`(
    select b.id, b.user_id, b.created_at from bookmarks b
     where b.${db(name)} = f.${db(name)} and ${isVisible(db)} and b.created_at <= owner.until and ${condition}
     order by b.created_at desc, b.id desc limit 1)`
  return db`${newest('collection_id')} union all ${newest('channel_id')}`
}

/** Returns a condition: a user follows a collection or channel. Only then are their bookmarks looked for, because planning that takes longer than reading none. */
export function followsContainers(db: Db, userId: number): Fragment {
  return db`exists (select from followed_lists where user_id = ${userId} and tag is null)`
}

/** Returns the number of collections and channels with a new bookmark since `since`. */
export async function countFollowedLists(
  db: Db,
  userId: number,
  channel: NotificationChannel,
  since: Fragment,
): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from ${followedListBookmarks(db, userId, channel, since)}`
  return row.count
}

/**
 * Returns a `from` clause: for each collection or channel that user `me` follows by `f`, the newest visible bookmark `b` since
 * `since`. Costs a few index lookups per followed list.
 */
export function followedListBookmarks(
  db: Db,
  userId: number,
  channel: NotificationChannel,
  since: Fragment,
): Fragment {
  return db`users me
    join followed_lists f on f.user_id = me.id and f.tag is null
    cross join lateral ${listOwner(db)}
    cross join lateral (
      ${newestOfList(db, db`b.created_at > greatest(f.created_at, now() - ${retentionPeriod(db)}, ${since})`)}) b
   where me.id = ${userId} and ${isOnFor(db, channel)}
     and owner.user_id not in (${hiddenUserIds(db, userId)})
     and (select author.banned_at is null from users author where author.id = owner.user_id)`
}

/**
 * Returns a query for the ids of those of `listening` who follow the collection or channel of a bookmark, and had no other unread
 * one in it. The statement names the bookmark `saved`, and the users whom a block or mute separates from its owner, `hidden`.
 */
export function listenersOfList(db: Db, listenerIds: readonly number[]): Fragment {
  const isUnread = (alias: string) => db`${db(alias)}.created_at > greatest(f.created_at, ${lastSeenAt(db)})`
  const followed = (name: 'collection_id' | 'channel_id') => db`
    select l.* from followed_lists l join saved b on b.${db(name)} = l.${db(name)}
     where l.user_id = any (${listenerIds as number[]}::bigint[])`
  return db`
    select me.id
      from (${followed('collection_id')} union all ${followed('channel_id')}) f
      join users me on me.id = f.user_id and ${isOnFor(db, 'bell')}
      cross join saved b
      cross join lateral ${listOwner(db)}
     where ${isUnread('b')} and b.created_at <= owner.until and me.id not in (select id from hidden)
       and not exists (${newestOfList(db, db`b.id <> (select id from saved) and ${isUnread('b')}`)})`
}
