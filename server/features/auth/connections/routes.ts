import { createHash } from 'node:crypto'
import {
  type ConnectionScope,
  clientName,
  connectionScopes,
  createConnectionCode,
  endConnection,
  exchangeConnectionCode,
  getConnection,
} from '@reelmark/contract/connections.ts'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { hashOpaqueToken } from '../../../core/auth/hash-token.ts'
import { consumeTicket, createTicket } from '../../../core/auth/one-time-tickets.ts'
import { readBearer } from '../../../core/auth/session.ts'
import { mount } from '../../../core/http/endpoints.ts'
import { ApiError } from '../../../core/http/errors.ts'
import { logSecurityEvent, noteSecurityContext } from '../../../core/security-log.ts'
import { issueAccessToken } from '../access-tokens/issue-access-token.ts'
import { lockUser } from '../accounts/sign-in-methods.ts'
import { describeUserAgent } from '../sessions/describe-user-agent.ts'
import * as queries from './queries.ts'

/** What a user allowed, until the program exchanges the code. */
type AllowedConnection = {
  session_id: number
  client_id: string
  code_challenge: string
  redirect_uri: string | null
  name: string
  scopes: ConnectionScope[]
  expires_in_days: number | null
}

export function registerConnections(app: FastifyInstance): void {
  const { db } = app.deps

  mount(
    app,
    createConnectionCode,
    async ({ input: { body }, viewer, request }) => {
      // Checked again when the code is exchanged, but this reply is the one that the user reads.
      if (!(await queries.mayHaveAnotherToken(db, viewer.id))) throw new ApiError('limit-reached')
      const { client_id, scopes, code_challenge, redirect_uri = null, expires_in_days } = body
      const data: AllowedConnection = {
        session_id: viewer.session_id,
        client_id,
        code_challenge,
        redirect_uri,
        name: `${clientName(client_id)} · ${describeUserAgent(request.headers['user-agent'] ?? '')}`,
        scopes: connectionScopes.filter((scope) => scopes.includes(scope)),
        expires_in_days,
      }
      const seconds = limits.connectionCodeSeconds
      return { code: await createTicket(db, 'connection', { user_id: viewer.id, data, seconds }) }
    },
    { limit: 'access-token' },
  )

  mount(
    app,
    exchangeConnectionCode,
    async ({ input: { body }, request }) => {
      const code_hash = hashOpaqueToken(body.code)
      const issued = await db.begin(async (tx) => {
        // Of two exchanges at once, the second waits here until the first is committed, and then finds its token.
        const ticket = await consumeTicket<AllowedConnection>(tx, 'connection', body.code)
        if (ticket === null) {
          const owner = await queries.deleteTokenOfCode(tx, code_hash)
          if (owner !== null) {
            logSecurityEvent(request, 'connection-code-reused', { target_id: owner }, 'access-token-deleted')
          }
          return null
        }
        const { user_id, data } = ticket
        // The code stays consumed, so that a verifier cannot be guessed.
        if (user_id === null || !isRequestOf(data, body)) return null
        noteSecurityContext(request, { actor_id: user_id })
        await lockUser(tx, { id: user_id, session_id: data.session_id })
        const { name, scopes, expires_in_days } = data
        const { token } = await issueAccessToken(tx, app.deps, {
          user_id,
          name,
          scopes,
          expires_in_days,
          code_hash,
        })
        return { token, scopes, username: await queries.readUsername(tx, user_id) }
      })
      if (issued === null) throw new ApiError('invalid-connection-code')
      const { token, scopes, username } = issued
      return { access_token: token, token_type: 'Bearer' as const, scope: scopes.join(' '), username }
    },
    { limit: 'exchange-connection-code' },
  )

  mount(app, getConnection, async ({ request }) => {
    const connection = await queries.findConnection(db, hashOfBearer(request))
    if (connection === null) throw new ApiError('invalid-token')
    return connection
  })

  mount(app, endConnection, async ({ request }) => {
    await queries.deleteTokenByHash(db, hashOfBearer(request))
    return null
  })
}

/** Returns the hash of the token with which a request authenticated. */
function hashOfBearer(request: FastifyRequest): Buffer {
  return hashOpaqueToken(readBearer(request) ?? '')
}

/** Returns whether the program that exchanges a code is the one for which it was created. */
function isRequestOf(
  { client_id, code_challenge, redirect_uri }: AllowedConnection,
  body: { client_id: string; code_verifier: string; redirect_uri?: string },
): boolean {
  return (
    client_id === body.client_id &&
    redirect_uri === (body.redirect_uri ?? null) &&
    code_challenge === createHash('sha256').update(body.code_verifier).digest('base64url')
  )
}
