/** Reads everything of a user as lines of the export file, in batches by key, so that no list is in memory as a whole. */
import type { Db, Fragment } from '../../core/database/database.ts'
import { effectiveShape, metadataTextPairs } from '../../shared/bookmark-columns.ts'
import { settingFlagColumns } from '../../shared/user-columns.ts'
import { canSeeVideo, isInLibrary } from '../../shared/visibility.ts'

export interface ExportCounts {
  collections: number
  bookmarks: number
  likes: number
  following: number
  comments: number
  watched: number
  blocked: number
  mutes: number
}

/** A time as ISO 8601 in UTC with microseconds, which the driver's dates do not have. */
export function isoTimestamp(db: Db, time: Fragment): Fragment {
  return db`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

export async function countRows(db: Db, userId: number): Promise<ExportCounts> {
  const [counts] = await db<[ExportCounts]>`
    select (select count(*) from collections where user_id = ${userId}) as collections,
           (select count(*) from bookmarks b join videos v on v.id = b.video_id where ${isExported(db, userId)}) as bookmarks,
           (select count(*) from likes l join videos v on v.id = l.video_id
             where l.user_id = ${userId} and ${canSeeVideo(db, userId)}) as likes,
           (select count(*) from follows f join users u on u.id = f.followee_id
             where f.follower_id = ${userId} and u.banned_at is null) as following,
           (select count(*) from comments where user_id = ${userId}) as comments,
           (select count(*) from watched_videos w join videos v on v.id = w.video_id
             where w.user_id = ${userId} and ${canSeeVideo(db, userId)}) as watched,
           (select count(*) from blocks b join users u on u.id = b.blocked_id
             where b.blocker_id = ${userId} and u.banned_at is null) as blocked,
           (select count(*) from mutes m left join users u on u.id = m.muted_id
             where m.user_id = ${userId} and u.banned_at is null) as mutes`
  return counts
}

/** Bookmarks `b` of videos `v` that are exported: the user's own, including private and hidden ones, without the trash. */
function isExported(db: Db, userId: number): Fragment {
  return db`b.user_id = ${userId} and ${isInLibrary(db)}`
}

export interface ExportProfile {
  username: string
  default_bookmark_collection: number | null
  [field: string]: unknown
}

export async function readProfile(db: Db, userId: number): Promise<ExportProfile | null> {
  const [profile] = await db<ExportProfile[]>`
    select username, bio, default_bookmark_orientation, default_bookmark_collection,
           ${settingFlagColumns(db)}, notify_by_email
      from users where id = ${userId}`
  return profile ?? null
}

/** The key of the last row of a batch, after which the next batch begins. */
export interface BatchKey {
  at: string
  id: number
}
export const firstKey: BatchKey = { at: '-infinity', id: 0 }

/** The SQL for the batch after `after`, the oldest first: `and … order by … limit …`. */
export function nextBatch(db: Db, at: Fragment, id: Fragment, after: BatchKey, size: number): Fragment {
  return db`and (${at}, ${id}) > (${after.at}::text::timestamptz, ${after.id})
     order by ${at}, ${id} limit ${size}`
}

export interface CollectionLine {
  id: number
  position: number
  channel_ids: number[]
  line: string
}

/** Returns collections in order, each with all its channels. */
export async function readCollections(
  db: Db,
  userId: number,
  after: { position: number; id: number },
  size: number,
): Promise<CollectionLine[]> {
  return db<CollectionLine[]>`
    select c.id, c.position, array(select id from channels where collection_id = c.id order by position, id) as channel_ids,
           json_build_object(
             'name', c.name, 'description', c.description, 'access', c.access,
             'created_at', ${isoTimestamp(db, db`c.created_at`)}, 'is_watch_later', c.is_watch_later,
             'channels', (select coalesce(json_agg(json_build_object('name', name, 'description', description)
                                                   order by position, id), '[]')
                            from channels where collection_id = c.id))::text as line
      from collections c
     where c.user_id = ${userId} and (c.position, c.id) > (${after.position}, ${after.id})
     order by c.position, c.id limit ${size}`
}

export interface Line extends BatchKey {
  line: string
}
export interface BookmarkLine extends Line {
  collection_id: number
  channel_id: number | null
}

/** Returns bookmarks, the oldest first, with the video's fields as the owner sees them. */
export async function readBookmarks(
  db: Db,
  userId: number,
  after: BatchKey,
  size: number,
): Promise<BookmarkLine[]> {
  return db<BookmarkLine[]>`
    select b.id, b.created_at::text as at, b.collection_id, b.channel_id,
           json_build_object(
             'title', b.title, ${metadataTextPairs(db)}, 'tags', b.tags, 'access', b.access,
             'created_at', ${isoTimestamp(db, db`b.created_at`)},
             'video', json_build_object(
               'source_url', v.source_url, 'title', b.title, 'description', b.description, 'tags', b.tags,
               'embed_url', coalesce(b.embed_url, v.embed_url),
               'thumbnail_url', coalesce(b.thumbnail_source_url, v.thumbnail_source_url),
               'orientation', b.orientation, 'shape', ${effectiveShape(db)},
               'duration', coalesce(b.duration, v.duration), 'width', coalesce(b.width, v.width),
               'height', coalesce(b.height, v.height)))::text as line
      from bookmarks b join videos v on v.id = b.video_id
     where ${isExported(db, userId)} ${nextBatch(db, db`b.created_at`, db`b.id`, after, size)}`
}

/** Returns likes, the oldest first, of videos that the user may see: the link of another user's private video stays secret. */
export async function readLikes(db: Db, userId: number, after: BatchKey, size: number): Promise<Line[]> {
  return db<Line[]>`
    select l.video_id as id, l.created_at::text as at,
           json_build_object('source_url', v.source_url, 'created_at', ${isoTimestamp(db, db`l.created_at`)})::text as line
      from likes l join videos v on v.id = l.video_id
     where l.user_id = ${userId} and ${canSeeVideo(db, userId)}
       ${nextBatch(db, db`l.created_at`, db`l.video_id`, after, size)}`
}

export async function readFollowing(db: Db, userId: number, after: BatchKey, size: number): Promise<Line[]> {
  return db<Line[]>`
    select f.followee_id as id, f.created_at::text as at,
           json_build_object('username', u.username, 'followed_at', ${isoTimestamp(db, db`f.created_at`)})::text as line
      from follows f join users u on u.id = f.followee_id
     where f.follower_id = ${userId} and u.banned_at is null
       ${nextBatch(db, db`f.created_at`, db`f.followee_id`, after, size)}`
}

/** Returns the user's own comments, without the video's link if they may not see the video any more. */
export async function readComments(db: Db, userId: number, after: BatchKey, size: number): Promise<Line[]> {
  return db<Line[]>`
    select c.id, c.created_at::text as at,
           json_build_object(
             'source_url', case when ${canSeeVideo(db, userId)} then v.source_url else '' end,
             'content', c.content, 'is_reply', c.parent_id is not null,
             'created_at', ${isoTimestamp(db, db`c.created_at`)}, 'updated_at', ${isoTimestamp(db, db`c.updated_at`)})::text as line
      from comments c join videos v on v.id = c.video_id
     where c.user_id = ${userId} ${nextBatch(db, db`c.created_at`, db`c.id`, after, size)}`
}

/** Returns watched videos that the user may see, the earliest first. */
export async function readWatched(db: Db, userId: number, after: BatchKey, size: number): Promise<Line[]> {
  return db<Line[]>`
    select w.video_id as id, w.watched_at::text as at,
           json_build_object('source_url', v.source_url, 'watched_at', ${isoTimestamp(db, db`w.watched_at`)})::text as line
      from watched_videos w join videos v on v.id = w.video_id
     where w.user_id = ${userId} and ${canSeeVideo(db, userId)}
       ${nextBatch(db, db`w.watched_at`, db`w.video_id`, after, size)}`
}

export async function readBlocked(db: Db, userId: number, after: BatchKey, size: number): Promise<Line[]> {
  return db<Line[]>`
    select b.blocked_id as id, b.created_at::text as at,
           json_build_object('username', u.username, 'blocked_at', ${isoTimestamp(db, db`b.created_at`)})::text as line
      from blocks b join users u on u.id = b.blocked_id
     where b.blocker_id = ${userId} and u.banned_at is null
       ${nextBatch(db, db`b.created_at`, db`b.blocked_id`, after, size)}`
}

export async function readMutedUsers(db: Db, userId: number, after: BatchKey, size: number): Promise<Line[]> {
  return db<Line[]>`
    select m.id, m.created_at::text as at,
           json_build_object('username', u.username, 'muted_at', ${isoTimestamp(db, db`m.created_at`)})::text as line
      from mutes m join users u on u.id = m.muted_id
     where m.user_id = ${userId} and u.banned_at is null
       ${nextBatch(db, db`m.created_at`, db`m.id`, after, size)}`
}

export async function readMutedTags(db: Db, userId: number, after: BatchKey, size: number): Promise<Line[]> {
  return db<Line[]>`
    select m.id, m.created_at::text as at,
           json_build_object('tag', m.tag, 'muted_at', ${isoTimestamp(db, db`m.created_at`)})::text as line
      from mutes m
     where m.user_id = ${userId} and m.tag is not null
       ${nextBatch(db, db`m.created_at`, db`m.id`, after, size)}`
}
