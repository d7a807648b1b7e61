import { readFileSync } from 'node:fs'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { type ErrorName, errorReply } from '@reelmark/contract/protocol/errors.ts'
import type { FastifyInstance, FastifySchema } from 'fastify'

const guide = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')

/** Returns docs/api.md with the address of this site, as the introduction of the description. */
function describeUse(publicUrl: string): string {
  return guide.replace(/^# .*\n+/, '').replaceAll('https://reelmark.example', publicUrl)
}

/** Serves `/api/openapi.json` (OpenAPI 3.1, from the contract) and `/api/docs`. Call it before registering routes. */
export async function registerApiDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    // Describes the API only: no pages, no pictures and not the catch-all route.
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
        description: describeUse(app.deps.settings.publicUrl),
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url: app.deps.settings.publicUrl }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
  })
  // Groups are collapsed initially: Swagger UI draws only what is in view, and browser search would not find the rest.
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
