/** Routes for the tokens of a session, and for the list of a user's sessions. */
import * as contract from '@reelmark/contract/accounts.ts'
import type { FastifyInstance } from 'fastify'
import type { ServerKeys } from '../../../core/auth/server-keys.ts'
import { endUserSessions } from '../../../core/auth/session.ts'
import { describeClient, issueTokenPair } from '../../../core/auth/sign-in.ts'
import {
  decodeRefreshToken,
  hashRefreshSecret,
  nextRefreshSecret,
  type RefreshToken,
} from '../../../core/auth/tokens.ts'
import { setTrustedDeviceCookie } from '../../../core/auth/trusted-device.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { offsetOf, pageReply } from '../../../core/http/paging.ts'
import { logSecurityEvent } from '../../../core/security-log.ts'
import { describeUserAgent } from './describe-user-agent.ts'
import * as queries from './queries.ts'

export function registerSessions(app: FastifyInstance): void {
  const { db, serverKeys } = app.deps

  mount(
    app,
    contract.refreshTokens,
    async ({ input: { body }, request }) => {
      const token = readToken(serverKeys, body.refresh)
      const secret = nextRefreshSecret(serverKeys['refresh-token'], token)
      const session = await queries.rotateSession(db, {
        session_id: token.session_id,
        hash: hashRefreshSecret(token.secret),
        next_hash: hashRefreshSecret(secret),
        ...describeClient(request),
        onReuse: (userId) =>
          logSecurityEvent(request, 'refresh-token-reused', { target_id: userId }, 'session-ended'),
      })
      if (session === null) throw new ApiError('invalid-token')
      return issueTokenPair(serverKeys, session.user_id, { session_id: token.session_id, secret })
    },
    { limit: 'refresh' },
  )

  mount(
    app,
    contract.logOut,
    async ({ input: { body }, reply }) => {
      const { session_id } = readToken(serverKeys, body.refresh)
      await queries.endSession(db, session_id)
      // Pictures of private bookmarks may be in the browser's cache. The storage is emptied by the web app, which keeps
      // what belongs to the device: theme and age confirmation.
      reply.header('clear-site-data', '"cache"')
      return {}
    },
    { limit: 'log-out' },
  )

  mount(app, contract.listSessions, async ({ input, viewer }) => {
    const { count, rows } = await queries.listSessions(db, viewer, offsetOf(input.query))
    const sessions = rows.map(({ user_agent, ...session }) => ({
      ...session,
      device: describeUserAgent(user_agent),
    }))
    return pageReply(contract.listSessions, input, count, sessions)
  })

  mount(app, contract.endSession, async ({ input: { params }, viewer }) => {
    if ((await queries.endSessionsById(db, viewer.id, [params.id])) === 0) throw new ApiError('not-found')
    return null
  })

  mount(app, contract.endSessions, async ({ input: { body }, viewer }) => {
    await queries.endSessionsById(db, viewer.id, body.ids)
    return null
  })

  mount(app, contract.endOtherSessions, async ({ viewer, request, reply }) => {
    const { generation } = await endUserSessions(db, viewer.id, viewer.session_id)
    setTrustedDeviceCookie(request, reply, { user_id: viewer.id, generation })
    return null
  })
}

function readToken(keys: ServerKeys, text: string): RefreshToken {
  const token = decodeRefreshToken(keys['refresh-token'], text)
  if (token === null) throw new ApiError('invalid-token')
  return token
}
