/** For processes.test.mjs. `starter` is a minimal start.mjs; `server` is a server that logs the signals it gets. */
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { serverForLife } from './processes.mjs'

const [role, log] = process.argv.slice(2)
const writeLog = (line) => appendFileSync(log, `${line}\n`)

if (role === 'starter') {
  process.exitCode = await serverForLife(
    process.execPath,
    [fileURLToPath(import.meta.url), 'server', log],
    {},
  ).start()
} else {
  const stop = (reason) => {
    writeLog(reason)
    setTimeout(() => process.exit(7), 300)
  }
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  process.on('disconnect', () => stop('disconnect'))
  setInterval(() => {}, 60_000)
  writeLog(`server ${process.pid}`)
}
