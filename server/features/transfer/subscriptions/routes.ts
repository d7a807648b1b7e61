import * as contract from '@reelmark/contract/subscriptions.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../core/database/database.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { listLink } from '../../../core/video-links/entered-links.ts'
import { lockOwnDestination, unknownDestinationError } from '../../collections/public-api.ts'
import * as queries from './subscription-queries.ts'

interface Named {
  collection_id?: number
  channel_id?: number | null
}

export function registerSubscriptions(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, contract.listSubscriptions, ({ readDb, viewer }) => queries.listSubscriptions(readDb, viewer.id))

  /** @throws InvalidFields for a destination that is not the user's */
  const findDestination = async (tx: Db, userId: number, { collection_id, channel_id = null }: Named) => {
    const destination = await lockOwnDestination(tx, userId, {
      collection_id: collection_id ?? null,
      channel_id,
    })
    if (destination === null)
      throw unknownDestinationError({ collection_id: collection_id ?? null, channel_id })
    return { collection_id: destination.collection_id, channel_id: destination.channel_id }
  }

  mount(
    app,
    contract.createSubscription,
    async ({ input: { body }, viewer }) => {
      const url = listLink(body.url)
      if (body.collection_id === undefined && body.channel_id == null) {
        throw new InvalidFields({ collection_id: ['This field is required.'] })
      }
      const created = await db.begin(async (tx) => {
        const destination = await findDestination(tx, viewer.id, body)
        const row = { user_id: viewer.id, url, host: new URL(url).hostname, access: body.access ?? 'private' }
        return queries.createSubscription(tx, { ...row, ...destination })
      })
      if (created === null) throw new ApiError('limit-reached')
      return created
    },
    { limit: 'subscription' },
  )

  mount(
    app,
    contract.updateSubscription,
    async ({ input: { params, body }, viewer }) => {
      const { collection_id, channel_id, ...rest } = body
      const changed = await db.begin(async (tx) => {
        const isMoved = collection_id !== undefined || channel_id != null
        const destination = isMoved
          ? await findDestination(tx, viewer.id, {
              ...(collection_id !== undefined && { collection_id }),
              ...(channel_id !== undefined && { channel_id }),
            })
          : channel_id === null
            ? { channel_id }
            : {}
        return queries.updateSubscription(tx, viewer.id, params.id, { ...rest, ...destination })
      })
      if (changed === null) throw new ApiError('not-found')
      return changed
    },
    { limit: 'subscription' },
  )

  mount(app, contract.deleteSubscription, async ({ input: { params }, viewer }) => {
    if (!(await queries.deleteSubscription(db, viewer.id, params.id))) throw new ApiError('not-found')
    return null
  })
}
