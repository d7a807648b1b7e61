/** Tells a WebSub hub which feeds changed, so that readers get new bookmarks at once. */
import type { Db } from '../../../core/database/database.ts'
import type { Deps } from '../../../core/deps.ts'
import type { Sender } from '../../../core/outbound/outbound.ts'
import { canSeeProfile } from '../../../shared/profile-visibility.ts'
import { isPublicCollection, isVisible } from '../../../shared/visibility.ts'
import { type FeedFormat, feedFormats } from './formats.ts'

/** Bookmarks whose feeds one request names. */
const batchSize = 100

/**
 * Sends the addresses of the feeds of profiles, collections and channels that new visible bookmarks belong to. Bookmarks
 * with adult content are not in these feeds. The position is stored after the hub accepted them, so that a failed request
 * is repeated. Without a hub it follows the newest bookmark, so that a hub that is set later learns of new ones only.
 * @throws {OutboundError}; Error if the hub refuses
 */
export async function announceFeeds({
  db,
  outbound,
  settings,
}: Pick<Deps, 'db' | 'outbound' | 'settings'>): Promise<void> {
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
    if (topics.size > 0) await publish(outbound, settings.websubHub, [...topics].flatMap(addressesOf))
    const newest = batch.at(-1)
    if (newest !== undefined)
      await db`update announced_feeds set bookmark_id = greatest(bookmark_id, ${newest.id})`
  } while (batch.length === batchSize)
}

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

async function publish(outbound: Sender, url: string, topics: string[]): Promise<void> {
  const body = new URLSearchParams([['hub.mode', 'publish'], ...topics.map((topic) => ['hub.url', topic])])
  const { status } = await outbound.send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Reelmark/1.0' },
    body: body.toString(),
  })
  if (status < 200 || status > 299) throw new Error(`the WebSub hub responded with ${status}`)
}
