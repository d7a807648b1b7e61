/** Mounts the contract's endpoints. Their schemas validate requests and determine the fields of responses. */
import type { Readable } from 'node:stream'
import { type Endpoint, type Input, type Reply, requiredScope } from '@reelmark/contract/protocol/endpoint.ts'
import { type ErrorName, errors } from '@reelmark/contract/protocol/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { reauthenticationRequired } from '../auth/reauthentication.ts'
import { authenticate, requireScope, type SessionViewer, type Viewer } from '../auth/session.ts'
import type { Db, TransactionSql } from '../database/database.ts'
import { afterCommit } from '../database/transaction.ts'
import { publishChange } from './cache-changes.ts'
import { ApiError } from './errors.ts'
import { runIdempotent } from './idempotency.ts'
import { defaultLimit, type RateLimitName } from './rate-limit-config.ts'
import { consumeRequestToken } from './rate-limits.ts'
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

/** Completes a cached response for a viewer; returns it as it is if nothing is missing. */
export type Personalize<E extends Endpoint> = (
  /** It is shared: it must not be changed. */
  cached: Reply<E>,
  call: { input: Input<E>; viewer: Viewer },
) => Promise<Reply<E> | null>

export interface MountOptions {
  /**
   * The rate limit checked before the handler runs: per user, or per address for visitors. By default that of its kind
   * of endpoint (rate-limit-config.ts), in addition to the limit per address of every request.
   */
  limit?: RateLimitName
  /** Whether visitors without a token may get a cached response up to a second old (visitor-cache.ts). */
  cacheForVisitors?: boolean | ((query: Record<string, unknown>) => boolean)
}

/** Options that depend on the endpoint. */
export interface EndpointOptions<E extends Endpoint> extends MountOptions {
  /**
   * Completes the cached response of visitors for a viewer; null if the viewer sees more than visitors do, so that the
   * handler must run. It is not called for moderators and for users with blocks or mutes, for whom the handler always runs.
   */
  personalize?: Personalize<E>
  /**
   * Whether the cached response that `personalize` completes is the viewer's own and not that of visitors: for lists that
   * are different for each viewer.
   */
  cachePerViewer?: (query: Record<string, unknown>) => boolean
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
  {
    limit = defaultLimit(endpoint),
    cacheForVisitors,
    personalize,
    cachePerViewer,
    changes = () => 'everything',
  }: EndpointOptions<E> = {},
): void {
  const { db, visitorCache } = app.deps
  const isCacheable =
    typeof cacheForVisitors === 'function' ? cacheForVisitors : () => cacheForVisitors === true
  const invalidatesCache =
    endpoint.method !== 'GET' &&
    endpoint.invalidatesCache !== false &&
    ['user', 'moderator', 'owner'].includes(endpoint.auth)
  const isAccountChange = requiredScope(endpoint) === 'session' && endpoint.method !== 'GET'
  const isSensitive = isAccountChange || endpoint.auth === 'moderator' || endpoint.auth === 'owner'
  if (!app.hasRequestDecorator('viewer')) app.decorateRequest('viewer', null)
  app.route({
    method: endpoint.method,
    url: `/api${endpoint.path}`,
    schema: routeSchema(endpoint),
    config: {
      errorCodes: errorCodes(endpoint),
      isAccountChange,
    },
    onRequest: async (request) => {
      request.viewer = await authorize(db, endpoint, request)
    },
    // The client decides how long sending the body takes, and may have lost the right meanwhile.
    preValidation: async (request, reply) => {
      const mayBeOutdated = isSensitive || reply.elapsedTime > maxBodyMs
      if (request.viewer !== null && request.body !== undefined && mayBeOutdated)
        request.viewer = await authorize(db, endpoint, request)
    },
    handler: async (request, reply) => {
      const { viewer } = request
      await consumeRequestToken(db, limit, request, viewer, app.deps.settings.rateLimitScale)
      const input = { params: request.params, query: request.query, body: request.body } as Input<E>
      const handle = (tx?: TransactionSql, caller: Viewer | null = viewer) =>
        handler({ input, viewer: caller as ViewerFor<E>, request, reply, tx: tx as Call<E>['tx'] })
      reply.code(endpoint.status)
      const query = request.query as Record<string, unknown>
      const isOwn = viewer !== null && cachePerViewer?.(query) === true
      if (isOwn || isCacheable(query)) {
        const owner = isOwn ? viewer : null
        const getCached = () =>
          visitorCache.getOrCreate(cacheKey(endpoint, request, owner), async () => {
            const value = (await handle(undefined, owner)) as Reply<E>
            const body = reply.serialize(value) as string
            return { status: endpoint.status, body, ...(personalize && { value }) }
          })
        if (viewer === null) return sendJson(reply, (await getCached()).body)
        if (personalize !== undefined && isServedFromCache(viewer, visitorCache)) {
          const cached = await getCached().catch(nullIfRefused)
          const completed = cached && (await personalize(cached.value as Reply<E>, { input, viewer }))
          if (cached !== null && completed === cached.value) return sendJson(reply, cached.body)
          if (completed !== null) return completed
        }
      }
      // A page that contains this response does not learn what the response depends on.
      dependOnEverything()
      let result: Reply<E> | Readable | undefined
      const publish = async () => {
        if (!invalidatesCache) return
        const change = viewer === null ? 'everything' : changes({ input, viewer, reply: result as Reply<E> })
        await publishChange(db, visitorCache, change)
      }
      if (endpoint.idempotent && viewer !== null) {
        return runIdempotent(db, viewer.id, request, reply, async (tx) => {
          afterCommit(tx, publish)
          result = await handle(tx)
          return result
        })
      }
      result = await handle()
      await publish()
      return result
    },
  })
}

/** Sends a response that is serialized already. As a text, because Node sends it together with the headers. */
function sendJson(reply: FastifyReply, body: string): FastifyReply {
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

/** Visitors may not see what a signed-in user may. */
function nullIfRefused(error: unknown): null {
  if (error instanceof ApiError) return null
  throw error
}

/** Milliseconds after which a caller is authorised again, because the body was sent slowly. */
const maxBodyMs = 1000

/**
 * Returns the key of a cached response: path and query parameters as the endpoint reads them after validation. Other
 * parameters and other spellings of the URL lead to the same response, so they must not create another one.
 * @param owner the only user to whom the response is sent; null if it is what visitors see
 */
function cacheKey({ path, query }: Endpoint, request: FastifyRequest, owner: Viewer | null): string {
  const names = Object.keys((query as { properties?: object } | undefined)?.properties ?? {})
  const values = request.query as Record<string, unknown>
  return JSON.stringify([owner?.id ?? null, path, request.params, names.map((name) => values[name] ?? null)])
}

/**
 * Mounts an endpoint whose body may be larger than the memory a process should use for it. The handler reads the body
 * as a stream, after authorisation, and validates its content and size itself; the schema is for documentation only.
 */
export function mountUpload<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Omit<Call<E>, 'input' | 'tx'> & { source: AsyncIterable<Buffer> }) => Promise<Reply<E>>,
  options: MountOptions,
): void {
  app.register(async (scope) => {
    const compile = app.validatorCompiler
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload))
    scope.setValidatorCompiler((route) =>
      route.httpPart === 'body' || compile === undefined ? () => true : compile(route),
    )
    // If the response was sent before the whole body was read, the rest is discarded, so that the connection can be
    // used again. The raw body is discarded, not the decompressed one, which may be a thousand times larger.
    scope.addHook('onResponse', async ({ raw }) => {
      raw.unpipe()
      raw.resume()
    })
    mount(
      scope,
      endpoint,
      async ({ viewer, request, reply }) => {
        const body = request.body as Readable | undefined
        if (body === undefined) throw new ApiError('malformed-body')
        // The body must not be destroyed when the handler stops reading: the response uses the same connection.
        return handler({ viewer, request, reply, source: body.iterator({ destroyOnReturn: false }) })
      },
      options,
    )
  })
}

/**
 * Returns the user who makes a call, or null for a visitor.
 * @throws ApiError (401, 403) if the user may not call the endpoint
 */
async function authorize(db: Db, endpoint: Endpoint, request: FastifyRequest): Promise<Viewer | null> {
  if (endpoint.auth === 'anyone') return null
  const viewer = await authenticate(db, request)
  if (viewer === null && endpoint.auth !== 'viewer') throw new ApiError('unauthenticated')
  const scope = requiredScope(endpoint)
  // Before the role: an access token without the scope is the problem even if its owner is a moderator.
  if (viewer !== null && scope !== null) requireScope(viewer, scope)
  const needsRole = endpoint.auth === 'moderator' || endpoint.auth === 'owner'
  if (needsRole && viewer?.needs_second_factor) throw new ApiError('moderator-needs-second-factor')
  if (endpoint.auth === 'moderator' && !viewer?.is_moderator) throw new ApiError('forbidden')
  if (endpoint.auth === 'owner' && !viewer?.is_owner) throw new ApiError('forbidden')
  const until = viewer?.suspended_until ?? null
  if (until !== null && isForbiddenToSuspended(endpoint)) {
    throw new ApiError('suspended', { until: until.toISOString() })
  }
  if (endpoint.requiresReauth && !viewer?.recently_authenticated)
    throw await reauthenticationRequired(db, viewer?.id ?? null)
  return viewer
}

/** Returns whether a call is forbidden to suspended users: every write, except to their own account. */
export function isForbiddenToSuspended(endpoint: Endpoint): boolean {
  const scope = requiredScope(endpoint)
  return scope === 'moderate' || (scope === 'write' && !endpoint.allowedWhileSuspended)
}

/** Returns the errors that `mount` itself can return for an endpoint. */
function accessErrors(endpoint: Endpoint): ErrorName[] {
  const { auth, requiresReauth } = endpoint
  if (auth === 'anyone') return []
  return [
    ...(auth === 'viewer' ? [] : ['unauthenticated' as const]),
    'invalid-token',
    ...(auth === 'moderator' || auth === 'owner'
      ? ['forbidden' as const, 'moderator-needs-second-factor' as const]
      : []),
    'insufficient-scope',
    ...(isForbiddenToSuspended(endpoint) ? ['suspended' as const] : []),
    ...(requiresReauth ? ['reauthentication-required' as const] : []),
  ]
}

/** Returns all errors of a route by status: those it declares, and those that are returned before its handler runs. */
function errorCodes(endpoint: Endpoint): Record<number, ErrorName[]> {
  const { params, query, body, idempotent } = endpoint
  const hasPage = Object.hasOwn((query as { properties?: object } | undefined)?.properties ?? {}, 'page')
  const codes = new Set<ErrorName>([
    ...endpoint.errors,
    ...accessErrors(endpoint),
    ...((query ?? body) ? ['invalid' as const] : []),
    ...(body ? ['malformed-body' as const, 'too-large' as const, 'unsupported-type' as const] : []),
    ...(params ? ['not-found' as const] : []),
    ...(hasPage ? ['invalid-page' as const] : []),
    'rate-limited',
    ...(idempotent ? ['idempotency-key-in-use' as const, 'idempotency-key-reused' as const] : []),
    'internal-error',
    'unavailable',
  ])
  return Object.groupBy(codes, (code) => errors[code][0]) as Record<number, ErrorName[]>
}

function routeSchema(endpoint: Endpoint) {
  return {
    summary: endpoint.summary,
    tags: [endpoint.group],
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[^a-z]+/g, '-').replace(/-$/, '')}`,
    ...(endpoint.auth === 'anyone'
      ? {}
      : { security: endpoint.auth === 'viewer' ? [{}, { bearer: [] }] : [{ bearer: [] }] }),
    ...(endpoint.idempotent
      ? {
          headers: {
            type: 'object',
            properties: {
              'idempotency-key': {
                type: 'string',
                maxLength: 200,
                description:
                  'The same key within 24 hours is answered with the first reply and does nothing again.',
              },
            },
          },
        }
      : {}),
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(endpoint.body && { body: endpoint.body }),
    ...(endpoint.picture !== undefined && { consumes: ['application/json', 'multipart/form-data'] }),
    response: { [endpoint.status]: endpoint.reply },
  }
}
