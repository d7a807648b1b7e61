/** `npm run check`: types and lint. */
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './prerequisites.mjs'
import { heading, node26, run, tool } from './processes.mjs'

/** Checks types and, whatever the result, lint; returns whether both pass. */
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
  return types === 0 && lint === 0
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
