/** Queries for thumbnails of videos, and of bookmarks whose owner named one. */
import type { Db, Fragment, Sql } from '../../../core/database/database.ts'
import { maxHashDistance } from '../../../core/media/perceptual-hash.ts'
import type { Picture, VariantName } from '../../../core/media/process.ts'
import { isInLibrary, isNotRemoved } from '../../../shared/visibility.ts'

/** What a thumbnail belongs to. */
export type ThumbnailOwner = { video_id: number } | { bookmark_id: number }

export interface PendingThumbnail {
  owner: ThumbnailOwner
  video_id: number
  source_url: string
  thumbnail_source_url: string | null
  /** Whether the host's standard thumbnail is fetched if the named one cannot be. */
  can_be_standard: boolean
}

/** The media keys of both sizes. */
export type ThumbnailKeys = Record<VariantName, string>

/**
 * Returns the thumbnail of a video or bookmark if it is pending, else null. A video has one only while it has a public
 * bookmark.
 */
export async function findPendingThumbnail(db: Db, owner: ThumbnailOwner): Promise<PendingThumbnail | null> {
  const [row] =
    'video_id' in owner
      ? await db<Omit<PendingThumbnail, 'owner'>[]>`
          select v.id as video_id, v.source_url, v.thumbnail_source_url, true as can_be_standard from videos v
           where v.id = ${owner.video_id} and v.thumbnail_state = 'pending' and v.saves_count > 0
             and ${isNotRemoved(db)}`
      : await db<Omit<PendingThumbnail, 'owner'>[]>`
          select v.id as video_id, v.source_url, b.thumbnail_source_url, v.saves_count = 0 as can_be_standard
            from bookmarks b join videos v on v.id = b.video_id
           where b.id = ${owner.bookmark_id} and b.thumbnail_state = 'pending' and ${isNotRemoved(db)}`
  return row === undefined ? null : { ...row, owner }
}

/** Returns up to a hundred owners of thumbnails that have been pending for that many minutes, in random order. */
export async function findOldPendingThumbnails(db: Db, minutes: number): Promise<ThumbnailOwner[]> {
  const rows = await db<{ video_id: number | null; bookmark_id: number | null }[]>`
    select * from (
      select id as video_id, null::bigint as bookmark_id from videos where thumbnail_state = 'pending' and ${isOlder(db, minutes)}
      union all
      select null, id from bookmarks where thumbnail_state = 'pending' and ${isOlder(db, minutes)}) pending
     order by random() limit 100`
  return rows.map(({ video_id, bookmark_id }) =>
    video_id === null ? { bookmark_id: bookmark_id as number } : { video_id },
  )
}

function isOlder(db: Db, minutes: number): Fragment {
  return db`updated_at < now() - ${minutes}::int * interval '1 minute'`
}

/**
 * Stores a thumbnail and sets the shape if it is unknown. Returns false, and stores nothing, if the thumbnail is not
 * wanted any more: another one was named, the video was removed, or it has no public bookmark any more.
 */
export function saveThumbnail(
  db: Sql,
  { owner, video_id, thumbnail_source_url }: PendingThumbnail,
  keys: ThumbnailKeys,
  { shape, hash }: { shape: Picture['shape'] | null; hash: string | null },
): Promise<boolean> {
  return db.begin(async (tx) => {
    // Locked, so that a removal for good happens either before this or after it, and then deletes this picture.
    const [video] = await tx<{ is_public: boolean; shape: string | null }[]>`
      select v.saves_count > 0 as is_public, v.shape from videos v where v.id = ${video_id} and ${isNotRemoved(tx)}
         for no key update`
    const isOfVideo = 'video_id' in owner
    if (video === undefined || (isOfVideo && !video.is_public)) return false
    const newShape = isOfVideo || video.shape === null ? shape : null
    const saved = await tx`
      update ${ownerTable(tx, owner)}
         set thumbnail_key = ${keys.small}, thumbnail_large_key = ${keys.large}, thumbnail_state = 'ready',
             thumbnail_hash = ${hash}::bit(64), updated_at = now(), shape = coalesce(shape, ${newShape}),
             thumbnail_failures = 0, thumbnail_retry_at = null
       where ${isUnchanged(tx, owner, thumbnail_source_url)}`
    return saved.count > 0
  })
}

/** Marks a thumbnail that cannot be fetched as failed. It is fetched again later, except if it is refused. */
export async function markThumbnailFailed(
  db: Db,
  { owner, thumbnail_source_url }: Pick<PendingThumbnail, 'owner' | 'thumbnail_source_url'>,
  { isRefused = false } = {},
): Promise<void> {
  const failure = isRefused ? db`thumbnail_state = 'failed', thumbnail_retry_at = null` : failedThumbnail(db)
  await db`
    update ${ownerTable(db, owner)} set ${failure}, updated_at = now()
     where ${isUnchanged(db, owner, thumbnail_source_url)}`
}

/** In days: how long after each failure a thumbnail is fetched again. After the last attempt it is given up. */
const retryAfterDays = [1, 7, 30]

/** The assignments that mark a thumbnail as failed and set when it is fetched again. */
function failedThumbnail(db: Db): Fragment {
  return db`thumbnail_state = 'failed', thumbnail_failures = least(thumbnail_failures + 1, 100),
    thumbnail_retry_at = now() + make_interval(days => (${retryAfterDays}::int[])[thumbnail_failures + 1])`
}

/**
 * Marks failed thumbnails whose time has come as pending, and returns their owners: up to a hundred videos and a hundred
 * bookmarks.
 */
export async function restartFailedThumbnails(db: Db): Promise<ThumbnailOwner[]> {
  const due = (table: Fragment) => db<{ id: number }[]>`
    update ${table} set thumbnail_state = 'pending', thumbnail_retry_at = null, updated_at = now()
     where id in (select id from ${table} where thumbnail_retry_at <= now() and thumbnail_state = 'failed'
                   order by thumbnail_retry_at limit 100 for no key update skip locked)
    returning id`
  const videos = await due(db`videos`)
  const bookmarks = await due(db`bookmarks`)
  return [...videos.map(({ id }) => ({ video_id: id })), ...bookmarks.map(({ id }) => ({ bookmark_id: id }))]
}

/**
 * Stores an uploaded thumbnail of a user's own bookmark; the shape is that of the picture if the server knows none. Returns
 * false, and stores nothing, if the bookmark is not the user's or not in their library any more.
 */
export async function replaceThumbnail(
  db: Db,
  userId: number,
  id: number,
  keys: ThumbnailKeys,
  { shape, hash }: Pick<Picture, 'shape' | 'hash'>,
): Promise<boolean> {
  const saved = await db`
    update bookmarks b
       set ${uploadedThumbnail(db, keys, hash)}, thumbnail_source_url = null, thumbnail_is_uploaded = true,
           shape = ${shapeFromPicture(db, shape)}
      from videos v
     where b.id = ${id} and b.user_id = ${userId} and v.id = b.video_id and ${isInLibrary(db)}`
  return saved.count > 0
}

/**
 * Stores the picture that the file of an import has for a new bookmark, unless the bookmark or its video has one. A link to a
 * picture stays with the bookmark. Returns false if nothing was stored.
 */
export async function setImportedThumbnail(
  db: Db,
  userId: number,
  id: number,
  keys: ThumbnailKeys,
  { shape, hash }: Pick<Picture, 'shape' | 'hash'>,
): Promise<boolean> {
  const saved = await db`
    update bookmarks b
       set ${uploadedThumbnail(db, keys, hash)}, thumbnail_is_uploaded = b.thumbnail_source_url is null,
           shape = ${shapeFromPicture(db, shape)}
      from videos v
     where b.id = ${id} and b.user_id = ${userId} and v.id = b.video_id and ${isInLibrary(db)}
       and b.thumbnail_key is null and v.thumbnail_key is null and not v.is_link_only`
  return saved.count > 0
}

/** The assignments that make a picture that was sent to us the thumbnail of a bookmark. */
function uploadedThumbnail(db: Db, keys: ThumbnailKeys, hash: string | null): Fragment {
  return db`thumbnail_key = ${keys.small}, thumbnail_large_key = ${keys.large}, thumbnail_state = 'ready',
    thumbnail_hash = ${hash}::bit(64), thumbnail_failures = 0, thumbnail_retry_at = null, updated_at = now()`
}

/** The shape of a bookmark `b` of a video `v`: that of its picture if the server knows none. */
function shapeFromPicture(db: Db, shape: Picture['shape']): Fragment {
  return db`case when v.shape is null then coalesce(b.shape, ${shape}) else b.shape end`
}

function ownerTable(db: Db, owner: ThumbnailOwner): Fragment {
  return 'video_id' in owner ? db`videos` : db`bookmarks`
}

function isUnchanged(db: Db, owner: ThumbnailOwner, link: string | null): Fragment {
  return db`id = ${'video_id' in owner ? owner.video_id : owner.bookmark_id} and thumbnail_state = 'pending'
           and thumbnail_source_url is not distinct from ${link}`
}

/** Returns whether a picture is similar to a refused one. Compares it with all of them, since they are few. */
export async function isRefusedPicture(db: Db, { hash }: Pick<Picture, 'hash'>): Promise<boolean> {
  if (hash === null) return false
  const found = await db`
    select from refused_pictures where bit_count(hash # ${hash}::bit(64)) <= ${maxHashDistance} limit 1`
  return found.count > 0
}

/** Marks thumbnails that have been pending for a day as failed. */
export async function failOldThumbnails(db: Db): Promise<void> {
  for (const table of [db`videos`, db`bookmarks`]) {
    await db`
      update ${table} set ${failedThumbnail(db)}
       where thumbnail_state = 'pending' and ${isOlder(db, 24 * 60)}`
  }
}
