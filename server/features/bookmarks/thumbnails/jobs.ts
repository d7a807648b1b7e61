/** Jobs that fetch thumbnails once, re-encode them in two sizes and store them on our own origin. */

import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { acceptedPictures, type Picture, PictureError, processPicture } from '../../../core/media/process.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { isTemporaryFailure } from '../../../core/outbound/retry-after.ts'
import { largerPictures } from '../../../core/video-links/larger-pictures.ts'
import { recogniseVideo } from '../../../core/video-links/recognise-video.ts'
import { fetchThumbnailJob } from '../../../shared/thumbnails.ts'
import { reportRefusedPicture } from '../../moderation/public-api.ts'
import { copyThumbnails, copyThumbnailsJob, type ThumbnailCopy } from './copy-thumbnails.ts'
import { syncThumbnails } from './sync-thumbnails.ts'
import { deleteThumbnail, storeThumbnail } from './thumbnail-files.ts'
import {
  failOldThumbnails,
  findOldPendingThumbnails,
  findPendingThumbnail,
  isRefusedPicture,
  markThumbnailFailed,
  type PendingThumbnail,
  restartFailedThumbnails,
  saveThumbnail,
  type ThumbnailOwner,
} from './thumbnail-queries.ts'

type Dependencies = Pick<Deps, 'db' | 'outbound' | 'media' | 'log'>

/** How many thumbnails are retried at a time. */
const concurrentRetries = 6

// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function thumbnailQueues(needs: Dependencies & Pick<Deps, 'jobs'>): JobQueue<any>[] {
  return [
    {
      ...fetchThumbnailJob,
      changesResponses: true,
      retries: 2,
      seconds: 60,
      concurrency: 2,
      work: (owner: ThumbnailOwner) => fetchPendingThumbnail(needs, owner),
    },
    {
      ...copyThumbnailsJob,
      changesResponses: true,
      retries: 2,
      seconds: 600,
      concurrency: 1,
      work: async ({ copies }: { copies: ThumbnailCopy[] }) => {
        for (const to of await copyThumbnails(needs, copies)) {
          await fetchPendingThumbnail(needs, { bookmark_id: to })
        }
      },
    },
    {
      name: 'sync-thumbnails',
      changesResponses: true,
      cron: '* * * * *',
      retries: 0,
      seconds: 3600,
      concurrency: 1,
      work: async () => {
        await syncThumbnails(needs)
      },
    },
    {
      // Fetches what a site's outage or a crash of this server left pending, the pictures of sample content, and those that
      // failed some days ago.
      name: 'retry-pending-thumbnails',
      cron: '*/10 * * * *',
      runsAtStart: true,
      retries: 0,
      seconds: 540,
      concurrency: 1,
      work: async () => {
        await failOldThumbnails(needs.db)
        for (const owner of await restartFailedThumbnails(needs.db)) {
          await needs.jobs.send(needs.db, fetchThumbnailJob, owner, { isUrgent: false })
        }
        const owners = await findOldPendingThumbnails(needs.db, 15)
        // Each of the concurrent loops takes the next thumbnail, so that a slow site occupies only one of them.
        const retry = async () => {
          for (let owner = owners.pop(); owner !== undefined; owner = owners.pop()) {
            await fetchPendingThumbnail(needs, owner).catch((error: unknown) =>
              needs.log.info({ err: error, ...owner }, 'a picture could not be fetched yet'),
            )
          }
        }
        await Promise.all(Array.from({ length: concurrentRetries }, retry))
      },
    },
  ]
}

/** Fetches and stores the thumbnail of a video or bookmark if it is still pending. */
async function fetchPendingThumbnail(needs: Dependencies, owner: ThumbnailOwner): Promise<void> {
  const pending = await findPendingThumbnail(needs.db, owner)
  if (pending !== null) await fetchAndStoreThumbnail(needs, pending)
}

/**
 * Fetches and stores a thumbnail: the named one, otherwise the host's standard thumbnail. A bookmark has that one only if
 * nobody saved the video publicly, because the video has none then: the picture of a private save is its owner's only.
 * @throws if a later attempt may succeed.
 */
export async function fetchAndStoreThumbnail(
  { db, outbound, media }: Dependencies,
  pending: PendingThumbnail,
): Promise<void> {
  const standardUrl = pending.can_be_standard ? recogniseVideo(pending.source_url)?.thumbnail_url : null
  const links = new Set([pending.thumbnail_source_url, standardUrl].filter((link) => link != null))
  let transientError: unknown = null
  for (const link of links) {
    try {
      const picture = await fetchLargest(outbound, link)
      if (picture === null) continue
      if (await isRefusedPicture(db, picture)) {
        await db.begin(async (tx) => {
          await markThumbnailFailed(tx, pending, { isRefused: true })
          await reportRefusedPicture(tx, pending.video_id, ownerBookmarkId(pending))
        })
        return
      }
      const keys = await storeThumbnail(media, picture)
      if (!(await saveThumbnail(db, pending, keys, picture))) await deleteThumbnail(media, keys)
      return
    } catch (error) {
      const isTransient =
        error instanceof OutboundError && ['unreachable', 'unresolved', 'too-slow'].includes(error.reason)
      if (isTransient) transientError = error
      else if (!(error instanceof OutboundError || error instanceof PictureError)) throw error
    }
  }
  if (transientError !== null) throw transientError
  await markThumbnailFailed(db, pending)
}

/** A picture with a side of this length is large enough for every page, so that no further copy is requested. */
const largeSide = 1200

/**
 * Fetches the largest copy of a picture: those that its host may have in larger sizes, then the one at the address itself. So a
 * picture takes at most three requests, and one if its address contains no size.
 * @returns null if no copy exists
 * @throws OutboundError, PictureError if the copy at the address itself cannot be read and no larger one was found
 */
async function fetchLargest(outbound: Dependencies['outbound'], link: string): Promise<Picture | null> {
  let largest: Picture | null = null
  for (const larger of largerPictures(link)) {
    // Hosts answer for sizes that they do not have with 404, or with a small picture that stands for it.
    const picture = await fetchPicture(outbound, larger).catch(ignoreUnusable)
    if (picture !== null && longerSide(picture) > longerSide(largest)) largest = picture
    if (longerSide(largest) >= largeSide) return largest
  }
  const named = await fetchPicture(outbound, link).catch((error: unknown) => {
    if (largest === null) throw error
    return ignoreUnusable(error)
  })
  return longerSide(named) > longerSide(largest) ? named : largest
}

function longerSide(picture: Picture | null): number {
  return picture === null ? 0 : Math.max(picture.width, picture.height)
}

function ignoreUnusable(error: unknown): null {
  if (error instanceof OutboundError || error instanceof PictureError) return null
  throw error
}

/** @returns null if there is nothing at the address */
async function fetchPicture(outbound: Dependencies['outbound'], link: string): Promise<Picture | null> {
  const response = await outbound.get(link, { accept: acceptedPictures })
  if (isTemporaryFailure(response)) throw new OutboundError('unreachable')
  return response.status === 200 ? await processPicture(response.body) : null
}

function ownerBookmarkId({ owner }: PendingThumbnail): number | null {
  return 'bookmark_id' in owner ? owner.bookmark_id : null
}
