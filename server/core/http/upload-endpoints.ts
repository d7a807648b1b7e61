/** Mounts the endpoints whose body is read as a stream. */
import type { Readable } from 'node:stream'
import type { Endpoint, Reply } from '@reelmark/contract/protocol/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { type Call, type MountOptions, mount } from './endpoints.ts'
import { ApiError } from './errors.ts'

/**
 * Mounts an endpoint whose body may be larger than the memory a process should use for it. The handler reads the body
 * as a stream, after authorisation, and validates its content and size itself; the schema is for documentation only.
 */
export function mountUpload<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Omit<Call<E>, 'readDb' | 'tx'> & { source: AsyncIterable<Buffer> }) => Promise<Reply<E>>,
  options: MountOptions,
): void {
  app.register(async (scope) => {
    const compile = app.validatorCompiler
    scope.removeAllContentTypeParsers()
    // Files that are not JSON are sent as bytes; the handler determines what they are.
    const types = ['application/json', 'application/octet-stream']
    scope.addContentTypeParser(types, (_request, payload, done) => done(null, payload))
    scope.setValidatorCompiler((route) =>
      route.httpPart === 'body' || compile === undefined ? () => true : compile(route),
    )
    // If the response was sent before the whole body was read, the rest is discarded, so that the connection can be
    // used again. The raw body is discarded, not the decompressed one, which may be a thousand times larger.
    scope.addHook('onResponse', async ({ raw }) => {
      raw.unpipe()
      raw.resume()
    })
    mount(
      scope,
      endpoint,
      async ({ input, viewer, request, reply }) => {
        const body = request.body as Readable | undefined
        if (body === undefined) throw new ApiError('malformed-body')
        // The body must not be destroyed when the handler stops reading: the response uses the same connection.
        return handler({ input, viewer, request, reply, source: body.iterator({ destroyOnReturn: false }) })
      },
      options,
    )
  })
}
