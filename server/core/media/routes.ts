/** Serves processed pictures from our own origin. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sendNotFound } from '../http/errors.ts'
import { matchesEtag } from '../http/etags.ts'
import { strictPolicy } from '../http/security-headers.ts'

/** Pictures may be deleted, so browsers ask again after a day. */
const cacheControl = 'public, max-age=86400'

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

  app.get<{ Params: { '*': string } }>(
    '/media/*',
    { schema: { hide: true }, logLevel: 'warn', config: { addressLimit: 'file' } },
    async (request, reply) => {
      // The store accepts only well-formed keys, so no dots, slashes or escapes reach a file name.
      const key = request.params['*']
      const etag = `"${key}"`
      if (matchesEtag(request.headers['if-none-match'], etag) && (await media.has(key))) {
        return reply.code(304).header('etag', etag).header('cache-control', cacheControl).send()
      }
      const picture = await media.get(key)
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
