/** `npm run admin -- …`: the operator's command line. */
import { ensureInstalled } from './prerequisites.mjs'
import { node26, run } from './processes.mjs'

try {
  await ensureInstalled()
  // The terminal sends Ctrl-C to the command as well; this process only waits for it to exit.
  process.on('SIGINT', () => {})
  process.exitCode = await run(node26(), ['server/admin.ts', ...process.argv.slice(2)])
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
