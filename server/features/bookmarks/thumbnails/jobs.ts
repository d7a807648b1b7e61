/** Pictures of videos: fetched once, by us, made small, and kept on our own origin (decisions.md, Extraction). */

import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { type Picture, PictureError, processPicture } from '../../../core/media/process.ts'
import { type MediaStore, mediaKey } from '../../../core/media/store.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import { reportRefusedPicture } from '../../moderation/reports/automatic-reports.ts'
import { purgeTrashQueue } from '../trash/trash-queries.ts'
import {
  findPendingThumbnails,
  giveUpOldThumbnails,
  isRefusedPicture,
  markThumbnailFailed,
  type PendingThumbnail,
  saveThumbnail,
  type ThumbnailKeys,
} from './thumbnail-queries.ts'

/** Sent in the transaction that saves; nothing of it runs if that does not commit. */
export const fetchThumbnailJob = { name: 'fetch-thumbnail' }

type Dependencies = Pick<Deps, 'db' | 'outbound' | 'media' | 'log'>

// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function thumbnailQueues(needs: Dependencies): JobQueue<any>[] {
  return [
    purgeTrashQueue(needs.db),
    {
      ...fetchThumbnailJob,
      retries: 2,
      seconds: 60,
      concurrency: 2,
      work: async ({ video_id }: { video_id: number }) => {
        for (const pending of await findPendingThumbnails(needs.db, { id: video_id }))
          await fetchAndStoreThumbnail(needs, pending)
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
        for (const pending of await findPendingThumbnails(needs.db, { waitingMinutes: 15 })) {
          await fetchAndStoreThumbnail(needs, pending).catch((error: unknown) =>
            needs.log.info({ err: error, video_id: pending.id }, 'a picture could not be fetched yet'),
          )
        }
      },
    },
  ]
}

/**
 * Fetches and keeps a video's picture, the one its saver named or else the one its host has for it.
 * @throws where trying again later may help.
 */
export async function fetchAndStoreThumbnail(
  { db, outbound, media }: Dependencies,
  pending: PendingThumbnail,
): Promise<void> {
  const fixed = recogniseVideo(pending.source_url)?.thumbnail_url ?? null
  const links = new Set([pending.thumbnail_source_url, fixed].filter((link) => link !== null))
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
          await reportRefusedPicture(tx, pending.id)
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

/** @returns the keys of both sizes. */
async function storeVariants(media: MediaStore, { variants }: Picture): Promise<ThumbnailKeys> {
  const keys: ThumbnailKeys = { small: '', large: '' }
  for (const { name, webp } of variants) {
    keys[name] = mediaKey(webp)
    await media.put(keys[name], webp)
  }
  return keys
}
