/**
 * Lets pages of other origins call the API with a personal access token (CORS), and gives them nothing else: replies to
 * visitors, sessions and cookies stay unreadable for them. Replies are never readable for requests with cookies, because
 * `Access-Control-Allow-Credentials` is not sent.
 */
import { tokenPrefix } from '@reelmark/contract/access-tokens.ts'
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readBearer } from '../auth/session.ts'
import { sendNotFound } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which requests of pages of other origins a route answers. Default: no writes, and no reply is readable. */
    crossOrigin?: 'with access token' | 'all' | undefined
  }
}

/** Returns which requests of other origins an endpoint answers. Endpoints for anyone would not check the token. */
export function crossOriginCallers({ auth, crossOrigin }: Endpoint): 'with access token' | 'all' | undefined {
  if (crossOrigin) return 'all'
  return auth === 'anyone' ? undefined : 'with access token'
}

/** Returns whether a page of any origin may make a request and read the reply. */
export function allowsOtherOrigins(request: FastifyRequest): boolean {
  const { crossOrigin } = request.routeOptions.config
  if (crossOrigin !== 'with access token') return crossOrigin === 'all'
  return readBearer(request)?.startsWith(tokenPrefix) ?? false
}

const replyHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'idempotency-replayed, retry-after',
}
/** The permission is the same for every path, because a browser asks without the token. The request itself is checked. */
const preflightHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key',
  // In seconds: the most that Chromium accepts.
  'access-control-max-age': '7200',
}

/** Adds the headers that make replies readable, and answers browsers that ask before a request. */
export function registerCrossOrigin(app: FastifyInstance): void {
  // Before the checks of requests, so that a page can also read why a request failed.
  app.addHook('onRequest', (request, reply, done) => {
    if (allowsOtherOrigins(request)) reply.headers(replyHeaders)
    done()
  })
  app.options('/api/*', { schema: { hide: true } }, (request, reply) => {
    if (request.headers['access-control-request-method'] === undefined) return sendNotFound(request, reply)
    return reply.code(204).headers(preflightHeaders).send()
  })
}
