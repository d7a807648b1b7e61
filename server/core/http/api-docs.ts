import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** `/api/openapi.json` (OpenAPI 3.1, made from the contract) and `/api/docs`. Registered before the routes it describes. */
export async function registerApiDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    // Of all routes the API is what is described: not pages, pictures, nor the answer to what is not there.
    transform: ({ schema, url }) => ({
      schema: /^\/api\/[^*]*$/.test(url) ? schema : { ...schema, hide: true },
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
