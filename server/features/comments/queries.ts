import type { Comment } from '@reelmark/contract/comments.ts'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db, Fragment, Sql } from '../../core/database/database.ts'
import { cursorKey, type PageRequest, timeOrderedPage } from '../../core/http/cursor-paging.ts'
import { ApiError } from '../../core/http/errors.ts'
import { splitCount } from '../../core/http/paging.ts'
import { mentionedUsernames } from '../../shared/mentions.ts'
import { userSummary } from '../../shared/user-columns.ts'
import { andNotBlockedByOwner } from '../../shared/user-visibility.ts'
import { canSeeBookmark, hasLead, isNotTrashed, isVisibleComment } from '../../shared/visibility.ts'
import type { HoldReason } from '../moderation/public-api.ts'
import {
  authorMuteId,
  bookmarkOwnerId,
  canComment,
  canReadComments,
  canSeeComment,
  isListedFor,
  isVisibleTo,
  listedCommentsCount,
  listedRepliesCount,
} from './comment-visibility.ts'

/** Whether a row is a comment on a video or a reply to a comment. */
export type CommentKind = 'comment' | 'reply'

/** A comment or reply with its position in the list. */
type CommentRow = Comment & { key: number }

export interface CommentList {
  /** The rows of the page, and one more if another page follows. */
  rows: CommentRow[]
  count: number
}

/** Returns the selected columns of comments `c`. `u` is the author, or null if their account was deleted or banned. */
function columns(db: Db, viewer: Viewer | null, author: Fragment): Fragment {
  return db`c.id, c.content, case when u.id is not null then ${userSummary(db, 'u')} end as user,
            c.created_at, c.updated_at,
            ${listedRepliesCount(db, viewer, 'c')} as replies_count,
            coalesce(u.id = ${author}, false) as is_author_of_bookmark, ${authorMuteId(db, viewer)} as mute_id,
            c.status = 'hidden' as is_held, ${mentionedUsernames(db, db`c.content`, db`c.updated_at`, viewer)} as mentions`
}

/**
 * Returns a page of the comments on a video, newest first, or null if the viewer may not see the video. While no bookmark
 * of it is public, the list is empty: other users' comments would reveal that they have it.
 */
export function listComments(
  db: Db,
  videoId: number,
  viewer: Viewer | null,
  bookmarkId: number | null,
  request: PageRequest,
): Promise<CommentList | null> {
  const scope = db`
    select ${listedCommentsCount(db, viewer)} as count, ${hasLead(db)} as has_lead, ${bookmarkOwnerId(db, viewer, bookmarkId)} as author_id
      from videos v where v.id = ${videoId} and ${canReadComments(db, viewer)}`
  return readList(db, viewer, scope, db`c.video_id = ${videoId} and c.parent_id is null`, 'desc', request)
}

/** Returns a page of the replies to a comment, oldest first, or null if the viewer may not see the comment. */
export function listReplies(
  db: Db,
  commentId: number,
  viewer: Viewer | null,
  bookmarkId: number | null,
  request: PageRequest,
): Promise<CommentList | null> {
  const scope = db`
    select ${listedRepliesCount(db, viewer, 'p')} as count, true as has_lead, ${bookmarkOwnerId(db, viewer, bookmarkId)} as author_id
      from comments p join videos v on v.id = p.video_id
     where p.id = ${commentId} and p.parent_id is null and ${canReadComments(db, viewer)} and ${isVisibleTo(db, viewer, 'p')}
       and ${hasLead(db)}`
  return readList(db, viewer, scope, db`c.parent_id = ${commentId}`, 'asc', request)
}

/**
 * Reads a list in one statement. The ids of the page come from an index, and the other tables are joined to those few
 * rows only. With a cursor, no earlier row is read.
 */
async function readList(
  db: Db,
  viewer: Viewer | null,
  scope: Fragment,
  where: Fragment,
  order: 'asc' | 'desc',
  request: PageRequest,
): Promise<CommentList | null> {
  // Materialized: otherwise the count is computed once per row.
  const found = await db<(CommentRow & { count: number })[]>`
    with list as materialized (${scope}), page as (
      select c.id from comments c
       where ${where} and (select has_lead from list) and ${isListedFor(db, viewer)}
             ${timeOrderedPage(db, request, db`c.created_at`, db`c.id`, order)}
    )
    select list.count, ${cursorKey(db, db`c.created_at`)} as key, ${columns(db, viewer, db`list.author_id`)}
      from list
      left join (page p join comments c on c.id = p.id
                 left join users u on u.id = c.user_id and u.banned_at is null) on true
     order by c.created_at ${db.unsafe(order)}, c.id ${db.unsafe(order)}`
  if (found.length === 0) return null
  const { count, results } = splitCount(found)
  return { rows: results, count }
}

export type CommentWithContextRow = Comment & {
  video_id: number
  bookmark_id: number | null
  parent_id: number | null
  is_own: boolean
}

/** Returns a comment or reply with the video and bookmark it belongs to, or null if the viewer may not see it. */
export async function readComment(
  db: Db,
  id: number,
  viewer: Viewer | null,
  bookmarkId: number | null = null,
): Promise<CommentWithContextRow | null> {
  const viewerId = viewer?.id ?? null
  const [row] = await db<CommentWithContextRow[]>`
    select ${columns(db, viewer, bookmarkOwnerId(db, viewer, bookmarkId))}, c.video_id, c.parent_id,
           coalesce(c.user_id = ${viewerId}::bigint, false) as is_own,
           coalesce((select b.id from bookmarks b
                      where b.id = v.lead_bookmark_id and ${canSeeBookmark(db, viewer)}
                            ${andNotBlockedByOwner(db, db`b.user_id`, viewer)}),
                    (select min(own.id) from bookmarks own
                      where own.user_id = ${viewerId}::bigint and own.video_id = v.id and ${isNotTrashed(db, 'own')})) as bookmark_id
      from comments c
      join videos v on v.id = c.video_id
      left join users u on u.id = c.user_id and u.banned_at is null
     where c.id = ${id} and ${canReadComments(db, viewer)} and ${canSeeComment(db, viewer)}
       and (${hasLead(db)} or c.user_id = ${viewerId}::bigint)`
  return row ?? null
}

/** A screened text, ready to be stored. */
export interface CommentContent {
  content: string
  /** Identifies texts that must not be repeated; null for short ones. */
  fingerprint: Buffer | null
  /** Why the comment is held for a moderator; null if it is visible immediately. */
  held: HoldReason | null
}

/** The ids of a comment or reply and of its video. */
interface InsertedComment {
  id: number
  video_id: number
}

function initialStatus({ held }: CommentContent): 'visible' | 'hidden' {
  return held === null ? 'visible' : 'hidden'
}

/**
 * Inserts a comment on a video. Locks the video first, because the trigger that counts comments needs this lock:
 * concurrent inserts that upgraded the weaker lock of the foreign key would deadlock.
 * @throws ApiError('not-found') if the viewer may not comment, or ('forbidden') if the video has no public bookmark:
 *   a comment would reveal to its other savers that the author saved it privately.
 */
export async function insertComment(
  db: Db,
  videoId: number,
  viewer: Viewer,
  screened: CommentContent,
): Promise<InsertedComment> {
  const [created] = await db<InsertedComment[]>`
    insert into comments (video_id, user_id, content, status, fingerprint)
    select v.id, ${viewer.id}, ${screened.content}, ${initialStatus(screened)}, ${screened.fingerprint} from videos v
     where v.id = ${videoId} and ${canComment(db, viewer)} and ${hasLead(db)}
       for no key update
    returning id, video_id`
  if (created !== undefined) return created
  const [exists] = await db`select from videos v where v.id = ${videoId} and ${canComment(db, viewer)}`
  throw new ApiError(exists === undefined ? 'not-found' : 'forbidden')
}

/** Inserts a reply to a comment. Locks the comment first, and throws the same errors as `insertComment`. */
export async function insertReply(
  db: Db,
  commentId: number,
  viewer: Viewer,
  screened: CommentContent,
): Promise<InsertedComment> {
  const [created] = await db<InsertedComment[]>`
    insert into comments (video_id, user_id, parent_id, content, status, fingerprint)
    select p.video_id, ${viewer.id}, p.id, ${screened.content}, ${initialStatus(screened)}, ${screened.fingerprint} from comments p join videos v on v.id = p.video_id
     where p.id = ${commentId} and p.parent_id is null and ${canComment(db, viewer)} and ${isVisibleTo(db, viewer, 'p')}
       and ${hasLead(db)}
       for no key update of p
    returning id, video_id`
  if (created !== undefined) return created
  const [exists] = await db`
    select from comments p join videos v on v.id = p.video_id
     where p.id = ${commentId} and p.parent_id is null and ${canComment(db, viewer)} and ${isVisibleTo(db, viewer, 'p')}`
  throw new ApiError(exists === undefined ? 'not-found' : 'forbidden')
}

/**
 * Replaces the content of the viewer's own comment. Returns null if the content is unchanged, or the comment is not
 * theirs or no longer visible to them.
 */
export async function editComment(
  db: Db,
  id: number,
  kind: CommentKind,
  viewer: Viewer,
  screened: CommentContent,
): Promise<InsertedComment | null> {
  const { content, fingerprint } = screened
  if (screened.held !== null) {
    // The same lock order as when comments are counted: first the video, then the parent comment.
    await db`select from videos where id = (select video_id from comments where id = ${id}) for no key update`
    await db`select from comments where id = (select parent_id from comments where id = ${id}) for no key update`
  }
  const [changed] = await db<InsertedComment[]>`
    update comments c
       set content = ${content}, status = ${initialStatus(screened)}, fingerprint = ${fingerprint},
           -- Responses have millisecond precision, in which an edited comment must differ from a new one.
           updated_at = greatest(now(), c.created_at + interval '1 millisecond')
      from videos v
     where c.id = ${id} and ${isKind(db, kind)} and c.user_id = ${viewer.id} and ${isVisibleComment(db)} and c.content <> ${content}
       and v.id = c.video_id and ${canReadComments(db, viewer)}
    returning c.id, c.video_id`
  return changed ?? null
}

/**
 * Deletes the viewer's own comment with its replies, or their own reply, even if they may no longer see the video. Rows
 * are locked in the order used everywhere (video, comment, replies by id), so that concurrent writes wait instead of
 * deadlocking.
 * @returns whether the comment existed
 */
export function deleteComment(sql: Sql, id: number, kind: CommentKind, userId: number): Promise<boolean> {
  return sql.begin(async (db) => {
    const own = db`c.id = ${id} and ${isKind(db, kind)} and c.user_id = ${userId}`
    if (kind === 'comment') {
      await db`select from videos where id = (select c.video_id from comments c where ${own}) for no key update`
    } else {
      await db`select from comments where id = (select c.parent_id from comments c where ${own}) for no key update`
    }
    const [found] = await db`select c.id from comments c where ${own} for update`
    if (found === undefined) return false
    await db`select from comments where parent_id = ${id} order by id for update`
    await db`delete from comments where id = ${id}`
    return true
  })
}

function isKind(db: Db, kind: CommentKind): Fragment {
  return kind === 'comment' ? db`c.parent_id is null` : db`c.parent_id is not null`
}
