/** `npm run admin -- …`: the operator's command line. */
import { ensureInstalled } from './prerequisites.mjs'
import { node26, run } from './processes.mjs'

try {
  await ensureInstalled()
  // An interrupt goes to the command itself; we only wait for its end.
  process.on('SIGINT', () => {})
  process.exitCode = await run(node26(), ['server/admin.ts', ...process.argv.slice(2)])
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
