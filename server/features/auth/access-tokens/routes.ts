import { createAccessToken, deleteAccessToken, listAccessTokens } from '@reelmark/contract/access-tokens.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { lockUser } from '../accounts/sign-in-methods.ts'
import { issueAccessToken } from './issue-access-token.ts'
import * as queries from './queries.ts'

export function registerAccessTokens(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, listAccessTokens, async ({ input, viewer }) => {
    const { count, rows } = await queries.listAccessTokens(db, viewer.id, offsetOf(input.query))
    return pageReply(listAccessTokens, input, count, rows)
  })

  mount(
    app,
    createAccessToken,
    async ({ input: { body }, viewer }) => {
      if (body.scopes.includes('moderate') && !viewer.is_moderator) {
        const text = viewer.needs_second_factor
          ? 'Set up two-step verification before you make a token that may moderate.'
          : 'Only moderators can make a token that may moderate.'
        throw new InvalidFields({ scopes: [text] })
      }
      return db.begin(async (tx) => {
        await lockUser(tx, viewer)
        return issueAccessToken(tx, app.deps, { user_id: viewer.id, ...body })
      })
    },
    { limit: 'access-token' },
  )

  mount(app, deleteAccessToken, async ({ input: { params }, viewer }) => {
    if (!(await queries.deleteAccessToken(db, viewer.id, params.id))) throw new ApiError('not-found')
    return null
  })
}
