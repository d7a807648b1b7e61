/** What Fastify and the API documentation know of an endpoint: its schemas and errors. */
import type { Endpoint } from '@reelmark/contract/protocol/endpoint.ts'
import { type ErrorName, errors } from '@reelmark/contract/protocol/errors.ts'
import { isForbiddenToSuspended } from './authorize.ts'

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
    ...(endpoint.scope === 'token' ? ['forbidden' as const] : []),
    'insufficient-scope',
    ...(isForbiddenToSuspended(endpoint) ? ['suspended' as const] : []),
    ...(requiresReauth ? ['reauthentication-required' as const] : []),
  ]
}

/** Returns all errors of a route by status: those it declares, and those that are returned before its handler runs. */
export function errorCodes(endpoint: Endpoint): Record<number, ErrorName[]> {
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

/** Returns the schemas of an endpoint, which validate requests and determine the fields of responses, and its documentation. */
export function routeSchema(endpoint: Endpoint) {
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
