/** `npm run check`: types, lint and names. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './prerequisites.mjs'
import { heading, node26, root, run, tool } from './processes.mjs'

/** Checks types, lint and names, each even if another fails, and returns whether all pass. */
export async function check() {
  heading('Types')
  const types = await run(node26(), [tool('typescript/bin/tsc'), '-b'])
  heading('Lint')
  const lint = await run(node26(), [
    tool('@biomejs/biome/bin/biome'),
    'check',
    '--error-on-warnings',
    '--diagnostic-level=warn',
  ])
  heading('Names')
  const names = await run(node26(), [join(root, 'scripts/check-names.mjs')])
  return types === 0 && lint === 0 && names === 0
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await ensureInstalled()
    process.exitCode = (await check()) ? 0 : 1
  } catch (error) {
    console.error(`\n${error.message}\n`)
    process.exitCode = 1
  }
}
