/**
 * Changes stored thumbnails after a video or bookmark became public or private, or was hidden. A video's thumbnail is for
 * everyone, so it exists while the video has a public bookmark; after that each bookmark gets a copy of its own. A
 * bookmark that becomes private, and a video that is hidden or removed, get their thumbnails under new keys, because the
 * old URLs were public (docs/decisions/0028-stored-pictures.md).
 */
import type { TransactionSql } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import { fetchThumbnailJob } from '../../../shared/thumbnails.ts'
import { isNotRemoved } from '../../../shared/visibility.ts'
import { copyThumbnail, deleteThumbnail } from './thumbnail-files.ts'
import type { ThumbnailKeys } from './thumbnail-queries.ts'

type Dependencies = Pick<Deps, 'db' | 'media' | 'jobs' | 'log'>

interface SyncTarget {
  target_kind: 'video' | 'bookmark'
  target_id: number
}

/** How many targets or bookmarks one query finds. */
const batchSize = 100

/** Handles all queued videos and bookmarks. One that fails stays queued for the next run. */
export async function syncThumbnails(deps: Dependencies): Promise<void> {
  let last: SyncTarget = { target_kind: 'bookmark', target_id: 0 }
  for (;;) {
    const targets = await deps.db<SyncTarget[]>`
      select target_kind, target_id from picture_syncs
       where (target_kind, target_id) > (${last.target_kind}, ${last.target_id}::bigint)
       order by target_kind, target_id limit ${batchSize}`
    for (const target of targets) {
      last = target
      try {
        await (target.target_kind === 'video' ? syncVideo : moveBookmarkThumbnail)(deps, target.target_id)
      } catch (error) {
        deps.log.warn({ err: error, ...target }, 'a stored thumbnail could not be changed yet')
      }
    }
    if (targets.length < batchSize) return
  }
}

/** Removes a target from the queue. The caller has locked its row, so that a concurrent change queues it again. */
async function dequeue(tx: TransactionSql, kind: SyncTarget['target_kind'], id: number): Promise<void> {
  await tx`delete from picture_syncs where target_kind = ${kind} and target_id = ${id}`
}

interface StoredThumbnail {
  keys: ThumbnailKeys | null
  hash: string | null
  state: string
}

interface VideoThumbnail extends StoredThumbnail {
  source_url: string
  thumbnail_source_url: string | null
  is_public: boolean
  is_removed: boolean
}

async function readVideo(db: Deps['db'] | TransactionSql, id: number): Promise<VideoThumbnail | null> {
  const [video] = await db<VideoThumbnail[]>`
    select case when thumbnail_key is not null
             then json_build_object('small', thumbnail_key, 'large', thumbnail_large_key) end as keys,
           thumbnail_hash as hash, thumbnail_state as state, source_url, thumbnail_source_url,
           saves_count > 0 as is_public, not ${isNotRemoved(db)} as is_removed
      from videos v where id = ${id} for no key update`
  return video ?? null
}

async function syncVideo(deps: Dependencies, id: number): Promise<void> {
  const { db, media } = deps
  const video = await readVideo(db, id)
  const isShared = video !== null && !video.is_public
  if (isShared && !video.is_removed) await copyToBookmarks(deps, id, video)
  const keys = video?.is_public && video.keys !== null ? await copyThumbnail(media, video.keys) : null
  const isUsed = await db.begin(async (tx) => {
    const current = await readVideo(tx, id)
    // Changed in the meantime: the next run starts again.
    if (current !== null && !isSameThumbnail(current, video)) return false
    await dequeue(tx, 'video', id)
    if (current === null) return false
    if (!current.is_public) {
      const standardUrl = recogniseVideo(current.source_url)?.thumbnail_url ?? null
      // Only what the link alone determines remains, as if the video had never been public. A thumbnail that failed, or
      // that an operator removed, is not fetched again.
      await tx`
        update videos set thumbnail_key = null, thumbnail_large_key = null, thumbnail_hash = null,
               thumbnail_state = case thumbnail_state when 'failed' then 'failed' else 'none' end,
               thumbnail_source_url = ${standardUrl} where id = ${id}`
      return false
    }
    if (keys !== null) {
      await tx`
        update videos set thumbnail_key = ${keys.small}, thumbnail_large_key = ${keys.large} where id = ${id}`
      return true
    }
    if (current.thumbnail_source_url === null && current.keys === null) return false
    // Never fetched, or the files are missing.
    await tx`
      update videos set thumbnail_key = null, thumbnail_large_key = null, thumbnail_hash = null,
             thumbnail_state = 'pending', updated_at = now() where id = ${id}`
    await deps.jobs.send(tx, fetchThumbnailJob, { video_id: id })
    return false
  })
  if (keys !== null && !isUsed) await deleteThumbnail(media, keys)
}

function isSameThumbnail(a: VideoThumbnail, b: VideoThumbnail | null): boolean {
  return a.keys?.small === b?.keys?.small && a.state === b?.state && a.is_public === b?.is_public
}

/**
 * Gives every bookmark that shows the video's thumbnail its own copy. If the video's thumbnail is not stored yet, the
 * bookmark's own is fetched instead.
 */
async function copyToBookmarks(
  { db, media, jobs }: Dependencies,
  videoId: number,
  { keys: videoKeys, hash, state }: VideoThumbnail,
): Promise<void> {
  if (videoKeys === null && state !== 'pending') return
  for (;;) {
    const bookmarks = await db<{ id: number }[]>`
      select id from bookmarks
       where video_id = ${videoId} and thumbnail_key is null and thumbnail_state <> 'pending'
       order by id limit ${batchSize}`
    for (const { id } of bookmarks) {
      const keys = videoKeys === null ? null : await copyThumbnail(media, videoKeys)
      if (keys === null) {
        await db.begin(async (tx) => {
          await tx`update bookmarks set thumbnail_state = 'pending' where id = ${id} and thumbnail_key is null`
          await jobs.send(tx, fetchThumbnailJob, { bookmark_id: id })
        })
        continue
      }
      const saved = await db`
        update bookmarks set thumbnail_key = ${keys.small}, thumbnail_large_key = ${keys.large},
               thumbnail_hash = ${hash}::bit(64), thumbnail_state = 'ready', thumbnail_retry_at = null
         where id = ${id} and thumbnail_key is null and thumbnail_state <> 'pending'`
      if (saved.count === 0) await deleteThumbnail(media, keys)
    }
    if (bookmarks.length < batchSize) return
  }
}

/** Stores a bookmark's own thumbnail under new keys; the old ones are deleted afterwards. */
async function moveBookmarkThumbnail({ db, media, jobs }: Dependencies, id: number): Promise<void> {
  const read = (tx: Deps['db'] | TransactionSql) => tx<Partial<ThumbnailKeys>[]>`
    select thumbnail_key as small, thumbnail_large_key as large from bookmarks where id = ${id} for no key update`
  const [before] = await read(db)
  const hasThumbnail = before?.small != null && before.large != null
  const keys = hasThumbnail ? await copyThumbnail(media, before as ThumbnailKeys) : null
  const isUsed = await db.begin(async (tx) => {
    const [current] = await read(tx)
    if (current !== undefined && current.small !== before?.small) return false
    await dequeue(tx, 'bookmark', id)
    if (keys !== null) {
      await tx`
        update bookmarks set thumbnail_key = ${keys.small}, thumbnail_large_key = ${keys.large} where id = ${id}`
    } else if (hasThumbnail) {
      await tx`
        update bookmarks set thumbnail_key = null, thumbnail_large_key = null, thumbnail_hash = null,
               thumbnail_state = 'pending', updated_at = now() where id = ${id}`
      await jobs.send(tx, fetchThumbnailJob, { bookmark_id: id })
    }
    return keys !== null && current !== undefined
  })
  if (keys !== null && !isUsed) await deleteThumbnail(media, keys)
}
