/**
 * Sends cached responses before Fastify sees their requests. Its router, the hooks and its way of sending a reply take as long as
 * sending the bytes (docs/decisions/0095-visitors-without-hooks.md, 0104-signed-in-without-hooks.md).
 *
 * Everything unusual is left to Fastify: an empty rate limit, a malformed request, a personal access token, a response that must be
 * created. Its responses are the same, except for the time they take.
 */
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import proxyAddr from '@fastify/proxy-addr'
import { tokenPrefix } from '@reelmark/contract/access-tokens.ts'
import type { FastifyInstance } from 'fastify'
import { readBearer, type Viewer } from '../auth/session.ts'
import { createPacer } from './pacer.ts'
import type { RateLimitName } from './rate-limit-config.ts'
import { refundAddressToken, takeAddressToken, takeViewerToken, takeVisitorTokens } from './rate-limits.ts'
import { hasOneHost } from './request-checks.ts'
import { apiHeaders } from './security-headers.ts'
import { type JsonBytes, toBytes } from './shared-responses.ts'
import type { CachedResponse } from './visitor-cache.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The endpoints whose responses are cached. */
    cachedReplies: CachedReplies[]
  }
}

interface CachedReplies {
  limit: RateLimitName
  /** Returns the cached JSON response of a visitor's request; null if it must be created. */
  findForVisitor: (url: string) => CachedJson | null
  /**
   * Returns the function that finds the cached response of a signed-in user's request; null for requests of something else. It returns
   * null if the response must be created, and throws if the user may not make the request.
   */
  findForViewer: (request: IncomingMessage) => (() => Promise<CompletedReply | null>) | null
}

/** A response for a signed-in user. */
export interface CompletedReply {
  viewer: Viewer
  text: JsonBytes
}

/** How responses are compressed. One level above the default: saves a twelfth of each page for 0.25 ms outside the main thread. */
export const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 5 }
/** In order of preference. */
export const encodings: Encoding[] = ['br', 'gzip']
/** Shorter bodies, in bytes, are not compressed. */
export const minCompressedSize = 1024

type Encoding = 'br' | 'gzip'
type CachedJson = CachedResponse & { body: string }
/** A body with one character for each byte (shared-responses.ts), and all its headers. */
interface Variant {
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
  const variants = createVariants({
    ...apiHeaders(https),
    'content-type': 'application/json; charset=utf-8',
  })
  const isTrusted = settings.trustProxy === false ? null : proxyAddr.compile(settings.trustProxy)
  // The same as `request.ip` of Fastify.
  const addressOf = (request: IncomingMessage) =>
    isTrusted === null ? (request.socket.remoteAddress ?? '') : proxyAddr(request, isTrusted)
  const endpoints: CachedReplies[] = []
  app.decorate('cachedReplies', endpoints)

  function send(response: ServerResponse, { headers, body }: Variant): void {
    visitorCache.countHit()
    response.writeHead(200, headers).end(body, 'latin1')
  }

  function answerVisitor(request: IncomingMessage, response: ServerResponse): boolean {
    for (const { findForVisitor, limit } of endpoints) {
      const cached = findForVisitor(request.url ?? '')
      if (cached === null) continue
      const variant = variants.find(cached, () => toBytes(cached.body), request.headers['accept-encoding'])
      if (variant === null || !takeVisitorTokens(app, addressOf(request), limit)) return false
      send(response, variant)
      return true
    }
    return false
  }

  /** Returns null for requests that are certainly left to Fastify. */
  function answerViewer(request: IncomingMessage, response: ServerResponse): Promise<boolean> | null {
    // Responses to access tokens have other headers.
    if (readBearer(request)?.startsWith(tokenPrefix) !== false) return null
    for (const { findForViewer, limit } of endpoints) {
      const find = findForViewer(request)
      if (find === null) continue
      // Counted before the token is read.
      const address = addressOf(request)
      if (!takeAddressToken(app, address)) return null
      const answer = async () => {
        const reply = await find()
        if (reply === null || !app.server.listening || !takeViewerToken(app, limit, reply.viewer))
          return false
        send(response, await variants.ofCompleted(reply.text, request.headers['accept-encoding']))
        return true
      }
      return (
        answer()
          // Fastify responds with the error.
          .catch(() => false)
          .then((isAnswered) => {
            if (!isAnswered) refundAddressToken(app, address)
            return isAnswered
          })
      )
    }
    return null
  }

  // Fastify runs nothing before its router. It would not listen on both addresses of `localhost` with a `serverFactory`.
  const [handle] = app.server.listeners('request') as [RequestListener]
  app.server.removeListener('request', handle)
  const pace = createPacer()
  app.server.on('request', (request, response) => {
    // Fastify ends the connections of a server that is closing.
    if (request.method !== 'GET') return pace(() => handle(request, response))
    if (!hasOneHost(request) || !app.server.listening) return handle(request, response)
    if (request.headers.authorization === undefined) {
      if (!answerVisitor(request, response)) handle(request, response)
      return
    }
    const answered = answerViewer(request, response)
    if (answered === null) return handle(request, response)
    void answered.then((isAnswered) => {
      if (!isAnswered) handle(request, response)
    })
  })
}

/** Returns the functions that find the variant of a response for an Accept-Encoding header. */
function createVariants(headers: OutgoingHttpHeaders) {
  /** Forgotten with the responses. Null while a variant is being created. */
  const stored = new WeakMap<object, Partial<Record<Encoding | 'identity', Variant | null>>>()

  const plain = (body: string): Variant => ({ body, headers: { ...headers, 'content-length': body.length } })

  async function compress(body: string, encoding: Encoding): Promise<Variant> {
    const compressed = (await compressors[encoding](Buffer.from(body, 'latin1'))).toString('latin1')
    const { headers } = plain(compressed)
    return {
      body: compressed,
      headers: { ...headers, 'content-encoding': encoding, vary: 'accept-encoding' },
    }
  }

  /** Returns the variant of a response that many requests get; null if it is not created yet. */
  function find(response: object, body: () => string, accepted: string | undefined): Variant | null {
    let variants = stored.get(response)
    if (variants === undefined) {
      variants = { identity: plain(body()) }
      stored.set(response, variants)
    }
    const identity = variants.identity as Variant
    const encoding = chooseEncoding(identity.body, accepted)
    const found = variants[encoding]
    if (found !== undefined || encoding === 'identity') return found ?? null
    variants[encoding] = null
    compress(identity.body, encoding).then(
      (variant) => {
        variants[encoding] = variant
      },
      // The hooks compress every response.
      () => undefined,
    )
    return null
  }

  /** Returns the variant of a response that was completed for a viewer, at once if it need not be compressed. */
  function ofCompleted(text: JsonBytes, accepted: string | undefined): Variant | Promise<Variant> {
    const found = text.isShared ? find(text, () => text.bytes, accepted) : null
    if (found !== null) return found
    const encoding = chooseEncoding(text.bytes, accepted)
    return encoding === 'identity' ? plain(text.bytes) : compress(text.bytes, encoding)
  }

  return { find, ofCompleted }
}

/** Returns the encoding that `@fastify/compress` chooses. */
function chooseEncoding(body: string, accepted: string | undefined): Encoding | 'identity' {
  if (accepted === undefined || body.length < minCompressedSize) return 'identity'
  return (negotiate(accepted.toLowerCase(), encodings) as Encoding | null) ?? 'identity'
}
