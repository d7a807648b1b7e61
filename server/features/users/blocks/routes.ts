import { blockUser, listBlocks, unblockUser } from '@reelmark/contract/blocks.ts'
import type { FastifyInstance } from 'fastify'
import { cursorPage, parsePageRequest } from '../../../core/http/cursor-paging.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import * as queries from './queries.ts'

export function registerBlocks(app: FastifyInstance): void {
  const { db } = app.deps

  mount(
    app,
    blockUser,
    async ({ input: { params }, viewer }) => {
      if (params.id === viewer.id) throw new ApiError('cannot-target-self')
      if (!(await queries.blockUser(db, viewer, params.id))) throw new ApiError('not-found')
      return { is_blocked: true }
    },
    { limit: 'block' },
  )

  mount(
    app,
    unblockUser,
    async ({ input: { params }, viewer }) => {
      if (params.id === viewer.id) throw new ApiError('cannot-target-self')
      if (!(await queries.unblockUser(db, viewer, params.id))) throw new ApiError('not-found')
      return { is_blocked: false }
    },
    { limit: 'block' },
  )

  mount(app, listBlocks, async ({ input, viewer }) => {
    const request = parsePageRequest(input.query)
    const { count, rows } = await queries.listBlocks(db, viewer.id, request)
    return cursorPage(listBlocks, input, request, count, rows)
  })
}
