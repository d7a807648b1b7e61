import type { Db } from '../../core/database.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import { lockOwnPlace, noSuch, type Place } from '../collections/cards.ts'
import { ownFact } from './cards.ts'
import { linksOf, type NewBookmark, type NewVideo } from './rules.ts'

/**
 * A save, in the caller's transaction: the place, the one video of that link, the bookmark. In this order of locks.
 * @throws InvalidFields for a place that is not one's own or a video that moderators removed, ApiError('already-saved').
 */
export async function keepBookmark(
  tx: Db,
  userId: number,
  { video, bookmark }: { video: NewVideo; bookmark: NewBookmark },
  named: { collection_id?: number | null; channel_id?: number | null },
): Promise<{ id: number; video: SavedVideo }> {
  const place = await lockPlace(tx, userId, named)
  const { access, hold_reason = null } = bookmark
  const isPublic = access === 'public' && place.access === 'public' && hold_reason === null
  const saved = await keepVideo(tx, userId, video, isPublic)
  return { id: await saveBookmark(tx, userId, saved.id, place, bookmark), video: saved }
}

/**
 * One's own collection, and the channel in it, locked until the transaction ends: first of all locks, and its access
 * stays what it is.
 * @throws InvalidFields where it is not there or not one's own, or neither is named.
 */
export async function lockPlace(
  db: Db,
  userId: number,
  named: { collection_id?: number | null; channel_id?: number | null },
): Promise<Place> {
  const { collection_id = null, channel_id = null } = named
  const field = channel_id === null ? 'collection_id' : 'channel_id'
  const refuse = (why: string, at: string = field) => new InvalidFields({ bookmark: { [at]: [why] } })
  if (collection_id === null && channel_id === null) throw refuse('This field is required.', 'channel_id')
  const place = await lockOwnPlace(db, userId, { collection_id, channel_id })
  if (place === null) throw refuse(noSuch(channel_id ?? collection_id))
  return place
}

export interface SavedVideo {
  id: number
  /** This save told where its picture is; nobody has asked for it to be fetched yet. */
  wants_picture: boolean
}

/**
 * The one video of that canonical link, locked. The first saver tells what it is; while nobody keeps it publicly, the
 * first public saver does so again, because what a private saver says is never shown to others: another private one's
 * own facts stand beside it.
 * @throws InvalidFields for a video that moderators removed.
 */
export async function keepVideo(
  db: Db,
  userId: number,
  video: NewVideo,
  isPublic: boolean,
): Promise<SavedVideo> {
  const wants_picture = video.thumbnail_source_url !== null
  const row = { ...video, words_by: userId, thumbnail_state: wants_picture ? 'pending' : 'none' }
  const is_refused = db`exists (
    select from refused_links where canonical_hash in (select url_hash(link) from unnest(${linksOf(video)}::text[]) link))`
  const [made] = await db<{ id: number; is_refused: boolean }[]>`
    insert into videos ${db(row)} on conflict (canonical_hash) do nothing
    returning id, ${is_refused} as is_refused`
  if (made?.is_refused) throw removed()
  if (made !== undefined) return { id: made.id, wants_picture }

  const [kept] = await db<{ id: number; status: string; words_are_private: boolean; is_refused: boolean }[]>`
    select id, status, ${is_refused} as is_refused, lead_bookmark_id is null and words_by <> ${userId} as words_are_private
      from videos where canonical_hash = url_hash(${video.canonical_url}) for no key update`
  // Only a video deleted between the two statements gets here; whoever tries again saves it anew.
  if (kept === undefined) throw new ApiError('unavailable', {}, 1)
  if (kept.status === 'removed' || kept.is_refused) throw removed()
  const { id } = kept
  if (!kept.words_are_private) return { id, wants_picture: false }
  if (!isPublic) {
    await keepOwnFacts(db, userId, id, video)
    return { id, wants_picture: false }
  }
  await db`update videos set ${db(row)}, thumbnail_key = null, thumbnail_large_key = null, updated_at = now() where id = ${id}`
  return { id, wants_picture }
}

async function keepOwnFacts(db: Db, userId: number, videoId: number, video: NewVideo): Promise<void> {
  const { embed_url, thumbnail_source_url, orientation, shape, duration, width, height } = video
  const facts = { embed_url, thumbnail_source_url, orientation, shape, duration, width, height }
  await db`
    insert into own_facts ${db({ ...facts, video_id: videoId, user_id: userId })}
    on conflict (video_id, user_id) do update set ${db(facts)}`
}

/** Also of what was removed for good, long ago: the row is gone then, and its link refused. */
function removed(): InvalidFields {
  return new InvalidFields({ video: { source_url: ['This video was removed by the moderators.'] } })
}

/**
 * The bookmark, in its place.
 * @throws ApiError('already-saved') with `bookmark_id` where the video is there already.
 */
export async function saveBookmark(
  db: Db,
  userId: number,
  videoId: number,
  place: Place,
  bookmark: NewBookmark,
): Promise<number> {
  const { collection_id, channel_id } = place
  const row = { ...bookmark, user_id: userId, video_id: videoId, collection_id, channel_id }
  const [saved] = await db<{ id: number }[]>`
    insert into bookmarks ${db(row)}
    on conflict (user_id, video_id, collection_id, channel_id) where deleted_at is null do nothing
    returning id`
  if (saved !== undefined) return saved.id
  const [there] = await db<{ id: number }[]>`
    select id from bookmarks
     where user_id = ${userId} and video_id = ${videoId} and collection_id = ${collection_id}
       and channel_id is not distinct from ${channel_id} and deleted_at is null`
  throw new ApiError('already-saved', { bookmark_id: there?.id })
}

/** What the player of a bookmark is made of; null where it is not visible to everyone and not `allowed` either. */
export async function readEmbed(
  db: Db,
  id: number,
  allowed: boolean,
): Promise<{ source_url: string; embed_url: string | null } | null> {
  const [video] = await db<{ source_url: string; embed_url: string | null }[]>`
    select v.source_url, ${ownFact(db, 'embed_url')} from bookmarks b join videos v on v.id = b.video_id
     where b.id = ${id} and (b.is_visible or (${allowed} and b.deleted_at is null and v.status <> 'removed'))`
  return video ?? null
}
