import { blockUser, listBlocks, unblockUser } from '@reelmark/contract/blocks.ts'
import type { FastifyInstance } from 'fastify'
import { answerPart, partOf } from '../../core/cursor-paging.ts'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import * as queries from './queries.ts'

export function registerBlocks(app: FastifyInstance): void {
  const { db } = app.deps

  mount(
    app,
    blockUser,
    async ({ input: { params }, viewer }) => {
      if (params.id === viewer.id) throw new ApiError('yourself')
      if (!(await queries.blockUser(db, viewer.id, params.id))) throw new ApiError('not-found')
      return { is_blocked: true }
    },
    { limit: 'block' },
  )

  mount(
    app,
    unblockUser,
    async ({ input: { params }, viewer }) => {
      if (params.id === viewer.id) throw new ApiError('yourself')
      if (!(await queries.unblockUser(db, viewer.id, params.id))) throw new ApiError('not-found')
      return { is_blocked: false }
    },
    { limit: 'block' },
  )

  mount(app, listBlocks, async ({ input, viewer }) => {
    const part = partOf(input.query)
    const { count, rows } = await queries.listBlocks(db, viewer.id, part)
    return answerPart(listBlocks, input, part, count, rows)
  })
}
