/** SQL conditions and columns that decide which comments a viewer may see. */
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { hiddenUserIds } from '../../shared/user-visibility.ts'
import {
  canSeeBookmark,
  canSeeVideo,
  hasLead,
  hasOwnBookmark,
  isVisibleComment,
  isVisibleVideo,
} from '../../shared/visibility.ts'

/** Returns a condition: the viewer may read the comments of videos `v`, because they may see a bookmark of it. */
export function canReadComments(db: Db, viewer: Viewer | null): Fragment {
  if (viewer === null) return isVisibleVideo(db)
  return db`(${canSeeVideo(db, viewer.id)} or (${viewer.is_moderator} and ${hasLead(db)}))`
}

/**
 * Returns a condition: the viewer may comment on videos `v`. If a block separates them from the owner of the lead
 * bookmark, they may comment only if they have a bookmark of the video themselves.
 */
export function canComment(db: Db, viewer: Viewer): Fragment {
  if (viewer.is_moderator || !viewer.has_blocks_or_mutes) return canReadComments(db, viewer)
  return db`(${canReadComments(db, viewer)} and (
    not exists (select from bookmarks lead
                 where lead.id = v.lead_bookmark_id and is_blocked_between(lead.user_id, ${viewer.id}))
    or ${hasOwnBookmark(db, viewer.id)}))`
}

/**
 * Returns the owner of bookmark `bookmarkId` of videos `v`, or of the lead bookmark, or null if the viewer may not see
 * it.
 */
export function bookmarkOwnerId(db: Db, viewer: Viewer | null, bookmarkId: number | null): Fragment {
  return db`(select b.user_id from bookmarks b
              where b.id = coalesce(${bookmarkId}::bigint, v.lead_bookmark_id) and b.video_id = v.id
                and ${canSeeBookmark(db, viewer)})`
}

/**
 * Returns a condition: comments under `alias` are neither held, hidden nor removed, and no block separates the viewer
 * from their author.
 */
export function isVisibleTo(db: Db, viewer: Viewer | null, alias: 'c' | 'p'): Fragment {
  return db`${isVisibleComment(db, alias)} and ${isNotBlocked(db, viewer, alias)}`
}

function isNotBlocked(db: Db, viewer: Viewer | null, alias: 'c' | 'p'): Fragment {
  const hiddenIds = hiddenUserIds(db, viewer)
  if (hiddenIds === null) return db`true`
  const user = db`${db(alias)}.user_id`
  return db`(${user} is null or ${user} not in (${hiddenIds}))`
}

/**
 * Returns a condition: the viewer may open comment `c` by its link. Authors and moderators may open hidden ones too.
 */
export function canSeeComment(db: Db, viewer: Viewer | null): Fragment {
  if (viewer === null) return db`${isVisibleComment(db)} and ${hasVisibleParent(db)}`
  return db`(${isVisibleComment(db)} and ${hasVisibleParent(db)}
    or c.status = 'hidden' and (c.user_id = ${viewer.id} or ${viewer.is_moderator}))
    and ${isNotBlocked(db, viewer, 'c')}`
}

/** Returns a condition: comment `c` is not a reply to a hidden or removed comment. */
function hasVisibleParent(db: Db): Fragment {
  return db`(c.parent_id is null
    or (select ${isVisibleComment(db, 'parent')} from comments parent where parent.id = c.parent_id))`
}

/** Returns the number of comments on videos `v` in the viewer's list (`isListedFor`): none while no bookmark of it is public. */
export function listedCommentsCount(db: Db, viewer: Viewer | null): Fragment {
  const hiddenIds = hiddenUserIds(db, viewer)
  const ownHeld = ownHeldCount(db, viewer, db`held.video_id = v.id and held.parent_id is null`)
  if (hiddenIds === null) return db`case when ${hasLead(db)} then v.comments_count + ${ownHeld} else 0 end`
  return db`(case when ${hasLead(db)} then v.comments_count + ${ownHeld} - (
    select coalesce(sum(hidden_comments.count), 0)
      from (select distinct id from (${hiddenIds}) hidden_users (id)) hidden_user
     cross join lateral (
       select count(*) as count from comments r
        where r.video_id = v.id and r.user_id = hidden_user.id and r.parent_id is null and ${isVisibleComment(db, 'r')}) hidden_comments) else 0 end)::int`
}

/** Returns the number of the viewer's own held comments `held` that match a condition. */
function ownHeldCount(db: Db, viewer: Viewer | null, condition: Fragment): Fragment {
  if (!viewer?.has_held_comments) return db`0`
  return db`(select count(*)::int from comments held
              where ${condition} and held.user_id = ${viewer.id} and held.status = 'hidden')`
}

/**
 * Returns the number of replies to the comments under `alias` in the viewer's list. `is true` keeps the planner from
 * turning the condition into a join that reads every comment of the hidden users for each row.
 */
export function listedRepliesCount(db: Db, viewer: Viewer | null, alias: 'c' | 'p'): Fragment {
  const count = db`${db(alias)}.replies_count`
  const hiddenIds = hiddenUserIds(db, viewer)
  const ownHeld = ownHeldCount(db, viewer, db`held.parent_id = ${db(alias)}.id`)
  if (hiddenIds === null) return db`(${count} + ${ownHeld})`
  return db`${ownHeld} + case when ${count} = 0 then 0 else ${count} - (
    select count(*) from comments r
     where r.parent_id = ${db(alias)}.id and ${isVisibleComment(db, 'r')} and (r.user_id in (${hiddenIds})) is true)::int end`
}

/**
 * Returns a condition: comments `c` appear in the viewer's list. In addition to the visible comments these are the
 * viewer's own held comments, which are marked as held.
 */
export function isListedFor(db: Db, viewer: Viewer | null): Fragment {
  if (viewer === null) return isVisibleTo(db, viewer, 'c')
  return db`(${isVisibleTo(db, viewer, 'c')} or (c.status = 'hidden' and c.user_id = ${viewer.id}))`
}

/** Returns the viewer's mute of author `u`, or null. Muted comments are delivered and collapsed by the client. */
export function authorMuteId(db: Db, viewer: Viewer | null): Fragment {
  if (viewer === null || !viewer.has_blocks_or_mutes) return db`null::bigint`
  return db`(select m.id from mutes m where m.user_id = ${viewer.id} and m.muted_id = u.id)`
}
