import * as contract from '@reelmark/contract/collection-links.ts'
import type { FastifyInstance } from 'fastify'
import { cursorPage, parseKeyedPageRequest } from '../../../core/http/cursor-paging.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { requireOwnCollection } from '../../collections/public-api.ts'
import { currentRules, holdBeforeLink } from '../../moderation/public-api.ts'
import { replyWithPlayer } from '../bookmark-reply.ts'
import * as queries from './queries.ts'

export function registerCollectionLinks(app: FastifyInstance): void {
  const { deps } = app
  const { db, serverKeys } = deps
  const key = serverKeys['collection-link']

  const linkReply = async (collectionId: number, userId: number) => {
    const link = await queries.readLink(db, key, collectionId, userId)
    if (link === null) throw new ApiError('not-found')
    return link
  }

  mount(app, contract.getCollectionLink, ({ input: { params }, viewer }) => linkReply(params.id, viewer.id))

  mount(
    app,
    contract.createCollectionLink,
    async ({ input: { params, body }, viewer }) => {
      await requireOwnCollection(db, params.id, viewer.id)
      await holdBeforeLink(db, await currentRules(db), params.id)
      await queries.createLink(db, key, params.id, viewer.id, body.shows_private)
      return linkReply(params.id, viewer.id)
    },
    { limit: 'create-container' },
  )

  mount(app, contract.updateCollectionLink, async ({ input: { params, body }, viewer }) => {
    await requireOwnCollection(db, params.id, viewer.id)
    await holdBeforeLink(db, await currentRules(db), params.id)
    if (!(await queries.updateLink(db, params.id, viewer.id, body.shows_private))) {
      throw new ApiError('not-found')
    }
    return linkReply(params.id, viewer.id)
  })

  mount(app, contract.deleteCollectionLink, async ({ input: { params }, viewer }) => {
    await requireOwnCollection(db, params.id, viewer.id)
    await queries.deleteLink(db, params.id, viewer.id)
    return null
  })

  // From the primary, so that a revoked link stops working at once. Never cached: a link is for those who know it.
  mount(app, contract.getUnlistedCollection, async ({ input, viewer }) => {
    const { params, query } = input
    const request = parseKeyedPageRequest(query)
    if (request.cursor !== null && !queries.isCursorOf(query.sort, request.cursor)) {
      throw new ApiError('invalid-page')
    }
    const viewerId = viewer?.id ?? null
    const found = await queries.readUnlistedCollection(
      db,
      params.token,
      query.sort ?? null,
      request,
      viewerId,
    )
    if (found === null) throw new ApiError('not-found')
    const { count, rows, ...collection } = found
    // The links to other pages name the order, so that reading on has no gaps if the owner chooses another one.
    const ordered = { params, query: { ...query, sort: found.order } }
    return { ...collection, ...cursorPage(contract.getUnlistedCollection, ordered, request, count, rows) }
  })

  mount(app, contract.getUnlistedBookmark, async ({ input: { params } }) => {
    const row = await queries.readUnlistedBookmark(db, params.token, params.id)
    if (row === null) throw new ApiError('not-found')
    return replyWithPlayer(deps, row)
  })
}
