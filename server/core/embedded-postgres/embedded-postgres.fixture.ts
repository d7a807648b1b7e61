/** A minimal application for tests: starts the embedded database, prints the result as JSON, and exits on SIGTERM. */
import { startEmbeddedPostgres } from './embedded-postgres.ts'

const lines: string[] = []
const log = { info: (text: string) => lines.push(text), warn: (text: string) => lines.push(text) }
const database = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log })
const alive = setInterval(() => {}, 60_000)
process.on('SIGTERM', async () => {
  clearInterval(alive)
  await database.stop()
})
process.stdout.write(
  `${JSON.stringify({ url: database.ownerUrl, appUrl: database.url, isNew: database.isNew, lines })}\n`,
)
