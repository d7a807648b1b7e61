/** Moderators set videos and bookmarks right (product.md section 7). */
import type { Input, Reply } from '@reelmark/contract/endpoint.ts'
import type * as contract from '@reelmark/contract/moderation.ts'
import type { Db } from '../../core/database.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import { asSaved } from '../bookmarks/cards.ts'
import { audit, type Moderator } from './decisions.ts'

type VideoWords = Reply<typeof contract.editVideo>
type VideoEdit = Input<typeof contract.editVideo>['body']
type BookmarkWords = Reply<typeof contract.editBookmark>
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
): Promise<VideoWords> {
  const [before] = await db<VideoWords[]>`
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
    ...(source_url === undefined || source_url === before.source_url ? {} : await linkOf(db, id, source_url)),
  }
  if (Object.keys(changes).length === 0) return before
  const [after] = await db<[VideoWords]>`
    update videos set ${db(changes)}, updated_at = now() where id = ${id}
    returning id, title, description, tags, source_url, orientation`
  await keepTags(db, after.tags)
  const deed = { actor: moderator, action: 'edit', target_kind: 'video', target_id: id } as const
  await audit(db, { ...deed, before: { ...before }, after: { ...after } })
  return after
}

/** Another link, and the player that a known host has for it; any other stays. */
async function linkOf(db: Db, id: number, link: string) {
  const { identity, embed_url } = identified(link)
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

function identified(link: string) {
  try {
    return asSaved.identify(link)
  } catch (error) {
    // Of a save it is a field of the video; here it stands alone.
    if (error instanceof InvalidFields) throw new InvalidFields(error.body.video as Record<string, unknown>)
    throw error
  }
}

/** Shown with their ids. In the order of names, as everyone locks them. */
async function keepTags(db: Db, tags: readonly string[]): Promise<void> {
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
): Promise<BookmarkWords> {
  await db`select lock_bookmarks(${[id]}::bigint[])`
  const [before] = await db<BookmarkWords[]>`
    select b.id, b.title, b.description, b.tags from bookmarks b join videos v on v.id = b.video_id
     where b.id = ${id} and b.deleted_at is null and v.status <> 'removed'
       and (b.is_public or exists (select from reports r where r.bookmark_id = b.id and r.status = 'open'))`
  if (before === undefined) throw new ApiError('not-found')
  const changes = { ...words, ...(tags === undefined ? {} : { tags: asSaved.tidyTags(tags) }) }
  if (Object.keys(changes).length === 0) return before
  const [after] = await db<[BookmarkWords]>`
    update bookmarks set ${db(changes)}, updated_at = now() where id = ${id} returning id, title, description, tags`
  const deed = { actor: moderator, action: 'edit', target_kind: 'bookmark', target_id: id } as const
  await audit(db, { ...deed, before: { ...before }, after: { ...after } })
  return after
}
