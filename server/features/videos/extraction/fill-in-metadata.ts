/** The job that requests the pages of imported bookmarks and fills in what their file did not contain. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ExtractedVideo } from '@reelmark/contract/extraction.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import type { Outbound } from '../../../core/outbound/outbound.ts'
import { OutboundError } from '../../../core/outbound/outbound-error.ts'
import { isTemporaryFailure, readRetryAfter } from '../../../core/outbound/retry-after.ts'
import {
  type ClaimedRequest,
  claimRequest,
  endRequest,
  fillInBookmark,
  maxMetadataAttempts,
  postponeHost,
  readWait,
  releaseHost,
  removeEndedRequests,
  resolveVideo,
  skipHost,
} from '../../bookmarks/public-api.ts'
import { currentRules } from '../../moderation/public-api.ts'
import { ExtractionError, extractVideoMetadata } from './extract-metadata.ts'

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'log' | 'outbound' | 'settings' | 'ytDlp'>

/** How many hosts are requested at a time. */
const concurrentHosts = 4
/** Seconds between the end of a request to a host and the next one. */
const pauseSeconds = 1
/** Seconds after which a job starts no further request. The next one, a minute after this one, continues. */
const runSeconds = 50
/** The shortest time, in ms, between two looks at a queue in which all hosts wait. */
const minWaitMs = 100

export function fillInMetadataQueue(needs: Dependencies): JobQueue<object> {
  return {
    name: 'fill-in-metadata',
    changesResponses: true,
    cron: '* * * * *',
    retries: 0,
    seconds: 110,
    concurrency: 1,
    work: () => fillInMetadata(needs),
  }
}

/** Requests pages of several hosts at a time, and of each host one after the other, until none is due or the time is over. */
export async function fillInMetadata(
  needs: Dependencies,
  { seconds = runSeconds, pause = pauseSeconds }: { seconds?: number; pause?: number } = {},
): Promise<void> {
  await removeEndedRequests(needs.db)
  const end = performance.now() + seconds * 1000
  const work = async () => {
    while (performance.now() < end) {
      const request = await claimRequest(needs.db)
      if (request === 'idle') continue
      if (request !== null) {
        await processRequest(needs, request, pause)
        continue
      }
      const waitMs = await readWait(needs.db)
      if (waitMs === null || performance.now() + waitMs > end) return
      await sleep(Math.max(waitMs, minWaitMs))
    }
  }
  await Promise.all(Array.from({ length: concurrentHosts }, work))
}

async function processRequest(needs: Dependencies, request: ClaimedRequest, pause: number): Promise<void> {
  const { db, log } = needs
  const { host, bookmark_id, attempts } = request
  // More attempts than that: processes died while they worked on it.
  if (!request.is_incomplete || attempts > maxMetadataAttempts) {
    await endRequest(db, bookmark_id)
    return skipHost(db, host)
  }
  const { outbound, failure } = watchFailures(needs.outbound)
  try {
    const found = await findMetadata(needs, outbound, request.source_url)
    const isLast = failure() === null || attempts >= maxMetadataAttempts
    const rules = await currentRules(db)
    await db.begin((tx) => fillInBookmark(tx, { ...needs, rules }, { bookmark_id, found, isLast }))
    if (found !== null) await resolveVideo(db, bookmark_id, found.source_url, rules)
  } catch (error) {
    log.warn({ err: error, bookmark_id }, 'an imported bookmark could not be completed yet')
  }
  const failed = failure()
  if (failed === null) await releaseHost(db, host, pause)
  else await postponeHost(db, host, failed.retryAfter)
}

/** Returns what the page of a link contains, or null. */
async function findMetadata(
  { settings, ytDlp }: Dependencies,
  outbound: Pick<Outbound, 'get'>,
  link: string,
): Promise<ExtractedVideo | null> {
  try {
    const ownHosts = [new URL(settings.publicUrl).hostname]
    return (await extractVideoMetadata(link, { outbound, ownHosts, ytDlp, isInBackground: true })).video
  } catch (error) {
    if (error instanceof ExtractionError) return null
    throw error
  }
}

/** Returns a client, and a function that returns the last failure that may pass of its requests; null without one. */
function watchFailures(outbound: Pick<Outbound, 'get'>) {
  let failed: { retryAfter: number } | null = null
  const watched: Pick<Outbound, 'get'> = {
    async get(url, options) {
      try {
        const response = await outbound.get(url, options)
        if (isTemporaryFailure(response)) failed = { retryAfter: readRetryAfter(response, Date.now()) }
        return response
      } catch (error) {
        if (error instanceof OutboundError && error.isUnreachable) failed = { retryAfter: 0 }
        throw error
      }
    },
  }
  return { outbound: watched, failure: () => failed }
}
