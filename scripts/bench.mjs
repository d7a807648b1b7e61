/** `npm run bench`: measures the performance figures in the documentation. */
import { ensureBuilt, ensureInstalled } from './prerequisites.mjs'
import { node26, run } from './processes.mjs'

try {
  await ensureInstalled()
  await ensureBuilt()
  process.on('SIGINT', () => {})
  const env = { ...process.env, NODE_ENV: 'production' }
  process.exitCode = await run(node26(), ['bench/main.ts', ...process.argv.slice(2)], { env })
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
