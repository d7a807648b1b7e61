import type { Comment } from '@reelmark/contract/comments.ts'
import type { Db, Fragment, Sql } from '../../core/database/database.ts'
import { cursorKey, type PageRequest, timeOrderedPage } from '../../core/http/cursor-paging.ts'
import { ApiError } from '../../core/http/errors.ts'
import { userSummary } from '../../shared/user-columns.ts'
import { canSeeBookmark, hasLead, isNotTrashed, isVisibleComment } from '../../shared/visibility.ts'
import type { HoldReason } from '../moderation/public-api.ts'
import {
  authorMuteId,
  bookmarkOwnerId,
  type CommentViewer,
  canComment,
  canReadComments,
  canSeeComment,
  isListedFor,
  isVisibleTo,
  visibleCommentsCount,
  visibleRepliesCount,
} from './comment-visibility.ts'

/** A comment is said of a video, a reply of a comment. */
export type CommentKind = 'comment' | 'reply'

/** A comment or a reply, and where it stands in its list. */
export type CommentRow = Comment & { key: number }

export interface CommentList {
  /** The page and one row more. */
  rows: CommentRow[]
  count: number
}

/** Columns of comments `c`; `u` is who said it, joined only where they are still there. */
function columns(db: Db, viewer: CommentViewer, author: Fragment): Fragment {
  return db`c.id, c.content, case when u.id is not null then ${userSummary(db, 'u')} end as user,
            c.created_at, c.updated_at,
            ${visibleRepliesCount(db, viewer, 'c')} as replies_count,
            coalesce(u.id = ${author}, false) as is_author_of_bookmark, ${authorMuteId(db, viewer)} as mute_id,
            c.status = 'hidden' as is_held`
}

/** A page of the comments on a video, the newest first; null where the video is not theirs to see. One statement. */
export function listComments(
  db: Db,
  videoId: number,
  viewer: CommentViewer,
  bookmarkId: number | null,
  request: PageRequest,
): Promise<CommentList | null> {
  const whole = db`
    select ${visibleCommentsCount(db, viewer)} as count, ${bookmarkOwnerId(db, viewer, bookmarkId)} as author_id
      from videos v where v.id = ${videoId} and ${canReadComments(db, viewer)}`
  return readList(db, viewer, whole, db`c.video_id = ${videoId} and c.parent_id is null`, 'desc', request)
}

/** A page of the replies to a comment, the oldest first; null where the comment is not there. One statement. */
export function listReplies(
  db: Db,
  commentId: number,
  viewer: CommentViewer,
  bookmarkId: number | null,
  request: PageRequest,
): Promise<CommentList | null> {
  const whole = db`
    select ${visibleRepliesCount(db, viewer, 'p')} as count, ${bookmarkOwnerId(db, viewer, bookmarkId)} as author_id
      from comments p join videos v on v.id = p.video_id
     where p.id = ${commentId} and p.parent_id is null and ${canReadComments(db, viewer)} and ${isVisibleTo(db, viewer, 'p')}`
  return readList(db, viewer, whole, db`c.parent_id = ${commentId}`, 'asc', request)
}

/** The ids come first, from an index; the people are joined to those few. With a cursor nothing before it is read. */
async function readList(
  db: Db,
  viewer: CommentViewer,
  scope: Fragment,
  where: Fragment,
  order: 'asc' | 'desc',
  request: PageRequest,
): Promise<CommentList | null> {
  // Materialized, or what it counts would be counted for each row.
  const found = await db<(CommentRow & { count: number })[]>`
    with whole as materialized (${scope}), page as (
      select c.id from comments c
       where ${where} and ${isListedFor(db, viewer)}
             ${timeOrderedPage(db, request, db`c.created_at`, db`c.id`, order)}
    )
    select whole.count, ${cursorKey(db, db`c.created_at`)} as key, ${columns(db, viewer, db`whole.author_id`)}
      from whole
      left join (page p join comments c on c.id = p.id
                 left join users u on u.id = c.user_id and u.banned_at is null) on true
     order by c.created_at ${db.unsafe(order)}, c.id ${db.unsafe(order)}`
  if (found.length === 0) return null
  return { rows: found.filter((row) => row.id !== null), count: found[0]?.count ?? 0 }
}

export type CommentWithContextRow = Comment & {
  video_id: number
  bookmark_id: number | null
  parent_id: number | null
  is_own: boolean
}

/** A comment or a reply as somebody may see it, and where it stands; null where it is not there for them. */
export async function readComment(
  db: Db,
  id: number,
  viewer: CommentViewer,
  bookmarkId: number | null = null,
): Promise<CommentWithContextRow | null> {
  const me = viewer?.id ?? null
  const [row] = await db<CommentWithContextRow[]>`
    select ${columns(db, viewer, bookmarkOwnerId(db, viewer, bookmarkId))}, c.video_id, c.parent_id,
           coalesce(c.user_id = ${me}::bigint, false) as is_own,
           coalesce((select b.id from bookmarks b where b.id = v.lead_bookmark_id and ${canSeeBookmark(db, viewer)}),
                    (select min(own.id) from bookmarks own
                      where own.user_id = ${me}::bigint and own.video_id = v.id and ${isNotTrashed(db, 'own')})) as bookmark_id
      from comments c
      join videos v on v.id = c.video_id
      left join users u on u.id = c.user_id and u.banned_at is null
     where c.id = ${id} and ${canReadComments(db, viewer)} and ${canSeeComment(db, viewer)}`
  return row ?? null
}

/** What somebody says, as it is kept. */
export interface CommentContent {
  content: string
  /** Of what must not be said over and over; else null. */
  fingerprint: Buffer | null
  /** Why it waits until a moderator has looked at it; null: everyone reads it at once. */
  held: HoldReason | null
}

/** A comment or a reply, and the video that it is of. */
interface InsertedComment {
  id: number
  video_id: number
}

function initialStatus({ held }: CommentContent): 'visible' | 'hidden' {
  return held === null ? 'visible' : 'hidden'
}

/**
 * Says something of a video. The video is locked first, as the trigger that counts will: the lock that a
 * reference takes need not grow into it, which many at once would wait for in a circle.
 * @throws ApiError('not-found'), or ('forbidden') where nobody keeps it publicly: whoever keeps it too would learn
 *   from a comment who does so in private.
 */
export async function insertComment(
  db: Db,
  videoId: number,
  viewer: NonNullable<CommentViewer>,
  words: CommentContent,
): Promise<InsertedComment> {
  const [created] = await db<InsertedComment[]>`
    insert into comments (video_id, user_id, content, status, fingerprint)
    select v.id, ${viewer.id}, ${words.content}, ${initialStatus(words)}, ${words.fingerprint} from videos v
     where v.id = ${videoId} and ${canComment(db, viewer)} and ${hasLead(db)}
       for no key update
    returning id, video_id`
  if (created !== undefined) return created
  const [there] = await db`select from videos v where v.id = ${videoId} and ${canComment(db, viewer)}`
  throw new ApiError(there === undefined ? 'not-found' : 'forbidden')
}

/** Answers a comment; the reply's id. The comment is locked first, for the same reason. @throws as `postComment` does. */
export async function insertReply(
  db: Db,
  commentId: number,
  viewer: NonNullable<CommentViewer>,
  words: CommentContent,
): Promise<InsertedComment> {
  const [created] = await db<InsertedComment[]>`
    insert into comments (video_id, user_id, parent_id, content, status, fingerprint)
    select p.video_id, ${viewer.id}, p.id, ${words.content}, ${initialStatus(words)}, ${words.fingerprint} from comments p join videos v on v.id = p.video_id
     where p.id = ${commentId} and p.parent_id is null and ${canComment(db, viewer)} and ${isVisibleTo(db, viewer, 'p')}
       and ${hasLead(db)}
       for no key update of p
    returning id, video_id`
  if (created !== undefined) return created
  const [there] = await db`
    select from comments p join videos v on v.id = p.video_id
     where p.id = ${commentId} and p.parent_id is null and ${canComment(db, viewer)} and ${isVisibleTo(db, viewer, 'p')}`
  throw new ApiError(there === undefined ? 'not-found' : 'forbidden')
}

/** Changes one's own words; the same words change nothing. Whoever may not see it any more changes nothing either. */
export async function editComment(
  db: Db,
  id: number,
  kind: CommentKind,
  viewer: NonNullable<CommentViewer>,
  words: CommentContent,
): Promise<InsertedComment | null> {
  const { content, fingerprint } = words
  if (words.held !== null) {
    // As whoever counts comments locks: the video, then the comment that it replies to.
    await db`select from videos where id = (select video_id from comments where id = ${id}) for no key update`
    await db`select from comments where id = (select parent_id from comments where id = ${id}) for no key update`
  }
  const [changed] = await db<InsertedComment[]>`
    update comments c
       set content = ${content}, status = ${initialStatus(words)}, fingerprint = ${fingerprint},
           -- Replies tell times to the millisecond: edited must be later.
           updated_at = greatest(now(), c.created_at + interval '1 millisecond')
      from videos v
     where c.id = ${id} and ${isKind(db, kind)} and c.user_id = ${viewer.id} and ${isVisibleComment(db)} and c.content <> ${content}
       and v.id = c.video_id and ${canReadComments(db, viewer)}
    returning c.id, c.video_id`
  return changed ?? null
}

/**
 * Deletes one's own comment with the replies to it, or one's own reply; also where one may not see the video any more.
 * What goes is locked before it goes, the video first and the replies in order, as everything else locks them: whoever
 * replies or deletes a reply at the same moment waits, and nobody in a circle.
 * @returns whether there was one.
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
