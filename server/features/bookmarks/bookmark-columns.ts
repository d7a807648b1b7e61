/** How other features show videos and bookmarks: fragments of a select, and the whole bookmark. */
import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { InvalidFields } from '../../core/http/errors.ts'
import { andNotBlockedByOwner, type VisibilityViewer } from '../users/blocks/user-visibility.ts'
import { userSummary } from '../users/profiles/user-columns.ts'
import { canonicalise, canonicalLinks, normaliseTags } from './save/rules.ts'

/** What a save makes of a link and of tags: for whoever edits what was saved. */
export const asSaved = { identify: canonicalise, linksOf: canonicalLinks, tidyTags: normaliseTags }

/** The columns `thumbnail_url` and `thumbnail_large_url` of bookmarks `b` of videos `v`: on our own origin, or null. */
export function thumbnailUrls(db: Db): Fragment {
  const shown = isThumbnailVisible(db)
  return db`case when ${shown} then '/media/' || v.thumbnail_key end as thumbnail_url,
            case when ${shown} then '/media/' || v.thumbnail_large_key end as thumbnail_large_url`
}

/** Whether the picture of videos `v` is one that the owner of bookmarks `b` named, or may see. See areOthersWords(). */
export function isThumbnailVisible(db: Db): Fragment {
  return db`(not ${isMetadataHiddenFromOwner(db)} or exists (
    select from own_facts f
     where f.video_id = v.id and f.user_id = b.user_id and f.thumbnail_source_url = v.thumbnail_source_url))`
}

/** What is told of videos `v`, as a column: where it is another private saver's word, what the owner of `b` said. */
export function privateMetadata(db: Db, fact: 'embed_url'): Fragment {
  const column = db(fact)
  return db`case when ${isMetadataHiddenFromOwner(db)}
    then (select f.${column} from own_facts f where f.video_id = v.id and f.user_id = b.user_id)
    else v.${column} end as ${column}`
}

/** A list of names as a JSON list of Tags, in its order. */
export function tagsJson(db: Db, names: Fragment): Fragment {
  return db`(select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) order by named.place), '[]')
               from unnest(${names}) with ordinality as named (name, place) join tags t on t.name = named.name)`
}

/**
 * Whether somebody may see bookmarks `b` of videos `v` (decisions.md, Visibility): everyone what is visible; owners
 * their own, hidden ones too; moderators public ones that are hidden, and private ones only while an open report names
 * them.
 */
export function canSeeBookmark(db: Db, viewer: { id: number; is_moderator: boolean } | null): Fragment {
  if (viewer === null) return db`b.is_visible`
  return db`b.deleted_at is null and (
    b.is_visible
    or (b.user_id = ${viewer.id} and v.status <> 'removed')
    ${
      viewer.is_moderator
        ? db`or b.is_public
             or exists (select from reports r where r.bookmark_id = b.id and r.status = 'open')`
        : db``
    })`
}

/**
 * Whether somebody may see videos `v`: what is public and not under review, and what they keep themselves; moderators
 * what is under review too.
 */
export function canSeeVideo(db: Db, userId: number, isModerator = false): Fragment {
  return db`(((v.status = 'visible' or ${isModerator}) and v.lead_bookmark_id is not null)
    or (v.status <> 'removed' and exists (
          select from bookmarks own where own.user_id = ${userId} and own.video_id = v.id and own.deleted_at is null)))`
}

/**
 * Whether the words of videos `v` are another private saver's than the owner's of bookmarks `b`: what a video that
 * nobody keeps publicly is called in private is shown to nobody else. They see their own words.
 */
export function isMetadataHiddenFromOwner(db: Db): Fragment {
  return db`(v.lead_bookmark_id is null and v.words_by <> b.user_id) is true`
}

/** What of a bookmark is told apart by where it is shown, and so is not read from the row: see players.ts. */
export type BookmarkRow = Omit<Bookmark, 'embed_page_url' | 'video'> & {
  video: Omit<Bookmark['video'], 'player'>
}

/**
 * A bookmark as `viewer` may see it; null where there is none, it is not theirs to see, its owner blocked them or is
 * banned (at once: what `is_visible` knows of it comes by a job). One statement.
 */
export async function readBookmark(
  db: Db,
  id: number,
  viewer: VisibilityViewer | null,
): Promise<BookmarkRow | null> {
  const me = viewer?.id ?? null
  const visible = isMetadataHiddenFromOwner(db)
  const rows = await db<BookmarkRow[]>`
    select b.id, b.title, b.description, ${tagsJson(db, db`b.tags`)} as tags, b.created_at, b.updated_at,
           ${userSummary(db, 'u')} as user, b.access, b.is_public, b.is_held, coalesce(b.user_id = ${me}::bigint, false) as is_owner,
           json_build_object('id', c.id, 'name', c.name, 'access', c.access) as collection,
           case when ch.id is not null then json_build_object('id', ch.id, 'name', ch.name) end as channel,
           exists (select from likes where user_id = ${me}::bigint and video_id = v.id) as is_liked,
           exists (select from watched where user_id = ${me}::bigint and video_id = v.id) as is_watched,
           exists (select from bookmarks w join collections later on later.id = w.collection_id
                    where w.user_id = ${me}::bigint and w.video_id = v.id and w.deleted_at is null
                      and later.is_watch_later) as is_in_watch_later,
           (select row_to_json(video) from (
              select v.id, v.source_url, v.host, v.provider, v.provider_id, ${privateMetadata(db, 'embed_url')},
                     v.orientation, v.shape, v.duration, v.width, v.height, v.likes_count, v.comments_count, v.saves_count, v.status,
                     case when ${visible} then coalesce(nullif(b.title, ''), v.host) else v.title end as title,
                     case when ${visible} then b.description else v.description end as description,
                     case when ${visible} then ${tagsJson(db, db`b.tags`)} else ${tagsJson(db, db`v.tags`)} end as tags,
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

/** The videos that links are of, as far as somebody may see them: for each link its video's id, or null. */
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
