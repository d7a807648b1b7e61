/** Serves processed pictures from our own origin. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sendNotFound } from '../http/errors.ts'
import { strictPolicy } from '../http/security-headers.ts'

/** Registers `/media/…`. Keys are derived from content and cacheable forever; `default.jpg` is the default avatar. */
export async function registerMediaRoutes(app: FastifyInstance): Promise<void> {
  const { media } = app.deps
  const defaultAvatar = await readFile(path.join(import.meta.dirname, '../../assets/default-avatar.jpg'))

  app.get(
    '/media/default.jpg',
    { schema: { hide: true }, config: { addressLimit: 'file' } },
    async (_request, reply) =>
      reply.type('image/jpeg').header('cache-control', 'public, max-age=86400').send(defaultAvatar),
  )

  app.get<{ Params: { '*': string } }>(
    '/media/*',
    { schema: { hide: true }, logLevel: 'warn', config: { addressLimit: 'file' } },
    async (request, reply) => {
      // The store accepts only well-formed keys, so no dots, slashes or escapes reach a file name.
      const picture = await media.get(request.params['*'])
      if (picture === null) return sendNotFound(request, reply)
      return reply
        .type(picture.type)
        .header('content-length', picture.bytes)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', `${strictPolicy}; sandbox`)
        .send(picture.stream)
    },
  )
}
