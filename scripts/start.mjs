/** `npm start`: installs and builds what is missing, also on a fresh clone, then serves until it is stopped. */
import { ensureBuilt, ensureInstalled } from './prerequisites.mjs'
import { node26, serverForLife } from './processes.mjs'

try {
  await ensureInstalled()
  await ensureBuilt()
  process.exitCode = await serverForLife(node26(), ['server/main.ts'], { NODE_ENV: 'production' }).start()
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
