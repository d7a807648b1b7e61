import type { FastifyInstance } from 'fastify'

/** `/healthz`: the process runs. `/readyz`: it can serve, that is, the database answers. Neither is logged. */
export function registerHealth(app: FastifyInstance): void {
  app.get('/healthz', { logLevel: 'warn', schema: { hide: true } }, async () => ({ status: 'ok' }))
  app.get('/readyz', { logLevel: 'warn', schema: { hide: true } }, async (_request, reply) => {
    try {
      await app.deps.db`select 1`
      return { status: 'ok' }
    } catch {
      return reply.code(503).send({ status: 'unavailable' })
    }
  })
}
