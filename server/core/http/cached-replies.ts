/**
 * Sends cached responses to visitors before anything else is done for their requests. The other hooks and Fastify's way of
 * sending a reply take several times as long as sending the bytes (docs/decisions/0095-visitors-without-hooks.md).
 *
 * Whatever is unusual is left to the hooks: an empty rate limit, a malformed request, an encoding that is not created yet. Their
 * replies are the same, except for the time they take.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RateLimitName } from './rate-limit-config.ts'
import { takeVisitorTokens } from './rate-limits.ts'
import { hasOneHost } from './request-checks.ts'
import { apiHeaders } from './security-headers.ts'
import type { CachedResponse } from './visitor-cache.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For routes whose responses are cached for visitors. */
    cachedReplies?: {
      /** Returns the cached JSON response of a visitor's request; null if it must be created. */
      find: (request: FastifyRequest) => CachedJson | null
      limit: RateLimitName
    }
  }
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
  body: string | Buffer
  headers: OutgoingHttpHeaders
}

const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: brotliParams }),
  gzip: (body: Buffer) => promisify(gzip)(body),
} satisfies Record<Encoding, (body: Buffer) => Promise<Buffer>>

/** Adds the hook, which must be the first one. */
export function registerCachedReplies(app: FastifyInstance, { https }: { https: boolean }): void {
  const { visitorCache } = app.deps
  const findVariant = createVariants({
    ...apiHeaders(https),
    'content-type': 'application/json; charset=utf-8',
  })
  app.addHook('onRequest', (request, reply, done) => {
    const { cachedReplies } = request.routeOptions.config
    if (cachedReplies === undefined || !isPlainVisit(request)) return done()
    const cached = cachedReplies.find(request)
    const variant = cached && findVariant(cached, request.headers['accept-encoding'])
    if (variant === null || !takeVisitorTokens(request, cachedReplies.limit)) return done()
    visitorCache.countHit()
    reply.hijack()
    reply.raw.writeHead(200, variant.headers).end(variant.body)
  })
}

/** Returns whether a request reads as a visitor and asks for nothing that a hook would refuse or change. */
function isPlainVisit(request: FastifyRequest): boolean {
  return request.method === 'GET' && request.headers.authorization === undefined && hasOneHost(request)
}

/** Returns a function that finds the variant of a response for an Accept-Encoding header; null if it is not created yet. */
function createVariants(headers: OutgoingHttpHeaders) {
  /** Forgotten with the responses. Null while a variant is being created. */
  const created = new WeakMap<CachedJson, Partial<Record<Encoding | 'identity', Variant | null>>>()

  const variantOf = (body: string | Buffer, encodingHeaders: OutgoingHttpHeaders = {}): Variant => ({
    body,
    headers: { ...headers, ...encodingHeaders, 'content-length': Buffer.byteLength(body) },
  })

  return (cached: CachedJson, accepted: string | undefined): Variant | null => {
    let variants = created.get(cached)
    if (variants === undefined) {
      variants = { identity: variantOf(cached.body) }
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
