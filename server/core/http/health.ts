import type { FastifyInstance } from 'fastify'

/** Serves `/healthz` (the process runs) and `/readyz` (the database responds). Successful checks are not logged. */
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
