/** Mounts the contract's endpoints. Their schemas validate requests and determine the fields of responses. */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { type Endpoint, type Input, type Reply, requiredScope } from '@reelmark/contract/protocol/endpoint.ts'
import type { ErrorName } from '@reelmark/contract/protocol/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SessionViewer, Viewer } from '../auth/session.ts'
import type { Db, TransactionSql } from '../database/database.ts'
import { afterCommit } from '../database/transaction.ts'
import { authorize, isVisitor } from './authorize.ts'
import { publishChange } from './cache-changes.ts'
import type { CompletedReply } from './cached-replies.ts'
import { crossOriginCallers } from './cross-origin.ts'
import { runIdempotent } from './idempotency.ts'
import { defaultLimit, type RateLimitName } from './rate-limit-config.ts'
import { consumeRequestToken } from './rate-limits.ts'
import { chooseReplica, containsWritesOf, readFrom } from './replica-reads.ts'
import { errorCodes, routeSchema } from './route-schema.ts'
import {
  type CacheOptions,
  createSharedResponses,
  type KnownRequest,
  nullIfRefused,
} from './shared-responses.ts'
import { type CacheChange, dependOnEverything, type VisitorCache } from './visitor-cache.ts'

type ViewerFor<E extends Endpoint> = E['auth'] extends 'user' | 'moderator' | 'owner'
  ? E extends { scope: 'session' }
    ? SessionViewer
    : Viewer
  : E['auth'] extends 'viewer'
    ? Viewer | null
    : null

export interface Call<E extends Endpoint> {
  input: Input<E>
  viewer: ViewerFor<E>
  request: FastifyRequest
  reply: FastifyReply
  /**
   * For reads. The replica if there is one that contains everything that the viewer must see, their own writes and
   * everyone's removals among it; otherwise the primary.
   */
  readDb: Db
  /**
   * The transaction of an idempotent call, which is committed before the response. The handler must not use another
   * connection: if every connection of the pool held such a transaction, all of them would wait forever.
   */
  tx: E extends { idempotent: true } ? TransactionSql : undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The user who makes the call, once `mount` has authorised it; null for visitors. */
    viewer: Viewer | null
  }
  interface FastifyContextConfig {
    /** The errors a route can return, by status; documented by api-docs.ts. */
    errorCodes?: Record<number, ErrorName[]>
  }
}

export interface MountOptions {
  /**
   * The rate limit checked before the handler runs: per user, or per address for visitors. By default that of its kind
   * of endpoint (rate-limit-config.ts), in addition to the limit per address of every request.
   */
  limit?: RateLimitName
}

/** Options that depend on the endpoint. */
export interface EndpointOptions<E extends Endpoint> extends MountOptions, CacheOptions<E> {
  /** Returns what a successful call changed. By default a call that changes anything may have changed everything. */
  changes?: (call: { input: Input<E>; viewer: Viewer; reply: Reply<E> }) => CacheChange
}

/**
 * Registers the route of an endpoint. The order of checks: authentication, role, scope, suspension and re-authentication
 * (401, 403), all before the body is read, and again after it for account changes, moderators and slow clients; then the
 * path, query and body (400, 404, 413, 415), the rate limit (429) and the Idempotency-Key (409, 422). The handler's result
 * is sent with the endpoint's status; a stream is sent as it is.
 */
export function mount<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<Reply<E> | Readable>,
  { limit = defaultLimit(endpoint), changes = () => 'everything', ...cacheOptions }: EndpointOptions<E> = {},
): void {
  const { db, settings, visitorCache, replica } = app.deps
  const responses = createSharedResponses(app, endpoint, cacheOptions)
  const countRequest = (request: FastifyRequest, viewer: Viewer | null) =>
    consumeRequestToken(db, limit, request, viewer, settings.rateLimitScale)
  const invalidatesCache =
    endpoint.method !== 'GET' &&
    endpoint.invalidatesCache !== false &&
    ['user', 'moderator', 'owner'].includes(endpoint.auth)
  const isAccountChange = requiredScope(endpoint) === 'session' && endpoint.method !== 'GET'
  const isSensitive = isAccountChange || endpoint.auth === 'moderator' || endpoint.auth === 'owner'
  const findForViewer = async (
    known: KnownRequest<E>,
    request: IncomingMessage,
  ): Promise<CompletedReply | null> => {
    let cached = null as ReturnType<typeof responses.find>
    const authorized = authorize(db, endpoint, { headers: request.headers, server: app }, (userId) => {
      cached = responses.find(known, userId)
      // Usually remembered. Otherwise both statements are sent at the same time, and `complete` gets what this one reads.
      if (cached !== null) responses.readMarks(cached, userId)?.catch(() => {})
    })
    authorizations.set(request, authorized)
    const viewer = await authorized
    if (viewer == null || cached === null || !isServedFromCache(viewer, visitorCache)) return null
    if (!containsWritesOf(replica, viewer, cached)) return null
    // A write may have dropped it meanwhile.
    if (responses.find(known, viewer.id) !== cached) return null
    const text = await responses.complete(cached, { input: known.input, viewer })
    return text && { viewer, text }
  }
  // The responses of the others have headers that depend on the request.
  if (crossOriginCallers(endpoint) !== 'all' && hasCachedReplies(cacheOptions))
    app.cachedReplies.push({
      limit,
      findForVisitor: (url) => {
        const known = responses.recognise(url)
        return known && responses.find(known, null)
      },
      findForViewer: (request) => {
        const known = responses.isPersonalized ? responses.recognise(request.url ?? '') : null
        return known && (() => findForViewer(known, request))
      },
    })
  if (!app.hasRequestDecorator('viewer')) app.decorateRequest('viewer', null)
  app.route({
    method: endpoint.method,
    url: `/api${endpoint.path}`,
    schema: routeSchema(endpoint),
    config: {
      errorCodes: errorCodes(endpoint),
      isAccountChange,
      crossOrigin: crossOriginCallers(endpoint),
    },
    onRequest: (request, _reply, done) => {
      if (isVisitor(endpoint, request)) return done()
      const authorized = authorizations.get(request.raw) ?? authorize(db, endpoint, request)
      authorized.then((found) => {
        request.viewer = found
        done()
      }, done)
    },
    // The client decides how long sending the body takes, and may have lost the right meanwhile.
    preValidation: (request, reply, done) => {
      const mayBeOutdated = isSensitive || reply.elapsedTime > maxBodyMs
      if (request.viewer === null || request.body === undefined || !mayBeOutdated) return done()
      authorize(db, endpoint, request).then((authorized) => {
        request.viewer = authorized
        done()
      }, done)
    },
    handler: async (request, reply) => {
      const { viewer } = request
      const counted = countRequest(request, viewer)
      if (counted !== undefined) await counted
      const known = responses.remember(request)
      const { params, query, body } = request
      const input = known?.input ?? ({ params, query, body } as Input<E>)
      const handle = (caller: Viewer | null, readDb: Db, tx?: TransactionSql) =>
        handler({ input, viewer: caller as ViewerFor<E>, request, reply, readDb, tx: tx as Call<E>['tx'] })
      const read = (caller: Viewer | null) =>
        readFrom(chooseReplica(app.deps, caller), db, (readDb) => handle(caller, readDb))
      reply.code(endpoint.status)
      if (known !== null) {
        const getCached = () =>
          responses.getOrCreate(known, viewer, async (owner) => {
            const { value, currentUntil } = (await read(owner)) as { value: Reply<E>; currentUntil?: number }
            const body = flatten(reply.serialize(value) as string)
            return {
              status: endpoint.status,
              body,
              ...(responses.isPersonalized && { value }),
              ...(currentUntil !== undefined && { currentUntil }),
            }
          })
        if (viewer === null) return sendJson(reply, (await getCached()).body)
        if (responses.mayComplete({ input, viewer }) && isServedFromCache(viewer, visitorCache)) {
          const found = await getCached().catch(nullIfRefused)
          const cached = found !== null && containsWritesOf(replica, viewer, found) ? found : null
          const text = cached && (await responses.complete(cached, { input, viewer }))
          if (text !== null) return sendJson(reply, Buffer.from(text.bytes, 'latin1'))
        }
      }
      // A page that contains this response does not learn what the response depends on.
      dependOnEverything()
      let result: Reply<E> | Readable | undefined
      const publish = async () => {
        if (endpoint.method === 'GET') return
        if (invalidatesCache) {
          const change =
            viewer === null ? 'everything' : changes({ input, viewer, reply: result as Reply<E> })
          await publishChange(app.deps, change, viewer?.id ?? null)
        } else if (viewer !== null) {
          await publishChange(app.deps, null, viewer.id)
        }
      }
      if (endpoint.idempotent && viewer !== null) {
        return runIdempotent(db, viewer.id, request, reply, async (tx) => {
          afterCommit(tx, publish)
          result = await handle(viewer, db, tx)
          return result
        })
      }
      result =
        endpoint.method === 'GET'
          ? (await read(viewer)).value
          : await handle(viewer, chooseReplica(app.deps, viewer)?.db ?? db)
      await publish()
      return result
    },
  })
}

/**
 * Returns the same text as one piece. A text that was joined from many pieces is joined again each time it is sent, because
 * Node appends it to the headers.
 */
function flatten(text: string): string {
  return Buffer.from(text).toString()
}

/** Sends a response that is serialized already. */
function sendJson(reply: FastifyReply, body: string | Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(body)
}

/**
 * Returns whether a viewer sees everything that visitors see, and the cache has applied every change that was announced
 * before this request. `personalize` of the endpoint adds what only the viewer sees.
 */
function isServedFromCache(
  { has_blocks_or_mutes, is_moderator, last_change }: Viewer,
  cache: VisitorCache,
): boolean {
  return !has_blocks_or_mutes && !is_moderator && cache.isCurrent(last_change)
}

/** Returns whether any responses of an endpoint are cached. */
function hasCachedReplies({
  cacheForVisitors,
  cachePerViewer,
}: {
  cacheForVisitors?: unknown
  cachePerViewer?: unknown
}): boolean {
  return cacheForVisitors !== undefined || cachePerViewer !== undefined
}

/** The authorisations of requests before Fastify ran, so that those it answers are not authorised again. */
const authorizations = new WeakMap<IncomingMessage, Promise<Viewer | null>>()

/** Milliseconds after which a caller is authorised again, because the body was sent slowly. */
const maxBodyMs = 1000
