/** Queries for thumbnails of videos, and of bookmarks whose owner named one. */
import type { Db, Fragment } from '../../../core/database/database.ts'
import { maxHashDistance } from '../../../core/media/perceptual-hash.ts'
import type { Picture, VariantName } from '../../../core/media/process.ts'

/** What a thumbnail belongs to. */
export type ThumbnailOwner = { video_id: number } | { bookmark_id: number }

export interface PendingThumbnail {
  owner: ThumbnailOwner
  video_id: number
  source_url: string
  thumbnail_source_url: string | null
}

/** The media keys of both sizes. */
export type ThumbnailKeys = Record<VariantName, string>

/** Returns the thumbnail of a video or bookmark if it is pending, else null. */
export async function findPendingThumbnail(db: Db, owner: ThumbnailOwner): Promise<PendingThumbnail | null> {
  const [row] =
    'video_id' in owner
      ? await db<Omit<PendingThumbnail, 'owner'>[]>`
          select v.id as video_id, v.source_url, v.thumbnail_source_url from videos v
           where v.id = ${owner.video_id} and v.thumbnail_state = 'pending'`
      : await db<Omit<PendingThumbnail, 'owner'>[]>`
          select v.id as video_id, v.source_url, b.thumbnail_source_url
            from bookmarks b join videos v on v.id = b.video_id
           where b.id = ${owner.bookmark_id} and b.thumbnail_state = 'pending'`
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

/** Stores a thumbnail unless another one was named in the meantime. Sets the shape if it is unknown. */
export async function saveThumbnail(
  db: Db,
  { owner, thumbnail_source_url }: PendingThumbnail,
  keys: ThumbnailKeys,
  { shape, hash }: Pick<Picture, 'shape' | 'hash'>,
): Promise<void> {
  await db`
    update ${ownerTable(db, owner)} set thumbnail_key = ${keys.small}, thumbnail_large_key = ${keys.large}, thumbnail_state = 'ready',
           thumbnail_hash = ${hash}::bit(64), updated_at = now(),
           shape = coalesce(shape, ${
             'video_id' in owner
               ? db`${shape}`
               : db`
             case when (select v.shape from videos v where v.id = video_id) is null then ${shape} end`
           })
     where ${isUnchanged(db, owner, thumbnail_source_url)}`
}

/** Marks a thumbnail that cannot be fetched as failed. */
export async function markThumbnailFailed(
  db: Db,
  { owner, thumbnail_source_url }: Pick<PendingThumbnail, 'owner' | 'thumbnail_source_url'>,
): Promise<void> {
  await db`
    update ${ownerTable(db, owner)} set thumbnail_state = 'failed', updated_at = now()
     where ${isUnchanged(db, owner, thumbnail_source_url)}`
}

function ownerTable(db: Db, owner: ThumbnailOwner): Fragment {
  return 'video_id' in owner ? db`videos` : db`bookmarks`
}

function isUnchanged(db: Db, owner: ThumbnailOwner, link: string | null): Fragment {
  return db`id = ${'video_id' in owner ? owner.video_id : owner.bookmark_id} and thumbnail_source_url is not distinct from ${link}`
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
      update ${table} set thumbnail_state = 'failed'
       where thumbnail_state = 'pending' and ${isOlder(db, 24 * 60)}`
  }
}
