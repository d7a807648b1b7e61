import {
  createChannel,
  createCollection,
  deleteChannel,
  deleteCollection,
  getChannel,
  getCollection,
  listChannels,
  listCollections,
  reorderChannels,
  reorderCollections,
  updateChannel,
  updateCollection,
} from '@reelmark/contract/collections.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError } from '../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../core/http/paging.ts'
import { currentRules } from '../moderation/public-api.ts'
import { deleteContainer } from './delete-container.ts'
import {
  readChannel,
  listChannels as readChannels,
  readCollection,
  listCollections as readCollections,
} from './read-queries.ts'
import { screenCollectionChange, screenContainer } from './screen-containers.ts'
import * as access from './visibility-sync.ts'
import * as changes from './write-queries.ts'

const createContainerLimit = { limit: 'create-container' } as const

export function registerCollections(app: FastifyInstance): void {
  // Reads from the primary, not a replica, because users look for what they have just created.
  const { db, jobs } = app.deps

  mount(
    app,
    listCollections,
    async ({ input, viewer }) => {
      const { user } = input.query
      const owner = user === undefined || user === '' ? viewer : { username: user }
      if (owner === null) throw new ApiError('unauthenticated')
      const found = await readCollections(db, {
        owner: 'id' in owner ? { id: owner.id } : owner,
        viewer,
        ...offsetOf(input.query),
      })
      return pageReply(listCollections, input, found.count, found.results)
    },
    { cacheForVisitors: true },
  )

  mount(
    app,
    listChannels,
    async ({ input, viewer }) => {
      const found = await readChannels(db, {
        id: input.params.id,
        viewer,
        ...offsetOf(input.query),
      })
      if (found === null) throw new ApiError('not-found')
      return pageReply(listChannels, input, found.count, found.results)
    },
    { cacheForVisitors: true },
  )
  const collectionReply = async (db: Db, id: number, viewer: Viewer | null) => {
    const collection = await readCollection(db, id, viewer)
    if (collection === null) throw new ApiError('not-found')
    return collection
  }
  const channelReply = async (db: Db, id: number, viewer: Viewer | null) => {
    const channel = await readChannel(db, id, viewer)
    if (channel === null) throw new ApiError('not-found')
    return channel
  }

  mount(app, getCollection, ({ input, viewer }) => collectionReply(db, input.params.id, viewer), {
    cacheForVisitors: true,
  })
  mount(app, getChannel, ({ input, viewer }) => channelReply(db, input.params.id, viewer), {
    cacheForVisitors: true,
  })

  mount(
    app,
    createCollection,
    async ({ input, viewer, tx }) => {
      const isPublic = input.body.access !== 'private'
      await screenContainer(db, tx, input.body, { ownerId: viewer.id, isPublic })
      return collectionReply(tx, await changes.createCollection(tx, viewer.id, input.body), viewer)
    },
    createContainerLimit,
  )

  mount(app, updateCollection, async ({ input: { params, body }, viewer }) => {
    await changes.requireOwnCollection(db, params.id, viewer.id)
    await screenCollectionChange(db, db, params.id, viewer.id, body)
    const rules = await currentRules(db)
    const isOutOfSync = await db.begin(async (tx) => {
      const update = () => changes.updateCollection(tx, params.id, viewer.id, body)
      if (body.access === undefined) {
        await update()
        return false
      }
      await access.holdPublishedByChange(tx, rules, params.id, update)
      if (!(await access.isOutOfSync(tx, params.id))) return false
      await jobs.send(tx, access.syncCollectionVisibilityJob, { collection_id: params.id })
      return true
    })
    // Answers only after all bookmarks are hidden or shown.
    if (isOutOfSync) await access.syncBookmarkVisibility(db, params.id)
    return collectionReply(db, params.id, viewer)
  })

  mount(app, deleteCollection, async ({ input: { params, query }, viewer }) => {
    await changes.requireOwnCollection(db, params.id, viewer.id)
    return deleteContainer(db, {
      userId: viewer.id,
      collectionId: params.id,
      channelId: null,
      choice: query,
    })
  })

  mount(app, reorderCollections, async ({ input, viewer }) => {
    await db.begin((tx) => changes.reorderCollections(tx, viewer.id, input.body.ids))
    return null
  })

  mount(
    app,
    createChannel,
    async ({ input: { params, body }, viewer, tx }) => {
      const collection = await changes.requireOwnCollection(tx, params.id, viewer.id)
      await screenContainer(db, tx, body, { ownerId: viewer.id, isPublic: collection.access === 'public' })
      return channelReply(tx, await changes.createChannel(tx, params.id, body), viewer)
    },
    createContainerLimit,
  )

  mount(app, reorderChannels, async ({ input: { params, body }, viewer }) => {
    await changes.requireOwnCollection(db, params.id, viewer.id)
    await db.begin((tx) => changes.reorderChannels(tx, params.id, body.ids))
    return null
  })

  mount(app, updateChannel, async ({ input: { params, body }, viewer }) => {
    const channel = await changes.requireOwnChannel(db, params.id, viewer.id)
    await screenContainer(db, db, body, { ownerId: viewer.id, isPublic: channel.access === 'public' })
    await changes.updateChannel(db, params.id, body)
    return channelReply(db, params.id, viewer)
  })

  mount(app, deleteChannel, async ({ input: { params, query }, viewer }) => {
    const { collection_id } = await changes.requireOwnChannel(db, params.id, viewer.id)
    return deleteContainer(db, {
      userId: viewer.id,
      collectionId: collection_id,
      channelId: params.id,
      choice: query,
    })
  })
}
