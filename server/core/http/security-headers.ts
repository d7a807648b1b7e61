/** Security headers of every response (docs/behaviour.md, Pages and players). */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyReply {
    /** A random value per response; the inline scripts of pages carry it. */
    cspNonce: string
  }
}

/** Adds the headers. A route that needs another policy overrides `content-security-policy`. */
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
        // Responses depend on the viewer. Routes whose responses may be cached override this.
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

/** Headers of errors that are sent before any hook runs. */
export const errorHeaders = {
  ...baseHeaders,
  'content-security-policy': apiPolicy,
  'cache-control': 'no-store',
}

/** Policy of static files. A file needs no more, and the policy of pages is long. */
export const assetPolicy = apiPolicy

/** Swagger UI writes style attributes; its scripts are served from this site. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Returns the policy of pages. Frames are limited to https (players of many hosts) and to this site's /embed pages. */
function pagePolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    // The development server injects style elements and uses a web socket.
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
