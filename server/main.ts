/** The entry point. The first process supervises (supervisor.ts); the processes that it starts serve (worker.ts). */
import cluster from 'node:cluster'

if (cluster.isPrimary) {
  const { supervise } = await import('./supervisor.ts')
  await supervise()
} else {
  const { serve } = await import('./worker.ts')
  await serve()
}
