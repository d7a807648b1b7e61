import type { Db } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { isNotRemoved, isNotTrashed, isVisible } from '../../../shared/visibility.ts'
import {
  type Destination,
  lockOwnDestination,
  unknownDestinationError,
} from '../../collections/public-api.ts'
import { findExtraction } from '../extracted-facts.ts'
import type { Facts } from '../facts.ts'
import type { NewBookmark, NewVideo } from './rules.ts'
import { type UpsertedVideo, upsertVideo } from './upsert-videos.ts'

/** Returns the access of a user's new bookmarks whose request names none. */
export async function readDefaultAccess(db: Db, userId: number): Promise<NewBookmark['access']> {
  const [user] = await db<[{ default_bookmark_access: NewBookmark['access'] }]>`
    select default_bookmark_access from users where id = ${userId}`
  return user.default_bookmark_access
}

/**
 * Saves a video in the caller's transaction. Locks the destination, then the video, then inserts the bookmark.
 * @throws InvalidFields for a destination that is not the user's or a removed video, ApiError('already-saved').
 */
export async function saveBookmarkInTransaction(
  tx: Db,
  userId: number,
  { video, bookmark }: { video: NewVideo; bookmark: NewBookmark },
  named: { collection_id?: number | null; channel_id?: number | null },
): Promise<{ id: number; video: UpsertedVideo }> {
  const destination = await lockDestination(tx, userId, named)
  const { access, hold_reason = null } = bookmark
  const isPublic = access === 'public' && destination.access === 'public' && hold_reason === null
  const extracted = await findExtraction(tx, userId, video.identity.canonical_url)
  const saved = await upsertVideo(tx, withUploader(video, extracted), { isPublic, extracted })
  return {
    id: await insertBookmark(tx, userId, saved.id, destination, { ...bookmark, ...saved.own }),
    video: saved,
  }
}

/** Returns a video with the uploader that the server found, if the user submitted none: forms have no field for it. */
function withUploader(video: NewVideo, extracted: Facts | null): NewVideo {
  if (video.sent.uploader_name !== null || extracted === null) return video
  const { uploader_name, uploader_url } = extracted
  return { ...video, sent: { ...video.sent, uploader_name, uploader_url } }
}

/**
 * Locks a user's collection, and the channel in it, until the transaction ends, so that its access cannot change. Must be
 * the first lock of the transaction.
 * @throws InvalidFields if it does not exist or is not the user's, or neither is named.
 */
async function lockDestination(
  db: Db,
  userId: number,
  named: { collection_id?: number | null; channel_id?: number | null },
): Promise<Destination> {
  const { collection_id = null, channel_id = null } = named
  if (collection_id === null && channel_id === null) {
    throw new InvalidFields({ bookmark: { channel_id: ['This field is required.'] } })
  }
  const destination = await lockOwnDestination(db, userId, { collection_id, channel_id })
  if (destination !== null) return destination
  throw new InvalidFields({ bookmark: unknownDestinationError({ collection_id, channel_id }).body })
}

/**
 * Inserts a bookmark.
 * @throws ApiError('already-saved') with `bookmark_id` if the user has the video in that destination.
 */
export async function insertBookmark(
  db: Db,
  userId: number,
  videoId: number,
  destination: Destination,
  bookmark: NewBookmark & Partial<Facts> & { thumbnail_state?: string },
): Promise<number> {
  const { collection_id, channel_id } = destination
  const row = {
    ...bookmark,
    user_id: userId,
    video_id: videoId,
    collection_id,
    channel_id,
  }
  const [saved] = await db<{ id: number }[]>`
    insert into bookmarks ${db(row)}
    on conflict (user_id, video_id, collection_id, channel_id) where deleted_at is null do nothing
    returning id`
  if (saved !== undefined) return saved.id
  const [existing] = await db<{ id: number }[]>`
    select b.id from bookmarks b
     where b.user_id = ${userId} and b.video_id = ${videoId} and b.collection_id = ${collection_id}
       and b.channel_id is not distinct from ${channel_id} and ${isNotTrashed(db)}`
  throw new ApiError('already-saved', { bookmark_id: existing?.id })
}

/** Returns the links that determine a bookmark's player; null if it is not visible to everyone and not `allowed` either. */
export async function readEmbed(
  db: Db,
  id: number,
  allowed: boolean,
): Promise<{ source_url: string; embed_url: string | null } | null> {
  const [video] = await db<{ source_url: string; embed_url: string | null }[]>`
    select v.source_url, coalesce(b.embed_url, v.embed_url) as embed_url
      from bookmarks b join videos v on v.id = b.video_id
     where b.id = ${id} and (${isVisible(db)} or (${allowed} and ${isNotTrashed(db)} and ${isNotRemoved(db)}))`
  return video ?? null
}
