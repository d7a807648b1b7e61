import {
  followUser,
  getFollowStatus,
  listCollectors,
  listFollowers,
  listFollowing,
  toggleFollow,
  unfollowUser,
} from '@reelmark/contract/follows.ts'
import type { FastifyInstance } from 'fastify'
import { withTransaction } from '../../../core/database/transaction.ts'
import { cursorPage, parsePageRequest } from '../../../core/http/cursor-paging.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { notifyFollow } from '../../notifications/public-api.ts'
import { listCollectors as readCollectors } from './collector-queries.ts'
import * as queries from './queries.ts'

export function registerFollows(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, getFollowStatus, async ({ input, viewer }) => {
    const status = await queries.getFollowStatus(db, viewer, input.params.id)
    if (status === null) throw new ApiError('not-found')
    return status
  })

  const followActions = [
    [toggleFollow, 'toggle'],
    [followUser, 'follow'],
    [unfollowUser, 'unfollow'],
  ] as const
  for (const [endpoint, action] of followActions) {
    mount(
      app,
      endpoint,
      async ({ input: { params }, viewer }) => {
        if (params.id === viewer.id) throw new ApiError('cannot-target-self')
        const status = await withTransaction(db, async (tx) => {
          const newStatus = await queries.setFollow(tx, viewer, params.id, action)
          if (newStatus?.is_followed) await notifyFollow(tx, { actor_id: viewer.id, user_id: params.id })
          return newStatus
        })
        if (status === null) throw new ApiError('not-found')
        return status
      },
      {
        limit: 'follow',
        changes: ({ input, viewer }) => [`user:${viewer.id}`, `user:${input.params.id}`],
      },
    )
  }

  const lists = [
    [listFollowers, 'followers'],
    [listFollowing, 'following'],
  ] as const
  for (const [endpoint, direction] of lists) {
    mount(
      app,
      endpoint,
      async ({ input, readDb, viewer }) => {
        const request = parsePageRequest(input.query)
        const list = await queries.listFollows(readDb, direction, input.params.id, viewer, request)
        if (list === null) throw new ApiError('not-found')
        return cursorPage(endpoint, input, request, list.count, list.rows)
      },
      { cacheForVisitors: true },
    )
  }

  mount(app, listCollectors, async ({ input, readDb, viewer }) => {
    const request = parsePageRequest(input.query)
    const list = await readCollectors(readDb, input.params.id, viewer, request)
    if (list === null) throw new ApiError('not-found')
    return cursorPage(listCollectors, input, request, list.count, list.rows)
  })
}
