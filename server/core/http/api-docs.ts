import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { type ErrorName, errorReply } from '@reelmark/contract/protocol/errors.ts'
import type { FastifyInstance, FastifySchema } from 'fastify'

/** `/api/openapi.json` (OpenAPI 3.1, made from the contract) and `/api/docs`. Registered before the routes it describes. */
export async function registerApiDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    // Only the API is described: no pages, pictures or the reply to unknown paths.
    transform: ({ schema, url, route }) => ({
      schema: /^\/api\/[^*]*$/.test(url)
        ? withErrors(schema, route.config?.errorCodes)
        : { ...schema, hide: true },
      url,
    }),
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Reelmark',
        version: '0.1.0',
        description: 'Save, organise, share and discover links to videos hosted elsewhere.',
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url: app.deps.settings.publicUrl }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
  })
  // Groups, closed: of a long list it draws only what is in view, where nobody finds anything.
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: { docExpansion: 'none', filter: true },
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}

/**
 * Adds the error replies of a route to its schema. They are added here and not where the route is mounted, because
 * Fastify would compile a serializer for each of them.
 */
function withErrors(schema: FastifySchema, codes: Record<number, ErrorName[]> = {}): FastifySchema {
  const replies = Object.entries(codes).map(([status, names]) => [status, errorReply(names)])
  return { ...schema, response: { ...(schema?.response as object), ...Object.fromEntries(replies) } }
}
