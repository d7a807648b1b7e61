/**
 * The supervisor: starts the embedded database and the workers, and replaces workers that die. It serves no requests
 * itself, so that little can make it fail. Its workers end with it (docs/decisions/0027-supervision-and-driver.md).
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { roleOf } from './core/database/app-role.ts'
import { connect } from './core/database/database.ts'
import { migrate } from './core/database/migrate.ts'
import { startEmbeddedPostgres } from './core/embedded-postgres/embedded-postgres.ts'
import { type Log, openLog } from './core/log.ts'
import { createPrivateFolder } from './core/private-folder.ts'
import { describeUnsafeSettings, readSettings, type Settings } from './core/settings.ts'
import {
  createStop,
  describeStartError,
  exitOnUncaughtErrors,
  type Running,
  type Stop,
  type WorkerMessage,
  workerShutdownTimeoutMs,
} from './lifecycle.ts'

/** Time in service in milliseconds after which a worker's death no longer lengthens the pause. */
const stableAfterMs = 5_000
const maxPauseMs = 2_000

/** Prepares the database and runs until a signal stops it. */
export async function supervise(): Promise<void> {
  const running: Running = []
  try {
    const settings = readSettings(process.env)
    const log = openLog(settings)
    for (const warning of describeUnsafeSettings(settings)) log.warn(warning)
    const stop = createStop(log, running, workerShutdownTimeoutMs + 5_000)
    exitOnUncaughtErrors(log)
    process.on('SIGINT', () => void stop('SIGINT'))
    process.on('SIGTERM', () => void stop('SIGTERM'))
    // The parent process has ended, even if it was killed.
    process.on('disconnect', () => void stop('parent gone'))

    const databaseUrl = await prepareDatabase(settings, log, running)
    running.push(startWorkers(settings, databaseUrl, log, stop))
    await warnOfUnusableStore(settings, log)
  } catch (error) {
    printStartError(describeStartError(error))
    process.exit(1)
  }
}

/** Warns if the S3 server does not accept the settings. The site runs without it, except for pictures. */
async function warnOfUnusableStore(settings: Settings, log: Log): Promise<void> {
  if (settings.s3Url === null) return
  const { openMediaStore } = await import('./core/media/store.ts')
  await openMediaStore(settings)
    .check()
    .catch((error: Error) => log.warn({ reason: error.message }, 'pictures can be neither stored nor shown'))
}

function printStartError(reason: string): void {
  process.stderr.write(`\nReelmark could not start. ${reason}\n\n`)
}

/** Starts the database and migrates it before any worker connects. Returns its URL. */
async function prepareDatabase(settings: Settings, log: Log, running: Running): Promise<string> {
  createPrivateFolder(settings.dataDir)
  let url = settings.databaseUrl
  let ownerUrl = settings.databaseOwnerUrl ?? url
  if (url === null || ownerUrl === null) {
    const embedded = await startEmbeddedPostgres({ dataDir: settings.dataDir, log })
    running.push({ name: 'embedded PostgreSQL', stop: () => embedded.stop() })
    url = embedded.url
    ownerUrl = embedded.ownerUrl
  }
  const applied = await migrate(ownerUrl, { appRole: roleOf(url) })
  if (applied.length > 0) log.info({ applied }, 'the database was migrated')
  await prepareNewSite(settings, url)
  return url
}

/** Loads sample content into a new embedded database. Prints the setup link of a site without an owner. */
async function prepareNewSite(settings: Settings, url: string): Promise<void> {
  const db = connect(url, { max: 1, applicationName: 'reelmark setup' })
  try {
    const [found] = await db<[{ has_users: boolean; has_owner: boolean }]>`
      select exists (select from users) as has_users, exists (select from users where is_owner) as has_owner`
    // The modules are imported only if needed, because they load most of the server.
    if (!found.has_users && settings.databaseUrl === null && settings.sampleContent) {
      const { loadSampleContent } = await import('./sample-content/load-sample-content.ts')
      if (await loadSampleContent(db)) process.stdout.write('\nSample content was loaded.\n')
    }
    if (found.has_owner) return
    const { createSetupLink } = await import('./features/auth/accounts/owner-setup.ts')
    const link = await createSetupLink(db, settings.publicUrl)
    // To the terminal, not to the log.
    if (link !== null)
      process.stdout.write(`\nCreate the account of the site owner within an hour:\n${link}\n`)
  } finally {
    await db.end({ timeout: 5 })
  }
}

/**
 * Starts the workers, and replaces those that die: immediately, or after a growing pause if they die soon after each
 * start. If a worker cannot start before any has served, everything stops: the cause (a port in use) will not go away.
 */
function startWorkers(settings: Settings, databaseUrl: string, log: Log, stop: Stop): Running[number] {
  let isStopping = false
  let hasServed = false
  // In MB. Under load, V8 lets the space for new objects grow to several times this size, a quarter of the default. Where the
  // heap may have several GB, V8 lets it grow to four times what is in use before it collects.
  const heapLimits = ['--max-semi-space-size=4', '--max-old-space-size=1024']
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...heapLimits] })

  const start = (recentDeaths: number) => {
    if (isStopping) return
    const worker = cluster.fork({ DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: '' })
    const { pid } = worker.process
    let servingSince: number | null = null
    let startError: string | null = null
    worker.on('message', (message: WorkerMessage) => {
      if ('startError' in message) {
        startError = message.startError
        return
      }
      servingSince = Date.now()
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
      const deaths = servingSince !== null && Date.now() - servingSince > stableAfterMs ? 0 : recentDeaths
      const pauseMs = deaths === 0 ? 0 : Math.min(maxPauseMs, 100 * 2 ** (deaths - 1))
      log.error({ worker: pid, code, signal, pauseMs, startError }, 'a worker died and is started again')
      setTimeout(start, pauseMs, deaths + 1)
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
  // On Windows a signal would end the process immediately.
  if (process.platform === 'win32') worker.send('stop')
  else worker.process.kill('SIGTERM')
  await exited
}
