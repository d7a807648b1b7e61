/**
 * Documents for other programs that are neither API responses nor pages of the web: feeds, sitemaps, embeddable pages. All
 * visitors get the same one from the visitor cache, and a client that has the current one gets 304.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Db } from '../database/database.ts'
import { etagOf, isUnmodified } from './etags.ts'
import { chooseReplica, readFrom } from './replica-reads.ts'
import { strictPolicy } from './security-headers.ts'

export interface WrittenDocument {
  /** By default 200. */
  status?: number
  /** The media type. */
  type: string
  text: string
  /** Null if it is not known when the content last changed. */
  modifiedAt: Date | null
  /** The `Link` header. */
  links?: string
  /** The address of a document that moved, with the status 301. */
  location?: string
}

interface DocumentRoute<Params extends TObject, Query extends TObject> {
  /** The address, which ends with the format: `/users/:username/feed.atom`. */
  url: string
  params: Params
  /** What the document depends on. Other parameters are ignored. */
  query: Query
  /** How long clients and proxies may use the document without asking again. */
  maxAgeSeconds: number
  headers?: Record<string, string>
  /** Creates the document as visitors see it. @throws ApiError */
  create: (db: Db, params: Static<Params>, query: Static<Query>) => Promise<WrittenDocument>
}

/** Registers the route of a document. */
export function mountDocument<Params extends TObject, Query extends TObject>(
  app: FastifyInstance,
  { url, params, query, maxAgeSeconds, headers = {}, create }: DocumentRoute<Params, Query>,
): void {
  const { db, visitorCache } = app.deps
  const names = Object.keys(query.properties)
  app.get(
    url,
    { schema: { hide: true, params, querystring: query }, config: { addressLimit: 'document' } },
    async (request, reply) => {
      const requested = request.query as Record<string, unknown>
      const key = `document ${JSON.stringify([url, request.params, names.map((name) => requested[name] ?? null)])}`
      const { status, body } = await visitorCache.getOrCreate(key, async () => {
        const { value, currentUntil } = await readFrom(chooseReplica(app.deps, null), db, (readDb) =>
          create(readDb, request.params as Static<Params>, request.query as Static<Query>),
        )
        const { status = 200, type, text, modifiedAt, links = '', location = '' } = value
        return {
          status,
          body: [type, etagOf(text), modifiedAt?.toISOString() ?? '', text, links, location],
          ...(currentUntil === undefined ? {} : { currentUntil }),
        }
      })
      const [type = '', etag = '', modifiedAt = '', text = '', links = '', location = ''] = body as string[]
      reply.headers({
        'content-security-policy': strictPolicy,
        'cache-control': `public, max-age=${maxAgeSeconds}`,
        ...headers,
        ...(links === '' ? {} : { link: links }),
      })
      // Not cached by clients: a user may take a former name back, and the redirects would then form a loop.
      if (location !== '') return reply.header('cache-control', 'no-cache').redirect(location, status)
      if (status !== 200) return reply.code(status).type(type).send(text)
      return sendDocument(request, reply, {
        type,
        text,
        etag,
        modifiedAt: modifiedAt === '' ? null : new Date(modifiedAt),
      })
    },
  )
}

/** Sends a document, or 304 if the client has it. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, text, etag, modifiedAt }: WrittenDocument & { etag: string },
): FastifyReply {
  reply.header('etag', etag)
  if (modifiedAt !== null) reply.header('last-modified', modifiedAt.toUTCString())
  if (isUnmodified(request.headers, { etag, modifiedAt })) return reply.code(304).send()
  return reply.type(type).send(text)
}
