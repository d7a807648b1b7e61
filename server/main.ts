/** The entry point. The first process supervises (supervisor.ts); the processes that it starts serve (worker.ts). */
import cluster from 'node:cluster'
import { enableCompileCache } from 'node:module'
import path from 'node:path'

// Compiling takes a third of a start, and so of the time until a process that died serves again.
enableCompileCache(path.join(import.meta.dirname, '../.cache/compiled'))

if (cluster.isPrimary) {
  const { supervise } = await import('./supervisor.ts')
  await supervise()
} else {
  const { serve } = await import('./worker.ts')
  await serve()
}
