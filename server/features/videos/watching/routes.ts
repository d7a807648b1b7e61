import * as playback from '@reelmark/contract/playback.ts'
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
    playback.recordEnd,
    async ({ input: { params }, viewer }) => ({
      is_watched: await queries.recordEnd(db, viewer.id, params.id),
    }),
    markWatchedLimit,
  )

  mount(app, playback.getPosition, async ({ input: { params }, viewer }) => ({
    seconds: await queries.getPosition(db, viewer.id, params.id),
  }))

  mount(
    app,
    playback.savePosition,
    async ({ input: { params, body }, viewer }) => {
      const is_stored = await queries.savePosition(db, viewer.id, params.id, body.seconds)
      if (is_stored) app.viewedVideos.add(params.id)
      return { is_stored }
    },
    { limit: 'save-position' },
  )

  mount(
    app,
    contract.clearWatched,
    async ({ viewer }) => ({ cleared: await queries.clearWatched(db, viewer.id) }),
    markWatchedLimit,
  )
}
