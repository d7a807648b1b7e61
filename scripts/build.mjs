/** `npm run build`: builds the web for browsers and server. `npm start` does the same if the build is outdated. */
import { build, ensureInstalled } from './prerequisites.mjs'

try {
  await ensureInstalled()
  await build()
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
