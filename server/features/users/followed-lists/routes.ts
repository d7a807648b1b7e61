import {
  followChannel,
  followCollection,
  followTag,
  getTagFollowStatus,
  listFollowedLists,
  unfollowChannel,
  unfollowCollection,
  unfollowTag,
} from '@reelmark/contract/followed-lists.ts'
import type { FastifyInstance } from 'fastify'
import { withTransaction } from '../../../core/database/transaction.ts'
import { cursorPage, parsePageRequest } from '../../../core/http/cursor-paging.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { parseTag } from '../../../shared/tag-names.ts'
import { notifyCollectionFollow } from '../../notifications/public-api.ts'
import * as queries from './queries.ts'

export function registerFollowedLists(app: FastifyInstance): void {
  const { db } = app.deps

  const containerActions = [
    [followCollection, 'collection', 'follow'],
    [unfollowCollection, 'collection', 'unfollow'],
    [followChannel, 'channel', 'follow'],
    [unfollowChannel, 'channel', 'unfollow'],
  ] as const
  for (const [endpoint, kind, action] of containerActions) {
    mount(
      app,
      endpoint,
      ({ input: { params }, viewer }) =>
        withTransaction(db, async (tx) => {
          const container = { kind, id: params.id }
          await queries.lockContainer(tx, viewer.id, container)
          const status = await queries.setContainerFollow(tx, viewer, container, action)
          if (status === null) throw new ApiError('not-found')
          if (status.user_id === viewer.id) throw new ApiError('cannot-target-self')
          if (action === 'follow') {
            if (!status.is_followed) throw new ApiError('limit-reached')
            await notifyCollectionFollow(tx, { actor_id: viewer.id, user_id: status.user_id, container })
          }
          return status
        }),
      {
        limit: 'follow',
        changes: ({ input, viewer }) => [`user:${viewer.id}`, `${kind}:${input.params.id}`],
      },
    )
  }

  mount(app, getTagFollowStatus, async ({ input: { query }, viewer }) => ({
    is_followed: await queries.isTagFollowed(db, viewer.id, parseTag(query.tag)),
  }))

  const ownFeed = {
    limit: 'follow',
    changes: ({ viewer }: { viewer: { id: number } }) => [`user:${viewer.id}` as const],
  } as const

  mount(
    app,
    followTag,
    async ({ input: { body }, viewer }) => {
      const tag = parseTag(body.tag)
      const isFollowed = await db.begin(async (tx) => {
        await queries.lockUser(tx, viewer.id)
        return queries.followTag(tx, viewer.id, tag)
      })
      if (!isFollowed) throw new ApiError('limit-reached')
      return { is_followed: true }
    },
    ownFeed,
  )

  mount(
    app,
    unfollowTag,
    async ({ input: { body }, viewer }) => {
      await queries.unfollowTag(db, viewer.id, parseTag(body.tag))
      return { is_followed: false }
    },
    ownFeed,
  )

  mount(app, listFollowedLists, async ({ input, viewer }) => {
    const request = parsePageRequest(input.query)
    const { count, rows } = await queries.listFollowedLists(db, viewer.id, request, input.query.kind)
    return cursorPage(listFollowedLists, input, request, count, rows)
  })
}
