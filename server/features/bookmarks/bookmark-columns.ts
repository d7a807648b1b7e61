/** Columns and queries with which other features read bookmarks and their videos. */
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { InvalidFields } from '../../core/http/errors.ts'
import { andNotBlockedByOwner, type VisibilityViewer } from '../users/blocks/user-visibility.ts'
import { userSummary } from '../users/profiles/user-columns.ts'
import { canonicalise, canonicalLinks, normaliseTags } from './save/rules.ts'
import { canSeeBookmark, canSeeVideo, isHeld, isNotTrashed, isPublic } from './visibility.ts'

/** How a save canonicalises links and normalises tags, for features that edit what was saved. */
export const saveRules = { canonicalise, canonicalLinks, normaliseTags }

/** The columns `thumbnail_url` and `thumbnail_large_url` of bookmarks `b` of videos `v`: on our own origin, or null. */
export function thumbnailUrls(db: Db): Fragment {
  return db`${thumbnailUrl(db)} as thumbnail_url,
            '/media/' || coalesce(b.thumbnail_large_key, v.thumbnail_large_key) as thumbnail_large_url`
}

/** The card thumbnail of bookmarks `b` of videos `v`: the owner's, else the video's; null until one is stored. */
export function thumbnailUrl(db: Db): Fragment {
  return db`'/media/' || coalesce(b.thumbnail_key, v.thumbnail_key)`
}

/** The shape of bookmarks `b` of videos `v`. */
export function effectiveShape(db: Db): Fragment {
  return db`coalesce(b.shape, v.shape, 'unknown')`
}

/** A list of tag names as a JSON list of `Tag` objects, in the same order. */
export function tagsJson(db: Db, names: Fragment): Fragment {
  return db`(select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) order by named.position), '[]')
               from unnest(${names}) with ordinality as named (name, position) join tags t on t.name = named.name)`
}

/** A bookmark without its player, which depends on the request (player.ts). */
export type BookmarkRow = Omit<Bookmark, 'embed_page_url' | 'video'> & {
  video: Omit<Bookmark['video'], 'player'>
}

/**
 * Returns a bookmark as `viewer` may see it, in one statement; null if it does not exist, they may not see it, or its owner
 * blocked them or is banned. A ban is checked here because a job updates `is_visible` only later.
 */
export async function readBookmark(
  db: Db,
  id: number,
  viewer: VisibilityViewer | null,
): Promise<BookmarkRow | null> {
  const viewerId = viewer?.id ?? null
  const rows = await db<BookmarkRow[]>`
    select b.id, b.title, b.description, ${tagsJson(db, db`b.tags`)} as tags, b.created_at, b.updated_at,
           ${userSummary(db, 'u')} as user, b.access, ${isPublic(db)} as is_public, ${isHeld(db)} as is_held,
           coalesce(b.user_id = ${viewerId}::bigint, false) as is_owner,
           json_build_object('id', c.id, 'name', c.name, 'access', c.access) as collection,
           case when ch.id is not null then json_build_object('id', ch.id, 'name', ch.name) end as channel,
           exists (select from likes where user_id = ${viewerId}::bigint and video_id = v.id) as is_liked,
           exists (select from watched_videos where user_id = ${viewerId}::bigint and video_id = v.id) as is_watched,
           ${isInWatchLater(db, viewerId)} as is_in_watch_later,
           (select row_to_json(video) from (
              select v.id, v.source_url, v.host, v.provider, v.provider_id, b.title, b.description,
                     ${tagsJson(db, db`b.tags`)} as tags, coalesce(b.embed_url, v.embed_url) as embed_url,
                     b.effective_orientation as orientation, ${effectiveShape(db)} as shape,
                     coalesce(b.duration, v.duration) as duration, coalesce(b.width, v.width) as width,
                     coalesce(b.height, v.height) as height, v.likes_count, v.comments_count, v.saves_count, v.status,
                     ${thumbnailUrls(db)}) video) as video
      from bookmarks b
      join videos v on v.id = b.video_id
      join users u on u.id = b.user_id
      join collections c on c.id = b.collection_id
      left join channels ch on ch.id = b.channel_id
     where b.id = ${id} and ${canSeeBookmark(db, viewer)} ${andNotBlockedByOwner(db, db`u.id`, viewer)}
       ${viewer?.is_moderator ? db`` : db`and u.banned_at is null`}`
  return rows[0] ?? null
}

/** Whether a user has the video of bookmarks `b` in their Watch Later. */
export function isInWatchLater(db: Db, userId: number | null): Fragment {
  return db`exists (
    select from bookmarks w join collections later on later.id = w.collection_id
     where w.user_id = ${userId}::bigint and w.video_id = b.video_id and ${isNotTrashed(db, 'w')} and later.is_watch_later)`
}

/** Returns for each link the id of its video, or null if there is no such video or the user may not see it. */
export async function findVideos(
  db: Db,
  userId: number,
  links: readonly string[],
): Promise<(number | null)[]> {
  const canonical = links.map(canonicalUrl)
  const videos = await db<{ id: number; canonical_url: string }[]>`
    select v.id, v.canonical_url from videos v
     where v.canonical_hash in (select url_hash(link) from unnest(${canonical}::text[]) link)
       and ${canSeeVideo(db, userId)}`
  const ids = new Map(videos.map(({ id, canonical_url }) => [canonical_url, id]))
  return canonical.map((link) => (link === null ? null : (ids.get(link) ?? null)))
}

function canonicalUrl(link: string): string | null {
  try {
    return canonicalise(link).identity.canonical_url
  } catch (error) {
    if (error instanceof InvalidFields) return null
    throw error
  }
}
