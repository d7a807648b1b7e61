/** `npm run dev`: the server starts again when its code changes; pages change in the browser, by Vite inside it. */
import { watch } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled } from './prerequisites.mjs'
import { heading, node26, root, serverForLife } from './processes.mjs'

// Not `node --watch`: its supervisor outlives us if we are killed, and the server with it.
async function develop() {
  const server = serverForLife(node26(), ['server/main.ts'], { NODE_ENV: 'development' })
  let ending = false
  let changed = null
  let goOn = () => {}
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      ending = true
      goOn()
    })
  }
  const onChange = (_event, file) => {
    if (!file || !/\.(ts|sql)$/.test(file) || /\.test\.ts$|(^|[\\/])testing[\\/]/.test(file)) return
    clearTimeout(changed)
    // An editor saves in several steps.
    changed = setTimeout(() => {
      heading(`${file} changed`)
      server.stop()
      goOn()
    }, 150)
  }
  for (const folder of ['server', 'contract']) watch(join(root, folder), { recursive: true }, onChange)

  for (;;) {
    const change = new Promise((tell) => {
      goOn = tell
    })
    const code = await server.start()
    if (ending) return code
    // It ended by itself, most likely over a mistake: the next change starts it again.
    if (code !== 0) heading('The server ended: waiting for a change')
    await change
    if (ending) return code
  }
}

try {
  await ensureInstalled()
  process.exit(await develop())
} catch (error) {
  console.error(`\n${error.message}\n`)
  process.exitCode = 1
}
