/** Who reads what of comments, as fragments of a statement: what waits or was removed, and who is out of whose sight. */
import type { Fragment } from 'postgres'
import type { Db } from '../../core/database.ts'
import { unseenPeople, type Watcher } from '../blocks/cards.ts'
import {
  canSeeBookmark,
  canSeeVideo,
  hasLead,
  hasOwnBookmark,
  isVisibleComment,
  isVisibleVideo,
} from '../bookmarks/visibility.ts'

export type Asker = Watcher | null

/** Whether somebody may see what is said of videos `v`: whoever may see a bookmark of it. */
export function mayRead(db: Db, viewer: Asker): Fragment {
  if (viewer === null) return isVisibleVideo(db)
  return db`(${canSeeVideo(db, viewer.id)} or (${viewer.is_moderator} and ${hasLead(db)}))`
}

/**
 * Whether somebody may say something of videos `v`: not below the bookmark by which everyone finds it where its owner and
 * they are out of each other's sight, unless they keep the video themselves.
 */
export function maySay(db: Db, viewer: Watcher): Fragment {
  if (viewer.is_moderator || !viewer.has_unseen) return mayRead(db, viewer)
  return db`(${mayRead(db, viewer)} and (
    not exists (select from bookmarks lead
                 where lead.id = v.lead_bookmark_id and is_blocked_between(lead.user_id, ${viewer.id}))
    or ${hasOwnBookmark(db, viewer.id)}))`
}

/** Whose bookmark of videos `v` is looked at: of the one that was named, if it is theirs to see, else of the lead. */
export function authorOf(db: Db, viewer: Asker, bookmarkId: number | null): Fragment {
  return db`(select b.user_id from bookmarks b
              where b.id = coalesce(${bookmarkId}::bigint, v.lead_bookmark_id) and b.video_id = v.id
                and ${canSeeBookmark(db, viewer)})`
}

/**
 * Whether somebody hears what comments of that alias say: not what is under review or was removed, nor across a block,
 * but moderators hear everyone.
 */
export function hears(db: Db, viewer: Asker, alias: 'c' | 'p'): Fragment {
  return db`${isVisibleComment(db, alias)} and ${isInSight(db, viewer, alias)}`
}

function isInSight(db: Db, viewer: Asker, alias: 'c' | 'p'): Fragment {
  const unseen = unseenPeople(db, viewer)
  if (unseen === null) return db`true`
  const user = db`${db(alias)}.user_id`
  return db`(${user} is null or ${user} not in (${unseen}))`
}

/** Whether somebody may look at comment `c` by itself: what is under review its author and moderators may too. */
export function maySeeComment(db: Db, viewer: Asker): Fragment {
  if (viewer === null) return db`${isVisibleComment(db)} and ${isUnderVisible(db)}`
  return db`(${isVisibleComment(db)} and ${isUnderVisible(db)}
    or c.status = 'hidden' and (c.user_id = ${viewer.id} or ${viewer.is_moderator}))
    and ${isInSight(db, viewer, 'c')}`
}

/** Not a reply to what is under review or was removed. */
function isUnderVisible(db: Db): Fragment {
  return db`(c.parent_id is null
    or (select ${isVisibleComment(db, 'parent')} from comments parent where parent.id = c.parent_id))`
}

/** How many comments on videos `v` somebody hears: all but those of whom a block keeps apart, each looked up. */
export function commentsHeard(db: Db, viewer: Asker): Fragment {
  const unseen = unseenPeople(db, viewer)
  if (unseen === null) return db`v.comments_count`
  return db`(v.comments_count - (
    select coalesce(sum(theirs.count), 0)
      from (select distinct id from (${unseen}) people (id)) apart
     cross join lateral (
       select count(*) as count from comments r
        where r.video_id = v.id and r.user_id = apart.id and r.parent_id is null and ${isVisibleComment(db, 'r')}) theirs))::int`
}

/**
 * How many replies to comments of that alias somebody hears. Replies are few: they are looked at where there are any.
 * `is true`, or it is planned as a join that looks for all that those people ever said, for each comment.
 */
export function repliesHeard(db: Db, viewer: Asker, alias: 'c' | 'p'): Fragment {
  const count = db`${db(alias)}.replies_count`
  const unseen = unseenPeople(db, viewer)
  if (unseen === null) return count
  return db`case when ${count} = 0 then 0 else ${count} - (
    select count(*) from comments r
     where r.parent_id = ${db(alias)}.id and ${isVisibleComment(db, 'r')} and (r.user_id in (${unseen})) is true)::int end`
}

/**
 * The same, and what one said oneself and moderators have not looked at yet: it stands where it will be, marked as
 * waiting.
 */
export function hearsInList(db: Db, viewer: Asker): Fragment {
  if (viewer === null) return hears(db, viewer, 'c')
  return db`(${hears(db, viewer, 'c')} or (c.status = 'hidden' and c.user_id = ${viewer.id}))`
}

/** Comments of muted people stay where they are, for what others answer them; it is for the page to fold them away. */
export function muteOf(db: Db, viewer: Asker): Fragment {
  if (viewer === null || !viewer.has_unseen) return db`null::bigint`
  return db`(select m.id from mutes m where m.user_id = ${viewer.id} and m.muted_id = u.id)`
}
