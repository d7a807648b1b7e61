/** Edits of videos and bookmarks by moderators (docs/behaviour.md, Reports and moderation). */
import { isDeepStrictEqual } from 'node:util'
import type * as contract from '@reelmark/contract/decisions.ts'
import type { Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { Db, Fragment } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { canonicalise } from '../../../core/video-links/canonical-url.ts'
import { normaliseTags } from '../../../shared/tag-names.ts'
import { isInLibrary, isNotRemoved, isNotTrashed, isPublic } from '../../../shared/visibility.ts'
import { audit } from '../audit/audit-log.ts'
import type { Moderator } from './decision-queries.ts'

type EditedVideo = Reply<typeof contract.editVideo>
type VideoEdit = Input<typeof contract.editVideo>['body']
type EditedBookmark = Reply<typeof contract.editBookmark>
type BookmarkEdit = Input<typeof contract.editBookmark>['body']

/**
 * Edits a video: link and orientation apply to everyone who saved it; title, description and tags are those of the bookmark
 * that represents it. A video that is only saved privately and has no open report is not found.
 * @throws ApiError('not-found'); ('link-taken') with the other video's `video_id`; InvalidFields for an invalid link.
 */
export async function editVideo(
  db: Db,
  moderator: Moderator,
  id: number,
  { source_url, orientation, ...metadata }: VideoEdit,
): Promise<EditedVideo> {
  const [found] = await db<{ bookmark_id: number | null }[]>`
    select ${representative(db)} as bookmark_id from videos v where v.id = ${id} and ${isNotRemoved(db)}`
  const bookmarkId = found?.bookmark_id ?? null
  if (bookmarkId === null) throw new ApiError('not-found')
  await db`select lock_bookmarks(${[bookmarkId]}::bigint[])`
  const read = () => db<EditedVideo[]>`
    select v.id, b.title, b.description, b.tags, v.source_url, b.effective_orientation as orientation
      from videos v join bookmarks b on b.video_id = v.id and b.id = ${bookmarkId}
     where v.id = ${id} and ${isNotRemoved(db)}`
  const [before] = await read()
  if (before === undefined) throw new ApiError('not-found')
  const changes = {
    ...(orientation === undefined ? {} : { orientation_ruling: orientation }),
    ...(source_url === undefined || source_url === before.source_url
      ? {}
      : await linkColumns(db, id, source_url)),
  }
  if (Object.keys(changes).length > 0) {
    await db`update videos set ${db(changes)}, updated_at = now() where id = ${id}`
  }
  await updateMetadata(db, bookmarkId, metadata)
  const [after = before] = await read()
  if (isDeepStrictEqual(before, after)) return before
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

/** Returns the columns of another link, with the player of a known host; any other player stays. */
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
  return { ...identity, ...(embed_url === null ? {} : { embed_url }) }
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
