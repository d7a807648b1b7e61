/** An application in miniature for the launcher's tests: says what it got as one line of JSON, leaves on SIGTERM. */
import { startEmbeddedPostgres } from './embedded-postgres.ts'

const lines: string[] = []
const log = { info: (text: string) => lines.push(text), warn: (text: string) => lines.push(text) }
const database = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log })
const alive = setInterval(() => {}, 60_000)
process.on('SIGTERM', async () => {
  clearInterval(alive)
  await database.stop()
})
process.stdout.write(`${JSON.stringify({ url: database.url, isNew: database.isNew, lines })}\n`)
