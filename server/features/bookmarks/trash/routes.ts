import { emptyTrash, restoreBookmark, trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { loadBookmarkReply } from '../bookmark-reply.ts'
import { bulkUpdateOwnBookmarks } from '../bulk/bulk-queries.ts'
import { accessError } from '../update/update-queries.ts'
import * as trash from './trash-queries.ts'

export function registerTrash(app: FastifyInstance): void {
  const { deps } = app
  const { db } = deps

  mount(app, trashBookmark, async ({ input: { params }, viewer }) => {
    const { failed } = await bulkUpdateOwnBookmarks(db, viewer.id, [params.id], () => ({ action: 'trash' }))
    if (failed.length > 0) throw await accessError(db, viewer, params.id)
    return null
  })

  mount(app, restoreBookmark, async ({ input: { params }, viewer }) => {
    const outcome = await bulkUpdateOwnBookmarks(db, viewer.id, [params.id], () => ({ action: 'restore' }))
    const [problem] = outcome.failed
    if (problem?.reason === 'already-saved') {
      throw new ApiError('already-saved', { bookmark_id: problem.bookmark_id })
    }
    if (problem !== undefined) throw new ApiError('not-found')
    return loadBookmarkReply(deps, db, params.id, viewer)
  })

  mount(app, emptyTrash, ({ viewer }) => trash.emptyTrash(db, viewer.id), { limit: 'bulk' })
}
