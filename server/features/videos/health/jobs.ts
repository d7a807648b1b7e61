/** The job that checks whether videos are still available at their hosts (docs/decisions/0076-video-health.md). */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { publishChange } from '../../../core/http/cache-changes.ts'
import { storeUploader } from '../../bookmarks/public-api.ts'
import { currentRules } from '../../moderation/public-api.ts'
import { checkVideo } from './check-video.ts'
import { countProgress } from './progress-queries.ts'
import { claimDueVideos, type DueVideo, removeUnusedHosts, storeCheck } from './queries.ts'
import { readUploader } from './read-uploader.ts'

type Dependencies = Pick<Deps, 'db' | 'outbound' | 'visitorCache' | 'replica'> & {
  settings: Pick<Deps['settings'], 'linkChecksPerMinute'>
}

/** How many hosts are asked at a time. */
const concurrentHosts = 16
/** How many videos one run claims at most. */
const claimLimit = 1000
/** A run ends before the next one begins. What it did not reach is due again some minutes later. */
const runMs = 55_000
/** A host that is down or sends interstitials is left alone for the rest of a run. */
const maxSilentChecks = 5

export function healthQueues(needs: Dependencies): JobQueue<object>[] {
  return [
    {
      name: 'check-videos',
      cron: '* * * * *',
      retries: 0,
      seconds: 300,
      concurrency: 1,
      work: async () => {
        await removeUnusedHosts(needs.db)
        await countProgress(needs.db)
        if (needs.settings.linkChecksPerMinute > 0) await checkDueVideos(needs)
      },
    },
  ]
}

/**
 * Checks the videos that are due. Videos of one host are checked one after the other, not faster than the setting
 * LINK_CHECKS_PER_MINUTE allows. Returns how many were checked.
 */
export async function checkDueVideos(needs: Dependencies): Promise<number> {
  const endsAt = performance.now() + runMs
  const gapMs = 60_000 / needs.settings.linkChecksPerMinute
  const perHost = Math.max(1, Math.floor(runMs / gapMs))
  const due = await claimDueVideos(needs.db, { perHost, limit: claimLimit })
  const hosts = [...Map.groupBy(due, ({ host }) => host).values()]
  let checked = 0
  const work = async () => {
    for (let videos = hosts.pop(); videos !== undefined; videos = hosts.pop()) {
      const count = await checkHost(needs, videos, { gapMs, endsAt })
      checked += count
    }
  }
  await Promise.all(Array.from({ length: concurrentHosts }, work))
  return checked
}

async function checkHost(
  needs: Dependencies,
  videos: readonly DueVideo[],
  { gapMs, endsAt }: { gapMs: number; endsAt: number },
): Promise<number> {
  let checked = 0
  let silent = 0
  for (const video of videos) {
    const startedAt = performance.now()
    if (startedAt > endsAt || silent >= maxSilentChecks) break
    let uploader: ReturnType<typeof readUploader> = null
    const found = await checkVideo(needs.outbound, video.source_url, (response) => {
      if (video.lacks_uploader) uploader = readUploader(response, video.source_url)
    })
    silent = found === 'down' || found === 'unclear' ? silent + 1 : 0
    const isChanged = await storeCheck(needs.db, video, found)
    const hasUploader =
      uploader !== null &&
      (await storeUploader(needs.db, video.video_id, uploader, await currentRules(needs.db)))
    if (isChanged || hasUploader) {
      await publishChange(needs, ['listing', `video:${video.video_id}`], null)
    }
    checked++
    await sleep(Math.max(0, gapMs - (performance.now() - startedAt)))
  }
  return checked
}
