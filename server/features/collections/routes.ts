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
  searchCollections,
  updateChannel,
  updateCollection,
} from '@reelmark/contract/collections.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../core/auth/session.ts'
import type { Db } from '../../core/database/database.ts'
import { mount } from '../../core/http/endpoints.ts'
import { ApiError } from '../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../core/http/paging.ts'
import { dependOn } from '../../core/http/visitor-cache.ts'
import type { ContainerKind } from '../../shared/followed-lists.ts'
import { chooseOwner, ownerListCache } from '../../shared/owner-lists.ts'
import { currentRules } from '../moderation/public-api.ts'
import { deleteContainer } from './delete-container.ts'
import {
  createContainerFollowLoader,
  readChannel,
  listChannels as readChannels,
  readCollection,
  listCollections as readCollections,
} from './read-queries.ts'
import { screenCollectionChange, screenContainer } from './screen-containers.ts'
import { searchCollections as findCollections } from './search-queries.ts'
import * as access from './visibility-sync.ts'
import * as changes from './write-queries.ts'

const createContainerLimit = { limit: 'create-container' } as const

export function registerCollections(app: FastifyInstance): void {
  const { db, jobs } = app.deps

  mount(
    app,
    listCollections,
    async ({ input, readDb, viewer }) => {
      const found = await readCollections(readDb, {
        owner: chooseOwner(input.query, viewer),
        viewer,
        ...offsetOf(input.query),
      })
      return pageReply(listCollections, input, found.count, found.results)
    },
    ownerListCache,
  )

  mount(
    app,
    searchCollections,
    async ({ input, readDb, viewer }) => {
      const request = { text: input.query.q, viewer, ...offsetOf(input.query) }
      const found = await findCollections(readDb, request)
      dependOn(['listing'])
      return pageReply(searchCollections, input, found.count, found.results)
    },
    { cacheForVisitors: true },
  )

  mount(
    app,
    listChannels,
    async ({ input, readDb, viewer }) => {
      const found = await readChannels(readDb, {
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

  const byOthers = (kind: ContainerKind) => {
    const readFollow = createContainerFollowLoader(db, kind)
    return {
      isShared: ({ user }: { user: { id: number } }, { viewer }: { viewer: Viewer }) => user.id !== viewer.id,
      addOwn: async <Page extends { id: number }>(page: Page, { viewer }: { viewer: Viewer }) => ({
        ...page,
        ...(await readFollow(page.id, viewer.id)),
      }),
    }
  }
  mount(app, getCollection, ({ input, readDb, viewer }) => collectionReply(readDb, input.params.id, viewer), {
    cacheForVisitors: true,
    personalize: byOthers('collection'),
  })
  mount(app, getChannel, ({ input, readDb, viewer }) => channelReply(readDb, input.params.id, viewer), {
    cacheForVisitors: true,
    personalize: byOthers('channel'),
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
