/** Comments on videos, and replies to them (product.md sections 2 to 5; decisions.md, Words). */
import * as t from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, IdParams, nullable, Person, Time, text } from './fields.ts'
import { limits } from './limits.ts'
import { pageOf, pageQuery } from './paging.ts'

export const Reply = t.Object({
  id: Id,
  content: t.String(),
  /** Null: of a deleted account. */
  user: nullable(Person),
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
export const CommentInPlace = t.Object({
  ...Comment.properties,
  video_id: Id,
  /** The video's lead, or one's own bookmark of it; null where one may see the video but no bookmark. */
  bookmark_id: nullable(Id),
  /** Of a reply: the comment it is to. */
  parent: nullable(Comment),
})
export type CommentInPlace = t.Static<typeof CommentInPlace>

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

const listing = {
  method: 'GET',
  tag: 'comments',
  access: 'viewer',
  query: CommentsQuery,
  status: 200,
} as const
const posting = {
  method: 'POST',
  tag: 'comments',
  access: 'user',
  params: IdParams,
  body: ContentInput,
  status: 201,
  idempotent: true,
  /** `not-allowed`: nobody keeps the video publicly. */
  errors: ['invalid', 'not-signed-in', 'not-allowed', 'not-found', 'key-in-use', 'key-reused', 'too-many'],
} as const
const changing = {
  method: 'PATCH',
  tag: 'comments',
  access: 'user',
  params: IdParams,
  body: ContentInput,
  status: 200,
  /** `not-allowed`: somebody else's. */
  errors: ['invalid', 'not-signed-in', 'not-allowed', 'not-found', 'too-many'],
} as const
const removing = {
  method: 'DELETE',
  tag: 'comments',
  access: 'user',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: ['not-signed-in', 'not-allowed', 'not-found', 'too-many'],
} as const

export const listComments = endpoint({
  ...listing,
  path: '/videos/:id/comments/',
  summary: 'The comments on a video, the newest first',
  params: IdParams,
  reply: pageOf(Comment),
  errors: ['invalid', 'not-found', 'invalid-page'],
})

export const postComment = endpoint({
  ...posting,
  path: '/videos/:id/comments/',
  summary: 'Comment on a video',
  reply: Comment,
})

export const getComment = endpoint({
  method: 'GET',
  path: '/comments/:id/',
  summary: 'A comment or a reply, and where it stands',
  tag: 'comments',
  access: 'viewer',
  params: IdParams,
  query: t.Object({ bookmark: t.Optional(Id) }, { additionalProperties: false }),
  status: 200,
  reply: CommentInPlace,
  errors: ['invalid', 'not-found'],
})

export const editComment = endpoint({
  ...changing,
  path: '/comments/:id/',
  summary: 'Edit a comment of yours',
  reply: Comment,
})

export const deleteComment = endpoint({
  ...removing,
  path: '/comments/:id/',
  summary: 'Delete a comment of yours, and with it the replies to it',
})

export const listReplies = endpoint({
  ...listing,
  path: '/comments/:id/replies/',
  summary: 'The replies to a comment, the oldest first',
  params: IdParams,
  reply: pageOf(Reply),
  errors: ['invalid', 'not-found', 'invalid-page'],
})

export const postReply = endpoint({
  ...posting,
  path: '/comments/:id/replies/',
  summary: 'Reply to a comment',
  reply: Reply,
})

export const editReply = endpoint({
  ...changing,
  path: '/replies/:id/',
  summary: 'Edit a reply of yours',
  reply: Reply,
})

export const deleteReply = endpoint({
  ...removing,
  path: '/replies/:id/',
  summary: 'Delete a reply of yours',
})
