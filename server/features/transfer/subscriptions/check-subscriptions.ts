/** The job that looks for new videos of subscriptions and saves them. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { storedUrlMax } from '@reelmark/contract/protocol/limits.ts'
import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { canonicalUrl } from '../../../core/video-links/canonical-url.ts'
import { createYield } from '../../../core/yield.ts'
import { type BookmarkImport, importBookmarks, requestMetadata } from '../../bookmarks/public-api.ts'
import { currentRules } from '../../moderation/public-api.ts'
import { isVideoItem, titleFromLink, toTransferBookmark } from '../foreign-items.ts'
import { cleanLine, type ImportedItem, isRejected, normaliseItem } from '../formats/imported-item.ts'
import { readSource, SourceError, type SourceList, SourceUnchanged } from '../sources/read-source.ts'
import {
  type ClaimedSubscription,
  claimSubscription,
  failCheck,
  finishCheck,
  finishUnchanged,
  postponeSuspended,
} from './check-queries.ts'

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'log' | 'outbound' | 'settings'>

/** How many hosts are requested at a time. */
const concurrentHosts = 4
/** Seconds between two checks of subscriptions to one host. */
const pauseSeconds = 1
/** Seconds after which a job starts no further check. The next one, a minute after this one, continues. */
const runSeconds = 50
/** Videos that one check saves, the newest ones. */
const maxNew = 50
/** Keys of videos that are stored: more than a list can have, so that a video that returns is not new. */
const maxSeen = 4000
/** Characters of a title, and bytes of a validator. */
const maxTitle = 200
const maxValidator = 500

/** Another process claimed the subscription, or its user changed it. */
class ClaimLost extends Error {}

export function checkSubscriptionsQueue(needs: Dependencies): JobQueue<object> {
  return {
    name: 'check-subscriptions',
    changesResponses: true,
    cron: '* * * * *',
    retries: 0,
    seconds: 290,
    concurrency: 1,
    work: () => checkSubscriptions(needs),
  }
}

/** Checks due subscriptions, of each host one after the other, until none is due or the time is over. */
export async function checkSubscriptions(
  needs: Dependencies,
  { seconds = runSeconds, pause = pauseSeconds }: { seconds?: number; pause?: number } = {},
): Promise<void> {
  const end = performance.now() + seconds * 1000
  /** By host when it may be requested again. */
  const freeAt = new Map<string, number>()
  const busyHosts = () => [...freeAt].filter(([, time]) => time > performance.now()).map(([host]) => host)
  await postponeSuspended(needs.db)
  let claiming: Promise<ClaimedSubscription | null> = Promise.resolve(null)
  // One claim after the other, because each must know the host of the one before.
  const claimNext = () => {
    claiming = claiming.then(async () => {
      const claimed = await claimSubscription(needs.db, busyHosts())
      if (claimed !== null) freeAt.set(claimed.host, Number.POSITIVE_INFINITY)
      return claimed
    })
    return claiming
  }
  const work = async () => {
    while (performance.now() < end) {
      const claimed = await claimNext()
      if (claimed !== null) {
        await checkSubscription(needs, claimed, pause).finally(() =>
          freeAt.set(claimed.host, performance.now() + pause * 1000),
        )
        continue
      }
      if (busyHosts().length === 0) return
      await sleep(Math.max(pause * 1000, 50))
    }
  }
  await Promise.all(Array.from({ length: concurrentHosts }, work))
}

async function checkSubscription(
  needs: Dependencies,
  claim: ClaimedSubscription,
  pause: number,
): Promise<void> {
  const { db, log, outbound } = needs
  const { etag, last_modified, feed_url } = claim
  try {
    const found = await readSource(outbound, feed_url ?? claim.url, {
      pause: pause * 1000,
      // The first check reads all pages, so that an older video is not new when those before it are deleted.
      newestOnly: claim.seen !== null,
      ...(feed_url !== null && { validators: { etag, lastModified: last_modified } }),
    })
    if (claim.seen === null && found.missing !== null) throw new SourceError(found.missing, true)
    await saveNew(needs, claim, found)
  } catch (error) {
    if (error instanceof SourceUnchanged) return finishUnchanged(db, claim)
    if (error instanceof SourceError) {
      return failCheck(db, claim, { problem: error.message, pauseSeconds: error.retryAfter })
    }
    // The user changed it meanwhile. The next check follows when the claim ends.
    if (!(error instanceof ClaimLost)) {
      log.warn({ err: error, subscription_id: claim.id }, 'a subscription could not be checked yet')
    }
  }
}

interface FoundVideo {
  key: string
  item: ImportedItem
}

/** Saves the videos that were not found before. What the first check finds is known. */
async function saveNew(needs: Dependencies, claim: ClaimedSubscription, found: SourceList): Promise<void> {
  const { db, jobs, settings } = needs
  const videos = await findVideos(found)
  const known = new Set(claim.seen ?? videos.map(({ key }) => key))
  const added = videos.filter(({ key }) => !known.has(key)).slice(0, maxNew)
  const seen = [...new Set([...videos.map(({ key }) => key), ...known])].slice(0, maxSeen)
  const { user_id, collection_id, channel_id, access, orientation } = claim
  const now = new Date().toISOString()
  // The first one last, so that it is the newest bookmark.
  const bookmarks = added.toReversed().map(({ item }): BookmarkImport => {
    const destination = { collection: 0, channel: null }
    const bookmark = toTransferBookmark(item, destination, { options: { access }, orientation, now })
    return { ...bookmark, description: '', tags: [], collection_id, channel_id }
  })
  const rules = await currentRules(db)
  await db.begin(async (tx) => {
    const users = await tx`
      select from users where id = ${user_id} and banned_at is null and (suspended_until > now()) is not true for key share`
    if (users.length === 0) throw new ClaimLost()
    const outcomes =
      bookmarks.length === 0 ? [] : await importBookmarks(tx, { jobs, settings, rules }, user_id, bookmarks)
    const saved = outcomes.flatMap((outcome, index) => {
      if (outcome.outcome !== 'added') return []
      const { title = '', video } = bookmarks[index] ?? {}
      const isLink = video !== undefined && title === titleFromLink(video.source_url)
      return [{ bookmark_id: outcome.id, link_title: isLink ? title : null }]
    })
    await requestMetadata(tx, null, saved)
    const refused = outcomes.find(({ outcome }) => outcome === 'refused')
    const isStored = await finishCheck(tx, claim, {
      title: cleanLine(found.title, maxTitle),
      feed_url: found.feed !== null && found.feed.url.length <= storedUrlMax ? found.feed.url : null,
      etag: toValidator(found.feed?.etag),
      last_modified: toValidator(found.feed?.lastModified),
      seen,
      saved: saved.length,
      problem: refused?.outcome === 'refused' ? refused.reason : found.missing,
    })
    if (!isStored) throw new ClaimLost()
  })
}

/** Returns the videos of a list that can be saved, each once. */
async function findVideos({ items, isVideoList }: SourceList): Promise<FoundVideo[]> {
  const format = { format: isVideoList ? ('video-list' as const) : ('feed' as const), label: '' }
  const videos = new Map<string, FoundVideo>()
  const letOthersRun = createYield()
  for (const [index, raw] of items.entries()) {
    await letOthersRun()
    const item = normaliseItem(raw, { file: null, row: index + 1 })
    if (isRejected(item) || !isVideoItem(item, format)) continue
    const key = videoKey(item.url)
    if (!videos.has(key)) videos.set(key, { key, item })
  }
  return [...videos.values()]
}

/** Returns a short name of a video, the same for all forms of its link. */
function videoKey(url: string): string {
  return createHash('sha256')
    .update(canonicalUrl(url) ?? url)
    .digest('base64url')
    .slice(0, 16)
}

/** Returns a validator if it can be sent back in a header, else null. */
function toValidator(text: string | null | undefined): string | null {
  return text != null && text.length <= maxValidator && /^[\x20-\x7e]+$/.test(text) ? text : null
}
