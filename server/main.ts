/** The entry point. The first process is the supervisor (supervisor.ts), which starts the workers (worker.ts). */
import cluster from 'node:cluster'
import { enableCompileCache } from 'node:module'
import path from 'node:path'

// Compilation takes a third of the start time, and delays the replacement of a worker that died.
enableCompileCache(path.join(import.meta.dirname, '../.cache/compiled'))

if (cluster.isPrimary) {
  const { supervise } = await import('./supervisor.ts')
  await supervise()
} else {
  const { serve } = await import('./worker.ts')
  await serve()
}
