/** `npm run dev`: restarts the server when its code changes. Vite, inside the server, updates pages in the browser. */
import { watch } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled } from './prerequisites.mjs'
import { createServerProcess, heading, node26, root } from './processes.mjs'

// Not `node --watch`, whose supervisor would survive if this process is killed and leave the server running.
async function develop() {
  const server = createServerProcess(node26(), ['server/main.ts'], { NODE_ENV: 'development' })
  let isEnding = false
  let debounce = null
  let resume = () => {}
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      isEnding = true
      resume()
    })
  }
  const onChange = (_event, file) => {
    if (!file || !/\.(ts|sql)$/.test(file) || /\.test\.ts$|(^|[\\/])testing[\\/]/.test(file)) return
    clearTimeout(debounce)
    // Waits, because editors save in several steps.
    debounce = setTimeout(() => {
      heading(`${file} changed`)
      server.stop()
      resume()
    }, 150)
  }
  for (const folder of ['server', 'contract']) watch(join(root, folder), { recursive: true }, onChange)

  for (;;) {
    const change = new Promise((resolve) => {
      resume = resolve
    })
    const code = await server.start()
    if (isEnding) return code
    // The server ended by itself, usually because of an error. The next change restarts it.
    if (code !== 0) heading('The server stopped: waiting for a change')
    await change
    if (isEnding) return code
  }
}

try {
  await ensureInstalled()
  process.exit(await develop())
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
