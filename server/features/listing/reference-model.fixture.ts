/** A small random site, and a simple implementation of listings that computes the expected result row by row. */
import type { ListingQuery } from '@reelmark/contract/listing.ts'
import type { Sql } from '../../core/database/database.ts'

interface BookmarkRow {
  id: number
  user_id: number
  username: string
  video_id: number
  collection_id: number
  channel_id: number | null
  title: string
  tags: string[]
  access: string
  collection_access: string
  deleted: boolean
  host: string
  status: string
  orientation: string
  micros: number
  random_key: number
}

export interface ReferenceModel {
  bookmarks: BookmarkRow[]
  /** user → video → time of the like, in microseconds. */
  likes: Map<string, Map<number, number>>
  follows: Map<string, Set<string>>
}

export const words = ['ox', 'elk', 'cat', 'fly', 'bee', 'owl']
export const orientations = ['straight', 'gay', 'bi', 'trans', 'sfw']

/** Fills the database with the users `user1` to `user8`, their collections and bookmarks. Always the same data. */
export async function fillWithRandomData(db: Sql): Promise<void> {
  await db`select setseed(0.42)`
  await db.begin(async (tx) => {
    await tx`select setseed(0.42)`
    await tx`insert into users (username, email) select 'user' || n, n || '@example.org' from generate_series(1, 8) n`
    await tx`
      insert into collections (user_id, name, access)
      select u.id, 'c' || n, case when n = 3 then 'private' else 'public' end from users u, generate_series(1, 3) n`
    await tx`insert into channels (collection_id, name) select id, 'ch' from collections`
    await tx`
      insert into videos (canonical_url, source_url, host, status, orientation_ruling)
      select 'https://h' || n % 4 || '.example.org/' || n, 'https://h' || n % 4 || '.example.org/' || n,
             'h' || n % 4 || '.example.org',
             case when random() < 0.08 then 'hidden' when random() < 0.04 then 'removed' else 'visible' end,
             case when random() < 0.2 then (${orientations}::text[])[1 + floor(random() * 5)::int] end
        from generate_series(1, 120) n`
    await tx`
      insert into bookmarks (user_id, video_id, collection_id, channel_id, title, tags, orientation, access, created_at)
      select c.user_id, v.id, c.id, case when random() < 0.5 then ch.id end,
             (${words}::text[])[1 + floor(random() * 6)::int] || ' ' || (${words}::text[])[1 + floor(random() * 6)::int],
             array[(${words}::text[])[1 + floor(random() * 6)::int]],
             (${orientations}::text[])[1 + floor(random() * random() * 5)::int],
             case when random() < 0.2 then 'private' else 'public' end,
             now() - floor(random() * 300) * interval '1 hour'
        from videos v, collections c join channels ch on ch.collection_id = c.id
       where random() < 0.13`
    await tx`update bookmarks set deleted_at = now() where random() < 0.05`
    await tx`update collections set access = 'private' where name = 'c2' and random() < 0.3`
    await tx`
      insert into likes (user_id, video_id, created_at)
      select u.id, v.id, now() - floor(random() * 20) * interval '1 hour' from users u, videos v where random() < 0.2`
    await tx`
      insert into follows (follower_id, followee_id)
      select a.id, b.id from users a, users b where a.id <> b.id and random() < 0.4`
  })
  await db`vacuum analyze`
}

export async function readReference(db: Sql): Promise<ReferenceModel> {
  const bookmarks = await db<BookmarkRow[]>`
    select b.id, b.user_id, u.username, b.video_id, b.collection_id, b.channel_id, b.title, b.tags, b.access,
           c.access as collection_access, b.deleted_at is not null as deleted, v.host, v.status,
           coalesce(v.orientation_ruling, b.orientation) as orientation,
           (extract(epoch from b.created_at) * 1000000)::bigint as micros, b.random_key
      from bookmarks b join users u on u.id = b.user_id join videos v on v.id = b.video_id
      join collections c on c.id = b.collection_id`
  const likes: ReferenceModel['likes'] = new Map()
  for (const { username, video_id, micros } of await db<
    { username: string; video_id: number; micros: number }[]
  >`
    select username, video_id, (extract(epoch from l.created_at) * 1000000)::bigint as micros
      from likes l join users u on u.id = l.user_id`) {
    const liked = likes.get(username) ?? new Map<number, number>()
    likes.set(username, liked.set(video_id, micros))
  }
  const follows: ReferenceModel['follows'] = new Map()
  for (const { follower, followee } of await db<{ follower: string; followee: string }[]>`
    select a.username as follower, b.username as followee
      from follows f join users a on a.id = f.follower_id join users b on b.id = f.followee_id`) {
    follows.set(follower, (follows.get(follower) ?? new Set()).add(followee))
  }
  return { bookmarks, likes, follows }
}

/**
 * Returns the ids of the whole listing, in order.
 * @param hiddenUsers users whose bookmarks the viewer does not see; a search does not find a video by them either
 */
export function expectedIds(
  site: ReferenceModel,
  query: ListingQuery,
  viewer: string | null,
  hiddenUsers: readonly string[] = [],
): number[] {
  const following = query.sort === 'following' || query.following === true
  const inContainer =
    query.user !== undefined || query.channel !== undefined || query.collection !== undefined
  const isPublic = (b: BookmarkRow) => b.access === 'public' && b.collection_access === 'public' && !b.deleted
  const isVisible = (b: BookmarkRow) => isPublic(b) && b.status === 'visible'
  const leads = new Map<number, number>()
  for (const b of site.bookmarks.filter(isPublic)) {
    leads.set(b.video_id, Math.min(b.id, leads.get(b.video_id) ?? Number.POSITIVE_INFINITY))
  }

  // Any visible bookmark of a video can match; the video is shown by its lead bookmark.
  const isSearch = query.q !== undefined || query.tag !== undefined
  const isMatch = (b: BookmarkRow) =>
    (query.tag === undefined || b.tags.includes(query.tag)) && matches(b, query.q ?? '')
  const matchingVideos = new Set(
    site.bookmarks
      .filter((b) => isVisible(b) && !hiddenUsers.includes(b.username) && isMatch(b))
      .map(({ video_id }) => video_id),
  )

  const rows = site.bookmarks.filter((b) => {
    const own = b.username === viewer && !b.deleted && b.status !== 'removed'
    if (!(isVisible(b) || (inContainer && own))) return false
    if (!inContainer && !following && leads.get(b.video_id) !== b.id) return false
    if (query.user !== undefined && b.username !== query.user) return false
    if (query.channel !== undefined && b.channel_id !== query.channel) return false
    if (query.collection !== undefined && b.collection_id !== query.collection) return false
    if (following && site.follows.get(viewer ?? '')?.has(b.username) !== true) return false
    if (query.liked_by !== undefined && site.likes.get(query.liked_by)?.has(b.video_id) !== true) return false
    if (query.orientation && query.orientation !== 'all' && b.orientation !== query.orientation) return false
    if (!isSearch) return true
    return inContainer || following ? isMatch(b) : matchingVideos.has(b.video_id)
  })

  const likedAt = (b: BookmarkRow) => site.likes.get(query.liked_by ?? '')?.get(b.video_id) ?? 0
  const byLike = query.liked_by !== undefined && !inContainer && !following
  const key = (b: BookmarkRow) => (byLike ? likedAt(b) : b.micros)
  if (query.sort !== 'random') return rows.sort((a, b) => key(b) - key(a) || b.id - a.id).map(({ id }) => id)
  const start = (query.seed ?? 0) / 2_147_483_647
  const segment = (b: BookmarkRow) => (b.random_key <= start ? 0 : 1)
  return rows
    .sort((a, b) => segment(a) - segment(b) || b.random_key - a.random_key || b.id - a.id)
    .map(({ id }) => id)
}

function matches(b: BookmarkRow, q: string): boolean {
  const text = `${b.title} ${b.tags.join(' ')} ${b.username} ${b.host.replaceAll('.', ' ')}`.split(' ')
  return q.split(' ').every((term) => {
    const bare = term.replace(/^-/, '')
    const hit =
      bare === '' ||
      (bare.startsWith('tag:') && b.tags.includes(bare.slice(4))) ||
      (bare.startsWith('user:') && b.username === bare.slice(5)) ||
      (bare.startsWith('site:') && (b.host === bare.slice(5) || b.host.endsWith(`.${bare.slice(5)}`))) ||
      text.includes(bare)
    return bare === '' || hit !== term.startsWith('-')
  })
}
