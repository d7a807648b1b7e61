import {
  createAccessToken,
  deleteAccessToken,
  listAccessTokens,
  tokenPrefix,
  tokenScopes,
} from '@reelmark/contract/access-tokens.ts'
import type { FastifyInstance } from 'fastify'
import { hashOpaqueToken, newOpaqueToken } from '../../../core/auth/hash-token.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError, InvalidFields } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { lockUser, mailSecurityChange } from '../accounts/sign-in-methods.ts'
import * as queries from './queries.ts'

const hintLength = 8

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
      const token = `${tokenPrefix}${newOpaqueToken()}`
      const created = await db.begin(async (tx) => {
        await lockUser(tx, viewer)
        const row = await queries.createAccessToken(tx, {
          user_id: viewer.id,
          hash: hashOpaqueToken(token),
          hint: token.slice(0, hintLength),
          name: body.name,
          scopes: tokenScopes.filter((scope) => body.scopes.includes(scope)),
          expires_in_days: body.expires_in_days,
        })
        if (row === null) throw new ApiError('limit-reached')
        await mailSecurityChange(tx, app.deps, viewer.id, 'access token created')
        return row
      })
      return { ...created, token }
    },
    { limit: 'access-token' },
  )

  mount(app, deleteAccessToken, async ({ input: { params }, viewer }) => {
    if (!(await queries.deleteAccessToken(db, viewer.id, params.id))) throw new ApiError('not-found')
    return null
  })
}
