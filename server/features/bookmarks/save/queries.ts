import type { Db } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { canonicalLinks } from '../../../core/video-links/canonical-url.ts'
import { isNotRemoved, isNotTrashed, isVisible } from '../../../shared/visibility.ts'
import {
  type Destination,
  lockOwnDestination,
  unknownDestinationError,
} from '../../collections/public-api.ts'
import { findExtraction } from '../extracted-facts.ts'
import { divideFacts, type Facts, factColumns } from '../facts.ts'
import type { NewBookmark, NewVideo } from './rules.ts'

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
  const { identity, sent } = video
  const hasFacts = factColumns.some((column) => sent[column] !== null)
  const extracted = hasFacts ? await findExtraction(tx, userId, identity.canonical_url) : null
  const saved = await upsertVideo(tx, video, { isPublic, extracted })
  return {
    id: await insertBookmark(tx, userId, saved.id, destination, { ...bookmark, ...saved.own }),
    video: saved,
  }
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

export interface UpsertedVideo {
  id: number
  /** What the user submitted that the video does not have, and whether the bookmark needs a thumbnail of its own. */
  own: Facts & { thumbnail_state: 'none' | 'pending' }
  /** Whether the video got a new thumbnail link, which the caller must request to be fetched. */
  wants_picture: boolean
}

/**
 * Finds or creates the one video of a canonical link, and locks it. The video stores only what the server determined;
 * divideFacts() decides where the submitted facts are stored.
 * @throws InvalidFields for a video that moderators removed.
 */
export async function upsertVideo(
  db: Db,
  { identity, recognised, sent }: NewVideo,
  { isPublic, extracted }: { isPublic: boolean; extracted: Facts | null },
): Promise<UpsertedVideo> {
  const { canonical_url } = identity
  const sources = { sent, recognised, extracted, isPublic }

  const links = canonicalLinks(canonical_url, [recognised.embed_url, sent.embed_url])
  const is_refused = db`exists (
    select from refused_links where canonical_hash in (select url_hash(link) from unnest(${links}::text[]) link))`
  const divided = divideFacts({ ...sources, stored: { ...recognised, thumbnail_state: 'none' } })
  const row = { ...identity, ...recognised, ...divided.learned }
  // The thumbnail of a private save is stored with the bookmark, so that nothing of it crosses to another user.
  const wants_picture = isPublic && row.thumbnail_source_url !== null
  const withState = (own: Facts, isVideoPublic: boolean): UpsertedVideo['own'] => {
    const isOwn = own.thumbnail_source_url !== null
    const wantsStandard = !isPublic && !isVideoPublic && recognised.thumbnail_source_url !== null
    return { ...own, thumbnail_state: isOwn || wantsStandard ? 'pending' : 'none' }
  }
  const [created] = await db<{ id: number; is_refused: boolean }[]>`
    insert into videos ${db({ ...row, thumbnail_state: wants_picture ? 'pending' : 'none' })}
    on conflict (canonical_hash) do nothing
    returning id, ${is_refused} as is_refused`
  if (created?.is_refused) {
    // An import goes on with its transaction, which must not leave a video without a bookmark.
    await db`delete from videos where id = ${created.id}`
    throw removedVideoError()
  }
  if (created !== undefined) return { id: created.id, own: withState(divided.own, false), wants_picture }

  const [existing] = await db<StoredVideo[]>`
    select id, status, saves_count, ${is_refused} as is_refused, thumbnail_state, ${db.unsafe(factColumns.join(', '))}
      from videos where canonical_hash = url_hash(${canonical_url}) for no key update`
  // Only a video deleted between the two statements gets here; another attempt creates it.
  if (existing === undefined) throw new ApiError('unavailable', {}, 1)
  if (existing.status === 'removed' || existing.is_refused) throw removedVideoError()
  const { own, learned } = divideFacts({ ...sources, stored: existing })
  const isFirstPublic =
    isPublic && existing.thumbnail_state === 'none' && existing.thumbnail_source_url !== null
  const hasNewPicture = learned.thumbnail_source_url !== undefined || isFirstPublic
  const changes = hasNewPicture ? { ...learned, thumbnail_state: 'pending' } : learned
  if (Object.keys(changes).length > 0) {
    await db`update videos set ${db(changes)}, updated_at = now() where id = ${existing.id}`
  }
  return { id: existing.id, own: withState(own, existing.saves_count > 0), wants_picture: hasNewPicture }
}

type StoredVideo = Facts & {
  id: number
  status: string
  saves_count: number
  is_refused: boolean
  thumbnail_state: string
}

/** Returns the error for a removed video. After a permanent removal there is no row any more, only the refused link. */
function removedVideoError(): InvalidFields {
  return new InvalidFields({ video: { source_url: ['This video was removed by the moderators.'] } })
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
