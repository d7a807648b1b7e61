import type { FastifyInstance } from 'fastify'

/**
 * Serves `/healthz` (the process runs) and `/readyz` (the database responds). A replica is reported, but the site is
 * ready without it. Successful checks are not logged. They have no rate limit, because a load balancer may check often,
 * from the address of all visitors.
 */
export function registerHealth(app: FastifyInstance): void {
  const options = { logLevel: 'warn', schema: { hide: true }, config: { addressLimit: null } } as const
  app.get('/healthz', options, async () => ({ status: 'ok' }))
  app.get('/readyz', options, async (_request, reply) => {
    try {
      const { db, replica } = app.deps
      await db`select 1`
      return { status: 'ok', ...(replica && { replica: replica.status() }) }
    } catch {
      return reply.code(503).send({ status: 'unavailable' })
    }
  })
}
