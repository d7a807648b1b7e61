/** Thumbnails: fetched once by the server, re-encoded in two sizes, and served from our own origin. */

import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { type Picture, PictureError, processPicture } from '../../../core/media/process.ts'
import { type MediaStore, mediaKey } from '../../../core/media/store.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import { reportRefusedPicture } from '../../moderation/public-api.ts'
import { extractionsQueue } from '../extracted-facts.ts'
import { purgeTrashQueue } from '../trash/trash-queries.ts'
import {
  findLeftPictures,
  findPendingPicture,
  giveUpOldThumbnails,
  isRefusedPicture,
  markThumbnailFailed,
  type PendingThumbnail,
  saveThumbnail,
  type ThumbnailKeys,
  type ThumbnailOwner,
} from './thumbnail-queries.ts'

/** Sent in the transaction that saves; nothing of it runs if that does not commit. */
export const fetchThumbnailJob = { name: 'fetch-thumbnail' }

type Dependencies = Pick<Deps, 'db' | 'outbound' | 'media' | 'log'>

// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function thumbnailQueues(needs: Dependencies): JobQueue<any>[] {
  return [
    purgeTrashQueue(needs.db),
    extractionsQueue(needs.db),
    {
      ...fetchThumbnailJob,
      retries: 2,
      seconds: 60,
      concurrency: 2,
      work: async (owner: ThumbnailOwner) => {
        const pending = await findPendingPicture(needs.db, owner)
        if (pending !== null) await fetchAndStoreThumbnail(needs, pending)
      },
    },
    {
      // For what a site's bad hour, or a crash of ours, left behind.
      name: 'retry-pending-thumbnails',
      cron: '*/10 * * * *',
      retries: 0,
      seconds: 540,
      concurrency: 1,
      work: async () => {
        await giveUpOldThumbnails(needs.db)
        for (const owner of await findLeftPictures(needs.db, 15)) {
          const pending = await findPendingPicture(needs.db, owner)
          if (pending === null) continue
          await fetchAndStoreThumbnail(needs, pending).catch((error: unknown) =>
            needs.log.info({ err: error, ...owner }, 'a picture could not be fetched yet'),
          )
        }
      },
    },
  ]
}

/**
 * Fetches and stores a thumbnail: the one that was named, or for a video else the one its host has for every video.
 * @throws if another attempt later may succeed.
 */
export async function fetchAndStoreThumbnail(
  { db, outbound, media }: Dependencies,
  pending: PendingThumbnail,
): Promise<void> {
  const fixed = 'video_id' in pending.owner ? recogniseVideo(pending.source_url)?.thumbnail_url : null
  const links = new Set([pending.thumbnail_source_url, fixed].filter((link) => link != null))
  let passing: unknown = null
  for (const link of links) {
    try {
      const answer = await outbound.get(link, {
        accept: 'image/webp, image/jpeg, image/png, image/gif;q=0.9',
      })
      if (answer.status === 429 || answer.status >= 500) throw new OutboundError('unreachable')
      if (answer.status !== 200) continue
      const picture = await processPicture(answer.body)
      if (await isRefusedPicture(db, picture)) {
        await db.begin(async (tx) => {
          await markThumbnailFailed(tx, pending)
          await reportRefusedPicture(tx, pending.video_id, bookmarkOf(pending))
        })
        return
      }
      await saveThumbnail(db, pending, await storeVariants(media, picture), picture)
      return
    } catch (error) {
      const isTransient =
        error instanceof OutboundError && ['unreachable', 'unresolved', 'too-slow'].includes(error.reason)
      if (isTransient) passing = error
      else if (!(error instanceof OutboundError || error instanceof PictureError)) throw error
    }
  }
  if (passing !== null) throw passing
  await markThumbnailFailed(db, pending)
}

function bookmarkOf({ owner }: PendingThumbnail): number | null {
  return 'bookmark_id' in owner ? owner.bookmark_id : null
}

/** @returns the keys of both sizes. */
async function storeVariants(media: MediaStore, { variants }: Picture): Promise<ThumbnailKeys> {
  const keys: ThumbnailKeys = { small: '', large: '' }
  for (const { name, webp } of variants) {
    keys[name] = mediaKey(webp)
    await media.put(keys[name], webp)
  }
  return keys
}
