/** What the database knows of pictures that are still to be fetched. */
import type { Db } from '../../../core/database/database.ts'
import { maxHashDistance } from '../../../core/media/perceptual-hash.ts'
import type { Picture, VariantName } from '../../../core/media/process.ts'

export interface PendingThumbnail {
  id: number
  source_url: string
  thumbnail_source_url: string | null
}

/** In the media store, by size. */
export type ThumbnailKeys = Record<VariantName, string>

/** The video, if its picture is still wanted; or a hundred of those that have waited so long. */
export async function findPendingThumbnails(
  db: Db,
  which: { id: number } | { waitingMinutes: number },
): Promise<PendingThumbnail[]> {
  const those =
    'id' in which
      ? db`id = ${which.id}`
      : db`updated_at < now() - ${which.waitingMinutes}::int * interval '1 minute'`
  return db<PendingThumbnail[]>`
    select id, source_url, thumbnail_source_url from videos
     where thumbnail_state = 'pending' and ${those}
     order by random() limit 100`
}

/** Keeps the picture unless another one was named meanwhile. A shape that nobody told is the picture's own. */
export async function saveThumbnail(
  db: Db,
  { id, thumbnail_source_url }: PendingThumbnail,
  keys: ThumbnailKeys,
  { shape, hash }: Pick<Picture, 'shape' | 'hash'>,
): Promise<void> {
  await db`
    update videos
       set thumbnail_key = ${keys.small}, thumbnail_large_key = ${keys.large}, thumbnail_state = 'ready', updated_at = now(),
           thumbnail_hash = ${hash}::bit(64),
           shape = case when shape = 'unknown' then ${shape} else shape end
     where id = ${id} and thumbnail_source_url is not distinct from ${thumbnail_source_url}`
}

/** Whether a picture is nearly one that was refused for good. A look at each of those: there are few, and must be. */
export async function isRefusedPicture(db: Db, { hash }: Pick<Picture, 'hash'>): Promise<boolean> {
  if (hash === null) return false
  const found = await db`
    select from refused_pictures where bit_count(hash # ${hash}::bit(64)) <= ${maxHashDistance} limit 1`
  return found.count > 0
}

/** There is no picture to be had there. */
export async function markThumbnailFailed(
  db: Db,
  { id, thumbnail_source_url }: PendingThumbnail,
): Promise<void> {
  await db`
    update videos set thumbnail_state = 'failed', updated_at = now()
     where id = ${id} and thumbnail_source_url is not distinct from ${thumbnail_source_url}`
}

/** A day of trying is enough. */
export async function giveUpOldThumbnails(db: Db): Promise<void> {
  await db`
    update videos set thumbnail_state = 'failed'
     where thumbnail_state = 'pending' and updated_at < now() - interval '1 day'`
}
