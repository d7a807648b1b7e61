/** `npm run build:cli`: builds the command-line client into cli/dist/reelmark.js. */
import { ensureInstalled } from './prerequisites.mjs'
import { node26, run, tool } from './processes.mjs'

try {
  await ensureInstalled()
  process.exitCode = await run(node26(), [tool('vite/bin/vite.js'), 'build', 'cli', '--logLevel', 'warn'])
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
