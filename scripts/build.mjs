<<<<<<< HEAD
/**
 * `npm run build`: builds the web, for browsers and for the server. With `--if-stale` only if its sources have changed
 * since the last build, as `npm start` and `npm test` do.
 */
import { build, ensureBuilt, ensureInstalled } from './prerequisites.mjs'
=======
/** `npm run build`: builds the web for browsers and server. `npm start` does the same if the build is outdated. */
import { build, ensureInstalled } from './prerequisites.mjs'
>>>>>>> main

try {
  await ensureInstalled()
  await (process.argv.includes('--if-stale') ? ensureBuilt() : build())
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
