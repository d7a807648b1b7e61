import { endpointUrl } from '@reelmark/contract/call.ts'
import {
  type CommentInPlace,
  type CommentsQuery,
  deleteComment,
  deleteReply,
  editComment,
  editReply,
  getComment,
  listComments,
  listReplies,
  postComment,
  postReply,
} from '@reelmark/contract/comments.ts'
import { limits } from '@reelmark/contract/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/database.ts'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import type { Viewer } from '../../core/session.ts'
import { reportHeldComment } from '../moderation/cards.ts'
import { notifyReply } from '../notifications/notify.ts'
import { currentRules } from '../screening/cards.ts'
import { judge } from './judging.ts'
import * as queries from './queries.ts'
import { readCursor, tidyContent, writeCursor } from './rules.ts'
import type { Asker } from './sight.ts'

/** Together, since a reply is as loud as a comment. */
const posting = { limit: 'comment' } as const
const changing = { limit: 'comment-change' } as const

export function registerComments(app: FastifyInstance): void {
  const { db, readDb, settings } = app.deps
  const ownHost = new URL(settings.publicUrl).host

  // From the primary where somebody is signed in: what they have just said is there.
  const sourceFor = (viewer: Asker) => (viewer === null ? readDb : db)
  for (const endpoint of [listComments, listReplies]) {
    const read = endpoint === listComments ? queries.listComments : queries.listReplies
    mount(
      app,
      endpoint,
      ({ input, viewer }) =>
        answerPage(endpoint, input, (range) =>
          read(sourceFor(viewer), input.params.id, viewer, input.query.bookmark ?? null, range),
        ),
      { sameForVisitors: true },
    )
  }

  mount(app, getComment, ({ input, viewer }) => inPlace(db, input.params.id, viewer, input.query.bookmark), {
    sameForVisitors: true,
  })

  for (const endpoint of [postComment, postReply]) {
    mount(
      app,
      endpoint,
      async ({ input, viewer, tx }) => {
        const content = tidyContent(input.body.content)
        const words = await judge(tx, await currentRules(db, tx), viewer, content, ownHost)
        const write = endpoint === postComment ? say : reply
        return readOwn(tx, await write(tx, input.params.id, viewer, words), viewer)
      },
      posting,
    )
  }

  for (const endpoint of [editComment, editReply]) {
    const kind = endpoint === editComment ? 'comment' : 'reply'
    mount(
      app,
      endpoint,
      async ({ input, viewer }) => {
        const content = tidyContent(input.body.content)
        const rules = await currentRules(db)
        await db.begin(async (tx) => {
          const words = await judge(tx, rules, viewer, content, ownHost)
          const changed = await queries.editComment(tx, input.params.id, kind, viewer, words)
          if (changed !== null) await reportIfHeld(tx, changed, viewer, words)
        })
        return readOwn(db, input.params.id, viewer, kind)
      },
      changing,
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
      changing,
    )
  }
}

async function say(tx: Db, videoId: number, viewer: Viewer, words: queries.Words): Promise<number> {
  const said = await queries.postComment(tx, videoId, viewer, words)
  await reportIfHeld(tx, said, viewer, words)
  return said.id
}

/** A reply; whoever it is to is told, unless it waits. */
async function reply(tx: Db, comment_id: number, viewer: Viewer, words: queries.Words): Promise<number> {
  const said = await queries.postReply(tx, comment_id, viewer, words)
  await reportIfHeld(tx, said, viewer, words)
  if (words.held === null) await notifyReply(tx, { actor_id: viewer.id, comment_id, reply_id: said.id })
  return said.id
}

async function reportIfHeld(
  tx: Db,
  said: { id: number; video_id: number },
  viewer: Viewer,
  { content, held }: queries.Words,
): Promise<void> {
  if (held !== null) await reportHeldComment(tx, { ...said, user_id: viewer.id, content }, held)
}

/** @throws ApiError('not-found') where it is not there for them, ('not-allowed') where it is somebody else's. */
async function readOwn(db: Db, id: number, viewer: NonNullable<Asker>, kind?: queries.Kind) {
  const row = await queries.readComment(db, id, viewer)
  const kindOf = row?.parent_id === null ? 'comment' : 'reply'
  if (row === null || (kind !== undefined && kind !== kindOf)) throw new ApiError('not-found')
  if (!row.is_own) throw new ApiError('not-allowed')
  return row
}

async function inPlace(
  db: Db,
  id: number,
  viewer: Asker,
  bookmark: number | null = null,
): Promise<CommentInPlace> {
  const row = await queries.readComment(db, id, viewer, bookmark)
  if (row === null) throw new ApiError('not-found')
  const parent =
    row.parent_id === null ? null : await queries.readComment(db, row.parent_id, viewer, bookmark)
  // Deleted in between, and the reply with it.
  if (row.parent_id !== null && parent === null) throw new ApiError('not-found')
  return { ...row, parent }
}

/**
 * A page of comments or replies.
 * @throws ApiError('not-found') where what they are of is not there, ('invalid-page') past the end.
 */
async function answerPage(
  endpoint: typeof listComments | typeof listReplies,
  { params, query }: { params: { id: number }; query: CommentsQuery },
  read: (range: queries.Range) => Promise<queries.Slice | null>,
) {
  const { page = 1, page_size: size = limits.commentsPageSize, cursor: text, ...rest } = query
  const cursor = text === undefined ? null : readCursor(text)
  if (text !== undefined && cursor === null) throw new ApiError('invalid-page')
  const slice = await read({ size, skip: cursor === null ? (page - 1) * size : 0, cursor })
  if (slice === null) throw new ApiError('not-found')
  const { rows, count, more } = slice
  const [first, last] = [rows[0], rows.at(-1)]
  if (page > 1 && first === undefined) throw new ApiError('invalid-page')
  const link = (number: number, from: queries.CommentRow | null, direction: 'after' | 'before') =>
    endpointUrl(endpoint, params, {
      ...rest,
      page_size: size,
      page: number,
      cursor: from === null ? undefined : writeCursor({ direction, key: from.key, id: from.id }),
    })
  // Whoever came backwards came from a page that is still there.
  const hasNext = more || cursor?.direction === 'before'
  return {
    count,
    next: hasNext && last !== undefined ? link(page + 1, last, 'after') : null,
    previous: page > 1 && first !== undefined ? link(page - 1, page === 2 ? null : first, 'before') : null,
    results: rows,
  }
}
