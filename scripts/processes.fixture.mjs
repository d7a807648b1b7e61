/**
 * For processes.test.mjs. As 'starter' it runs a server once, as 'supervisor' it restarts the server after a crash; as
 * 'server' it is a server that logs the signals it receives.
 */
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serverForLife } from './processes.mjs'

const [role, log] = process.argv.slice(2)
const writeLog = (line) => appendFileSync(log, `${line}\n`)

if (role === 'starter' || role === 'supervisor') {
  const server = serverForLife(process.execPath, [fileURLToPath(import.meta.url), 'server', log], {})
  process.exitCode = await (role === 'supervisor' ? server.startAndRestart() : server.start())
} else {
  const stop = (event) => {
    writeLog(event)
    setTimeout(() => process.exit(7), 300)
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('disconnect', () => stop('disconnect'))
  setInterval(() => {}, 60_000)
  writeLog(`server ${process.pid}`)
}
