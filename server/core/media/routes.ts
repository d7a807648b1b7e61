/** Serves processed pictures from our own origin. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { ApiError, sendNotFound } from '../http/errors.ts'
import { matchesEtag } from '../http/etags.ts'
import { strictPolicy } from '../http/security-headers.ts'

/** Pictures may be deleted, so browsers ask again after a day. */
const cacheControl = 'public, max-age=86400'

/** When browsers may ask again while the store is away. */
const retrySeconds = 5

/** Registers `/media/…`. The picture of a key never changes; `default.jpg` is the default avatar. */
export async function registerMediaRoutes(app: FastifyInstance): Promise<void> {
  const { media } = app.deps
  const defaultAvatar = await readFile(path.join(import.meta.dirname, '../../assets/default-avatar.jpg'))

  app.get(
    '/media/default.jpg',
    { schema: { hide: true }, config: { addressLimit: 'file' } },
    async (_request, reply) =>
      reply.type('image/jpeg').header('cache-control', cacheControl).send(defaultAvatar),
  )

  /** Reads from the store, whose S3 server may be away. Its error is logged as such, and not as one of the database. */
  async function readStore<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      app.log.warn({ err: error }, 'a picture could not be read')
      throw new ApiError('unavailable', {}, retrySeconds)
    }
  }

  app.get<{ Params: { '*': string } }>(
    '/media/*',
    { schema: { hide: true }, logLevel: 'warn', config: { addressLimit: 'file' } },
    async (request, reply) => {
      // The store accepts only well-formed keys, so no dots, slashes or escapes reach a file name.
      const key = request.params['*']
      const etag = `"${key}"`
      if (matchesEtag(request.headers['if-none-match'], etag) && (await readStore(() => media.has(key)))) {
        return reply.code(304).header('etag', etag).header('cache-control', cacheControl).send()
      }
      const picture = await readStore(() => media.get(key))
      if (picture === null) return sendNotFound(request, reply)
      return reply
        .type(picture.type)
        .header('content-length', picture.bytes)
        .header('etag', etag)
        .header('cache-control', cacheControl)
        .header('content-security-policy', `${strictPolicy}; sandbox`)
        .send(picture.stream)
    },
  )
}
