/** Comments on videos, and replies to them (docs/behaviour.md, Comments). */
import * as t from 'typebox'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, nullable, Time, text, UserSummary } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { pageOf, pageQuery } from './protocol/paging.ts'

export const Reply = t.Object({
  id: Id,
  content: t.String(),
  /** Null: of a deleted account. */
  user: nullable(UserSummary),
  created_at: Time,
  /** Later than `created_at` once it was edited. */
  updated_at: Time,
  /** Theirs is the bookmark that was asked for, else the video's lead. */
  is_author_of_bookmark: t.Boolean(),
  /** The viewer's mute of whose it is, as `unmute` takes it. */
  mute_id: nullable(Id),
  /** One's own, which others see once a moderator has looked at it; moderators are told too. */
  is_held: t.Optional(t.Boolean()),
})
export type Reply = t.Static<typeof Reply>

export const Comment = t.Object({ ...Reply.properties, replies_count: t.Integer() })
export type Comment = t.Static<typeof Comment>

/** A comment or a reply, and where it stands: what a permanent link leads to. */
export const CommentWithContext = t.Object({
  ...Comment.properties,
  video_id: Id,
  /** The video's lead, or one's own bookmark of it; null where one may see the video but no bookmark. */
  bookmark_id: nullable(Id),
  /** Of a reply: the comment it is to. */
  parent: nullable(Comment),
})
export type CommentWithContext = t.Static<typeof CommentWithContext>

const commentsQuery = {
  ...pageQuery,
  page_size: t.Optional(
    t.Integer({ minimum: 1, maximum: limits.maxPageSize, default: limits.commentsPageSize }),
  ),
  /** Where the page before ended, as `next` and `previous` carry it: then no page costs more than the first. */
  cursor: t.Optional(t.String({ maxLength: 60 })),
  /** Whose owner `is_author_of_bookmark` marks; without it the owner of the video's lead. */
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
  /** `forbidden`: nobody keeps the video publicly. */
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
  /** `forbidden`: somebody else's. */
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
  summary: 'The comments on a video, the newest first',
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
  summary: 'A comment or a reply, and where it stands',
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
  summary: 'Edit a comment of yours',
  reply: Comment,
})

export const deleteComment = endpoint({
  ...deleteBase,
  path: '/comments/:id/',
  summary: 'Delete a comment of yours, and with it the replies to it',
})

export const listReplies = endpoint({
  ...listBase,
  path: '/comments/:id/replies/',
  summary: 'The replies to a comment, the oldest first',
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
  summary: 'Edit a reply of yours',
  reply: Reply,
})

export const deleteReply = endpoint({
  ...deleteBase,
  path: '/replies/:id/',
  summary: 'Delete a reply of yours',
})
