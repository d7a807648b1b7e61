/** Deletes stored pictures at once: those of a video that is removed for good, and single ones for an operator. */
import type { Db, Sql } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { deleteQueuedPictures } from '../../../core/media/picture-deletion.ts'
import { bookmarkBatchSize } from '../../../shared/batch-size.ts'
import { isNotRemoved } from '../../../shared/visibility.ts'
import { auditMany } from '../audit/audit-log.ts'

/** Sent in the transaction that removes a video for good, in case the process dies before it deletes the pictures. */
export const removeVideoPicturesJob = { name: 'remove-video-pictures' }

/** Deletes the thumbnails of a removed video and of all its bookmarks. The perceptual hashes stay. May be repeated. */
export async function removeVideoPictures(
  { db, media }: Pick<Deps, 'db' | 'media'>,
  videoId: number,
): Promise<void> {
  const ofVideo = await db<Keys[]>`
    update videos v set ${withoutThumbnail(db)} where v.id = ${videoId} and not ${isNotRemoved(db)}
    returning array[old.thumbnail_key, old.thumbnail_large_key] as keys`
  if (ofVideo.length === 0) return
  await deleteQueuedPictures({ db, media }, toKeys(ofVideo))
  for (;;) {
    const ofBookmarks = await db<Keys[]>`
      update bookmarks b set ${withoutThumbnail(db)}
       where b.id in (select id from bookmarks where video_id = ${videoId} and thumbnail_key is not null
                       order by id limit ${bookmarkBatchSize} for no key update)
      returning array[old.thumbnail_key, old.thumbnail_large_key] as keys`
    if (ofBookmarks.length === 0) return
    await deleteQueuedPictures({ db, media }, toKeys(ofBookmarks))
  }
}

interface Keys {
  keys: (string | null)[]
}

function toKeys(rows: readonly Keys[]): string[] {
  return rows.flatMap(({ keys }) => keys.filter((key) => key !== null))
}

function withoutThumbnail(db: Db) {
  return db`thumbnail_key = null, thumbnail_large_key = null, thumbnail_state = 'failed', updated_at = now()`
}

export interface RemovedPicture extends Keys {
  target_kind: 'video' | 'bookmark' | 'user'
  target_id: number
}

/**
 * Deletes a picture and its other size, and records that in the audit log. It is not fetched again.
 * @returns what showed it; null if there is no such picture
 */
export async function removePicture(
  { db, media }: { db: Sql; media: Deps['media'] },
  key: string,
): Promise<RemovedPicture[] | null> {
  const removed = await db.begin(async (tx) => {
    const rows = await tx<RemovedPicture[]>`
      with v as (
        update videos set ${withoutThumbnail(tx)} where ${key} in (thumbnail_key, thumbnail_large_key)
        returning id, array[old.thumbnail_key, old.thumbnail_large_key] as keys
      ), b as (
        update bookmarks set ${withoutThumbnail(tx)} where ${key} in (thumbnail_key, thumbnail_large_key)
        returning id, array[old.thumbnail_key, old.thumbnail_large_key] as keys
      ), u as (
        update users set avatar_key = null where avatar_key = ${key} returning id, array[old.avatar_key] as keys
      )
      select 'video' as target_kind, id as target_id, keys from v
      union all select 'bookmark', id, keys from b
      union all select 'user', id, keys from u`
    const actor = { id: null, username: 'operator' }
    await auditMany(
      tx,
      rows.map(({ target_kind, target_id }) => ({
        actor,
        action: 'remove-picture',
        target_kind,
        target_id,
        note: key,
      })),
    )
    return rows
  })
  const exists = await media.has(key)
  if (removed.length === 0 && !exists) return null
  await deleteQueuedPictures({ db, media }, toKeys(removed))
  await media.delete(key)
  return removed
}
