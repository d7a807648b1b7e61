import { startTestCluster } from './test-database.ts'

/** Vitest calls this once before the server's tests, and what it returns once after them. */
export async function setup(): Promise<() => Promise<void>> {
  const cluster = await startTestCluster()
  return cluster.stop
}
