/** Comments on videos, and replies to them (docs/behaviour.md, Comments). */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, Mentions, nullable, Time, text, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { pageOf, pageQuery } from './protocol/paging.ts'

export const Reply = t.Object({
  id: Id,
  content: t.String(),
  /** Null: the account was deleted. */
  user: nullable(UserSummary),
  created_at: Time,
  /** Later than `created_at` if the comment was edited. */
  updated_at: Time,
  /** Whether the author owns the bookmark in the query, or without one the lead bookmark of the video. */
  is_author_of_bookmark: t.Boolean(),
  /** Id of the viewer's mute of the author, as `deleteMute` takes it; null: not muted. */
  mute_id: nullable(Id),
  /** True: held by a content rule until a moderator approves it. Only the author and moderators see the comment. */
  is_held: t.Optional(t.Boolean()),
  mentions: Mentions,
})
export type Reply = t.Static<typeof Reply>

export const Comment = t.Object({ ...Reply.properties, replies_count: t.Integer() })
export type Comment = t.Static<typeof Comment>

/** A comment or reply with its video, bookmark and parent: what a permanent link leads to. */
export const CommentWithContext = t.Object({
  ...Comment.properties,
  video_id: Id,
  /** The lead bookmark of the video, or the viewer's own. Null: the viewer may see the video but no bookmark of it. */
  bookmark_id: nullable(Id),
  /** For a reply: the comment it answers. Null for a comment. */
  parent: nullable(Comment),
})
export type CommentWithContext = t.Static<typeof CommentWithContext>

const commentsQuery = {
  ...pageQuery,
  page_size: t.Optional(
    t.Integer({ minimum: 1, maximum: limits.maxPageSize, default: limits.commentsPageSize }),
  ),
  /** Taken from `next` or `previous`. With a cursor every page costs the same as the first. */
  cursor: t.Optional(t.String({ maxLength: 60 })),
  /** Bookmark whose owner `is_author_of_bookmark` marks; without it, the lead bookmark. */
  bookmark: t.Optional(Id),
}
export const CommentsQuery = t.Object(commentsQuery, { additionalProperties: false })
export type CommentsQuery = t.Static<typeof CommentsQuery>

const ContentInput = t.Object({ content: text(limits.commentMax) }, { additionalProperties: false })

const listBase = {
  method: 'GET',
  group: 'comments',
  auth: 'viewer',
  query: CommentsQuery,
  status: 200,
} as const
const createBase = {
  method: 'POST',
  group: 'comments',
  auth: 'user',
  params: IdParams,
  body: ContentInput,
  status: 201,
  idempotent: true,
  /** `forbidden`: the video has no public bookmark. */
  errors: [
    'invalid',
    'unauthenticated',
    'forbidden',
    'not-found',
    'idempotency-key-in-use',
    'idempotency-key-reused',
    'rate-limited',
  ],
} as const
const editBase = {
  method: 'PATCH',
  group: 'comments',
  auth: 'user',
  params: IdParams,
  body: ContentInput,
  status: 200,
  /** `forbidden`: the comment belongs to another user. */
  errors: ['invalid', 'unauthenticated', 'forbidden', 'not-found', 'rate-limited'],
} as const
const deleteBase = {
  method: 'DELETE',
  group: 'comments',
  auth: 'user',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: ['unauthenticated', 'forbidden', 'not-found', 'rate-limited'],
} as const

export const listComments = endpoint({
  ...listBase,
  path: '/videos/:id/comments/',
  summary: 'List the comments on a video, newest first',
  params: IdParams,
  reply: pageOf(Comment),
  errors: ['invalid', 'not-found', 'invalid-page'],
})

export const createComment = endpoint({
  ...createBase,
  path: '/videos/:id/comments/',
  summary: 'Comment on a video',
  reply: Comment,
})

export const getComment = endpoint({
  method: 'GET',
  path: '/comments/:id/',
  summary: 'Get a comment or reply with its video, bookmark and parent',
  group: 'comments',
  auth: 'viewer',
  params: IdParams,
  query: t.Object({ bookmark: t.Optional(Id) }, { additionalProperties: false }),
  status: 200,
  reply: CommentWithContext,
  errors: ['invalid', 'not-found'],
})

export const editComment = endpoint({
  ...editBase,
  path: '/comments/:id/',
  summary: 'Edit your comment',
  reply: Comment,
})

export const deleteComment = endpoint({
  ...deleteBase,
  path: '/comments/:id/',
  summary: 'Delete your comment and the replies to it',
})

export const listReplies = endpoint({
  ...listBase,
  path: '/comments/:id/replies/',
  summary: 'List the replies to a comment, oldest first',
  params: IdParams,
  reply: pageOf(Reply),
  errors: ['invalid', 'not-found', 'invalid-page'],
})

export const createReply = endpoint({
  ...createBase,
  path: '/comments/:id/replies/',
  summary: 'Reply to a comment',
  reply: Reply,
})

export const editReply = endpoint({
  ...editBase,
  path: '/replies/:id/',
  summary: 'Edit your reply',
  reply: Reply,
})

export const deleteReply = endpoint({
  ...deleteBase,
  path: '/replies/:id/',
  summary: 'Delete your reply',
})
