/** `npm run dev`: the server starts again when its code changes; pages change in the browser, by Vite inside it. */
import { ensureInstalled } from './ensure.mjs'
import { node26, runForLife } from './run.mjs'

try {
  await ensureInstalled()
  const args = ['--watch', '--watch-preserve-output', 'server/main.ts']
  process.exitCode = await runForLife(node26(), args, { NODE_ENV: 'development' })
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
