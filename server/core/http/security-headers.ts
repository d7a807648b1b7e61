/** Security headers of every response (docs/behaviour.md, Pages and players). */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyReply {
    /** A random value per response; the inline scripts of pages carry it. */
    cspNonce: string
  }
}

interface HeaderOptions {
  /** Whether the site is served over https; then browsers are told to use nothing else. */
  https: boolean
  development: boolean
}

/** Adds the headers. A route that needs another policy overrides `content-security-policy`. */
export function registerSecurityHeaders(app: FastifyInstance, { https, development }: HeaderOptions): void {
  const base = baseHeaders(https)
  app.decorateReply('cspNonce', '')
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(base)
    // By the route, because a path has many spellings: `/%61pi/videos/` is the route `/api/videos/`.
    const route = request.routeOptions.url ?? ''
    if (route === '' || route.startsWith('/api/')) {
      reply.headers(closedHeaders)
      if (route.startsWith('/api/docs')) reply.header('content-security-policy', docsPolicy)
      return done()
    }
    reply.cspNonce = randomBytes(16).toString('base64')
    reply.header('content-security-policy', pagePolicy(reply.cspNonce, development))
    done()
  })
}

function baseHeaders(https: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    ...(https && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  }
}

/** The policy of everything that is not a page: it loads nothing and is shown in no frame. */
export const strictPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The headers of what is not a page. Responses depend on the viewer. Routes whose responses may be cached override this. */
const closedHeaders = { 'content-security-policy': strictPolicy, 'cache-control': 'no-store' }

/** Returns the headers of API responses that are sent without the hook above. */
export function apiHeaders(https: boolean): Record<string, string> {
  return { ...baseHeaders(https), ...closedHeaders }
}

/** Swagger UI writes style attributes; its scripts are served from this site. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
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
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(development ? [] : ["require-trusted-types-for 'script'"]),
  ].join('; ')
}
