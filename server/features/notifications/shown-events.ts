/**
 * Conditions for which notifications are shown. They check that a notification is still valid: it disappears when the like is
 * withdrawn, the actor is banned or the bookmark is hidden, without an update of its row.
 */
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { sharesList } from '../../shared/profile-visibility.ts'
import { hasLead, isNotTrashed, isShownVideo, isVisible, isVisibleComment } from '../../shared/visibility.ts'
import { isStillProposed, isStillReplaced } from './replaced-links.ts'

/** Maximum number of notifications that the list contains, per kind of row (stored, and derived from follows). */
export const maxListed = 1000

/**
 * Returns a query for the users whom a user blocked, muted or was blocked by. Planned once per statement, not per row.
 */
export function hiddenUserIds(db: Db, userId: number): Fragment {
  return db`select blocked_id from blocks where blocker_id = ${userId}
            union all select blocker_id from blocks where blocked_id = ${userId}
            union all select muted_id from mutes where user_id = ${userId} and muted_id is not null`
}

/** Returns a condition: actor `a`, user `u`, still did what notification `n` says, and the receiver may see them. */
export function isStillValid(db: Db, userId: number): Fragment {
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
 * receiver's own one of the video, otherwise the lead bookmark unless a block separates its owner from the receiver.
 */
export function linkTarget(db: Db): Fragment {
  return db`(select ${targetOfVideo(db)} ${shownVideo(db)})`
}

/**
 * Returns a condition: notification `n` of the user links to a bookmark. Without blocks, the lead bookmark is enough, and no
 * bookmark is read; whether there are blocks is read once per statement.
 */
function hasLinkTarget(db: Db, userId: number): Fragment {
  const hasBlocks = db`(select exists (select from blocks where blocker_id = ${userId})
                            or exists (select from blocks where blocked_id = ${userId}))`
  return db`(select ${hasLead(db)} and not ${hasBlocks} or ${targetOfVideo(db)} is not null ${shownVideo(db)})`
}

function shownVideo(db: Db): Fragment {
  return db`from videos v where v.id = n.video_id and ${isShownVideo(db)}`
}

function targetOfVideo(db: Db): Fragment {
  return db`coalesce(case when n.kind = 'mention' then (
                      select saved.id from notification_actors a join bookmarks saved on saved.id = a.bookmark_id
                       where a.notification_id = n.id and ${isVisible(db, 'saved')}
                       order by a.created_at desc limit 1) end,
                    ${ownBookmark(db, db`n.user_id`)}, ${leadUnlessBlocked(db, db`n.user_id`)})`
}

/** Selects the id of a user's first bookmark of video `v` that is not in the trash. */
export function ownBookmark(db: Db, userId: Fragment): Fragment {
  return db`(select min(own.id) from bookmarks own
              where own.user_id = ${userId} and own.video_id = v.id and ${isNotTrashed(db, 'own')})`
}

/** Selects the id of the lead bookmark of video `v`, unless a block separates its owner from a user. */
export function leadUnlessBlocked(db: Db, userId: Fragment): Fragment {
  return db`(select lead.id from bookmarks lead
              where lead.id = v.lead_bookmark_id and not is_blocked_between(${userId}, lead.user_id))`
}

/** Returns a condition: notification `n` has at least one actor to show, and the receiver may open what it links to. */
export function isShownTo(db: Db, userId: number): Fragment {
  return db`(n.kind in ('report_decided', 'moderation')
    or n.kind = 'link_proposed' and ${isStillProposed(db)} or n.kind = 'link_replaced' and ${isStillReplaced(db)}
    or n.kind not in ('link_proposed', 'link_replaced') and (n.kind in ('follow', 'collection_follow') or ${hasLinkTarget(db, userId)})
    -- Not exists(): the planner would turn it into a join that reads all actors instead of one.
    and (select true from ${actorsOf(db)} where a.notification_id = n.id and ${isStillValid(db, userId)} limit 1))`
}

/**
 * Returns a `from` clause: actors `a` of notifications, users `u`. With "offset 0", PostgreSQL looks up each actor. Expecting the
 * conditions to be expensive, it would join them with a scan of all users, for each notification.
 */
export function actorsOf(db: Db): Fragment {
  return db`notification_actors a cross join lateral (select * from users where id = a.actor_id offset 0) u`
}

/** Where a notification appears. */
export type NotificationChannel = 'bell' | 'mail'

/** Returns a `from` clause with conditions: the stored notifications `n` of a user in a channel, shown or not. */
export function recentNotifications(db: Db, userId: number, channel: NotificationChannel): Fragment {
  return db`notifications n
    where n.user_id = ${userId} and n.${db(`in_${channel}`)} and n.last_event_at > now() - ${retentionPeriod(db)}`
}

/**
 * Returns a `from` clause: for each follow `f` of user `me`, the newest visible bookmark `b` since `since`. Costs one
 * index lookup per followed user, however many bookmarks they have.
 */
export function followedBookmarks(
  db: Db,
  userId: number,
  channel: NotificationChannel,
  since: Fragment,
): Fragment {
  return db`users me
    join follows f on f.follower_id = me.id
    cross join lateral (
      select b.id, b.user_id, b.created_at from bookmarks b
       where b.user_id = f.followee_id and ${isVisible(db)}
         and b.created_at > greatest(f.created_at, now() - ${retentionPeriod(db)}, ${since})
       order by b.created_at desc, b.id desc limit 1) b
   where me.id = ${userId} and ${isOnFor(db, channel)}
     and f.followee_id not in (${hiddenUserIds(db, userId)})
     -- A scalar subquery, evaluated for these users only: a join was planned as a scan of all users.
     and (select author.banned_at is null from users author where author.id = b.user_id)`
}

/** Returns a condition: new bookmarks of what `me` follows notify them in a channel. */
export function isOnFor(db: Db, channel: NotificationChannel): Fragment {
  return db`me.${db(`${channel === 'bell' ? 'notify' : 'mail'}_on_new_bookmark_from_followed_user`)}`
}

export function retentionPeriod(db: Db): Fragment {
  return db`make_interval(days => ${limits.notificationRetentionDays})`
}

/** Returns the time up to which `me` has seen the bookmarks of follow or followed list `f`. */
export function lastSeenAt(db: Db): Fragment {
  return db`greatest(f.bookmarks_seen_at, me.followed_bookmarks_seen_at)`
}
