import {
  createAccessToken,
  listAccessTokens,
  removeAccessToken,
  tokenPrefix,
  tokenScopes,
} from '@reelmark/contract/access-tokens.ts'
import type { FastifyInstance } from 'fastify'
import { mount } from '../../core/endpoints.ts'
import { ApiError, InvalidFields } from '../../core/errors.ts'
import { newOpaqueToken, opaqueTokenHash } from '../../core/opaque-tokens.ts'
import { answerPage, rangeOf } from '../../core/paging.ts'
import { tellOfChange } from '../accounts/cards.ts'
import * as queries from './queries.ts'

const hintLength = 8

export function registerAccessTokens(app: FastifyInstance): void {
  const { db } = app.deps

  mount(app, listAccessTokens, async ({ input, viewer }) => {
    const { count, rows } = await queries.listAccessTokens(db, viewer.id, rangeOf(input.query))
    return answerPage(listAccessTokens, input, count, rows)
  })

  mount(
    app,
    createAccessToken,
    async ({ input: { body }, viewer }) => {
      if (body.scopes.includes('moderate') && !viewer.is_moderator) {
        throw new InvalidFields({ scopes: ['Only moderators can make a token that may moderate.'] })
      }
      const token = `${tokenPrefix}${newOpaqueToken()}`
      const made = await db.begin(async (tx) => {
        if (!(await queries.lockPerson(tx, viewer.id))) throw new ApiError('bad-token')
        const row = await queries.createAccessToken(tx, {
          user_id: viewer.id,
          hash: opaqueTokenHash(token),
          hint: token.slice(0, hintLength),
          name: body.name,
          scopes: tokenScopes.filter((scope) => body.scopes.includes(scope)),
          expires_in_days: body.expires_in_days,
        })
        if (row === null) throw new ApiError('too-many-there')
        await tellOfChange(tx, app.deps, viewer.id, 'access token created', body.name)
        return row
      })
      return { ...made, token }
    },
    { limit: 'access token' },
  )

  mount(app, removeAccessToken, async ({ input: { params }, viewer }) => {
    if (!(await queries.removeAccessToken(db, viewer.id, params.id))) throw new ApiError('not-found')
    return null
  })
}
