/** `npm run corpus`: compares recognition and extraction with the cases of other projects (CONTRIBUTING.md). */
import { ensureInstalled } from './prerequisites.mjs'
import { node26, run } from './processes.mjs'

try {
  await ensureInstalled()
  process.exitCode = await run(node26(), ['server/testing/print-corpus-score.ts', ...process.argv.slice(2)])
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
