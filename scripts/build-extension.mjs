/** `npm run build:extension`: builds the browser extension into extension/dist: a folder and a zip file per browser. */
import { join } from 'node:path'
import { ensureInstalled } from './prerequisites.mjs'
import { node26, root, runUnderHeading } from './processes.mjs'

try {
  await ensureInstalled()
  process.exitCode = await runUnderHeading('Building the extension', node26(), [
    join(root, 'extension/build.ts'),
  ])
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
