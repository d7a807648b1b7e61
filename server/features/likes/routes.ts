import { getLikeStatus, toggleLike } from '@reelmark/contract/likes.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import * as queries from './queries.ts'

export function registerLikes(app: FastifyInstance): void {
  // The primary, not a replica: whoever just liked looks at whether they do.
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
      const status = await queries.toggleLike(db, viewer, input.params.id)
      if (status === null) throw new ApiError('not-found')
      return status
    },
    { limit: { name: 'like', tokens: 300, seconds: 600 } },
  )
}
