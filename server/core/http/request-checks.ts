/** Refuses requests that are malformed or that another site makes, before any route runs. */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorName, errors } from '@reelmark/contract/protocol/errors.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { allowsOtherOrigins } from './cross-origin.ts'
import { ApiError } from './errors.ts'
import { apiHeaders } from './security-headers.ts'

/** Adds the checks of headers that Node's parser accepts. */
export function registerRequestChecks(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!hasOneHost(request.raw)) throw new ApiError('malformed-request')
    if (isForgeable(request)) throw new ApiError('cross-site')
    done()
  })
}

/**
 * Returns whether a request has exactly one Host header. Of several, a proxy and this server may choose different ones.
 * Only HTTP/1.0 allows none.
 */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let count = 0
  // Names are at the even positions.
  for (let n = 0; n < rawHeaders.length; n += 2) if (rawHeaders[n]?.toLowerCase() === 'host') count += 1
  return count === 1 || (count === 0 && httpVersion === '1.0')
}

/**
 * Returns whether a page of another site makes a write that it may not make, for example to log the visitor in to
 * another account.
 */
function isForgeable(request: FastifyRequest): boolean {
  const { method, headers } = request
  const site = headers['sec-fetch-site']
  return (
    (site === 'cross-site' || site === 'same-site') &&
    !['GET', 'HEAD', 'OPTIONS'].includes(method) &&
    !allowsOtherOrigins(request)
  )
}

/** Errors of Node's HTTP parser by code; any other is a malformed request. */
const parserErrors: Record<string, ErrorName> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
}

/** Returns the handler of requests that Node's HTTP parser refuses. They have no route, so it writes the response itself. */
export function createClientErrorHandler({ https }: { https: boolean }) {
  const headers = Object.entries(apiHeaders(https)).map(([name, value]) => `${name}: ${value}\r\n`)
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const code = parserErrors[error.code ?? ''] ?? 'malformed-request'
    const [status, detail] = errors[code]
    const body = JSON.stringify({ detail, code })
    if (socket.writable) {
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}` +
          'content-type: application/json; charset=utf-8\r\nconnection: close\r\n' +
          `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    }
    // Destroyed and not ended: what follows on the connection may be the rest of a smuggled request.
    socket.destroy(error)
  }
}
