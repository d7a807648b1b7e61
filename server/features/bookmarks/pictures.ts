/** What the database knows of pictures that are still to be fetched. */
import type { Db } from '../../core/database.ts'
import { nearlySame } from '../../core/picture-hash.ts'
import type { Picture, VariantName } from '../../core/pictures.ts'

export interface PendingPicture {
  id: number
  source_url: string
  thumbnail_source_url: string | null
}

/** In the media store, by size. */
export type PictureKeys = Record<VariantName, string>

/** The video, if its picture is still wanted; or a hundred of those that have waited so long. */
export async function findPendingPictures(
  db: Db,
  which: { id: number } | { waitingMinutes: number },
): Promise<PendingPicture[]> {
  const those =
    'id' in which
      ? db`id = ${which.id}`
      : db`updated_at < now() - ${which.waitingMinutes}::int * interval '1 minute'`
  return db<PendingPicture[]>`
    select id, source_url, thumbnail_source_url from videos
     where thumbnail_state = 'pending' and ${those}
     order by random() limit 100`
}

/** Keeps the picture unless another one was named meanwhile. A shape that nobody told is the picture's own. */
export async function keepPicture(
  db: Db,
  { id, thumbnail_source_url }: PendingPicture,
  keys: PictureKeys,
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
    select from refused_pictures where bit_count(hash # ${hash}::bit(64)) <= ${nearlySame} limit 1`
  return found.count > 0
}

/** There is no picture to be had there. */
export async function markPictureFailed(db: Db, { id, thumbnail_source_url }: PendingPicture): Promise<void> {
  await db`
    update videos set thumbnail_state = 'failed', updated_at = now()
     where id = ${id} and thumbnail_source_url is not distinct from ${thumbnail_source_url}`
}

/** A day of trying is enough. */
export async function giveUpOldPictures(db: Db): Promise<void> {
  await db`
    update videos set thumbnail_state = 'failed'
     where thumbnail_state = 'pending' and updated_at < now() - interval '1 day'`
}
