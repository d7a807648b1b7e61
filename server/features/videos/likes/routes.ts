import { getLikeStatus, toggleLike } from '@reelmark/contract/likes.ts'
import type { FastifyInstance } from 'fastify'
import { withTransaction } from '../../../core/database/transaction.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { notifyLike } from '../../notifications/public-api.ts'
import * as queries from './queries.ts'

export function registerLikes(app: FastifyInstance): void {
  // Reads from the primary, not a replica, because users see their own likes immediately.
  const { db } = app.deps

  mount(app, getLikeStatus, async ({ input, viewer }) => {
    const status = await queries.getLikeStatus(db, viewer, input.params.id)
    if (status === null) throw new ApiError('not-found')
    return status
  })

  mount(
    app,
    toggleLike,
    async ({ input, viewer }) => {
      const video_id = input.params.id
      const status = await withTransaction(db, async (tx) => {
        const toggled = await queries.toggleLike(tx, viewer, video_id)
        if (toggled?.is_liked) await notifyLike(tx, { actor_id: viewer.id, video_id })
        return toggled
      })
      if (status === null) throw new ApiError('not-found')
      return status
    },
    {
      limit: 'like',
      changes: ({ input, viewer }) => [
        `video:${input.params.id}`,
        `user:${viewer.id}`,
        ...[viewer.username.toLowerCase(), ...viewer.former_usernames].map(
          (name) => `likes-of:${name}` as const,
        ),
      ],
    },
  )
}
