/** Edits videos and bookmarks as a moderator (docs/behaviour.md, Reports and moderation). */

import type * as contract from '@reelmark/contract/moderation.ts'
import type { Input, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { Db } from '../../../core/database/database.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { asSaved } from '../../bookmarks/bookmark-columns.ts'
import { audit, type Moderator } from './decision-queries.ts'

type EditedVideo = Reply<typeof contract.editVideo>
type VideoEdit = Input<typeof contract.editVideo>['body']
type EditedBookmark = Reply<typeof contract.editBookmark>
type BookmarkEdit = Input<typeof contract.editBookmark>['body']

/**
 * Changes what of a video is named, for everyone who keeps it. One that nobody keeps publicly and no open report
 * names is not there.
 * @throws ApiError('not-found'); ('link-taken') with the other's `video_id`; InvalidFields for a link that is none.
 */
export async function editVideo(
  db: Db,
  moderator: Moderator,
  id: number,
  { source_url, tags, ...words }: VideoEdit,
): Promise<EditedVideo> {
  const [before] = await db<EditedVideo[]>`
    select v.id, v.title, v.description, v.tags, v.source_url, v.orientation from videos v
     where v.id = ${id} and v.status <> 'removed'
       and (v.lead_bookmark_id is not null
            or exists (select from reports r
                        where r.target_kind = 'video' and r.target_id = v.id and r.status = 'open'))
       for no key update of v`
  if (before === undefined) throw new ApiError('not-found')
  const changes = {
    ...words,
    ...(tags === undefined ? {} : { tags: asSaved.tidyTags(tags) }),
    ...(source_url === undefined || source_url === before.source_url
      ? {}
      : await linkColumns(db, id, source_url)),
  }
  if (Object.keys(changes).length === 0) return before
  const [after] = await db<[EditedVideo]>`
    update videos set ${db(changes)}, updated_at = now() where id = ${id}
    returning id, title, description, tags, source_url, orientation`
  await upsertTags(db, after.tags)
  const deed = { actor: moderator, action: 'edit', target_kind: 'video', target_id: id } as const
  await audit(db, { ...deed, before: { ...before }, after: { ...after } })
  return after
}

/** Another link, and the player that a known host has for it; any other stays. */
async function linkColumns(db: Db, id: number, link: string) {
  const { identity, embed_url } = canonicaliseLink(link)
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

function canonicaliseLink(link: string) {
  try {
    return asSaved.identify(link)
  } catch (error) {
    // Of a save it is a field of the video; here it stands alone.
    if (error instanceof InvalidFields) throw new InvalidFields(error.body.video as Record<string, unknown>)
    throw error
  }
}

/** Shown with their ids. In the order of names, as everyone locks them. */
async function upsertTags(db: Db, tags: readonly string[]): Promise<void> {
  await db`
    insert into tags (name) select name from unnest(${tags as string[]}::text[]) name order by name
    on conflict do nothing`
}

/**
 * Changes the words of somebody's bookmark: a public one, or one that a report names.
 * @throws ApiError('not-found')
 */
export async function editBookmark(
  db: Db,
  moderator: Moderator,
  id: number,
  { tags, ...words }: BookmarkEdit,
): Promise<EditedBookmark> {
  await db`select lock_bookmarks(${[id]}::bigint[])`
  const [before] = await db<EditedBookmark[]>`
    select b.id, b.title, b.description, b.tags from bookmarks b join videos v on v.id = b.video_id
     where b.id = ${id} and b.deleted_at is null and v.status <> 'removed'
       and (b.is_public or exists (select from reports r where r.bookmark_id = b.id and r.status = 'open'))`
  if (before === undefined) throw new ApiError('not-found')
  const changes = { ...words, ...(tags === undefined ? {} : { tags: asSaved.tidyTags(tags) }) }
  if (Object.keys(changes).length === 0) return before
  const [after] = await db<[EditedBookmark]>`
    update bookmarks set ${db(changes)}, updated_at = now() where id = ${id} returning id, title, description, tags`
  const deed = { actor: moderator, action: 'edit', target_kind: 'bookmark', target_id: id } as const
  await audit(db, { ...deed, before: { ...before }, after: { ...after } })
  return after
}
