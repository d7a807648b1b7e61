/**
 * `npm run build`: builds the web for browsers and server. With `--if-stale` it builds only if the sources changed since
 * the last build, as `npm start` and `npm test` do.
 */
import { build, ensureBuilt, ensureInstalled } from './prerequisites.mjs'

try {
  await ensureInstalled()
  await (process.argv.includes('--if-stale') ? ensureBuilt() : build())
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
