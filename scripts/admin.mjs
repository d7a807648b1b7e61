/** `npm run admin -- …`: the operator's command line. */
import { ensureInstalled } from './ensure.mjs'
import { node26, run } from './run.mjs'

try {
  await ensureInstalled()
  // An interrupt goes to the command itself; we only wait for its end.
  process.on('SIGINT', () => {})
  process.exitCode = await run(node26(), ['server/admin.ts', ...process.argv.slice(2)])
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
