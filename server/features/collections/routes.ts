import {
  createChannel,
  createCollection,
  getChannel,
  getCollection,
  listChannels,
  listCollections,
  orderChannels,
  orderCollections,
  removeChannel,
  removeCollection,
  updateChannel,
  updateCollection,
} from '@reelmark/contract/collections.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/database.ts'
import { mount } from '../../core/endpoints.ts'
import { ApiError } from '../../core/errors.ts'
import { answerPage, rangeOf } from '../../core/paging.ts'
import type { Viewer } from '../../core/session.ts'
import { reportHeldPerson } from '../moderation/cards.ts'
import { currentRules, screen } from '../screening/cards.ts'
import * as access from './access.ts'
import * as changes from './changes.ts'
import { removePlace } from './emptying.ts'
import {
  readChannel,
  listChannels as readChannels,
  readCollection,
  listCollections as readCollections,
} from './queries.ts'

const making = { limit: 'make-place' } as const

export function registerCollections(app: FastifyInstance): void {
  // The primary, not a replica: what somebody just made is what they look for next.
  const { db, jobs } = app.deps

  mount(
    app,
    listCollections,
    async ({ input, viewer }) => {
      const { user } = input.query
      const owner = user === undefined || user === '' ? viewer : { username: user }
      if (owner === null) throw new ApiError('not-signed-in')
      const found = await readCollections(db, {
        owner: 'id' in owner ? { id: owner.id } : owner,
        viewer,
        ...rangeOf(input.query),
      })
      return answerPage(listCollections, input, found.count, found.results)
    },
    { sameForVisitors: true },
  )

  mount(
    app,
    listChannels,
    async ({ input, viewer }) => {
      const found = await readChannels(db, {
        id: input.params.id,
        viewer,
        ...rangeOf(input.query),
      })
      if (found === null) throw new ApiError('not-found')
      return answerPage(listChannels, input, found.count, found.results)
    },
    { sameForVisitors: true },
  )
  const answerCollection = async (db: Db, id: number, viewer: Viewer | null) => {
    const collection = await readCollection(db, id, viewer)
    if (collection === null) throw new ApiError('not-found')
    return collection
  }
  const answerChannel = async (db: Db, id: number, viewer: Viewer | null) => {
    const channel = await readChannel(db, id, viewer)
    if (channel === null) throw new ApiError('not-found')
    return channel
  }

  /**
   * Checks the name and the description against the rules and reports what one of them holds.
   * @throws InvalidFields for what a rule refuses
   */
  const screenPlace = async (tx: Db, words: { name?: string; description?: string }, viewer: Viewer) => {
    const held = screen(await currentRules(db, tx), [
      { field: 'name', text: words.name },
      { field: 'description', text: words.description },
    ])
    if (held !== null) await reportHeldPerson(tx, viewer.id, `A collection or channel. ${held}`)
  }

  mount(app, getCollection, ({ input, viewer }) => answerCollection(db, input.params.id, viewer), {
    sameForVisitors: true,
  })
  mount(app, getChannel, ({ input, viewer }) => answerChannel(db, input.params.id, viewer), {
    sameForVisitors: true,
  })

  mount(
    app,
    createCollection,
    async ({ input, viewer, tx }) => {
      await screenPlace(tx, input.body, viewer)
      return answerCollection(tx, await changes.createCollection(tx, viewer.id, input.body), viewer)
    },
    making,
  )

  mount(app, updateCollection, async ({ input: { params, body }, viewer }) => {
    await changes.requireOwnCollection(db, params.id, viewer.id)
    await screenPlace(db, body, viewer)
    const isUnsettled = await db.begin(async (tx) => {
      await changes.updateCollection(tx, params.id, viewer.id, body)
      if (body.access === undefined || !(await access.isUnsettled(tx, params.id))) return false
      await jobs.send(tx, access.settleCollection, { collection_id: params.id })
      return true
    })
    // Answered once all of it is hidden, or shown.
    if (isUnsettled) await access.settleAccess(db, params.id)
    return answerCollection(db, params.id, viewer)
  })

  mount(app, removeCollection, async ({ input: { params, query }, viewer }) => {
    await changes.requireOwnCollection(db, params.id, viewer.id)
    return removePlace(db, {
      userId: viewer.id,
      collectionId: params.id,
      channelId: null,
      choice: query,
    })
  })

  mount(app, orderCollections, async ({ input, viewer }) => {
    await db.begin((tx) => changes.orderCollections(tx, viewer.id, input.body.ids))
    return null
  })

  mount(
    app,
    createChannel,
    async ({ input: { params, body }, viewer, tx }) => {
      await changes.requireOwnCollection(tx, params.id, viewer.id)
      await screenPlace(tx, body, viewer)
      return answerChannel(tx, await changes.createChannel(tx, params.id, body), viewer)
    },
    making,
  )

  mount(app, orderChannels, async ({ input: { params, body }, viewer }) => {
    await changes.requireOwnCollection(db, params.id, viewer.id)
    await db.begin((tx) => changes.orderChannels(tx, params.id, body.ids))
    return null
  })

  mount(app, updateChannel, async ({ input: { params, body }, viewer }) => {
    await changes.requireOwnChannel(db, params.id, viewer.id)
    await screenPlace(db, body, viewer)
    await changes.updateChannel(db, params.id, body)
    return answerChannel(db, params.id, viewer)
  })

  mount(app, removeChannel, async ({ input: { params, query }, viewer }) => {
    const collectionId = await changes.requireOwnChannel(db, params.id, viewer.id)
    return removePlace(db, { userId: viewer.id, collectionId, channelId: params.id, choice: query })
  })
}
