/** Edits of videos and bookmarks by moderators (docs/behaviour.md, Reports and moderation). */
import { isDeepStrictEqual } from 'node:util'
import type * as contract from '@reelmark/contract/decisions.ts'
import type { Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import type { Jobs } from '../../../core/database/jobs.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { canonicalise } from '../../../core/video-links/canonical-url.ts'
import { pictureLink, playerLink } from '../../../core/video-links/entered-links.ts'
import { uploaderName } from '../../../shared/bookmark-columns.ts'
import { normaliseTags } from '../../../shared/tag-names.ts'
import { fetchThumbnailJob, noThumbnail } from '../../../shared/thumbnails.ts'
import { hasLead, isInLibrary, isNotRemoved, isNotTrashed, isPublic } from '../../../shared/visibility.ts'
import { audit } from '../audit/audit-log.ts'
import type { Moderator } from './decision-queries.ts'

type EditedVideo = Reply<typeof contract.editVideo>
/** With what only the audit log records. */
type VideoRecord = EditedVideo & { has_uploaded_thumbnail: boolean }
type VideoEdit = Input<typeof contract.editVideo>['body']
type EditedBookmark = Reply<typeof contract.editBookmark>
type BookmarkEdit = Input<typeof contract.editBookmark>['body']

export interface EditDependencies {
  jobs: Jobs
  /** Host names of this site, which cannot be a player. */
  ownHosts: readonly string[]
}

/**
 * Edits a video: link, orientation, player and picture apply to everyone who saved it; title, description and tags are those
 * of the bookmark that represents it. A video that is only saved privately and has no open report is not found.
 * @param repairedIds bookmarks whose own player and picture are replaced, too, in addition to the one that represents it;
 *   the caller has locked them
 * @throws ApiError('not-found'); ('link-taken') with the other video's `video_id`; InvalidFields for an invalid link.
 */
export async function editVideo(
  db: Db,
  { jobs, ownHosts }: EditDependencies,
  moderator: Moderator,
  id: number,
  { source_url, orientation, embed_url, thumbnail_url, is_uploader_removed, ...metadata }: VideoEdit,
  repairedIds: readonly number[] = [],
): Promise<EditedVideo> {
  const [found] = await db<{ bookmark_id: number | null }[]>`
    select ${representative(db)} as bookmark_id from videos v where v.id = ${id} and ${isNotRemoved(db)}`
  const bookmarkId = found?.bookmark_id ?? null
  if (bookmarkId === null) throw new ApiError('not-found')
  await db`select lock_bookmarks(${[bookmarkId]}::bigint[])`
  const read = () => db<VideoRecord[]>`
    select v.id, b.title, b.description, b.tags, v.source_url, b.effective_orientation as orientation,
           coalesce(b.embed_url, v.embed_url) as embed_url,
           coalesce(b.thumbnail_source_url, v.thumbnail_source_url) as thumbnail_url,
           ${uploaderName(db)} as uploader_name, v.is_uploader_removed,
           b.thumbnail_is_uploaded as has_uploaded_thumbnail
      from videos v join bookmarks b on b.video_id = v.id and b.id = ${bookmarkId}
     where v.id = ${id} and ${isNotRemoved(db)}`
  const [before] = await read()
  if (before === undefined) throw new ApiError('not-found')
  const changes = {
    ...(orientation === undefined ? {} : { orientation_ruling: orientation }),
    ...(is_uploader_removed === undefined ? {} : { is_uploader_removed }),
    ...(source_url === undefined || source_url === before.source_url
      ? {}
      : await linkColumns(db, id, source_url)),
  }
  if (Object.keys(changes).length > 0) {
    await db`update videos set ${db(changes)}, updated_at = now() where id = ${id}`
  }
  const links = {
    ...(embed_url === undefined ? {} : { embed_url: playerLink(embed_url, ownHosts) }),
    ...(thumbnail_url === undefined ? {} : { thumbnail_source_url: pictureLink(thumbnail_url) }),
  }
  await replaceLinks(db, jobs, id, [bookmarkId, ...repairedIds], links)
  await updateMetadata(db, bookmarkId, metadata)
  const [after = before] = await read()
  // A picture that is fetched again is recorded even if its address is the same.
  if (isDeepStrictEqual(before, after) && thumbnail_url === undefined) return before
  await audit(db, {
    actor: moderator,
    action: 'edit',
    target_kind: 'video',
    target_id: id,
    before: { ...before },
    after: { ...after },
  })
  return after
}

interface ReplacedLinks {
  embed_url?: string | null
  thumbnail_source_url?: string | null
}

/**
 * Replaces player and picture of a video, and removes those of the listed bookmarks, which would hide the new ones. If the
 * video has no public bookmark, the bookmarks get them instead, because a later save by another user would show those of
 * the video.
 */
async function replaceLinks(
  db: Db,
  jobs: Jobs,
  id: number,
  bookmarkIds: readonly number[],
  links: ReplacedLinks,
): Promise<void> {
  if (Object.keys(links).length === 0) return
  const replacesPicture = links.thumbnail_source_url !== undefined
  const [{ is_shared }] = await db<[{ is_shared: boolean }]>`
    select ${hasLead(db)} as is_shared from videos v where v.id = ${id}`
  const pending = { ...noThumbnail, thumbnail_state: 'pending' }
  const changes = { ...links, ...(replacesPicture ? pending : {}) }
  if (is_shared) await db`update videos set ${db(changes)}, updated_at = now() where id = ${id}`
  const cleared = {
    ...(links.embed_url === undefined ? {} : { embed_url: null }),
    ...(replacesPicture ? { ...noThumbnail, thumbnail_source_url: null, thumbnail_state: 'none' } : {}),
  }
  const ofBookmarks = {
    ...(is_shared ? cleared : changes),
    ...(replacesPicture && { thumbnail_is_uploaded: false }),
  }
  await db`
    update bookmarks set ${db(ofBookmarks)}, updated_at = now()
     where id = any (${[...bookmarkIds]}::bigint[]) and video_id = ${id}`
  if (!replacesPicture) return
  if (is_shared) await jobs.send(db, fetchThumbnailJob, { video_id: id })
  else for (const bookmark_id of bookmarkIds) await jobs.send(db, fetchThumbnailJob, { bookmark_id })
}

/** The bookmark that represents videos `v`: the lead bookmark, else one that an open report names. */
function representative(db: Db): Fragment {
  return db`coalesce(v.lead_bookmark_id, (
    select b.id from reports r join bookmarks b on b.id = r.bookmark_id and ${isNotTrashed(db)}
     where r.target_kind = 'video' and r.target_id = v.id and r.status = 'open'
     order by r.id desc limit 1))`
}

async function updateMetadata(db: Db, bookmarkId: number, { tags, ...texts }: BookmarkEdit): Promise<void> {
  const changes = { ...texts, ...(tags === undefined ? {} : { tags: normaliseTags(tags) }) }
  if (Object.keys(changes).length === 0) return
  await db`update bookmarks set ${db(changes)}, updated_at = now() where id = ${bookmarkId}`
}

/** Returns the columns of another link, with the player of a known host; any other player stays. The next check finds its uploader. */
async function linkColumns(db: Db, id: number, link: string) {
  const { identity, embed_url } = canonicalise(link)
  const [taken] = await db<{ id: number }[]>`
    select id from videos where canonical_hash = url_hash(${identity.canonical_url}) and id <> ${id}`
  if (taken !== undefined) throw new ApiError('link-taken', { video_id: taken.id })
  const refused = await db`
    select from refused_links where canonical_hash = url_hash(${identity.canonical_url})`
  if (refused.count > 0) {
    throw new InvalidFields({ source_url: ['The video at this link was permanently removed.'] })
  }
  return {
    ...identity,
    ...(embed_url === null ? {} : { embed_url }),
    uploader_name: null,
    uploader_url: null,
  }
}

/**
 * Changes title, description and tags of a user's bookmark: a public one, or one that an open report names.
 * @throws ApiError('not-found')
 */
export async function editBookmark(
  db: Db,
  moderator: Moderator,
  id: number,
  metadata: BookmarkEdit,
): Promise<EditedBookmark> {
  await db`select lock_bookmarks(${[id]}::bigint[])`
  const read = () => db<EditedBookmark[]>`
    select b.id, b.title, b.description, b.tags from bookmarks b join videos v on v.id = b.video_id
     where b.id = ${id} and ${isInLibrary(db)}
       and (${isPublic(db)} or exists (select from reports r where r.bookmark_id = b.id and r.status = 'open'))`
  const [before] = await read()
  if (before === undefined) throw new ApiError('not-found')
  await updateMetadata(db, id, metadata)
  const [after = before] = await read()
  if (isDeepStrictEqual(before, after)) return before
  await audit(db, {
    actor: moderator,
    action: 'edit',
    target_kind: 'bookmark',
    target_id: id,
    before: { ...before },
    after: { ...after },
  })
  return after
}
