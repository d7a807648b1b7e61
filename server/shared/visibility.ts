/**
 * Conditions for who may see which bookmarks, videos, collections and comments. Every query uses them instead of restating
 * them (visibility.test.ts). The terms are those of GLOSSARY.md; triggers maintain the flags of bookmarks
 * (server/migrations). Unless an alias is passed, bookmarks are `b`, videos `v`, collections `c`.
 */
import type { Viewer } from '../core/auth/session.ts'
import type { Db, Fragment } from '../core/database/database.ts'

/** Bookmarks that everyone may see. */
export function isVisible(db: Db, alias = 'b'): Fragment {
  return db`${db(alias)}.is_visible`
}

/** Bookmarks that represent their video in Explore. */
export function isListed(db: Db, alias = 'b'): Fragment {
  return db`${db(alias)}.is_listed`
}

/** Bookmarks that everyone may see unless the video is under review or removed. */
export function isPublic(db: Db, alias = 'b'): Fragment {
  return db`${db(alias)}.is_public`
}

/** Bookmarks that a content rule withholds from everyone but their owner and moderators. */
export function isHeld(db: Db, alias = 'b'): Fragment {
  return db`${db(alias)}.is_held`
}

/** Bookmarks that are in their owner's trash. */
export function isTrashed(db: Db, alias = 'b'): Fragment {
  return db`${db(alias)}.deleted_at is not null`
}

/** Bookmarks that are not in the trash. */
export function isNotTrashed(db: Db, alias = 'b'): Fragment {
  return db`${db(alias)}.deleted_at is null`
}

/** Bookmarks of owners `u` whose flags do not match their collection and owner yet: a job refreshes them. */
export function isOutdated(db: Db): Fragment {
  return db`(${isPublic(db)} or ${isHeld(db)}) <> is_shared(b.access, c.access, b.deleted_at, u.banned_at)`
}

/** Videos that are neither under review nor removed. */
export function isShownVideo(db: Db, alias = 'v'): Fragment {
  return db`${db(alias)}.status = 'visible'`
}

/** Videos that no moderator removed. */
export function isNotRemoved(db: Db, alias = 'v'): Fragment {
  return db`${db(alias)}.status <> 'removed'`
}

/** Videos that have a public bookmark to represent them. */
export function hasLead(db: Db, alias = 'v'): Fragment {
  return db`${db(alias)}.lead_bookmark_id is not null`
}

/** Videos that everyone may see. */
export function isVisibleVideo(db: Db, alias = 'v'): Fragment {
  return db`(${isShownVideo(db, alias)} and ${hasLead(db, alias)})`
}

/** Bookmarks in the library of their owner: not in the trash, and of videos `v` that no moderator removed. */
export function isInLibrary(db: Db): Fragment {
  return db`(${isNotTrashed(db)} and ${isNotRemoved(db)})`
}

/**
 * The same condition without joining videos. For bookmarks that are not visible, the video is looked up in the index of the few
 * videos under review or removed.
 */
export function isInLibraryUnjoined(db: Db): Fragment {
  return db`${isNotTrashed(db)} and (${isVisible(db)}
    or (select own.status = 'removed' from videos own where own.id = b.video_id and own.status <> 'visible') is not true)`
}

/**
 * Bookmarks that a viewer may see. Visitors see visible ones; owners also see theirs outside the trash; moderators also see
 * public ones of hidden and removed videos, and others only while an open report names them.
 */
export function canSeeBookmark(db: Db, viewer: Viewer | null): Fragment {
  if (viewer === null) return isVisible(db)
  return db`${isNotTrashed(db)} and (
    ${isVisible(db)}
    or (b.user_id = ${viewer.id} and ${isNotRemoved(db)})
    ${
      viewer.is_moderator
        ? db`or ${isPublic(db)}
             or exists (select from reports r where r.bookmark_id = b.id and r.status = 'open')`
        : db``
    })`
}

/** Bookmarks of videos `v` that a user (null: a visitor) may see pinned to a profile: visible ones, and their own in the library. */
export function canSeePinned(db: Db, userId: number | null): Fragment {
  return db`(${isVisible(db)} or (b.user_id = ${userId}::bigint and ${isInLibrary(db)}))`
}

/** Tags `t` of bookmarks that everyone may see. */
export function isVisibleTag(db: Db): Fragment {
  return db`t.uses_count > 0`
}

/** Tags `t` of visible bookmarks that are not adult content. Those that were never counted are looked up. */
export function isSfwTag(db: Db): Fragment {
  return db`(t.sfw_uses_count > 0 or t.sfw_uses_count is null and exists (
    select from bookmarks b
     where ${isVisible(db)} and b.effective_orientation = 'sfw' and t.name = any (b.tags)
       and b.search_vector @@ array_to_tsvector(array['tag:' || t.name])::text::tsquery))`
}

/** Videos that the user has saved. */
export function hasOwnBookmark(db: Db, userId: number): Fragment {
  return db`exists (
    select from bookmarks own where own.user_id = ${userId} and own.video_id = v.id and ${isNotTrashed(db, 'own')})`
}

/** Videos that a user may see: visible ones, and those they saved; moderators also those under review. */
export function canSeeVideo(db: Db, userId: number, isModerator = false): Fragment {
  return db`(((${isShownVideo(db)} or ${isModerator}) and ${hasLead(db)})
    or (${isNotRemoved(db)} and ${hasOwnBookmark(db, userId)}))`
}

/**
 * The number of likes of videos `v` that a user (null: a visitor) may see: only their own while no bookmark of the video is
 * public, because the others would reveal that other users have it.
 */
export function visibleLikesCount(db: Db, userId: number | null): Fragment {
  return db`case when ${hasLead(db)} then v.likes_count
    else (select count(*)::int from likes own where own.user_id = ${userId}::bigint and own.video_id = v.id) end`
}

/** Collections that a user (null: a visitor) may see. */
export function canSeeCollection(db: Db, userId: number | null): Fragment {
  return db`(c.access = 'public' or c.user_id = ${userId}::bigint)`
}

/** Smart collections `s` that a user (null: a visitor) may see unless their owner is banned. */
export function canSeeSmartCollection(db: Db, userId: number | null): Fragment {
  return db`(s.deleted_at is null and (s.access = 'public' or s.user_id = ${userId}::bigint))`
}

/** Collections that everyone may see unless their owner is banned. */
export function isPublicCollection(db: Db, alias = 'c'): Fragment {
  return db`${db(alias)}.access = 'public'`
}

/** Bookmarks that a user (null: a visitor) may see in a collection: visible ones, and their own outside the trash. */
export function canSeeInCollection(db: Db, userId: number | null): Fragment {
  return db`(${isVisible(db)} or (c.user_id = ${userId}::bigint and ${isNotTrashed(db)}))`
}

/** Bookmarks that a secret link of their collection can show: neither held, in the trash, nor of a video under review. */
export function isLinkable(db: Db): Fragment {
  return db`(${isNotTrashed(db)} and b.hold_reason is null and ${isShownVideo(db)})`
}

/**
 * The same condition without joining videos, and without reading bookmarks that an index contains: the few that are held, and the
 * few videos under review or removed, have indexes of their own.
 */
export function isLinkableUnjoined(db: Db): Fragment {
  return db`(${isNotTrashed(db)}
    and not exists (select from bookmarks held where held.id = b.id and held.hold_reason is not null)
    and not exists (select from videos own where own.id = b.video_id and own.status <> 'visible'))`
}

/** Bookmarks that the secret link `l` of their collection shows, whatever the access of the collection. */
export function isShownByLink(db: Db): Fragment {
  return db`(${isLinkable(db)} and (b.access = 'public' or l.shows_private))`
}

/** The same condition without joining videos. */
export function isShownByLinkUnjoined(db: Db): Fragment {
  return db`(${isLinkableUnjoined(db)} and (b.access = 'public' or l.shows_private))`
}

/** Comments that are neither under review nor removed. */
export function isVisibleComment(db: Db, alias = 'c'): Fragment {
  return db`${db(alias)}.status = 'visible'`
}
