/** Reads everything of a user as lines of the export file, in batches by key, so that no list is in memory as a whole. */
import type { Db, Fragment } from '../../core/database/database.ts'
import {
  effectiveShape,
  metadataTextPairs,
  pictureKey,
  uploaderName,
  uploaderUrl,
} from '../../shared/bookmark-columns.ts'
import { orderKey } from '../../shared/order-keys.ts'
import { privacyColumns, settingFlagColumns } from '../../shared/user-columns.ts'
import { canSeeCollection, canSeeVideo, isInLibrary } from '../../shared/visibility.ts'

export interface ExportCounts {
  collections: number
  bookmarks: number
  timed_notes: number
  likes: number
  following: number
  followed_lists: number
  comments: number
  watched: number
  playback_positions: number
  blocked: number
  mutes: number
  smart_collections: number
}

/** A time as ISO 8601 in UTC with microseconds, which the driver's dates do not have. */
export function isoTimestamp(db: Db, time: Fragment): Fragment {
  return db`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

export async function countRows(db: Db, userId: number): Promise<ExportCounts> {
  const [counts] = await db<[ExportCounts]>`
    select (select count(*) from collections where user_id = ${userId}) as collections,
           (select count(*) from bookmarks b join videos v on v.id = b.video_id where ${isExported(db, userId)}) as bookmarks,
           (select count(*) from timed_notes where user_id = ${userId}) as timed_notes,
           (select count(*) from likes l join videos v on v.id = l.video_id
             where l.user_id = ${userId} and ${canSeeVideo(db, userId)}) as likes,
           (select count(*) from follows f join users u on u.id = f.followee_id
             where f.follower_id = ${userId} and u.banned_at is null) as following,
           (select count(*) from followed_lists f ${joinFollowedCollections(db)}
             where f.user_id = ${userId} and (f.tag is not null or ${isFollowedVisibly(db, userId)})) as followed_lists,
           (select count(*) from comments where user_id = ${userId}) as comments,
           (select count(*) from watched_videos w join videos v on v.id = w.video_id
             where w.user_id = ${userId} and ${canSeeVideo(db, userId)}) as watched,
           (select count(*) from playback_positions p join videos v on v.id = p.video_id
             where p.user_id = ${userId} and ${canSeeVideo(db, userId)}) as playback_positions,
           (select count(*) from blocks b join users u on u.id = b.blocked_id
             where b.blocker_id = ${userId} and u.banned_at is null) as blocked,
           (select count(*) from mutes m left join users u on u.id = m.muted_id
             where m.user_id = ${userId} and u.banned_at is null) as mutes,
           (select count(*) from smart_collections where user_id = ${userId}) as smart_collections`
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
           ${settingFlagColumns(db)}, ${privacyColumns(db)}, notify_by_email, is_history_paused
      from users where id = ${userId}`
  return profile ?? null
}

/** The key of the last row of a batch, after which the next batch begins. */
export interface BatchKey {
  at: string
  id: number
}
const firstKey: BatchKey = { at: '-infinity', id: 0 }

/** How many rows one query reads. */
export const batchSize = 500

/** Yields rows batch by batch. `read` returns at most `batchSize` rows. */
export async function* readBatches<Row extends BatchKey>(
  read: (after: BatchKey) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after = firstKey
  for (;;) {
    const rows = await read(after)
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return
    after = last
  }
}

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
             'list_order', c.list_order,
             'channels', (select coalesce(json_agg(json_build_object('name', name, 'description', description,
                                                                     'list_order', list_order)
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
  /** The media key of the stored picture that its owner sees. */
  picture_key: string | null
}

/** Returns bookmarks, the oldest first, with the video's fields as the owner sees them. */
export async function readBookmarks(
  db: Db,
  userId: number,
  after: BatchKey,
  size: number,
): Promise<BookmarkLine[]> {
  return db<BookmarkLine[]>`
    select b.id, b.created_at::text as at, b.collection_id, b.channel_id, ${pictureKey(db)} as picture_key,
           json_build_object(
             'title', b.title, ${metadataTextPairs(db)}, 'tags', b.tags, 'access', b.access,
             'private_note', b.private_note, 'created_at', ${isoTimestamp(db, db`b.created_at`)},
             'start_seconds', b.start_seconds, 'collection_order_key', ${orderKey(db, 'collection')},
             'channel_order_key', case when b.channel_id is not null then ${orderKey(db, 'channel')} end,
             'video', json_build_object(
               'source_url', v.source_url, 'title', b.title, 'description', b.description, 'tags', b.tags,
               'embed_url', coalesce(b.embed_url, v.embed_url),
               'thumbnail_url', coalesce(b.thumbnail_source_url, v.thumbnail_source_url),
               'orientation', b.orientation, 'shape', ${effectiveShape(db)},
               'duration', coalesce(b.duration, v.duration), 'width', coalesce(b.width, v.width),
               'height', coalesce(b.height, v.height), 'uploader_name', ${uploaderName(db)},
               'uploader_url', ${uploaderUrl(db)}))::text as line
      from bookmarks b join videos v on v.id = b.video_id
     where ${isExported(db, userId)} ${nextBatch(db, db`b.created_at`, db`b.id`, after, size)}`
}

/** Returns notes, the oldest first. The link of a video that the user may not see any more stays secret. */
export async function readTimedNotes(db: Db, userId: number, after: BatchKey, size: number): Promise<Line[]> {
  return db<Line[]>`
    select n.id, n.created_at::text as at,
           json_build_object(
             'source_url', case when ${canSeeVideo(db, userId)} then v.source_url else '' end,
             'seconds', n.seconds, 'text', n.text, 'access', n.access,
             'created_at', ${isoTimestamp(db, db`n.created_at`)})::text as line
      from timed_notes n join bookmarks b on b.id = n.bookmark_id join videos v on v.id = b.video_id
     where n.user_id = ${userId} ${nextBatch(db, db`n.created_at`, db`n.id`, after, size)}`
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

function joinFollowedCollections(db: Db): Fragment {
  return db`left join channels ch on ch.id = f.channel_id
            left join collections c on c.id = coalesce(f.collection_id, ch.collection_id)
            left join users u on u.id = c.user_id`
}

/** Collections `c` of users `u` whose names their follower may still see. */
function isFollowedVisibly(db: Db, userId: number): Fragment {
  return db`(u.banned_at is null and ${canSeeCollection(db, userId)} and not is_blocked_between(${userId}, c.user_id))`
}

export async function readFollowedCollections(
  db: Db,
  userId: number,
  after: BatchKey,
  size: number,
): Promise<Line[]> {
  return db<Line[]>`
    select f.id, f.created_at::text as at,
           json_build_object('username', u.username, 'collection', c.name, 'channel', ch.name,
                             'followed_at', ${isoTimestamp(db, db`f.created_at`)})::text as line
      from followed_lists f ${joinFollowedCollections(db)}
     where f.user_id = ${userId} and c.id is not null and ${isFollowedVisibly(db, userId)}
       ${nextBatch(db, db`f.created_at`, db`f.id`, after, size)}`
}

export async function readFollowedTags(
  db: Db,
  userId: number,
  after: BatchKey,
  size: number,
): Promise<Line[]> {
  return db<Line[]>`
    select f.id, f.created_at::text as at,
           json_build_object('tag', f.tag, 'followed_at', ${isoTimestamp(db, db`f.created_at`)})::text as line
      from followed_lists f
     where f.user_id = ${userId} and f.tag is not null
       ${nextBatch(db, db`f.created_at`, db`f.id`, after, size)}`
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

/** Returns where the user stopped watching videos that they may see, the earliest first. */
export async function readPositions(db: Db, userId: number, after: BatchKey, size: number): Promise<Line[]> {
  return db<Line[]>`
    select p.video_id as id, p.updated_at::text as at,
           json_build_object('source_url', v.source_url, 'seconds', p.seconds,
                             'updated_at', ${isoTimestamp(db, db`p.updated_at`)})::text as line
      from playback_positions p join videos v on v.id = p.video_id
     where p.user_id = ${userId} and ${canSeeVideo(db, userId)}
       ${nextBatch(db, db`p.updated_at`, db`p.video_id`, after, size)}`
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

interface SmartCollectionLine extends Line {
  /** The collection and channel that its query is limited to. */
  collection_id: number | null
  channel_id: number | null
}

/** Returns smart collections, the oldest first. */
export async function readSmartCollections(
  db: Db,
  userId: number,
  after: BatchKey,
  size: number,
): Promise<SmartCollectionLine[]> {
  return db<SmartCollectionLine[]>`
    select s.id, s.created_at::text as at,
           coalesce(ch.collection_id, (s.query ->> 'collection')::bigint) as collection_id,
           (s.query ->> 'channel')::bigint as channel_id,
           json_build_object(
             'name', s.name, 'description', s.description, 'access', s.access,
             'query', s.query - 'collection' - 'channel', 'created_at', ${isoTimestamp(db, db`s.created_at`)},
             'deleted_at', ${isoTimestamp(db, db`s.deleted_at`)})::text as line
      from smart_collections s
      left join channels ch on ch.id = (s.query ->> 'channel')::bigint
     where s.user_id = ${userId} ${nextBatch(db, db`s.created_at`, db`s.id`, after, size)}`
}
