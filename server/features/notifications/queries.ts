/**
 * Queries for reading notifications. They check that a notification is still valid: it disappears when the like is
 * withdrawn, the actor is banned or the bookmark is hidden, without an update of its row.
 */

import type { Notification, NotificationKind } from '@reelmark/contract/notifications.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { jsonTimestamp } from '../../core/database/json-timestamp.ts'
import { thumbnailUrl } from '../../shared/bookmark-columns.ts'
import { sharesList } from '../../shared/profile-visibility.ts'
import { userSummary } from '../../shared/user-columns.ts'
import { isNotTrashed, isShownVideo, isVisible, isVisibleComment } from '../../shared/visibility.ts'
import { isStillProposed, isStillReplaced, replacedLink } from './replaced-links.ts'

/** Maximum number of notifications in the list, per kind of row (stored, and derived from follows). */
const maxListed = 1000
/** Length in characters of the excerpt of a comment or statement. */
const excerptLength = 140

/**
 * Returns a query for the users whom a user blocked, muted or was blocked by. Planned once per statement, not per row.
 */
function hiddenUserIds(db: Db, userId: number): Fragment {
  return db`select blocked_id from blocks where blocker_id = ${userId}
            union all select blocker_id from blocks where blocked_id = ${userId}
            union all select muted_id from mutes where user_id = ${userId} and muted_id is not null`
}

/** Returns a condition: actor `a`, user `u`, still did what notification `n` says, and the receiver may see them. */
function isStillValid(db: Db, userId: number): Fragment {
  return db`u.banned_at is null and u.id not in (${hiddenUserIds(db, userId)}) and case n.kind
    when 'follow' then ${sharesList(db, 'following', { id: userId })} and exists (
      select from follows f where f.follower_id = a.actor_id and f.followee_id = n.user_id)
    when 'collection_follow' then ${sharesList(db, 'following', { id: userId })} and exists (
      select from followed_lists f
       where f.user_id = a.actor_id and (f.collection_id = n.collection_id or f.channel_id = n.channel_id))
    when 'own_video_liked' then ${sharesList(db, 'likes', { id: userId })} and exists (
      select from likes l where l.user_id = a.actor_id and l.video_id = n.video_id)
    when 'own_video_bookmarked' then ${sharesList(db, 'collector', { id: userId })} and exists (
      select from bookmarks saved where saved.id = a.bookmark_id and ${isVisible(db, 'saved')})
    when 'mention' then ${isStillMentioned(db)}
    else exists (
      select from comments reply where reply.id = a.comment_id and ${isVisibleComment(db, 'reply')}) end`
}

/** Returns a condition: the comment or description of actor `a` is visible and still mentions the receiver of `n`. */
function isStillMentioned(db: Db): Fragment {
  return db`(exists (
      select from comments reply left join comments parent on parent.id = reply.parent_id
       where reply.id = a.comment_id and ${isVisibleComment(db, 'reply')}
         and (parent.id is null or ${isVisibleComment(db, 'parent')} and not is_blocked_between(n.user_id, parent.user_id))
         and n.user_id in (select user_id from mentioned_users(reply.content, reply.updated_at)))
    or exists (
      select from bookmarks saved where saved.id = a.bookmark_id and ${isVisible(db, 'saved')}
         and n.user_id in (select user_id from mentioned_users(saved.description, saved.updated_at))))`
}

/**
 * Returns the bookmark that notification `n` links to: the one whose description mentions the receiver, otherwise the
 * receiver's own one of the video, otherwise the lead bookmark. A mention does not lead to the bookmark of a user whom a
 * block separates from the receiver.
 */
function linkTarget(db: Db): Fragment {
  return db`(
    select coalesce(case when n.kind = 'mention' then (
                      select saved.id from notification_actors a join bookmarks saved on saved.id = a.bookmark_id
                       where a.notification_id = n.id and ${isVisible(db, 'saved')}
                       order by a.created_at desc limit 1) end,
                    (select min(own.id) from bookmarks own
                      where own.user_id = n.user_id and own.video_id = v.id and ${isNotTrashed(db, 'own')}),
                    case when n.kind <> 'mention' then v.lead_bookmark_id else (
                      select lead.id from bookmarks lead
                       where lead.id = v.lead_bookmark_id and not is_blocked_between(n.user_id, lead.user_id)) end)
      from videos v where v.id = n.video_id and ${isShownVideo(db)})`
}

/** Returns a condition: notification `n` has at least one actor to show, and the receiver may open what it links to. */
function isShownTo(db: Db, userId: number): Fragment {
  return db`(n.kind in ('report_decided', 'moderation')
    or n.kind = 'link_proposed' and ${isStillProposed(db)} or n.kind = 'link_replaced' and ${isStillReplaced(db)}
    or n.kind not in ('link_proposed', 'link_replaced') and (n.kind in ('follow', 'collection_follow') or ${linkTarget(db)} is not null)
    -- Not exists(): the planner would turn it into a join that reads all actors instead of one.
    and (select true from notification_actors a join users u on u.id = a.actor_id
          where a.notification_id = n.id and ${isStillValid(db, userId)} limit 1))`
}

/** Where a notification appears. */
type Channel = 'bell' | 'mail'

/** Returns a `from` clause with conditions: the stored notifications `n` of a user that appear in a channel. */
function storedNotifications(db: Db, userId: number, channel: Channel): Fragment {
  return db`notifications n
    where n.user_id = ${userId} and n.${db(`in_${channel}`)} and n.last_event_at > now() - ${retentionPeriod(db)}
      and ${isShownTo(db, userId)}`
}

/**
 * Returns a `from` clause: for each follow `f` of user `me`, the newest visible bookmark `b` since `since`. Costs one
 * index lookup per followed user, however many bookmarks they have.
 */
function followedBookmarks(db: Db, userId: number, channel: Channel, since: Fragment): Fragment {
  const isOn = db(`${channel === 'bell' ? 'notify' : 'mail'}_on_new_bookmark_from_followed_user`)
  return db`users me
    join follows f on f.follower_id = me.id
    cross join lateral (
      select b.id, b.user_id, b.created_at from bookmarks b
       where b.user_id = f.followee_id and ${isVisible(db)}
         and b.created_at > greatest(f.created_at, now() - ${retentionPeriod(db)}, ${since})
       order by b.created_at desc, b.id desc limit 1) b
   where me.id = ${userId} and me.${isOn}
     and f.followee_id not in (${hiddenUserIds(db, userId)})
     -- A scalar subquery, evaluated for these users only: a join was planned as a scan of all users.
     and (select author.banned_at is null from users author where author.id = b.user_id)`
}

function retentionPeriod(db: Db): Fragment {
  return db`make_interval(days => ${limits.notificationRetentionDays})`
}

/** Returns the time up to which `me` has seen the bookmarks of follow `f`. */
function lastSeenAt(db: Db): Fragment {
  return db`greatest(f.bookmarks_seen_at, me.followed_bookmarks_seen_at)`
}

interface NotificationPage {
  count: number
  results: Notification[]
}

/** Returns the number of unread notifications of each kind that a digest contains, since a time. */
export async function countForDigest(
  db: Db,
  userId: number,
  time: Date,
): Promise<{ kind: NotificationKind; count: number }[]> {
  const since = db`${lastSeenAt(db)}, ${time}::timestamptz`
  return db<{ kind: NotificationKind; count: number }[]>`
    with stored as (
      select n.kind from ${storedNotifications(db, userId, 'mail')} and n.read_at is null and n.last_event_at > ${time}
       order by n.last_event_at desc limit ${maxListed}
    ), followed as (
      select 'new_bookmark_from_followed_user' as kind from ${followedBookmarks(db, userId, 'mail', since)} limit ${maxListed}
    )
    select kind, count(*)::int as count from (select * from stored union all select * from followed) found
     group by kind order by kind`
}

/** Returns a page of a user's notifications and their total number, in one statement. */
export async function listNotifications(
  db: Db,
  userId: number,
  { skip, size }: { skip: number; size: number },
): Promise<NotificationPage> {
  const [row] = await db<[NotificationPage]>`
    with stored as materialized (
      select n.id as event_id, null::bigint as followee_id, n.kind, n.last_event_at as at,
             n.read_at is not null as is_read,
             case when n.kind <> 'link_replaced' then ${linkTarget(db)} end as bookmark_id, n.decision_id, n.report_id,
             n.collection_id, n.channel_id
        from ${storedNotifications(db, userId, 'bell')}
       order by n.last_event_at desc, n.id desc limit ${maxListed}
    ), followed as materialized (
      select null::bigint, f.followee_id, 'new_bookmark_from_followed_user', b.created_at as at,
             b.created_at <= ${lastSeenAt(db)} as is_read, b.id as bookmark_id, null::bigint, null::bigint,
             null::bigint, null::bigint
        from ${followedBookmarks(db, userId, 'bell', db`null`)}
       order by b.created_at desc, b.id desc limit ${maxListed}
    ), page as (
      select * from stored union all select * from followed
       order by at desc, event_id desc, followee_id desc limit ${size} offset ${skip}
    )
    select (select count(*) from stored) + (select count(*) from followed) as count, coalesce((
      select json_agg(json_build_object(
               'id', coalesce('event-' || p.event_id, 'bookmarks-of-' || p.followee_id), 'kind', p.kind, 'created_at',
               ${jsonTimestamp(db, db`p.at`)}, 'is_read', p.is_read,
               'actors', coalesce(who.actors, '[]'), 'actors_count', coalesce(who.actors_count, 0),
               'bookmark', case when b.id is not null then json_build_object(
                 'id', b.id, 'title', b.title, 'thumbnail_url', ${thumbnailUrl(db)},
                 'orientation', b.effective_orientation) end,
               'container', ${followedContainer(db)}, 'replaced_link', ${replacedLink(db)},
               'comment', case when reply.id is not null then json_build_object(
                 'id', reply.id, 'excerpt', left(reply.content, ${excerptLength})) end,
               'decision', (select json_build_object(
                                     'id', d.id, 'action', d.action, 'reason', d.reason, 'title', d.title, 'statement',
                                     left(case when a.id is null then d.statement else a.answer end, ${excerptLength}),
                                     'appeal_status', a.status)
                              -- Not an appeal that was decided later than this notification was updated.
                              from moderation_decisions d left join appeals a
                                on a.decision_id = d.id and a.user_id = ${userId} and a.decided_at <= p.at
                             where d.id = p.decision_id),
               'report', (select json_build_object('id', r.id, 'report_type', r.report_type, 'status', r.status,
                                                   'title', r.snapshot)
                            from reports r where r.id = p.report_id))
             order by p.at desc, p.event_id desc, p.followee_id desc)
        from page p
        left join bookmarks b on b.id = p.bookmark_id
        left join videos v on v.id = b.video_id
        cross join lateral (${notificationActors(db, userId)}) who
        left join comments reply on reply.id = who.comment_id), '[]') as results`
  return row
}

/** Selects the collection or channel that entry `p` is about. */
function followedContainer(db: Db): Fragment {
  const json = (kind: 'collection' | 'channel') => db`(
    select json_build_object('kind', ${kind}::text, 'id', c.id, 'name', c.name) from ${db(`${kind}s`)} c
     where c.id = p.${db(`${kind}_id`)})`
  return db`coalesce(${json('collection')}, ${json('channel')})`
}

/** Returns a query for the latest three actors of entry `p`, the number of actors, and the latest comment. */
function notificationActors(db: Db, userId: number): Fragment {
  return db`
    select json_agg(${userSummary(db, 'found')} order by rank) filter (where rank <= 3) as actors,
           count(*) as actors_count, max(found.comment_id) filter (where rank = 1) as comment_id
      from (select u.id, u.username, u.avatar_key, u.is_verified, a.comment_id,
                   row_number() over (order by a.created_at desc, a.actor_id desc) as rank
              from notifications n
              join notification_actors a on a.notification_id = n.id
              join users u on u.id = a.actor_id
             where n.id = p.event_id and ${isStillValid(db, userId)}
             order by a.created_at desc, a.actor_id desc limit ${limits.unreadMax}) found
    having p.event_id is not null
    union all
    select json_build_array(${userSummary(db, 'u')}), 1, null from users u where u.id = p.followee_id`
}

/** Returns the number of unread notifications as the list shows them, at most 100, in one statement. */
export async function countUnread(db: Db, userId: number): Promise<number> {
  const cap = limits.unreadMax
  const [row] = await db<[{ count: number }]>`
    select least(${cap},
      (select count(*) from (
         select from ${storedNotifications(db, userId, 'bell')} and n.read_at is null
          limit ${cap}) stored)
      + (select count(*) from (select from ${followedBookmarks(db, userId, 'bell', lastSeenAt(db))} limit ${cap}) followed))::int as count`
  return row.count
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
  await db`
    -- The user row is locked first, in the same order as by a follow.
    with me as (
      update users set followed_bookmarks_seen_at = greatest(followed_bookmarks_seen_at, ${readUntil})
       where id = ${userId} and ${ids === null} returning id
    ), stored as (
      update notifications set read_at = now()
       where user_id = coalesce((select id from me), ${userId}) and in_bell and read_at is null and last_event_at <= ${readUntil}
         and (${eventIds}::bigint[] is null or id = any (${eventIds}::bigint[]))
    ), followed as (
      update follows set bookmarks_seen_at = greatest(bookmarks_seen_at, ${readUntil})
       where follower_id = ${userId} and followee_id = any (${followeeIds}::bigint[])
    )
    select`
}

/**
 * Returns those of `listening` whose unread count grew by one with a new bookmark, because its owner had no other
 * unseen one.
 */
export async function findListenersToNotify(
  db: Db,
  bookmarkId: number,
  listenerIds: readonly number[],
): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    with b as materialized (
      select b.id, b.user_id, b.created_at
        from bookmarks b join users author on author.id = b.user_id and author.banned_at is null
       where b.id = ${bookmarkId} and ${isVisible(db)}
    )
    select me.id
      from b
      join follows f on f.followee_id = b.user_id and f.follower_id = any (${listenerIds as number[]}::bigint[])
      join users me on me.id = f.follower_id and me.notify_on_new_bookmark_from_followed_user
     where b.created_at > greatest(f.created_at, ${lastSeenAt(db)})
       and me.id not in (select blocker_id from blocks where blocked_id = (select user_id from b)
                         union all select blocked_id from blocks where blocker_id = (select user_id from b)
                         union all select user_id from mutes where muted_id = (select user_id from b))
       and not exists (select from bookmarks other
                        where other.user_id = b.user_id and ${isVisible(db, 'other')} and other.id <> b.id
                          and other.created_at > greatest(f.created_at, ${lastSeenAt(db)}))`
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
