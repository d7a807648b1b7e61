/** Reads a bookmark as its viewer may see it. */

import type { Bookmark } from '@reelmark/contract/bookmarks.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment } from '../../core/database/database.ts'
import { jsonTimestamp } from '../../core/database/json-timestamp.ts'
import {
  effectiveShape,
  metadataTextColumns,
  thumbnailUrls,
  uploaderName,
  uploaderUrl,
} from '../../shared/bookmark-columns.ts'
import { mentionedUsernames } from '../../shared/mentions.ts'
import { declineLinkUntil, isMissing, missingSince } from '../../shared/missing-videos.ts'
import { userSummary } from '../../shared/user-columns.ts'
import { andNotBlockedByOwner } from '../../shared/user-visibility.ts'
import { viewerMarks } from '../../shared/viewer-marks.ts'
import {
  canSeeBookmark,
  hasLead,
  isHeld,
  isNotRemoved,
  isPublic,
  visibleLikesCount,
} from '../../shared/visibility.ts'
import { publicNotesJson } from './notes/queries.ts'

/** A list of tag names as a JSON list of `Tag` objects, in the same order. */
function tagsJson(db: Db, names: Fragment): Fragment {
  return db`(select coalesce(json_agg(json_build_object('id', tag_id(name), 'name', name) order by position), '[]')
               from unnest(${names}) with ordinality as named (name, position))`
}

/** The columns that only the owner gets; null for everyone else. */
function ownerColumns(db: Db, viewerId: number | null): Fragment {
  const isOwner = db`b.user_id = ${viewerId}::bigint`
  return db`case when ${isOwner} then b.private_note end as private_note,
    case when ${isOwner} then json_build_object(
      'embed_url', b.embed_url, 'thumbnail_url', b.thumbnail_source_url, 'shape', b.shape, 'duration', b.duration,
      'has_uploaded_thumbnail', b.thumbnail_is_uploaded, 'thumbnail_state', b.thumbnail_state) end as owner_facts,
    case when ${isOwner} then (
      select json_build_object('source_url', missing.source_url, 'until', ${jsonTimestamp(db, declineLinkUntil(db))})
        from replaced_bookmarks replaced
        join link_replacements l on l.id = replaced.replacement_id and l.survivor_id = b.video_id
        join videos missing on missing.id = l.video_id and ${isNotRemoved(db, 'missing')}
       where replaced.bookmark_id = b.id and replaced.declined_at is null and ${declineLinkUntil(db)} > now()) end as replaced_link`
}

/** A bookmark without its player, which depends on the request (player.ts). */
export type BookmarkRow = Omit<Bookmark, 'embed_page_url' | 'video'> & {
  video: Omit<Bookmark['video'], 'player' | 'start_parameter'>
}

/**
 * Returns a bookmark as `viewer` may see it, in one statement; null if it does not exist, they may not see it, or its owner
 * blocked them or is banned. A ban is checked here because a job updates `is_visible` only later.
 */
export function readBookmark(db: Db, id: number, viewer: Viewer | null): Promise<BookmarkRow | null> {
  return readVisibleBookmark(
    db,
    viewer,
    db`b.id = ${id} and ${canSeeBookmark(db, viewer)} ${andNotBlockedByOwner(db, db`u.id`, viewer)}
       ${viewer?.is_moderator ? db`` : db`and u.banned_at is null`}`,
  )
}

/** Returns the bookmark that matches `where`, a condition on bookmarks `b`, their videos `v` and owners `u`; null if none does. */
export async function readVisibleBookmark(
  db: Db,
  viewer: Viewer | null,
  where: Fragment,
): Promise<BookmarkRow | null> {
  const viewerId = viewer?.id ?? null
  const rows = await db<BookmarkRow[]>`
    select b.id, b.title, ${metadataTextColumns(db)}, ${tagsJson(db, db`b.tags`)} as tags, b.created_at, b.updated_at,
           ${userSummary(db, 'u')} as user, b.access, ${isPublic(db)} as is_public, ${isHeld(db)} as is_held,
           coalesce(b.user_id = ${viewerId}::bigint, false) as is_owner,
           json_build_object('id', c.id, 'name', c.name, 'access', c.access) as collection,
           case when ch.id is not null then json_build_object('id', ch.id, 'name', ch.name) end as channel,
           b.start_seconds, ${publicNotesJson(db)} as notes, ${viewerMarks(db, viewerId)},
           ${mentionedUsernames(db, db`b.description`, db`b.updated_at`, viewer)} as mentions,
           ${ownerColumns(db, viewerId)},
           (select row_to_json(video) from (
              select v.id, v.source_url, v.host, v.provider, v.provider_id, b.title, b.description,
                     ${tagsJson(db, db`b.tags`)} as tags, coalesce(b.embed_url, v.embed_url) as embed_url,
                     b.effective_orientation as orientation, ${effectiveShape(db)} as shape,
                     coalesce(b.duration, v.duration) as duration, coalesce(b.width, v.width) as width,
                     coalesce(b.height, v.height) as height, ${visibleLikesCount(db, viewerId)} as likes_count,
                     case when ${hasLead(db)} then v.comments_count else 0 end as comments_count, v.saves_count, v.status,
                     ${isMissing(db)} as is_missing, ${jsonTimestamp(db, missingSince(db))} as missing_since,
                     ${uploaderName(db)} as uploader_name,
                     ${uploaderUrl(db)} as uploader_url, v.is_link_only, ${thumbnailUrls(db)}) video) as video
      from bookmarks b
      join videos v on v.id = b.video_id
      join users u on u.id = b.user_id
      join collections c on c.id = b.collection_id
      left join channels ch on ch.id = b.channel_id
     where ${where}`
  const [row] = rows
  if (row === undefined || row.is_owner) return row ?? null
  const { private_note, owner_facts, replaced_link, ...shared } = row
  return shared
}
