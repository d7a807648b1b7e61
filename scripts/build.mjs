/** `npm run build`: the web, for browsers and for the server. `npm start` does it by itself when it is stale. */
import { build, ensureInstalled } from './prerequisites.mjs'

try {
  await ensureInstalled()
  await build()
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
