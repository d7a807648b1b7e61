import * as contract from '@reelmark/contract/watching.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import * as queries from './watched-queries.ts'

const markWatchedLimit = { limit: 'mark-watched' } as const

export function registerWatched(app: FastifyInstance): void {
  const { db } = app.deps

  mount(
    app,
    contract.markWatched,
    async ({ input: { params }, viewer }) => {
      await queries.markWatched(db, viewer.id, params.id)
      return { is_watched: true }
    },
    markWatchedLimit,
  )

  mount(
    app,
    contract.unmarkWatched,
    async ({ input: { params }, viewer }) => {
      await queries.unmarkWatched(db, viewer.id, params.id)
      return { is_watched: false }
    },
    markWatchedLimit,
  )

  mount(
    app,
    contract.clearWatched,
    async ({ viewer }) => ({ cleared: await queries.clearWatched(db, viewer.id) }),
    markWatchedLimit,
  )
}
