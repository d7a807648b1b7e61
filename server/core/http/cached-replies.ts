/**
 * Sends cached responses to visitors before Fastify sees their requests. Its router, the hooks and its way of sending a reply
 * take as long as sending the bytes (docs/decisions/0095-visitors-without-hooks.md).
 *
 * Everything unusual is left to Fastify: an empty rate limit, a malformed request, an encoding that is not created yet. Its
 * responses are the same, except for the time they take.
 */
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { RateLimitName } from './rate-limit-config.ts'
import { takeVisitorTokens } from './rate-limits.ts'
import { hasOneHost } from './request-checks.ts'
import { apiHeaders } from './security-headers.ts'
import type { CachedResponse } from './visitor-cache.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The endpoints whose responses are cached for visitors. */
    cachedReplies: CachedReplies[]
  }
}

interface CachedReplies {
  /** Returns the cached JSON response of a visitor's request; null if it must be created. */
  find: (url: string) => CachedJson | null
  limit: RateLimitName
}

/** How responses are compressed. One level above the default: saves a twelfth of each page for 0.25 ms outside the main thread. */
export const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 5 }
/** In order of preference. */
export const encodings: Encoding[] = ['br', 'gzip']
/** Shorter bodies, in bytes, are not compressed. */
export const minCompressedSize = 1024

type Encoding = 'br' | 'gzip'
type CachedJson = CachedResponse & { body: string }
/** A body with all its headers. */
interface Variant {
  /**
   * One character for each byte. Node sends such a text and the headers in one write and without converting them, which takes
   * a third of the time that a buffer or the text itself takes.
   */
  body: string
  headers: OutgoingHttpHeaders
}

const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: brotliParams }),
  gzip: (body: Buffer) => promisify(gzip)(body),
} satisfies Record<Encoding, (body: Buffer) => Promise<Buffer>>

/** Answers requests before Fastify does. A second address of `localhost` is left to Fastify, which opens it itself. */
export function registerCachedReplies(app: FastifyInstance, { https }: { https: boolean }): void {
  const { visitorCache, settings } = app.deps
  const findVariant = createVariants({
    ...apiHeaders(https),
    'content-type': 'application/json; charset=utf-8',
  })
  const isTrusted = settings.trustProxy === false ? null : proxyAddr.compile(settings.trustProxy)
  // The same as `request.ip` of Fastify.
  const addressOf = (request: IncomingMessage) =>
    isTrusted === null ? (request.socket.remoteAddress ?? '') : proxyAddr(request, isTrusted)
  const endpoints: CachedReplies[] = []
  app.decorate('cachedReplies', endpoints)

  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    // Fastify ends the connections of a server that is closing.
    if (!isPlainVisit(request) || !app.server.listening) return false
    for (const { find, limit } of endpoints) {
      const cached = find(request.url ?? '')
      if (cached === null) continue
      const variant = findVariant(cached, request.headers['accept-encoding'])
      if (variant === null || !takeVisitorTokens(app, addressOf(request), limit)) return false
      visitorCache.countHit()
      response.writeHead(200, variant.headers).end(variant.body, 'latin1')
      return true
    }
    return false
  }

  // Fastify runs nothing before its router. It would not listen on both addresses of `localhost` with a `serverFactory`.
  const [handle] = app.server.listeners('request') as [RequestListener]
  app.server.removeListener('request', handle)
  app.server.on('request', (request, response) => {
    if (!answer(request, response)) handle(request, response)
  })
}

/** Returns whether a request reads as a visitor and asks for nothing that a hook would refuse or change. */
function isPlainVisit(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.authorization === undefined && hasOneHost(request)
}

/** Returns a function that finds the variant of a response for an Accept-Encoding header; null if it is not created yet. */
function createVariants(headers: OutgoingHttpHeaders) {
  /** Forgotten with the responses. Null while a variant is being created. */
  const created = new WeakMap<CachedJson, Partial<Record<Encoding | 'identity', Variant | null>>>()

  const variantOf = (body: Buffer, encodingHeaders: OutgoingHttpHeaders = {}): Variant => ({
    body: body.toString('latin1'),
    headers: { ...headers, ...encodingHeaders, 'content-length': body.length },
  })

  return (cached: CachedJson, accepted: string | undefined): Variant | null => {
    let variants = created.get(cached)
    if (variants === undefined) {
      variants = { identity: variantOf(Buffer.from(cached.body)) }
      created.set(cached, variants)
    }
    const encoding =
      accepted === undefined || Number(variants.identity?.headers['content-length']) < minCompressedSize
        ? 'identity'
        : chooseEncoding(accepted)
    const found = variants[encoding]
    if (found !== undefined || encoding === 'identity') return found ?? null
    variants[encoding] = null
    compressors[encoding](Buffer.from(cached.body)).then(
      (body) => {
        variants[encoding] = variantOf(body, { 'content-encoding': encoding, vary: 'accept-encoding' })
      },
      // The hooks compress every response.
      () => undefined,
    )
    return null
  }
}

/** Returns the encoding that `@fastify/compress` chooses. */
function chooseEncoding(accepted: string): Encoding | 'identity' {
  return (negotiate(accepted.toLowerCase(), encodings) as Encoding | null) ?? 'identity'
}
