/**
 * For run.test.mjs. As 'starter' it runs a server once, as 'keeper' it starts it again when it crashed; as 'server' it is
 * a server that tells what happens to it.
 */
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serverForLife } from './processes.mjs'

const [role, log] = process.argv.slice(2)
const tell = (line) => appendFileSync(log, `${line}\n`)

if (role === 'starter' || role === 'keeper') {
  const server = serverForLife(process.execPath, [fileURLToPath(import.meta.url), 'server', log], {})
  process.exitCode = await (role === 'keeper' ? server.keepRunning() : server.start())
} else {
  const stop = (why) => {
    tell(why)
    setTimeout(() => process.exit(7), 300)
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('disconnect', () => stop('disconnect'))
  setInterval(() => {}, 60_000)
  tell(`server ${process.pid}`)
}
