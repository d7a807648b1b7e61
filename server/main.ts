/** A process: settings, database, signals, listening. With WORKERS above 1, several of them on one port. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp, queuesOf } from './app.ts'
import { connect, migrate, waitUntilReady } from './core/database.ts'
import { startEmbeddedPostgres } from './core/embedded-postgres.ts'
import { startJobs } from './core/jobs.ts'
import { type Log, openLog } from './core/log.ts'
import { openMail } from './core/mail.ts'
import { openMediaStore } from './core/media-store.ts'
import { createOutbound } from './core/outbound.ts'
import { loadServerKeys } from './core/secrets.ts'
import { readSettings, type Settings, SettingsError } from './core/settings.ts'
import { clearOnWrites, createVisitorCache } from './core/visitor-cache.ts'
import { loadSampleContent } from './sample-content/load.ts'

/** What was started, in order; stopped in reverse. */
type Running = { name: string; stop(): Promise<unknown> }[]

/** Milliseconds that requests under way, and everything else, get to finish. */
const patience = 15_000

/** Brings up the database and what it needs before any process serves from it. */
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

/** Into a new database only. The moderator's password is for the person at the terminal, this once, not for the log. */
async function loadSamples(url: string): Promise<void> {
  const db = connect(url, { max: 1, applicationName: 'reelmark samples' })
  try {
    const password = await loadSampleContent(db)
    if (password === null) return
    process.stdout.write(`\nSample content was loaded. Moderator: admin, password: ${password}\n`)
  } finally {
    await db.end({ timeout: 5 })
  }
}

/** Serves until it is stopped. */
async function serve(settings: Settings, databaseUrl: string, log: Log, running: Running): Promise<void> {
  const db = connect(databaseUrl, { applicationName: 'reelmark' })
  running.push({ name: 'database connections', stop: () => db.end({ timeout: 5 }) })
  let readDb = db
  if (settings.databaseReadUrl !== null) {
    readDb = connect(settings.databaseReadUrl, { applicationName: 'reelmark read' })
    running.push({ name: 'replica connections', stop: () => readDb.end({ timeout: 5 }) })
  }
  await waitUntilReady(db)
  const mail = openMail({ ...settings, log })
  running.push({ name: 'mail', stop: async () => mail.close() })
  const visitorCache = createVisitorCache()
  await clearOnWrites(db, visitorCache)
  const shared = {
    settings,
    log,
    db,
    readDb,
    outbound: createOutbound({
      allow: settings.outboundAllow,
      ...(settings.outboundProxy && { proxy: settings.outboundProxy }),
    }),
    media: openMediaStore(settings),
    mail,
    serverKeys: await loadServerKeys(db),
    visitorCache,
  }
  const jobs = await startJobs(databaseUrl, (jobs) => queuesOf({ ...shared, jobs }), log)
  running.push({ name: 'jobs', stop: () => jobs.stop() })
  const app = await buildApp({ ...shared, jobs })
  running.push({ name: 'http server', stop: () => app.close() })
  await listen(app, settings)
}

/** A quick restart may find the port still held by the process that is just closing: that one gets three seconds. */
async function listen(app: FastifyInstance, { host, port, publicUrl }: Settings): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await app.listen({ host, port })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (tries === 12) {
        throw new SettingsError(
          `Port ${port} is in use. Stop what listens there, or set PORT to another one.`,
        )
      }
      await sleep(250)
    }
  }
  // For the person at the terminal, beside the log's own line.
  if (cluster.isPrimary) process.stdout.write(`\nReelmark is running at ${publicUrl}\n\n`)
}

/** Starts one process per worker; one that dies is replaced, unless all are being stopped. */
async function serveWithWorkers(settings: Settings, databaseUrl: string, log: Log, running: Running) {
  let stopping = false
  const fork = () => cluster.fork({ DATABASE_URL: databaseUrl, WORKERS: '1' })
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return
    log.error({ worker: worker.id, code, signal }, 'a worker died and is replaced')
    setTimeout(fork, 500)
  })
  running.push({
    name: 'workers',
    stop: async () => {
      stopping = true
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      await Promise.all(
        workers.map(async (worker) => {
          const exited = once(worker, 'exit')
          worker.process.kill('SIGTERM')
          await exited
        }),
      )
    },
  })
  for (let count = 0; count < settings.workers; count++) fork()
  cluster.once('listening', () => process.stdout.write(`\nReelmark is running at ${settings.publicUrl}\n\n`))
}

/** Stops everything in reverse order, once; a second signal, or taking too long, ends the process at once. */
function stopOnSignals(log: Log, running: Running): void {
  let stopping = false
  const stop = async (why: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ why }, 'stopping')
    setTimeout(() => {
      log.error('stopping took too long')
      process.exit(1)
    }, patience).unref()
    let code = 0
    for (const part of running.reverse()) {
      await part.stop().catch((error: unknown) => {
        code = 1
        log.error({ err: error }, `stopping the ${part.name} failed`)
      })
    }
    log.info('stopped')
    process.exit(code)
  }
  process.on('SIGINT', () => void stop('SIGINT'))
  process.on('SIGTERM', () => void stop('SIGTERM'))
  // The starting script, or the primary of a worker, is gone: even kill -9 leaves nothing behind.
  process.on('disconnect', () => void stop('parent gone'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a bug brought the process down')
    process.exit(1)
  })
}

async function main(): Promise<void> {
  const settings = readSettings(process.env)
  const log = openLog(settings)
  const running: Running = []
  stopOnSignals(log, running)
  if (cluster.isWorker && settings.databaseUrl !== null) {
    await serve(settings, settings.databaseUrl, log, running)
    return
  }
  const databaseUrl = await prepareDatabase(settings, log, running)
  if (settings.workers > 1) await serveWithWorkers(settings, databaseUrl, log, running)
  else await serve(settings, databaseUrl, log, running)
}

main().catch((error: unknown) => {
  const line =
    error instanceof SettingsError ? error.message : error instanceof Error ? error.stack : String(error)
  process.stderr.write(`\nReelmark could not start. ${line}\n\n`)
  process.exit(1)
})
