/** What feeds are about, and the rows that they show. */
import { type ListingQuery, listVideos } from '@reelmark/contract/listing.ts'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db } from '../../../core/database/database.ts'
import { canSeeProfile } from '../../../shared/profile-visibility.ts'
import { isNamed } from '../../../shared/usernames.ts'
import { canSeeCollection } from '../../../shared/visibility.ts'
import { listingReply } from '../routes.ts'
import { readSmartCollection } from '../smart-collections/queries.ts'
import type { FeedHead, FeedRow } from './feed.ts'

/** Returns what the feed of a profile is about; null if visitors may not see the profile. */
export async function readProfileHead(
  db: Db,
  username: string,
): Promise<(FeedHead & { username: string }) | null> {
  const [user] = await db<{ username: string; bio: string; created_at: Date }[]>`
    select u.username, u.bio, u.created_at from users u
     where ${isNamed(db, username)} and u.banned_at is null and ${canSeeProfile(db, null)}`
  if (user === undefined) return null
  return {
    username: user.username,
    title: user.username,
    description: user.bio.trim() || `Videos saved by ${user.username} on Reelmark.`,
    page: `/users/${encodeURIComponent(user.username)}`,
    createdAt: new Date(user.created_at),
  }
}

/** Returns what the feed of a collection or channel is about; null if visitors may not see it. */
export async function readContainerHead(
  db: Db,
  kind: 'collection' | 'channel',
  id: number,
): Promise<FeedHead | null> {
  const container =
    kind === 'collection'
      ? db`select c.name, c.description, c.created_at, u.username from collections c join users u on u.id = c.user_id
            where c.id = ${id}`
      : db`select ch.name, ch.description, ch.created_at, u.username
             from channels ch join collections c on c.id = ch.collection_id join users u on u.id = c.user_id
            where ch.id = ${id}`
  const [found] = await db<{ name: string; description: string; created_at: Date; username: string }[]>`
    ${container} and u.banned_at is null and ${canSeeCollection(db, null)}`
  return found === undefined ? null : listHead(`/${kind}s/${id}`, found, found.username)
}

/** Returns what the feed of a smart collection is about; null if visitors may not see it. */
export async function readSmartHead(db: Db, id: number): Promise<FeedHead | null> {
  const found = await readSmartCollection(db, id, null)
  return found === null ? null : listHead(`/smart-collections/${id}`, found, found.user.username)
}

function listHead(
  page: string,
  list: { name: string; description: string; created_at: Date | string },
  owner: string,
): FeedHead {
  return {
    title: `${list.name} by ${owner}`,
    description: list.description.trim() || `Videos saved by ${owner} on Reelmark.`,
    page,
    createdAt: new Date(list.created_at),
  }
}

/** Returns the newest bookmarks of a list as the viewer sees it. Without `adult`, only those that are not adult content. */
export async function readFeedRows(
  db: Db,
  list: ListingQuery,
  viewer: Viewer | null,
  { adult }: { adult: boolean },
): Promise<FeedRow[]> {
  const query: ListingQuery = {
    ...list,
    sort: 'newest',
    literal: true,
    orientation: adult ? 'all' : 'sfw',
  }
  const page = await listingReply(db, query, viewer, {
    endpoint: listVideos,
    isTrash: false,
    extraColumns: db`, b.description, b.tags, b.updated_at, v.source_url`,
  })
  // The orientation of a smart collection takes precedence over the one requested here.
  const rows = page.results as FeedRow[]
  return adult ? rows : rows.filter(({ orientation }) => orientation === 'sfw')
}
