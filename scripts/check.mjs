/** `npm run check`: types, lint and names. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureInstalled } from './prerequisites.mjs'
import { node26, root, runUnderHeading, tool } from './processes.mjs'

/** Checks types, lint and names at the same time, each even if another fails, and returns whether all pass. */
export async function check() {
  // By default four threads check each package, and two packages at a time: each thread computes the same types again,
  // which takes almost twice the processor time.
  const types = [tool('typescript/bin/tsc'), '-b', '--checkers', '1', '--builders', '1']
  const lint = [tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '--diagnostic-level=warn']
  const codes = await Promise.all([
    runUnderHeading('Types', node26(), types),
    runUnderHeading('Lint', node26(), lint),
    runUnderHeading('Names', node26(), [join(root, 'scripts/check-names.mjs')]),
  ])
  return codes.every((code) => code === 0)
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
