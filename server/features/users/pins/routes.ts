import { setPins } from '@reelmark/contract/pins.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { InvalidFields } from '../../../core/http/errors.ts'
import { invalidPkMessage } from '../../collections/public-api.ts'
import * as queries from './queries.ts'

export function registerPins(app: FastifyInstance): void {
  const { db } = app.deps
  mount(
    app,
    setPins,
    async ({ input: { body }, viewer }) => {
      const { pins } = body
      if (new Set(pins.map(({ kind, id }) => `${kind} ${id}`)).size < pins.length)
        throw new InvalidFields({ pins: ['Each item can be pinned once.'] })
      await db.begin(async (tx) => {
        const unknown = await queries.replacePins(tx, viewer.id, pins)
        if (unknown.length > 0)
          throw new InvalidFields({ pins: unknown.map(({ id }) => invalidPkMessage(id)) })
      })
      return { pins: await queries.listOwnPins(db, viewer.id) }
    },
    { changes: ({ viewer }) => [`user:${viewer.id}`] },
  )
}
