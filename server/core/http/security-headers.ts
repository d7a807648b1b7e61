/** Headers of every response (docs/behaviour.md, Pages and players). */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyReply {
    /** Fresh per reply; script tags that pages write carry it. */
    cspNonce: string
  }
}

/** Adds the headers; a route that needs another policy sets its own `content-security-policy` afterwards. */
export function registerSecurityHeaders(
  app: FastifyInstance,
  { https, development }: { https: boolean; development: boolean },
): void {
  app.decorateReply('cspNonce', '')
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      ...baseHeaders,
      ...(https ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
    })
    if (request.url.startsWith('/api/')) {
      reply.headers({
        'content-security-policy': request.url.startsWith('/api/docs') ? docsPolicy : apiPolicy,
        // Replies depend on who asks; what may be kept says so itself.
        'cache-control': 'no-store',
      })
      return
    }
    reply.cspNonce = randomBytes(16).toString('base64')
    reply.header('content-security-policy', pagePolicy(reply.cspNonce, development))
  })
}

const baseHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

const apiPolicy = "default-src 'none'; frame-ancestors 'none'"

/** For what is answered before any hook runs. */
export const errorHeaders = {
  ...baseHeaders,
  'content-security-policy': apiPolicy,
  'cache-control': 'no-store',
}

/** Of files that pages load: it says less than a page's, a hundred times. */
export const assetPolicy = apiPolicy

/** Swagger UI writes style attributes; its scripts are files of ours. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Frames are limited to https (players of many hosts) and our own /embed pages. */
function pagePolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    // The development server injects style tags, and talks over a web socket.
    development ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    development ? "connect-src 'self' ws:" : "connect-src 'self'",
    "frame-src 'self' https:",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(development ? [] : ["require-trusted-types-for 'script'"]),
  ].join('; ')
}
