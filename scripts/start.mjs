/**
 * `npm start`, also on a fresh clone: installs and builds what is missing, then runs the server until it is stopped, and
 * restarts it when it crashes.
 */
import { ensureBuilt, ensureInstalled } from './prerequisites.mjs'
import { createServerProcess, node26 } from './processes.mjs'

try {
  await ensureInstalled()
  await ensureBuilt()
  const server = createServerProcess(node26(), ['server/main.ts'], { NODE_ENV: 'production' })
  process.exitCode = await server.runWithRestarts()
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
