/** Endpoints for changing, trashing and restoring own bookmarks, one or many at once. */

import {
  bulkUpdateBookmarks,
  emptyTrash,
  listTrash,
  restoreBookmark,
  trashBookmark,
  undoBookmarkChanges,
  updateBookmark,
} from '@reelmark/contract/bookmark-changes.ts'
import type { Input } from '@reelmark/contract/protocol/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import type { Sql, TransactionSql } from '../../../core/database/database.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { invalidPkMessage, lockOwnDestination } from '../../collections/destination-queries.ts'
import { currentRules, screenContent } from '../../moderation/content-rules/screen-content.ts'
import { loadBookmarkReply } from '../bookmark-reply.ts'
import { sentFacts } from '../facts.ts'
import { normaliseTags, ownHosts } from '../save/rules.ts'
import { fetchThumbnailJob } from '../thumbnails/jobs.ts'
import * as trash from '../trash/trash-queries.ts'
import * as updates from './update-queries.ts'

const bulkLimit = { limit: 'bulk' } as const

export function registerBookmarkChanges(app: FastifyInstance): void {
  const { deps } = app
  const { db, settings } = deps

  mount(app, updateBookmark, async ({ input: { params, body }, viewer }) => {
    const { tags, embed_url, thumbnail_url, shape, duration, width, height, ...rest } = body
    const sent = { embed_url, thumbnail_url, shape, duration, width, height }
    const facts = sentFacts(sent, ownHosts(settings.publicUrl))
    const metadata = { ...rest, ...facts, ...(tags === undefined ? {} : { tags: normaliseTags(tags) }) }
    const hold_reason = screenContent(await currentRules(db), [
      { field: 'title', text: metadata.title },
      { field: 'description', text: metadata.description },
      { field: 'tags', tags: metadata.tags },
      { field: 'embed_url', link: metadata.embed_url },
    ])
    const changes = { ...metadata, ...(hold_reason === null ? {} : { hold_reason }) }
    return db.begin(async (tx) => {
      const needsThumbnail = await updates.updateBookmark(tx, viewer, params.id, changes)
      if (needsThumbnail) await deps.jobs.send(tx, fetchThumbnailJob, { bookmark_id: params.id })
      return loadBookmarkReply(deps, tx, params.id, viewer)
    })
  })

  mount(app, trashBookmark, async ({ input: { params }, viewer }) => {
    const { failed } = await changeAll(viewer.id, [params.id], async () => ({ action: 'trash' }))
    if (failed.length > 0) throw await updates.accessError(db, viewer, params.id)
    return null
  })

  mount(app, restoreBookmark, async ({ input: { params }, viewer }) => {
    const outcome = await changeAll(viewer.id, [params.id], async () => ({ action: 'restore' }))
    const [problem] = outcome.failed
    if (problem?.reason === 'already-saved') {
      throw new ApiError('already-saved', { bookmark_id: problem.bookmark_id })
    }
    if (problem !== undefined) throw new ApiError('not-found')
    return loadBookmarkReply(deps, db, params.id, viewer)
  })

  mount(app, listTrash, async ({ input, viewer }) => {
    const { count, results } = await trash.listTrash(db, viewer.id, offsetOf(input.query))
    return pageReply(listTrash, input, count, results)
  })

  mount(app, emptyTrash, ({ viewer }) => trash.emptyTrash(db, viewer.id), bulkLimit)

  mount(
    app,
    bulkUpdateBookmarks,
    async ({ input: { body }, viewer }) => {
      await screenTags(db, body)
      return changeAll(viewer.id, [...new Set(body.ids)], (tx) => resolveBulkUpdate(tx, viewer.id, body))
    },
    bulkLimit,
  )

  mount(
    app,
    undoBookmarkChanges,
    ({ input: { body }, viewer }) => {
      // If one is named twice, the first entry wins.
      const before = [...new Map(body.bookmarks.toReversed().map((state) => [state.id, state])).values()]
      return changeAll(
        viewer.id,
        before.map(({ id }) => id),
        async () => ({ action: 'undo', before }),
      )
    },
    bulkLimit,
  )

  function changeAll(
    userId: number,
    ids: number[],
    planned: (tx: TransactionSql) => Promise<updates.BulkUpdate>,
  ) {
    return db.begin(async (tx) => {
      await updates.lockOwnBookmarks(tx, userId, ids)
      return updates.bulkUpdateBookmarks(tx, userId, ids, await planned(tx))
    })
  }
}

/** @throws InvalidFields for a tag that a rule refuses, or that would hold bookmarks: those are tagged one at a time. */
async function screenTags(
  db: Sql,
  { action, tags }: Input<typeof bulkUpdateBookmarks>['body'],
): Promise<void> {
  if (action !== 'tag') return
  const held = screenContent(await currentRules(db), [{ field: 'tags', tags: normaliseTags(tags ?? []) }])
  if (held === null) return
  throw new InvalidFields({
    tags: ['This tag requires review. Add it to one bookmark at a time.'],
  })
}

/** Validates a bulk update and locks its destination. @throws InvalidFields if a field is missing or not the user's own. */
async function resolveBulkUpdate(
  tx: TransactionSql,
  userId: number,
  { action, collection_id, channel_id, tags, access }: Input<typeof bulkUpdateBookmarks>['body'],
): Promise<updates.BulkUpdate> {
  const required = (field: string) => new InvalidFields({ [field]: ['This field is required.'] })
  switch (action) {
    case 'move': {
      if (collection_id === undefined && (channel_id ?? null) === null) throw required('collection_id')
      const destination = await lockOwnDestination(tx, userId, {
        collection_id: collection_id ?? null,
        channel_id,
      })
      if (destination !== null) return { action, destination }
      throw new InvalidFields(
        (channel_id ?? null) === null
          ? { collection_id: [invalidPkMessage(collection_id)] }
          : { channel_id: [invalidPkMessage(channel_id)] },
      )
    }
    case 'tag':
    case 'untag': {
      const normalised = normaliseTags(tags ?? [])
      if (normalised.length === 0) throw required('tags')
      return { action, tags: normalised }
    }
    case 'access':
      if (access === undefined) throw required('access')
      return { action, access }
    case 'trash':
    case 'restore':
    case 'remove':
      return { action }
  }
}
