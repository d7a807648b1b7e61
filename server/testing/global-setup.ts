import { startTestCluster } from './test-database.ts'

/** Starts the test cluster before the server's tests. Vitest calls the returned function after them. */
export async function setup(): Promise<() => Promise<void>> {
  const cluster = await startTestCluster()
  return cluster.stop
}
