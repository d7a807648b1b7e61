/**
 * `npm start`: on a fresh clone too. Installs and builds what is missing, then serves until it is stopped. A server that
 * crashes is started again.
 */
import { ensureBuilt, ensureInstalled } from './prerequisites.mjs'
import { node26, serverForLife } from './processes.mjs'

try {
  await ensureInstalled()
  await ensureBuilt()
  const server = serverForLife(node26(), ['server/main.ts'], { NODE_ENV: 'production' })
  process.exitCode = await server.startAndRestart()
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
