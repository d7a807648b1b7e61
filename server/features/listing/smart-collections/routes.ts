import * as contract from '@reelmark/contract/smart-collections.ts'
import type { FastifyInstance } from 'fastify'
import type { Viewer } from '../../../core/auth/session.ts'
import type { Db } from '../../../core/database/database.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { chooseOwner, ownerListCache } from '../../../shared/owner-lists.ts'
import { screenContainer } from '../../collections/public-api.ts'
import * as queries from './queries.ts'
import { requireValidQuery } from './resolve.ts'

const changeLimit = { limit: 'create-container' } as const

export function registerSmartCollections(app: FastifyInstance): void {
  const { db } = app.deps

  const readReply = async (readDb: Db, id: number, viewer: Viewer | null) => {
    const found = await queries.readSmartCollection(readDb, id, viewer)
    if (found === null) throw new ApiError('not-found')
    return found
  }

  mount(
    app,
    contract.listSmartCollections,
    async ({ input, readDb, viewer }) => {
      const { count, results } = await queries.listSmartCollections(
        readDb,
        chooseOwner(input.query, viewer),
        viewer,
        offsetOf(input.query),
      )
      return pageReply(contract.listSmartCollections, input, count, results)
    },
    ownerListCache,
  )

  mount(
    app,
    contract.getSmartCollection,
    ({ input, readDb, viewer }) => readReply(readDb, input.params.id, viewer),
    {
      cacheForVisitors: true,
      personalize: { isShared: ({ user }, { viewer }) => user.id !== viewer.id },
    },
  )

  mount(
    app,
    contract.createSmartCollection,
    async ({ input: { body }, viewer, tx }) => {
      const { name, description = '', access = 'private', query } = body
      requireValidQuery(query, access)
      await screenContainer(db, tx, body, { ownerId: viewer.id, isPublic: access === 'public' })
      const id = await queries.createSmartCollection(tx, viewer.id, { name, description, access, query })
      return readReply(tx, id, viewer)
    },
    changeLimit,
  )

  mount(
    app,
    contract.updateSmartCollection,
    ({ input: { params, body }, viewer }) =>
      db.begin(async (tx) => {
        await queries.lockSmartCollection(tx, params.id, viewer.id)
        const before = await queries.requireOwnSmartCollection(tx, params.id, viewer)
        const changed = { ...before, ...body }
        requireValidQuery(changed.query, changed.access)
        const isPublic = changed.access === 'public'
        // Texts of a private one are reported once it becomes public.
        const texts = isPublic && before.access === 'private' ? changed : body
        await screenContainer(db, tx, texts, { ownerId: viewer.id, isPublic })
        await queries.updateSmartCollection(tx, params.id, viewer.id, changed)
        return readReply(tx, params.id, viewer)
      }),
    changeLimit,
  )

  mount(app, contract.deleteSmartCollection, async ({ input: { params }, viewer }) => {
    await queries.requireOwnSmartCollection(db, params.id, viewer)
    await queries.trashSmartCollection(db, params.id, viewer.id)
    return null
  })

  mount(
    app,
    contract.restoreSmartCollection,
    ({ input: { params }, viewer }) =>
      db.begin(async (tx) => {
        await queries.restoreSmartCollection(tx, params.id, viewer.id)
        return readReply(tx, params.id, viewer)
      }),
    changeLimit,
  )

  mount(app, contract.listTrashedSmartCollections, async ({ input, readDb, viewer }) => {
    const { count, results } = await queries.listTrashedSmartCollections(
      readDb,
      viewer.id,
      offsetOf(input.query),
    )
    return pageReply(contract.listTrashedSmartCollections, input, count, results)
  })
}
