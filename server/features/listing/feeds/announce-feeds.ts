/** Tells a WebSub hub which feeds changed, so that readers get new bookmarks at once. */
import type { Db } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import type { Sender } from '../../../core/outbound/outbound.ts'
import { canSeeProfile } from '../../../shared/profile-visibility.ts'
import { isPublicCollection, isVisible } from '../../../shared/visibility.ts'
import { type FeedFormat, feedFormats } from './formats.ts'

/** Bookmarks whose feeds one request names. */
const batchSize = 100
/** Attempts after which a batch is skipped, so that it does not block later ones: an hour, with one a minute. */
const attemptsMax = 60

/**
 * Sends the addresses of the feeds of profiles, collections and channels that new visible bookmarks belong to. Bookmarks
 * with adult content are not in these feeds. The position is stored after the hub accepted them, so that a failed request
 * is repeated; a batch that the hub refuses, or that failed `attemptsMax` times, is skipped. Without a hub it follows the newest bookmark, so that a hub that is set later learns of new ones only.
 * @throws {OutboundError}; HubError if the hub fails
 */
export async function announceFeeds(deps: Dependencies): Promise<void> {
  const { db, settings } = deps
  if (settings.websubHub === null) {
    await db`
      update announced_feeds set bookmark_id = newest.id from (select max(id) as id from bookmarks) newest
       where bookmark_id < newest.id`
    return
  }
  let batch: NewBookmark[]
  do {
    batch = await readNewBookmarks(db)
    const topics = new Set(batch.flatMap(feedPages).map((page) => settings.publicUrl + page))
    if (topics.size > 0) await publishOrSkip(deps, settings.websubHub, [...topics].flatMap(addressesOf))
    const newest = batch.at(-1)
    if (newest !== undefined)
      await db`
        update announced_feeds set bookmark_id = greatest(bookmark_id, ${newest.id}), failed_attempts = 0`
  } while (batch.length === batchSize)
}

type Dependencies = Pick<Deps, 'db' | 'log' | 'outbound' | 'settings'>

interface NewBookmark {
  id: number
  collection_id: number
  channel_id: number | null
  /** Null if visitors may not see the profile. */
  username: string | null
  is_shown: boolean
}

async function readNewBookmarks(db: Db): Promise<NewBookmark[]> {
  return db<NewBookmark[]>`
    select b.id, b.collection_id, b.channel_id, case when ${canSeeProfile(db, null)} then u.username end as username,
           ${isVisible(db)} and ${isPublicCollection(db)} and b.effective_orientation = 'sfw' and u.banned_at is null as is_shown
      from bookmarks b join collections c on c.id = b.collection_id join users u on u.id = b.user_id
     where b.id > (select bookmark_id from announced_feeds)
     order by b.id limit ${batchSize}`
}

/** Returns the paths of the pages whose feeds contain a bookmark. */
function feedPages({ is_shown, username, collection_id, channel_id }: NewBookmark): string[] {
  if (!is_shown) return []
  return [
    ...(username === null ? [] : [`/users/${encodeURIComponent(username)}`]),
    `/collections/${collection_id}`,
    ...(channel_id === null ? [] : [`/channels/${channel_id}`]),
  ]
}

function addressesOf(page: string): string[] {
  return (Object.keys(feedFormats) as FeedFormat[]).map((format) => `${page}/feed.${format}`)
}

/** Publishes the feeds of a batch. Returns although that failed if the batch is to be skipped. */
async function publishOrSkip(
  { db, log, outbound }: Dependencies,
  url: string,
  topics: string[],
): Promise<void> {
  try {
    await publish(outbound, url, topics)
  } catch (error) {
    const isRefused = error instanceof HubError && error.isRefusal
    const [failed] = await db<{ failed_attempts: number }[]>`
      update announced_feeds set failed_attempts = failed_attempts + 1 returning failed_attempts`
    if (!isRefused && (failed?.failed_attempts ?? 0) < attemptsMax) throw error
    log.warn({ err: error }, 'the feeds of some new bookmarks are not announced to the WebSub hub')
  }
}

/** A response of the hub that is not a success. */
class HubError extends Error {
  /** Whether the same request will fail again: not if the hub was too slow or got too many. */
  readonly isRefusal: boolean

  constructor(status: number) {
    super(`the WebSub hub responded with ${status}`)
    this.isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429
  }
}

async function publish(outbound: Sender, url: string, topics: string[]): Promise<void> {
  const body = new URLSearchParams([['hub.mode', 'publish'], ...topics.map((topic) => ['hub.url', topic])])
  const { status } = await outbound.send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Reelmark/1.0' },
    body: body.toString(),
  })
  if (status < 200 || status > 299) throw new HubError(status)
}
