/** `npm start`: on a fresh clone too. Installs and builds what is missing, then serves until it is stopped. */
import { ensureBuilt, ensureInstalled } from './ensure.mjs'
import { node26, runForLife } from './run.mjs'

try {
  await ensureInstalled()
  await ensureBuilt()
  process.exitCode = await runForLife(node26(), ['server/main.ts'], { NODE_ENV: 'production' })
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
