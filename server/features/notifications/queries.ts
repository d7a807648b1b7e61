/**
 * Notifications as they are read. What they tell must still be so: whoever took a like back, was banned or has hidden
 * their bookmark meanwhile is not told of, without anybody having to remember these rows.
 */

import type { Notification } from '@reelmark/contract/notifications.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { jsonTimestamp } from '../../core/database/json-timestamp.ts'
import { thumbnailUrl } from '../bookmarks/bookmark-columns.ts'
import { isKept, isShownVideo, isVisible, isVisibleComment } from '../bookmarks/visibility.ts'
import { userSummary } from '../users/profiles/user-columns.ts'

/** So many the list holds, the newest, of each of the two sorts: beyond that nobody pages. */
const maxListed = 1000
/** As far as the excerpt of a comment, or of what moderators say, goes. */
const excerptLength = 140

/** Of whom somebody hears nothing. Read once for a statement: asked for each row it was most of what a list cost. */
function hiddenUserIds(db: Db, userId: number): Fragment {
  return db`select blocked_id from blocks where blocker_id = ${userId}
            union all select blocker_id from blocks where blocked_id = ${userId}
            union all select muted_id from mutes where user_id = ${userId} and muted_id is not null`
}

/** Whether actors `a`, users `u`, of notifications `n` are told of to somebody. */
function isStillTrue(db: Db, userId: number): Fragment {
  return db`u.banned_at is null and u.id not in (${hiddenUserIds(db, userId)}) and case n.kind
    when 'follow' then exists (
      select from follows f where f.follower_id = a.actor_id and f.followee_id = n.user_id)
    when 'own_video_liked' then exists (
      select from likes l where l.user_id = a.actor_id and l.video_id = n.video_id)
    when 'own_video_bookmarked' then exists (
      select from bookmarks saved where saved.id = a.bookmark_id and ${isVisible(db, 'saved')})
    else exists (
      select from comments said where said.id = a.comment_id and ${isVisibleComment(db, 'said')}) end`
}

/** The bookmark that notifications `n` lead to: one's own of the video, else the one that all see. */
function linkTarget(db: Db): Fragment {
  return db`(
    select coalesce((select min(own.id) from bookmarks own
                      where own.user_id = n.user_id and own.video_id = v.id and ${isKept(db, 'own')}),
                    v.lead_bookmark_id)
      from videos v where v.id = n.video_id and ${isShownVideo(db)})`
}

/** Whether notifications `n` are there at all: somebody did it, and what they did it to can be looked at. */
function isShownTo(db: Db, userId: number): Fragment {
  return db`(n.kind in ('report_decided', 'moderation') or (n.kind = 'follow' or ${linkTarget(db)} is not null)
    -- Not exists(): planned as a join, it reads everybody of every notification, of which the first will do.
    and (select true from notification_actors a join users u on u.id = a.actor_id
          where a.notification_id = n.id and ${isStillTrue(db, userId)} limit 1))`
}

/**
 * The newest bookmark `b` since `since` of each `f` that somebody `me` follows. Costs one look into an index for each
 * they follow, however much those save.
 */
function followedBookmarks(db: Db, userId: number, since: Fragment): Fragment {
  return db`users me
    join follows f on f.follower_id = me.id
    cross join lateral (
      select b.id, b.user_id, b.created_at from bookmarks b
       where b.user_id = f.followee_id and ${isVisible(db)}
         and b.created_at > greatest(f.created_at, now() - ${retentionPeriod(db)}, ${since})
       order by b.created_at desc, b.id desc limit 1) b
   where me.id = ${userId} and me.notify_on_new_bookmark_from_followed_user
     and f.followee_id not in (${hiddenUserIds(db, userId)})
     -- Of those who saved something alone: as a join it was planned to read everybody there is.
     and (select author.banned_at is null from users author where author.id = b.user_id)`
}

function retentionPeriod(db: Db): Fragment {
  return db`make_interval(days => ${limits.notificationRetentionDays})`
}

/** Up to when `me` has looked at what `f` saves. */
function lastSeenAt(db: Db): Fragment {
  return db`greatest(f.bookmarks_seen_at, me.followed_bookmarks_seen_at)`
}

interface NotificationPage {
  count: number
  results: Notification[]
}

/** A page of somebody's notifications, and how many there are. One statement. */
export async function listNotifications(
  db: Db,
  userId: number,
  { skip, size }: { skip: number; size: number },
): Promise<NotificationPage> {
  return readPage(db, userId, { skip, size, told: db`true`, since: db`null` })
}

/** What somebody has unread that came after a time: the newest, and how many there are. */
export async function listUnreadSince(
  db: Db,
  userId: number,
  time: Date,
  size: number,
): Promise<NotificationPage> {
  const unreadFilter = db`n.read_at is null and n.last_event_at > ${time}`
  return readPage(db, userId, {
    skip: 0,
    size,
    told: unreadFilter,
    since: db`${lastSeenAt(db)}, ${time}::timestamptz`,
  })
}

/** `told` says which of the rows `n`, `since` after when of what is saved by whom one follows. */
async function readPage(
  db: Db,
  userId: number,
  { skip, size, told: rowFilter, since }: { skip: number; size: number; told: Fragment; since: Fragment },
): Promise<NotificationPage> {
  const [row] = await db<[NotificationPage]>`
    with told as materialized (
      select n.id as event_id, null::bigint as followee_id, n.kind, n.last_event_at as at, n.read_at is not null as is_read, ${linkTarget(db)} as bookmark_id,
             n.decision_id, n.report_id
        from notifications n
       where n.user_id = ${userId} and n.last_event_at > now() - ${retentionPeriod(db)} and ${rowFilter} and ${isShownTo(db, userId)}
       order by n.last_event_at desc, n.id desc limit ${maxListed}
    ), followed as materialized (
      select null::bigint, f.followee_id, 'new_bookmark_from_followed_user', b.created_at as at,
             b.created_at <= ${lastSeenAt(db)} as is_read, b.id as bookmark_id, null::bigint, null::bigint
        from ${followedBookmarks(db, userId, since)}
       order by b.created_at desc, b.id desc limit ${maxListed}
    ), page as (
      select * from told union all select * from followed
       order by at desc, event_id desc, followee_id desc limit ${size} offset ${skip}
    )
    select (select count(*) from told) + (select count(*) from followed) as count, coalesce((
      select json_agg(json_build_object(
               'id', coalesce('event-' || p.event_id, 'bookmarks-of-' || p.followee_id), 'kind', p.kind, 'created_at',
               ${jsonTimestamp(db, db`p.at`)}, 'is_read', p.is_read,
               'actors', coalesce(who.actors, '[]'), 'actors_count', coalesce(who.actors_count, 0),
               'bookmark', case when b.id is not null then json_build_object(
                 'id', b.id, 'title', b.title, 'thumbnail_url', ${thumbnailUrl(db)},
                 'orientation', b.effective_orientation) end,
               'comment', case when reply.id is not null then json_build_object(
                 'id', reply.id, 'excerpt', left(reply.content, ${excerptLength})) end,
               'decision', (select json_build_object(
                                     'id', d.id, 'action', d.action, 'reason', d.reason, 'title', d.title, 'statement',
                                     left(case when a.id is null then d.statement else a.answer end, ${excerptLength}),
                                     'appeal_status', a.status)
                              -- An appeal that is told since it was decided: before, this told of the decision.
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

/** Selects the latest three actors of notification `p`, the number of actors, and the latest one's comment. */
function notificationActors(db: Db, userId: number): Fragment {
  return db`
    select json_agg(${userSummary(db, 'found')} order by place) filter (where place <= 3) as actors,
           count(*) as actors_count, max(found.comment_id) filter (where place = 1) as comment_id
      from (select u.id, u.username, u.avatar_key, u.is_verified, a.comment_id,
                   row_number() over (order by a.created_at desc, a.actor_id desc) as place
              from notifications n
              join notification_actors a on a.notification_id = n.id
              join users u on u.id = a.actor_id
             where n.id = p.event_id and ${isStillTrue(db, userId)}
             order by a.created_at desc, a.actor_id desc limit ${limits.unreadMax}) found
    having p.event_id is not null
    union all
    select json_build_array(${userSummary(db, 'u')}), 1, null from users u where u.id = p.followee_id`
}

/** How many of somebody's notifications are unread, as the list shows them, up to 100. One statement. */
export async function countUnread(db: Db, userId: number): Promise<number> {
  const cap = limits.unreadMax
  const [row] = await db<[{ count: number }]>`
    select least(${cap},
      (select count(*) from (
         select from notifications n
          where n.user_id = ${userId} and n.read_at is null and n.last_event_at > now() - ${retentionPeriod(db)} and ${isShownTo(db, userId)}
          limit ${cap}) told)
      + (select count(*) from (select from ${followedBookmarks(db, userId, lastSeenAt(db))} limit ${cap}) followed))::int as count`
  return row.count
}

/**
 * Marks the named notifications as read, or all (null) up to `until`, which is in milliseconds where the columns hold
 * microseconds.
 */
export async function markNotificationsRead(
  db: Db,
  userId: number,
  ids: readonly string[] | null,
  until: Date | null,
): Promise<void> {
  const upTo = db`least(now(), coalesce(${until}::timestamptz, now()) + interval '999 microseconds')`
  const idsWith = (prefix: string) =>
    ids?.filter((id) => id.startsWith(prefix)).map((id) => Number(id.slice(prefix.length))) ?? null
  const eventIds = idsWith('event-')
  const followeeIds = idsWith('bookmarks-of-')
  await db`
    -- The user row first: following also locks the users before it writes \`follows\`.
    with me as (
      update users set followed_bookmarks_seen_at = greatest(followed_bookmarks_seen_at, ${upTo})
       where id = ${userId} and ${ids === null} returning id
    ), told as (
      update notifications set read_at = now()
       where user_id = coalesce((select id from me), ${userId}) and read_at is null and last_event_at <= ${upTo}
         and (${eventIds}::bigint[] is null or id = any (${eventIds}::bigint[]))
    ), followed as (
      update follows set bookmarks_seen_at = greatest(bookmarks_seen_at, ${upTo})
       where follower_id = ${userId} and followee_id = any (${followeeIds}::bigint[])
    )
    select`
}

/** Who of `listening` has one more unread since a bookmark was saved: those to whom its saver had nothing new before. */
export async function findListenersToNotify(
  db: Db,
  bookmarkId: number,
  listening: readonly number[],
): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    with b as materialized (
      select b.id, b.user_id, b.created_at
        from bookmarks b join users author on author.id = b.user_id and author.banned_at is null
       where b.id = ${bookmarkId} and ${isVisible(db)}
    )
    select me.id
      from b
      join follows f on f.followee_id = b.user_id and f.follower_id = any (${listening as number[]}::bigint[])
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

/** Which of sessions are still those of somebody who may call. */
export async function findActiveSessions(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db<{ id: number }[]>`
    select s.id from sessions s join users u on u.id = s.user_id
     where s.id = any (${ids as number[]}::bigint[])
       and s.ended_at is null and s.expires_at > now() and u.banned_at is null`
  return new Set(rows.map(({ id }) => id))
}

/** @returns how many of the old ones went: a batch, or fewer where no more are left. */
export async function removeOldBatch(db: Db, batch: number): Promise<number> {
  const removed = await db`
    delete from notifications where id in (
      select id from notifications where last_event_at < now() - ${retentionPeriod(db)} limit ${batch} for update skip locked)`
  return removed.count
}
