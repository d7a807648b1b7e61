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
 * divideFacts() decides where the submitted facts are stored. Runs the same statements for a new video and for an
 * existing one that is only saved privately, so that their duration does not tell which it is.
 * @throws InvalidFields for a video that moderators removed.
 */
export async function upsertVideo(
  db: Db,
  video: NewVideo,
  { isPublic, extracted }: { isPublic: boolean; extracted: Facts | null },
): Promise<UpsertedVideo> {
  const { identity, recognised, sent } = video
  const links = canonicalLinks(identity.canonical_url, [recognised.embed_url, sent.embed_url])
  const stored = await lockVideo(db, video, links)
  if (stored.status === 'removed' || stored.is_refused) {
    // An import goes on with its transaction, which must not leave a video without a bookmark.
    if (stored.is_new) await db`delete from videos where id = ${stored.id}`
    throw removedVideoError()
  }
  const { own, learned } = divideFacts({ sent, recognised, extracted, isPublic, stored })
  const link = learned.thumbnail_source_url ?? stored.thumbnail_source_url
  const isNewLink = learned.thumbnail_source_url !== undefined
  // The thumbnail of a private save is stored with the bookmark, so that nothing of it crosses to another user.
  const wants_picture = isPublic && link !== null && (isNewLink || stored.thumbnail_state === 'none')
  const changes = wants_picture
    ? { ...learned, thumbnail_state: 'pending', thumbnail_failures: 0, thumbnail_retry_at: null }
    : learned
  if (Object.keys(changes).length > 0) {
    await db`update videos set ${db(changes)}, updated_at = now() where id = ${stored.id}`
  }
  const isOwn = own.thumbnail_source_url !== null
  const wantsStandard = !isPublic && stored.saves_count === 0 && recognised.thumbnail_source_url !== null
  const thumbnail_state = isOwn || wantsStandard ? 'pending' : 'none'
  return { id: stored.id, own: { ...own, thumbnail_state }, wants_picture }
}

type StoredVideo = Facts & {
  id: number
  status: string
  saves_count: number
  is_refused: boolean
  thumbnail_state: string
  /** Whether this call created it. */
  is_new: boolean
}

/**
 * Returns and locks the video of a link, which is created if it does not exist.
 * @param links the canonical links of the page and its players: the video is refused if one of them is
 */
async function lockVideo(db: Db, { identity, recognised }: NewVideo, links: string[]): Promise<StoredVideo> {
  // A job may delete an unused video between the two statements; the next attempt creates it again.
  for (let attempt = 0; attempt < 5; attempt++) {
    // On any conflict: concurrent inserts of one link have the same id, too.
    const created = await db`insert into videos ${db({ ...identity, ...recognised })} on conflict do nothing`
    const [stored] = await db<Omit<StoredVideo, 'is_new'>[]>`
      select id, status, saves_count, thumbnail_state, ${db.unsafe(factColumns.join(', '))},
             exists (select from refused_links
                      where canonical_hash in (select url_hash(link) from unnest(${links}::text[]) link)) as is_refused
        from videos where canonical_hash = url_hash(${identity.canonical_url}) for no key update`
    if (stored !== undefined) return { ...stored, is_new: created.count > 0 }
  }
  throw new ApiError('unavailable', {}, 1)
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
