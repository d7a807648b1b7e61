/** Gives a collected bookmark its own copy of the thumbnail that the collected one has. */
import type { Db } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { copyThumbnail, deleteThumbnail } from './thumbnail-files.ts'
import { findPendingThumbnail, saveThumbnail, type ThumbnailKeys } from './thumbnail-queries.ts'

export const copyThumbnailsJob = { name: 'copy-thumbnails' }

/** The ids of a bookmark and of the copy that a user made of it. */
export interface ThumbnailCopy {
  from: number
  to: number
}

/** Queues the thumbnails of new copies, which are of the same videos as the bookmarks they were made from. */
export async function queueThumbnailCopies(
  tx: Db,
  jobs: Jobs,
  { from, to }: { from: readonly number[]; to: readonly number[] },
): Promise<void> {
  const copies = await tx<ThumbnailCopy[]>`
    select distinct on (copy.id) source.id as from, copy.id as to
      from bookmarks copy join bookmarks source
        on source.video_id = copy.video_id and source.id = any (${[...from]}::bigint[])
       and source.thumbnail_source_url is not distinct from copy.thumbnail_source_url
     where copy.id = any (${[...to]}::bigint[]) and copy.thumbnail_state = 'pending'
     order by copy.id, source.thumbnail_key nulls last`
  if (copies.length > 0) await jobs.send(tx, copyThumbnailsJob, { copies })
}

/** Copies thumbnails. Returns the bookmarks whose thumbnail must be fetched instead, because there was none to copy. */
export async function copyThumbnails(
  { db, media }: Pick<Deps, 'db' | 'media'>,
  copies: readonly ThumbnailCopy[],
): Promise<number[]> {
  const missing: number[] = []
  for (const { from, to } of copies) {
    const pending = await findPendingThumbnail(db, { bookmark_id: to })
    if (pending === null) continue
    const [source] = await db<(ThumbnailKeys & { hash: string | null })[]>`
      select thumbnail_key as small, thumbnail_large_key as large, thumbnail_hash as hash from bookmarks
       where id = ${from} and thumbnail_key is not null
         and thumbnail_source_url is not distinct from ${pending.thumbnail_source_url}`
    const keys = source === undefined ? null : await copyThumbnail(media, source)
    if (source === undefined || keys === null) {
      missing.push(to)
    } else if (!(await saveThumbnail(db, pending, keys, { shape: null, hash: source.hash }))) {
      await deleteThumbnail(media, keys)
    }
  }
  return missing
}
