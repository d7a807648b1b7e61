/** Who reads what of comments, as fragments of a statement: what waits or was removed, and who is out of whose sight. */
import type { Db, Fragment } from '../../core/database/database.ts'
import { hiddenUserIds, type VisibilityViewer } from '../../shared/user-visibility.ts'
import {
  canSeeBookmark,
  canSeeVideo,
  hasLead,
  hasOwnBookmark,
  isVisibleComment,
  isVisibleVideo,
} from '../../shared/visibility.ts'

export type CommentViewer = VisibilityViewer | null

/** Whether somebody may see what is said of videos `v`: whoever may see a bookmark of it. */
export function canReadComments(db: Db, viewer: CommentViewer): Fragment {
  if (viewer === null) return isVisibleVideo(db)
  return db`(${canSeeVideo(db, viewer.id)} or (${viewer.is_moderator} and ${hasLead(db)}))`
}

/**
 * Whether somebody may say something of videos `v`: not below the bookmark by which everyone finds it where its owner and
 * they are out of each other's sight, unless they keep the video themselves.
 */
export function canComment(db: Db, viewer: VisibilityViewer): Fragment {
  if (viewer.is_moderator || !viewer.has_blocks_or_mutes) return canReadComments(db, viewer)
  return db`(${canReadComments(db, viewer)} and (
    not exists (select from bookmarks lead
                 where lead.id = v.lead_bookmark_id and is_blocked_between(lead.user_id, ${viewer.id}))
    or ${hasOwnBookmark(db, viewer.id)}))`
}

/** Whose bookmark of videos `v` is looked at: of the one that was named, if it is theirs to see, else of the lead. */
export function bookmarkOwnerId(db: Db, viewer: CommentViewer, bookmarkId: number | null): Fragment {
  return db`(select b.user_id from bookmarks b
              where b.id = coalesce(${bookmarkId}::bigint, v.lead_bookmark_id) and b.video_id = v.id
                and ${canSeeBookmark(db, viewer)})`
}

/**
 * Whether somebody hears what comments of that alias say: not what is under review or was removed, nor across a block,
 * but moderators hear everyone.
 */
export function isVisibleTo(db: Db, viewer: CommentViewer, alias: 'c' | 'p'): Fragment {
  return db`${isVisibleComment(db, alias)} and ${isNotBlocked(db, viewer, alias)}`
}

function isNotBlocked(db: Db, viewer: CommentViewer, alias: 'c' | 'p'): Fragment {
  const hiddenIds = hiddenUserIds(db, viewer)
  if (hiddenIds === null) return db`true`
  const user = db`${db(alias)}.user_id`
  return db`(${user} is null or ${user} not in (${hiddenIds}))`
}

/** Whether somebody may look at comment `c` by itself: what is under review its author and moderators may too. */
export function canSeeComment(db: Db, viewer: CommentViewer): Fragment {
  if (viewer === null) return db`${isVisibleComment(db)} and ${hasVisibleParent(db)}`
  return db`(${isVisibleComment(db)} and ${hasVisibleParent(db)}
    or c.status = 'hidden' and (c.user_id = ${viewer.id} or ${viewer.is_moderator}))
    and ${isNotBlocked(db, viewer, 'c')}`
}

/** Not a reply to what is under review or was removed. */
function hasVisibleParent(db: Db): Fragment {
  return db`(c.parent_id is null
    or (select ${isVisibleComment(db, 'parent')} from comments parent where parent.id = c.parent_id))`
}

/** How many comments on videos `v` somebody hears: all but those of whom a block keeps apart, each looked up. */
export function visibleCommentsCount(db: Db, viewer: CommentViewer): Fragment {
  const hiddenIds = hiddenUserIds(db, viewer)
  if (hiddenIds === null) return db`v.comments_count`
  return db`(v.comments_count - (
    select coalesce(sum(theirs.count), 0)
      from (select distinct id from (${hiddenIds}) people (id)) apart
     cross join lateral (
       select count(*) as count from comments r
        where r.video_id = v.id and r.user_id = apart.id and r.parent_id is null and ${isVisibleComment(db, 'r')}) theirs))::int`
}

/**
 * How many replies to comments of that alias somebody hears. Replies are few: they are looked at where there are any.
 * `is true`, or it is planned as a join that looks for all that those people ever said, for each comment.
 */
export function visibleRepliesCount(db: Db, viewer: CommentViewer, alias: 'c' | 'p'): Fragment {
  const count = db`${db(alias)}.replies_count`
  const hiddenIds = hiddenUserIds(db, viewer)
  if (hiddenIds === null) return count
  return db`case when ${count} = 0 then 0 else ${count} - (
    select count(*) from comments r
     where r.parent_id = ${db(alias)}.id and ${isVisibleComment(db, 'r')} and (r.user_id in (${hiddenIds})) is true)::int end`
}

/**
 * The same, and what one said oneself and moderators have not looked at yet: it stands where it will be, marked as
 * waiting.
 */
export function isListedFor(db: Db, viewer: CommentViewer): Fragment {
  if (viewer === null) return isVisibleTo(db, viewer, 'c')
  return db`(${isVisibleTo(db, viewer, 'c')} or (c.status = 'hidden' and c.user_id = ${viewer.id}))`
}

/** Comments of muted people stay where they are, for what others answer them; it is for the page to fold them away. */
export function authorMuteId(db: Db, viewer: CommentViewer): Fragment {
  if (viewer === null || !viewer.has_blocks_or_mutes) return db`null::bigint`
  return db`(select m.id from mutes m where m.user_id = ${viewer.id} and m.muted_id = u.id)`
}
