/**
 * Writes notifications in the transaction of their cause, which `withTransaction` opened. Open streams are notified
 * after the commit, by a NOTIFY of its own: a NOTIFY that is part of a commit makes all such commits of the database
 * wait for each other (docs/decisions/0014-notifications.md).
 */
import type { NotificationKind } from '@reelmark/contract/notifications.ts'
import type { Db, Fragment, Sql } from '../../core/database/database.ts'
import { afterCommit } from '../../core/database/transaction.ts'
import { isPublic, isShownVideo, isVisible } from '../../shared/visibility.ts'

/** Payload: the id of who is told. */
export const notificationsChangedChannel = 'notifications_changed'
/** Payload: the id of a bookmark that is new; whose followers it is news to is found out where they listen. */
export const bookmarkSavedChannel = 'bookmark_saved'

type PendingEvents = Map<string, { channel: string; payload: string }>

/** The messages to publish after the commit of a transaction. */
const pendingEvents = new WeakMap<Db, PendingEvents>()

/** Somebody follows somebody, as of this transaction: whoever says so again tells nothing new. */
export async function notifyFollow(tx: Db, { actor_id, user_id }: { actor_id: number; user_id: number }) {
  await insertNotification(tx, {
    kind: 'follow',
    receiver: tx`${user_id}::bigint`,
    preferenceColumn: tx`u.notify_on_follow
      and exists (select from follows f
                   where f.follower_id = ${actor_id} and f.followee_id = u.id and f.created_at = now())`,
    actor_id,
  })
}

/** Somebody likes a video: it is told to whose lead bookmark it has. */
export async function notifyLike(tx: Db, { actor_id, video_id }: { actor_id: number; video_id: number }) {
  await insertNotification(tx, {
    kind: 'own_video_liked',
    receiver: leadOwnerId(tx, video_id),
    preferenceColumn: tx`u.notify_on_own_video_liked`,
    actor_id,
    video_id,
  })
}

/**
 * Somebody saved a video: whoever's lead bookmark it has is told, unless it is kept in private or was kept before.
 * Their followers find it by themselves.
 */
export async function notifyBookmarked(
  tx: Db,
  { actor_id, video_id, bookmark_id }: { actor_id: number; video_id: number; bookmark_id: number },
) {
  await insertNotification(tx, {
    kind: 'own_video_bookmarked',
    receiver: leadOwnerId(tx, video_id),
    preferenceColumn: tx`u.notify_on_own_video_bookmarked
      and exists (select from bookmarks b where b.id = ${bookmark_id} and ${isVisible(tx)})
      and not exists (select from bookmarks b
                       where b.user_id = ${actor_id} and b.video_id = ${video_id} and b.id <> ${bookmark_id}
                         and ${isPublic(tx)})`,
    actor_id,
    video_id,
    bookmark_id,
  })
  publishAfterCommit(tx, bookmarkSavedChannel, bookmark_id)
}

/** Somebody replied to a comment. */
export async function notifyReply(
  tx: Db,
  { actor_id, comment_id, reply_id }: { actor_id: number; comment_id: number; reply_id: number },
) {
  await insertNotification(tx, {
    kind: 'reply',
    receiver: tx`(select c.user_id from comments c join videos v on v.id = c.video_id and ${isShownVideo(tx)}
                   where c.id = ${comment_id})`,
    preferenceColumn: tx`true`,
    actor_id,
    video_id: tx`(select c.video_id from comments c where c.id = ${comment_id})`,
    comment_id,
    reply_id,
  })
}

/** Something of theirs, or they themselves, were decided about. Nobody is told twice. */
export async function notifyDecision(tx: Db, decision_id: number, user_ids: readonly number[]) {
  const told = await tx<{ user_id: number }[]>`
    insert into notifications (user_id, kind, decision_id)
    select u.id, 'moderation', ${decision_id} from users u
     where u.id = any (${user_ids as number[]}::bigint[]) and u.banned_at is null
       and not exists (select from notifications n where n.decision_id = ${decision_id} and n.user_id = u.id)
    on conflict do nothing returning user_id`
  for (const { user_id } of told) publishAfterCommit(tx, notificationsChangedChannel, user_id)
}

/**
 * Somebody's appeal was decided, in this transaction: what told them of the decision is unread again, and says what
 * became of it. It is one row still, by which they were told of the decision.
 */
export async function notifyAppealDecided(tx: Db, decision_id: number, user_id: number) {
  const notified = await tx`
    with receiver as (select u.id from users u where u.id = ${user_id} and u.banned_at is null),
    again as (
      update notifications set read_at = null, last_event_at = now()
       where id = (select n.id from notifications n join receiver on receiver.id = n.user_id
                    where n.decision_id = ${decision_id} order by n.read_at desc limit 1)
      returning user_id
    ), anew as (
      -- What told them of it was kept for a while only.
      insert into notifications (user_id, kind, decision_id)
      select id, 'moderation', ${decision_id} from receiver where not exists (select from again)
      on conflict do nothing returning user_id
    )
    select user_id from again union all select user_id from anew`
  if (notified.length > 0) publishAfterCommit(tx, notificationsChangedChannel, user_id)
}

/** Reports were decided: whoever made them is told, unless they decided themselves. */
export async function notifyReportsDecided(tx: Db, report_ids: readonly number[]) {
  const updated = await tx<{ user_id: number }[]>`
    insert into notifications (user_id, kind, report_id)
    select u.id, 'report_decided', r.id from reports r join users u on u.id = r.reporter_id
     where r.id = any (${report_ids as number[]}::bigint[]) and u.banned_at is null
       and r.reporter_id is distinct from r.decided_by
    on conflict do nothing returning user_id`
  for (const { user_id } of updated) publishAfterCommit(tx, notificationsChangedChannel, user_id)
}

function leadOwnerId(db: Db, videoId: number): Fragment {
  return db`(select lead.user_id from videos v join bookmarks lead on lead.id = v.lead_bookmark_id
              where v.id = ${videoId} and ${isShownVideo(db)})`
}

interface NotificationInput {
  kind: Exclude<NotificationKind, 'new_bookmark_from_followed_user' | 'moderation' | 'report_decided'>
  receiver: Fragment
  /** What of the receiver `u` must be so. */
  preferenceColumn: Fragment
  actor_id: number
  video_id?: number | Fragment
  comment_id?: number
  bookmark_id?: number
  reply_id?: number
}

/**
 * One statement. Never to oneself, to nobody who is away, and once per actor for as long as it is kept, read or not:
 * whoever likes and takes it back all day is told of once. Replies are each something else.
 */
async function insertNotification(tx: Db, news: NotificationInput): Promise<void> {
  const { kind, receiver, preferenceColumn: wants, actor_id, bookmark_id = null, reply_id = null } = news
  const { video_id = null, comment_id = null } = news
  const video = typeof video_id === 'object' && video_id !== null ? video_id : tx`${video_id}::bigint`
  const wasRead = tx`exists (
    select from notifications o join notification_actors a on a.notification_id = o.id and a.actor_id = actor.id
     where o.user_id = u.id and o.kind = ${kind} and o.read_at is not null
       and ${video_id === null ? tx`o.video_id is null` : tx`o.video_id = ${video}`})`
  const [notified] = await tx<{ user_id: number }[]>`
    with told as (
      insert into notifications as n (user_id, kind, video_id, comment_id, last_event_at)
      select u.id, ${kind}, ${video}, ${comment_id}::bigint, clock_timestamp()
        from users u join users actor on actor.id = ${actor_id}
       where u.id = ${receiver} and u.id <> actor.id and u.banned_at is null and actor.banned_at is null
         and ${wants} and not is_blocked_between(u.id, actor.id)
         and not exists (select from mutes m where m.user_id = u.id and m.muted_id = actor.id)
         and ${kind === 'reply' ? tx`true` : tx`not ${wasRead}`}
      on conflict (user_id, kind, video_id, comment_id, decision_id, report_id) where read_at is null do update
         set last_event_at = case
               when n.kind <> 'reply' and exists (
                      select from notification_actors a where a.notification_id = n.id and a.actor_id = ${actor_id})
               then n.last_event_at else greatest(n.last_event_at, excluded.last_event_at) end
      returning id, user_id, last_event_at
    )
    insert into notification_actors as a (notification_id, actor_id, bookmark_id, comment_id, created_at)
    select id, ${actor_id}, ${bookmark_id}::bigint, ${reply_id}::bigint, last_event_at from told
    on conflict (notification_id, actor_id) do update
       set bookmark_id = excluded.bookmark_id, comment_id = excluded.comment_id,
           created_at = case when excluded.comment_id is null then a.created_at else excluded.created_at end
    returning (select user_id from told)`
  if (notified !== undefined) publishAfterCommit(tx, notificationsChangedChannel, notified.user_id)
}

/** What somebody has unread is another number now. */
export async function publishUnreadChange(db: Sql, userId: number): Promise<void> {
  await publish(db, [{ channel: notificationsChangedChannel, payload: String(userId) }]).catch(() => {})
}

function publishAfterCommit(tx: Db, channel: string, id: number): void {
  let rings = pendingEvents.get(tx)
  if (rings === undefined) {
    const collected: PendingEvents = new Map()
    afterCommit(tx, (db) => publish(db, [...collected.values()]))
    pendingEvents.set(tx, collected)
    rings = collected
  }
  const payload = String(id)
  rings.set(`${channel} ${payload}`, { channel, payload })
}

async function publish(db: Db, rings: { channel: string; payload: string }[]): Promise<void> {
  if (rings.length === 0) return
  const [channels, payloads] = [rings.map(({ channel }) => channel), rings.map(({ payload }) => payload)]
  await db`
    select pg_notify(channel, payload)
      from unnest(${channels}::text[], ${payloads}::text[]) as rings (channel, payload)`
}
