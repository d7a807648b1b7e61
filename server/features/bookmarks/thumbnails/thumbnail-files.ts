/** The files of thumbnails: both sizes, under keys that belong to one row. */
import type { Picture } from '../../../core/media/process.ts'
import { copyPicture, createMediaKey, type MediaStore } from '../../../core/media/store.ts'
import type { ThumbnailKeys } from './thumbnail-queries.ts'

/** Stores both sizes under new keys, which are returned. If the process dies then, a job deletes them a day later. */
export async function storeThumbnail(media: MediaStore, { variants }: Picture): Promise<ThumbnailKeys> {
  const keys: ThumbnailKeys = { small: createMediaKey(), large: createMediaKey() }
  for (const { name, webp } of variants) await media.put(keys[name], webp)
  return keys
}

/** Stores a copy of both sizes under new keys, which are returned; null if a file is missing. */
export async function copyThumbnail(media: MediaStore, from: ThumbnailKeys): Promise<ThumbnailKeys | null> {
  const small = await copyPicture(media, from.small)
  const large = await copyPicture(media, from.large)
  if (small !== null && large !== null) return { small, large }
  for (const key of [small, large]) if (key !== null) await media.delete(key)
  return null
}

/** Deletes files that no row came to use. */
export async function deleteThumbnail(media: MediaStore, keys: ThumbnailKeys): Promise<void> {
  await media.delete(keys.small)
  await media.delete(keys.large)
}
