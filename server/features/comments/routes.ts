import {
  type Comment,
  type CommentsQuery,
  type CommentWithContext,
  createComment,
  createReply,
  deleteComment,
  deleteReply,
  editComment,
  editReply,
  getComment,
  listComments,
  listReplies,
} from '@reelmark/contract/comments.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import type { Jobs } from '../../core/database/jobs.ts'
import { cursorPage, type PageRequest, parsePageRequest } from '../../core/http/cursor-paging.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError } from '../../core/http/errors.ts'
import { dependOn } from '../../core/http/visitor-cache.ts'
import { currentRules, reportHeldComment } from '../moderation/public-api.ts'
import {
  announceComment,
  notifyComment,
  notifyMentionsInComment,
  notifyReply,
} from '../notifications/public-api.ts'
import { screenComment } from './comment-screening.ts'
import * as queries from './queries.ts'
import { normaliseContent } from './rules.ts'

/** Comments and replies share one rate limit. */
const createLimit = { limit: 'comment' } as const
const editLimit = { limit: 'edit-comment' } as const

export function registerComments(app: FastifyInstance): void {
  const { db, jobs, settings } = app.deps
  const ownHost = new URL(settings.publicUrl).host

  for (const endpoint of [listComments, listReplies]) {
    const list = endpoint === listComments ? queries.listComments : queries.listReplies
    mount(
      app,
      endpoint,
      async ({ input, readDb, viewer }) => {
        const page = await commentsPage(endpoint, input, (request) =>
          list(readDb, input.params.id, viewer, input.query.bookmark ?? null, request),
        )
        // What a page of replies depends on is not known: it does not name its video.
        if (endpoint === listComments) dependOn([`video:${input.params.id}`])
        return page
      },
      {
        cacheForVisitors: true,
        personalize: {
          isShared: (page, { input, viewer }) => isSameForViewer(page.results, input.query, viewer),
        },
      },
    )
  }

  mount(
    app,
    getComment,
    ({ input, readDb, viewer }) => loadWithParent(readDb, input.params.id, viewer, input.query.bookmark),
    {
      cacheForVisitors: true,
    },
  )

  for (const endpoint of [createComment, createReply]) {
    mount(
      app,
      endpoint,
      async ({ input, viewer, tx }) => {
        const content = normaliseContent(input.body.content)
        const screened = await screenComment(tx, await currentRules(db, tx), viewer, content, ownHost)
        const insert = endpoint === createComment ? insertCommentAndNotify : insertReplyAndNotify
        return readOwn(tx, await insert(tx, jobs, input.params.id, viewer, screened), viewer)
      },
      {
        ...createLimit,
        changes: ({ input }) => (endpoint === createComment ? [`video:${input.params.id}`] : 'everything'),
      },
    )
  }

  for (const endpoint of [editComment, editReply]) {
    const kind = endpoint === editComment ? 'comment' : 'reply'
    mount(
      app,
      endpoint,
      async ({ input, viewer }) => {
        const content = normaliseContent(input.body.content)
        const rules = await currentRules(db)
        await db.begin(async (tx) => {
          const screened = await screenComment(tx, rules, viewer, content, ownHost)
          const changed = await queries.editComment(tx, input.params.id, kind, viewer, screened)
          if (changed !== null) await reportIfHeld(tx, changed, viewer, screened)
        })
        return readOwn(db, input.params.id, viewer, kind)
      },
      editLimit,
    )
  }

  for (const endpoint of [deleteComment, deleteReply]) {
    const kind = endpoint === deleteComment ? 'comment' : 'reply'
    mount(
      app,
      endpoint,
      async ({ input, viewer }) => {
        if (await queries.deleteComment(db, input.params.id, kind, viewer.id)) return null
        await readOwn(db, input.params.id, viewer, kind)
        throw new ApiError('not-found')
      },
      editLimit,
    )
  }
}

/**
 * Returns whether a viewer without blocks and mutes sees the comments that visitors see. Authors also see their held
 * comments, and whether they are the owner of a bookmark that visitors may not see.
 */
function isSameForViewer(
  comments: readonly Pick<Comment, 'user'>[],
  { bookmark }: CommentsQuery,
  viewer: Viewer,
): boolean {
  if (viewer.has_held_comments) return false
  return bookmark === undefined || comments.every(({ user }) => user?.id !== viewer.id)
}

/** Inserts a comment and notifies the first saver of the video and the users it mentions, unless the comment is held. */
async function insertCommentAndNotify(
  tx: Db,
  jobs: Jobs,
  videoId: number,
  viewer: Viewer,
  screened: queries.CommentContent,
): Promise<number> {
  const inserted = await queries.insertComment(tx, videoId, viewer, screened)
  await reportIfHeld(tx, inserted, viewer, screened)
  if (screened.held === null) {
    const comment = { actor_id: viewer.id, video_id: videoId, comment_id: inserted.id }
    await notifyComment(tx, comment)
    await notifyMentionsInComment(tx, comment)
    await announceComment(tx, jobs, comment)
  }
  return inserted.id
}

/** Inserts a reply and notifies the author of the comment and the users it mentions, unless the reply is held. */
async function insertReplyAndNotify(
  tx: Db,
  jobs: Jobs,
  comment_id: number,
  viewer: Viewer,
  screened: queries.CommentContent,
): Promise<number> {
  const inserted = await queries.insertReply(tx, comment_id, viewer, screened)
  await reportIfHeld(tx, inserted, viewer, screened)
  if (screened.held === null) {
    const { id: reply_id, video_id } = inserted
    const reply = { actor_id: viewer.id, video_id, comment_id: reply_id }
    await notifyReply(tx, { actor_id: viewer.id, comment_id, reply_id })
    await notifyMentionsInComment(tx, reply)
    await announceComment(tx, jobs, reply)
  }
  return inserted.id
}

async function reportIfHeld(
  tx: Db,
  inserted: { id: number; video_id: number },
  viewer: Viewer,
  { content, held }: queries.CommentContent,
): Promise<void> {
  if (held !== null) await reportHeldComment(tx, { ...inserted, user_id: viewer.id, content }, held)
}

/**
 * Returns the viewer's own comment or reply.
 * @throws ApiError('not-found') if the viewer may not see it or it is of another kind, ('forbidden') if it is not
 *   theirs
 */
async function readOwn(db: Db, id: number, viewer: Viewer, kind?: queries.CommentKind) {
  const row = await queries.readComment(db, id, viewer)
  const readKind = row?.parent_id === null ? 'comment' : 'reply'
  if (row === null || (kind !== undefined && kind !== readKind)) throw new ApiError('not-found')
  if (!row.is_own) throw new ApiError('forbidden')
  return row
}

async function loadWithParent(
  db: Db,
  id: number,
  viewer: Viewer | null,
  bookmark: number | null = null,
): Promise<CommentWithContext> {
  const row = await queries.readComment(db, id, viewer, bookmark)
  if (row === null) throw new ApiError('not-found')
  const parent =
    row.parent_id === null ? null : await queries.readComment(db, row.parent_id, viewer, bookmark)
  // The parent was deleted since the first read, and the reply with it.
  if (row.parent_id !== null && parent === null) throw new ApiError('not-found')
  return { ...row, parent }
}

/**
 * Returns a page of comments or replies.
 * @throws ApiError('not-found') if the viewer may not see the video or comment, ('invalid-page') past the last page
 */
async function commentsPage(
  endpoint: typeof listComments | typeof listReplies,
  input: { params: { id: number }; query: CommentsQuery },
  readList: (request: PageRequest) => Promise<queries.CommentList | null>,
) {
  const request = parsePageRequest(input.query, { defaultSize: limits.commentsPageSize })
  const list = await readList(request)
  if (list === null) throw new ApiError('not-found')
  return cursorPage(endpoint, input, request, list.count, list.rows)
}
