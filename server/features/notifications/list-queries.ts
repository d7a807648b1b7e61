/** Lists notifications. */
import type { Notification } from '@reelmark/contract/notifications.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { jsonTimestamp } from '../../core/database/json-timestamp.ts'
import { thumbnailUrl } from '../../shared/bookmark-columns.ts'
import { userSummary } from '../../shared/user-columns.ts'
import { entryId, groupKey, isInGroup } from './groups.ts'
import { followedListBookmarks } from './list-bookmarks.ts'
import { replacedLink } from './replaced-links.ts'
import {
  actorsOf,
  followedBookmarks,
  isShownTo,
  isStillValid,
  lastSeenAt,
  linkTarget,
  maxListed,
  recentNotifications,
} from './shown-events.ts'

/** Length in characters of the excerpt of a comment or statement. */
const excerptLength = 140

interface NotificationPage {
  count: number
  results: Notification[]
}

interface ListRequest {
  skip: number
  size: number
  /** The id of a group whose notifications are listed one by one. */
  group?: string | undefined
}

/** Returns a page of a user's notifications and their total number, in one statement. A group is read up to its 100th event. */
export async function listNotifications(
  db: Db,
  { id: userId, follows_lists }: Pick<Viewer, 'id' | 'follows_lists'>,
  { skip, size, group }: ListRequest,
): Promise<NotificationPage> {
  const isGrouped = group === undefined
  const keyOf = (at: Fragment, id: Fragment) => (isGrouped ? groupKey(db, at, id) : id)
  const [row] = await db<[NotificationPage]>`
    with recent as (
      select n.id, n.kind, n.last_event_at as at from ${recentNotifications(db, userId, 'bell')}
         ${isGrouped ? db`` : db`and ${isInGroup(db, group)}`}
       order by n.last_event_at desc, n.id desc limit ${maxListed}
    ), groups as (
      select kind, key, min(at) as first_at, max(at) as last_at
        from (select *, ${keyOf(db`at`, db`id`)} as key from recent) keyed group by kind, key
    ), stored as (
      -- An index has the order of a group, so that events are checked until enough are shown.
      select groups.key, event.*
        from groups cross join lateral (
          select n.id as event_id, n.kind, n.last_event_at as at, n.read_at is not null as is_read,
                 n.video_id, n.decision_id, n.report_id, n.collection_id, n.channel_id
            from ${recentNotifications(db, userId, 'bell')} and n.last_event_at between groups.first_at and groups.last_at
             and n.kind = groups.kind and ${keyOf(db`n.last_event_at`, db`n.id`)} = groups.key and ${isShownTo(db, userId)}
           order by n.last_event_at desc, n.id desc limit ${limits.unreadMax}) event
    ), placed as (
      -- One video can have several events: another like after the first was read is a new one.
      select *, row_number() over (partition by kind, key, video_id order by at desc, event_id desc) as place from stored
    ), entries as materialized (
      select array_agg(event_id order by at desc, event_id desc) as event_ids, null::bigint as followee_id, null::bigint as list_id, kind, max(at) as at,
             bool_and(is_read) as is_read,
             array_agg(event_id order by at desc, event_id desc) filter (where place = 1) as newest_of_videos, null::bigint as bookmark_id,
             max(decision_id) as decision_id, max(report_id) as report_id, max(collection_id) as collection_id,
             max(channel_id) as channel_id
        from placed group by kind, key
      union all (
      select null, f.followee_id, null, 'new_bookmark_from_followed_user', b.created_at,
             b.created_at <= ${lastSeenAt(db)}, null, b.id, null, null, null, null
        from ${followedBookmarks(db, userId, 'bell', db`null`)} and ${isGrouped}
       order by b.created_at desc, b.id desc limit ${maxListed})
      ${follows_lists && isGrouped ? db`union all ${entriesOfLists(db, userId)}` : db``}
    ), page as (
      select * from entries order by at desc, event_ids[1] desc, followee_id desc, list_id desc limit ${size} offset ${skip}
    )
    select (select count(*) from entries) as count, coalesce((
      select json_agg(json_build_object(
               'id', ${entryId(db)}, 'kind', p.kind, 'created_at',
               ${jsonTimestamp(db, db`p.at`)}, 'is_read', p.is_read,
               'actors', coalesce(who.actors, '[]'), 'actors_count', coalesce(who.actors_count, 0),
               'bookmark', shown.first, 'more_bookmarks', coalesce(shown.others, '[]'),
               'bookmarks_count', coalesce(cardinality(p.newest_of_videos), 1),
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
             order by p.at desc, p.event_ids[1] desc, p.followee_id desc, p.list_id desc)
        from page p
        cross join lateral (${entryBookmarks(db)}) shown
        cross join lateral (${notificationActors(db, userId)}) who
        left join comments reply on reply.id = who.comment_id), '[]') as results`
  return row
}

/** Returns a query for the entries of followed collections and channels. */
function entriesOfLists(db: Db, userId: number): Fragment {
  return db`
    select null, b.user_id, f.id, 'new_bookmark_from_followed_user', b.created_at,
           b.created_at <= ${lastSeenAt(db)}, null, b.id, null, null, f.collection_id, f.channel_id
      from ${followedListBookmarks(db, userId, 'bell', db`null`)}`
}

/** How many bookmarks of a group are shown. */
const shownBookmarks = 4

/** Returns a query for the latest bookmark of entry `p`, and further ones. Only for these, what an event links to is read. */
function entryBookmarks(db: Db): Fragment {
  const listed = db`
    select position, case when n.kind <> 'link_replaced' then ${linkTarget(db)} end as id
      from unnest(p.newest_of_videos[:${shownBookmarks}]) with ordinality as event (id, position)
      join notifications n on n.id = event.id
    union all select 1, p.bookmark_id`
  return db`
    select json_agg(card) filter (where position = 1) -> 0 as first,
           json_agg(card order by position) filter (where position > 1) as others
      from (select position, json_build_object('id', b.id, 'title', b.title, 'thumbnail_url', ${thumbnailUrl(db)},
                                               'orientation', b.effective_orientation) as card
              from (${listed}) listed join bookmarks b on b.id = listed.id join videos v on v.id = b.video_id) cards`
}

/** Selects the collection or channel that entry `p` is about. */
function followedContainer(db: Db): Fragment {
  const json = (kind: 'collection' | 'channel') => db`(
    select json_build_object('kind', ${kind}::text, 'id', c.id, 'name', c.name) from ${db(`${kind}s`)} c
     where c.id = p.${db(`${kind}_id`)})`
  return db`coalesce(${json('collection')}, ${json('channel')})`
}

/** How many actors of all events of a group are read to count each user once. */
const readActorsMax = 200

/** Returns a query for the latest three actors of entry `p`, the number of actors, and the latest comment. */
function notificationActors(db: Db, userId: number): Fragment {
  return db`
    select json_agg(${userSummary(db, 'found')} order by rank) filter (where rank <= 3) as actors,
           count(*) as actors_count, max(found.comment_id) filter (where rank = 1) as comment_id
      from (select *, row_number() over (order by created_at desc, id desc) as rank
              from (select distinct on (acted.id) acted.*
                      -- The limit keeps large groups cheap: it stops at the newest events.
                      from (select who.* from unnest(p.event_ids) as event (id)
                              cross join lateral (
                                select u.id, u.username, u.avatar_key, u.is_verified, a.comment_id, a.created_at
                                  from notifications n cross join ${actorsOf(db)}
                                 where n.id = event.id and a.notification_id = n.id and ${isStillValid(db, userId)}
                                 order by a.created_at desc, a.actor_id desc limit ${limits.unreadMax}) who
                             limit ${readActorsMax}) acted
                     order by acted.id, acted.created_at desc) each_once
             order by created_at desc, id desc limit ${limits.unreadMax}) found
    having p.event_ids is not null
    union all
    select json_build_array(${userSummary(db, 'u')}), 1, null from users u where u.id = p.followee_id`
}
