/**
 * For processes.test.mjs. With the role 'starter' it runs a server once, as 'supervisor' it restarts the server when it
 * crashes; as 'server' it is a server that logs what happens to it.
 */
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createServerProcess } from './processes.mjs'

const [role, log] = process.argv.slice(2)
const writeLine = (line) => appendFileSync(log, `${line}\n`)

if (role === 'starter' || role === 'supervisor') {
  const server = createServerProcess(process.execPath, [fileURLToPath(import.meta.url), 'server', log], {})
  process.exitCode = await (role === 'supervisor' ? server.runWithRestarts() : server.start())
} else {
  const stop = (reason) => {
    writeLine(reason)
    setTimeout(() => process.exit(7), 300)
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('disconnect', () => stop('disconnect'))
  setInterval(() => {}, 60_000)
  writeLine(`server ${process.pid}`)
}
