/**
 * The process that keeps the others running: it holds the embedded database, starts the workers and starts each again
 * that dies. It serves no requests itself, so that little can bring it down. Its workers end with it
 * (docs/decisions/0027-supervision-and-driver.md).
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { connect } from './core/database/database.ts'
import { migrate } from './core/database/migrate.ts'
import { startEmbeddedPostgres } from './core/embedded-postgres/embedded-postgres.ts'
import { type Log, openLog } from './core/log.ts'
import { readSettings, type Settings } from './core/settings.ts'
import {
  createStop,
  describeStartError,
  exitOnUncaughtErrors,
  type Running,
  type Stop,
  type WorkerMessage,
  workerPatience,
} from './lifecycle.ts'

/** Milliseconds of service after which an earlier death no longer counts. */
const longLife = 5_000
const longestPause = 2_000

/** Prepares the database and serves until it is asked to stop. */
export async function supervise(): Promise<void> {
  const running: Running = []
  try {
    const settings = readSettings(process.env)
    const log = openLog(settings)
    const stop = createStop(log, running, workerPatience + 5_000)
    exitOnUncaughtErrors(log)
    process.on('SIGINT', () => void stop('SIGINT'))
    process.on('SIGTERM', () => void stop('SIGTERM'))
    // The process that started this one is gone, even by kill -9.
    process.on('disconnect', () => void stop('parent gone'))

    const databaseUrl = await prepareDatabase(settings, log, running)
    running.push(startWorkers(settings, databaseUrl, log, stop))
  } catch (error) {
    printStartError(describeStartError(error))
    process.exit(1)
  }
}

function printStartError(reason: string): void {
  process.stderr.write(`\nReelmark could not start. ${reason}\n\n`)
}

/** Starts the database and brings it up to date before any worker connects to it. Returns its URL. */
async function prepareDatabase(settings: Settings, log: Log, running: Running): Promise<string> {
  let url = settings.databaseUrl
  if (url === null) {
    const embedded = await startEmbeddedPostgres({ dataDir: settings.dataDir, log })
    running.push({ name: 'embedded PostgreSQL', stop: () => embedded.stop() })
    url = embedded.url
  }
  const applied = await migrate(url)
  if (applied.length > 0) log.info({ applied }, 'the database was migrated')
  if (settings.databaseUrl === null && settings.sampleContent) await loadSamples(url)
  return url
}

/** Fills a new database. The moderator's password is for the person at the terminal, this once, not for the log. */
async function loadSamples(url: string): Promise<void> {
  const db = connect(url, { max: 1, applicationName: 'reelmark samples' })
  try {
    const [user] = await db`select from users limit 1`
    if (user !== undefined) return
    // Imported for a new database only: it brings most of the server with it.
    const { loadSampleContent } = await import('./sample-content/load-sample-content.ts')
    const password = await loadSampleContent(db)
    if (password === null) return
    process.stdout.write(`\nSample content was loaded. Moderator: admin, password: ${password}\n`)
  } finally {
    await db.end({ timeout: 5 })
  }
}

/**
 * Starts the workers, and starts each again that dies: at once, or after a growing pause where it dies again soon.
 * A worker that cannot start ends everything if none has served yet: then the reason lasts, as a port that is taken.
 */
function startWorkers(settings: Settings, databaseUrl: string, log: Log, stop: Stop): Running[number] {
  let isStopping = false
  let hasServed = false

  const start = (quickDeaths: number) => {
    if (isStopping) return
    const worker = cluster.fork({ DATABASE_URL: databaseUrl })
    const { pid } = worker.process
    let servesSince: number | null = null
    let startError: string | null = null
    worker.on('message', (message: WorkerMessage) => {
      if ('startError' in message) {
        startError = message.startError
        return
      }
      servesSince = Date.now()
      log.info({ worker: pid }, 'a worker serves')
      if (!hasServed) process.stdout.write(`\nReelmark is running at ${settings.publicUrl}\n\n`)
      hasServed = true
    })
    worker.once('exit', (code, signal) => {
      if (isStopping) return
      if (!hasServed && signal === null) {
        if (startError !== null) printStartError(startError)
        void stop('a worker could not start', 1)
        return
      }
      const deaths = servesSince !== null && Date.now() - servesSince > longLife ? 0 : quickDeaths
      const pause = deaths === 0 ? 0 : Math.min(longestPause, 100 * 2 ** (deaths - 1))
      log.error({ worker: pid, code, signal, pause, startError }, 'a worker died and is started again')
      setTimeout(start, pause, deaths + 1)
    })
  }

  for (let count = 0; count < settings.workers; count++) start(0)
  return {
    name: 'workers',
    async stop() {
      isStopping = true
      await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && stopWorker(worker)))
    },
  }
}

async function stopWorker(worker: Worker): Promise<void> {
  const exited = once(worker, 'exit')
  // On Windows a signal would end it without asking.
  if (process.platform === 'win32') worker.send('stop')
  else worker.process.kill('SIGTERM')
  await exited
}
