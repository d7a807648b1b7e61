/**
 * Writes notifications in the transaction of their cause, which `withTransaction` opened. Open streams are notified
 * after the commit, by a NOTIFY of its own: a NOTIFY that is part of a commit makes all such commits of the database
 * wait for each other (docs/decisions/0014-notifications.md).
 */
import type { SwitchableKind } from '@reelmark/contract/profiles.ts'
import type { Db, Fragment, Sql } from '../../core/database/database.ts'
import { afterCommit } from '../../core/database/transaction.ts'
import type { OrderedList } from '../../shared/order-keys.ts'
import { sharesWithMembers } from '../../shared/profile-visibility.ts'
import { isPublic, isShownVideo, isVisible } from '../../shared/visibility.ts'

/** Payload: the id of the notified user. */
export const notificationsChangedChannel = 'notifications_changed'
/** Payload: the id of a new bookmark. The listeners find out which of its owner's followers they serve. */
export const bookmarkSavedChannel = 'bookmark_saved'

type PendingEvents = Map<string, { channel: string; payload: string }>

/** The messages to publish after the commit of a transaction. */
const pendingEvents = new WeakMap<Db, PendingEvents>()

/** Notifies a user of a new follower. Does nothing if the follow is older than this transaction. */
export async function notifyFollow(tx: Db, { actor_id, user_id }: { actor_id: number; user_id: number }) {
  await insertNotification(tx, {
    kind: 'follow',
    receiver: tx`(${user_id}::bigint)`,
    receiverCondition: tx`${sharesWithMembers(tx, 'following', 'actor')}
       and exists (select from follows f
                    where f.follower_id = ${actor_id} and f.followee_id = u.id and f.created_at = now())`,
    actor_id,
  })
}

/** Notifies the owner of a collection or channel of a new follower, if this transaction created the follow. */
export async function notifyCollectionFollow(
  tx: Db,
  { actor_id, user_id, container }: { actor_id: number; user_id: number; container: OrderedList },
) {
  await insertNotification(tx, {
    kind: 'collection_follow',
    receiver: tx`(${user_id}::bigint)`,
    receiverCondition: tx`${sharesWithMembers(tx, 'following', 'actor')}
       and exists (select from followed_lists f
                    where f.user_id = ${actor_id} and f.${tx(`${container.kind}_id`)} = ${container.id} and f.created_at = now())`,
    actor_id,
    container,
  })
}

/** Notifies the owner of a video's lead bookmark of a like. */
export async function notifyLike(tx: Db, { actor_id, video_id }: { actor_id: number; video_id: number }) {
  await insertNotification(tx, {
    kind: 'own_video_liked',
    receiver: leadOwnerId(tx, video_id),
    receiverCondition: tx`${sharesWithMembers(tx, 'likes', 'actor')}`,
    actor_id,
    video_id,
  })
}

/**
 * Notifies the owner of a video's lead bookmark that another user saved it, unless the new bookmark is private or
 * the user had a public bookmark of it already. Followers of the user need no rows: their lists query bookmarks.
 */
export async function notifyBookmarked(
  tx: Db,
  { actor_id, video_id, bookmark_id }: { actor_id: number; video_id: number; bookmark_id: number },
) {
  await insertNotification(tx, {
    kind: 'own_video_bookmarked',
    receiver: leadOwnerId(tx, video_id),
    receiverCondition: tx`${sharesWithMembers(tx, 'collector', 'actor')}
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

/** Notifies the author of a comment of a reply. */
export async function notifyReply(
  tx: Db,
  { actor_id, comment_id, reply_id }: { actor_id: number; comment_id: number; reply_id: number },
) {
  await insertNotification(tx, {
    kind: 'reply',
    receiver: tx`(select c.user_id from comments c join videos v on v.id = c.video_id and ${isShownVideo(tx)}
                   where c.id = ${comment_id})`,
    actor_id,
    video_id: tx`(select c.video_id from comments c where c.id = ${comment_id})`,
    comment_id,
    actor_comment_id: reply_id,
  })
}

/** Notifies the owner of a video's lead bookmark of a comment. */
export async function notifyComment(
  tx: Db,
  { actor_id, video_id, comment_id }: { actor_id: number; video_id: number; comment_id: number },
) {
  await insertNotification(tx, {
    kind: 'comment',
    receiver: leadOwnerId(tx, video_id),
    actor_id,
    video_id,
    actor_comment_id: comment_id,
  })
}

/**
 * Notifies the users whom a new comment or reply mentions, except those whom it notified in another way and those whom a
 * block separates from the owner of the lead bookmark or the author of the comment that was replied to.
 */
export async function notifyMentionsInComment(
  tx: Db,
  { actor_id, video_id, comment_id }: { actor_id: number; video_id: number; comment_id: number },
) {
  await insertNotification(tx, {
    kind: 'mention',
    receiver: tx`(select m.user_id from comments c, mentioned_users(c.content, c.created_at) m
                   where c.id = ${comment_id} and not m.is_former)`,
    receiverCondition: tx`${leadOwnerId(tx, video_id)} is not null
      and not is_blocked_between(u.id, ${leadOwnerId(tx, video_id)})
      and not is_blocked_between(u.id, (select p.user_id from comments c join comments p on p.id = c.parent_id
                                         where c.id = ${comment_id}))
      and not exists (select from notification_actors a join notifications o on o.id = a.notification_id
                       where a.comment_id = ${comment_id} and o.user_id = u.id)`,
    actor_id,
    video_id,
    actor_comment_id: comment_id,
  })
}

/**
 * Notifies the users whom the description of a new bookmark mentions, if the bookmark is visible. Users whose name is also on the
 * page of the video are not notified: such names belong to the other site.
 * @param pageText the description that was taken from the page
 */
export async function notifyMentionsInDescription(
  tx: Db,
  { actor_id, video_id, bookmark_id }: { actor_id: number; video_id: number; bookmark_id: number },
  pageText: string,
) {
  await insertNotification(tx, {
    kind: 'mention',
    receiver: tx`(select m.user_id from bookmarks b, mentioned_users(b.description, now()) m
                   where b.id = ${bookmark_id} and not m.is_former and ${isVisible(tx)})`,
    receiverCondition: tx`not exists (
      select from mentioned_names(${pageText}::text) m where lower(u.username) in (m.name, m.trimmed))`,
    actor_id,
    video_id,
    bookmark_id,
  })
}

/** Notifies users of a decision about them or their content. Users who were already notified of it are skipped. */
export async function notifyDecision(tx: Db, decision_id: number, user_ids: readonly number[]) {
  const inserted = await tx<{ user_id: number }[]>`
    insert into notifications (user_id, kind, decision_id)
    select u.id, 'moderation', ${decision_id} from users u
     where u.id = any (${user_ids as number[]}::bigint[]) and u.banned_at is null
       and not exists (select from notifications n where n.decision_id = ${decision_id} and n.user_id = u.id)
    on conflict do nothing returning user_id`
  for (const { user_id } of inserted) publishAfterCommit(tx, notificationsChangedChannel, user_id)
}

/**
 * Notifies a user that their appeal was decided, in this transaction. The notification of the decision becomes unread
 * again and shows the outcome of the appeal; there is never a second one.
 */
export async function notifyAppealDecided(tx: Db, decision_id: number, user_id: number) {
  const notified = await tx`
    with receiver as (select u.id from users u where u.id = ${user_id} and u.banned_at is null),
    updated as (
      update notifications set read_at = null, last_event_at = now()
       where id = (select n.id from notifications n join receiver on receiver.id = n.user_id
                    where n.decision_id = ${decision_id} order by n.read_at desc limit 1)
      returning user_id
    ), inserted as (
      -- The notification of the decision was deleted after the retention period.
      insert into notifications (user_id, kind, decision_id)
      select id, 'moderation', ${decision_id} from receiver where not exists (select from updated)
      on conflict do nothing returning user_id
    )
    select user_id from updated union all select user_id from inserted`
  if (notified.length > 0) publishAfterCommit(tx, notificationsChangedChannel, user_id)
}

/** Notifies the reporters of decided reports, except those who decided themselves. */
export async function notifyReportsDecided(tx: Db, report_ids: readonly number[]) {
  const inserted = await tx<{ user_id: number }[]>`
    insert into notifications (user_id, kind, report_id)
    select u.id, 'report_decided', r.id from reports r join users u on u.id = r.reporter_id
     where r.id = any (${report_ids as number[]}::bigint[]) and u.banned_at is null
       and r.reporter_id is distinct from r.decided_by
    on conflict do nothing returning user_id`
  for (const { user_id } of inserted) publishAfterCommit(tx, notificationsChangedChannel, user_id)
}

export function leadOwnerId(db: Db, videoId: number): Fragment {
  return db`(select lead.user_id from videos v join bookmarks lead on lead.id = v.lead_bookmark_id
              where v.id = ${videoId} and ${isShownVideo(db)})`
}

interface NotificationInput {
  kind: Exclude<SwitchableKind, 'new_bookmark_from_followed_user'>
  /** Selects the ids of the users to notify. */
  receiver: Fragment
  /** Condition on the receiver `u` and on `actor`. */
  receiverCondition?: Fragment
  actor_id: number
  video_id?: number | Fragment
  comment_id?: number
  /** The collection or channel that the actor follows. */
  container?: OrderedList
  /** What the actor wrote or saved. */
  bookmark_id?: number
  actor_comment_id?: number
}

/** The kinds of which every event notifies, also several of one actor about one video. */
const commentKinds: readonly SwitchableKind[] = ['reply', 'comment', 'mention']

/**
 * Inserts or updates notifications in one statement, for the bell and for mail as each user chose. Users are never notified
 * of their own actions, nor banned users of anything, and of each actor only once for as long as the notification exists,
 * read or not. Comments are an exception: each one is news.
 */
async function insertNotification(tx: Db, input: NotificationInput): Promise<void> {
  const { kind, receiver, receiverCondition = tx`true`, actor_id } = input
  const { video_id = null, comment_id = null, bookmark_id = null, actor_comment_id = null } = input
  const containerId = (name: OrderedList['kind']) =>
    tx`${input.container?.kind === name ? input.container.id : null}::bigint`
  const [collectionId, channelId] = [containerId('collection'), containerId('channel')]
  const isNews = commentKinds.includes(kind)
  const video = typeof video_id === 'object' && video_id !== null ? video_id : tx`${video_id}::bigint`
  const [inBell, inMail] = [tx`u.${tx(`notify_on_${kind}`)}`, tx`u.${tx(`mail_on_${kind}`)}`]
  const wasRead = tx`exists (
    select from notifications o join notification_actors a on a.notification_id = o.id and a.actor_id = actor.id
     where o.user_id = u.id and o.kind = ${kind} and o.read_at is not null
       and ${video_id === null ? tx`o.video_id is null` : tx`o.video_id = ${video}`}
       and (o.collection_id, o.channel_id) is not distinct from (${collectionId}, ${channelId}))`
  const notified = await tx<{ user_id: number }[]>`
    with upserted as (
      insert into notifications as n
             (user_id, kind, video_id, comment_id, collection_id, channel_id, last_event_at, in_bell, in_mail)
      select u.id, ${kind}, ${video}, ${comment_id}::bigint, ${collectionId}, ${channelId}, clock_timestamp(), ${inBell}, ${inMail}
        from users u join users actor on actor.id = ${actor_id}
       where u.id in ${receiver} and u.id <> actor.id and u.banned_at is null and actor.banned_at is null
         and (${inBell} or (${inMail} and u.notify_by_email <> 'off'))
         and ${receiverCondition} and not is_blocked_between(u.id, actor.id)
         and not exists (select from mutes m where m.user_id = u.id and m.muted_id = actor.id)
         and ${isNews ? tx`true` : tx`not ${wasRead}`}
       order by u.id
      on conflict (user_id, kind, video_id, comment_id, decision_id, report_id, collection_id, channel_id)
        where read_at is null do update
         set in_bell = n.in_bell or excluded.in_bell, in_mail = n.in_mail or excluded.in_mail,
             last_event_at = case
               when not ${isNews} and exists (
                      select from notification_actors a where a.notification_id = n.id and a.actor_id = ${actor_id})
               then n.last_event_at else greatest(n.last_event_at, excluded.last_event_at) end
      returning id, user_id, last_event_at
    ), actors as (
      insert into notification_actors as a (notification_id, actor_id, bookmark_id, comment_id, created_at)
      select id, ${actor_id}, ${bookmark_id}::bigint, ${actor_comment_id}::bigint, last_event_at from upserted
      on conflict (notification_id, actor_id) do update
         set bookmark_id = excluded.bookmark_id, comment_id = excluded.comment_id,
             created_at = case when ${isNews} then excluded.created_at else a.created_at end
    )
    select user_id from upserted`
  for (const { user_id } of notified) publishAfterCommit(tx, notificationsChangedChannel, user_id)
}

/** Announces that a user's number of unread notifications changed. */
export async function publishUnreadChange(db: Sql, userId: number): Promise<void> {
  await publish(db, [{ channel: notificationsChangedChannel, payload: String(userId) }]).catch(() => {})
}

/** Publishes a message after the commit of a transaction of `withTransaction`. */
export function publishAfterCommit(tx: Db, channel: string, id: number): void {
  let events = pendingEvents.get(tx)
  if (events === undefined) {
    const collected: PendingEvents = new Map()
    afterCommit(tx, (db) => publish(db, [...collected.values()]))
    pendingEvents.set(tx, collected)
    events = collected
  }
  const payload = String(id)
  events.set(`${channel} ${payload}`, { channel, payload })
}

async function publish(db: Db, events: { channel: string; payload: string }[]): Promise<void> {
  if (events.length === 0) return
  const [channels, payloads] = [events.map(({ channel }) => channel), events.map(({ payload }) => payload)]
  await db`
    select pg_notify(channel, payload)
      from unnest(${channels}::text[], ${payloads}::text[]) as events (channel, payload)`
}
