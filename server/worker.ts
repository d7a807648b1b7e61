/** A worker: serves requests and runs jobs. The supervisor starts it and waits for it to end. */
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp, createJobQueues } from './app.ts'
import { loadServerKeys } from './core/auth/server-keys.ts'
import { lowerBackgroundThreads } from './core/background-threads.ts'
import { connect, waitUntilReady } from './core/database/database.ts'
import { startJobs } from './core/database/jobs.ts'
import { openReplica } from './core/database/replica.ts'
import { subscribeToChanges } from './core/http/cache-changes.ts'
import { createVisitorCache } from './core/http/visitor-cache.ts'
import { type Log, openLog } from './core/log.ts'
import { openMail } from './core/mail/mail.ts'
import { openMediaStore } from './core/media/store.ts'
import { createOutbound } from './core/outbound/outbound.ts'
import { readSettings, type Settings, SettingsError } from './core/settings.ts'
import { openYtDlp } from './core/yt-dlp/yt-dlp.ts'
import {
  createStop,
  describeStartError,
  exitOnUncaughtErrors,
  type Running,
  type WorkerMessage,
  workerShutdownTimeoutMs,
} from './lifecycle.ts'

/**
 * Serves until the supervisor stops this process. If the supervisor dies, `node:cluster` ends the process immediately,
 * so that the port is free for the next start.
 */
export async function serve(): Promise<void> {
  const running: Running = []
  try {
    const settings = readSettings(process.env)
    const log = openLog(settings)
    const stop = createStop(log, running, workerShutdownTimeoutMs)
    exitOnUncaughtErrors(log)
    process.on('SIGTERM', () => void stop('SIGTERM'))
    process.on('message', (message) => {
      if (message === 'stop') void stop('the supervisor stops')
    })
    // Ctrl-C reaches every process of the terminal. The supervisor stops this one.
    process.on('SIGINT', () => {})
    if (settings.databaseUrl === null) throw new Error('The supervisor passed no database URL.')
    await startServing(settings, settings.databaseUrl, log, running)
    lowerBackgroundThreads()
    notifySupervisor({ isListening: true })
    // Saved now, because a killed process saves nothing.
    flushCompileCache()
  } catch (error) {
    notifySupervisor({ startError: describeStartError(error) }, () => process.exit(1))
  }
}

function notifySupervisor(message: WorkerMessage, onSent: () => void = () => {}): void {
  process.send?.(message, undefined, {}, onSent)
}

async function startServing(
  settings: Settings,
  databaseUrl: string,
  log: Log,
  running: Running,
): Promise<void> {
  const db = connect(databaseUrl, { applicationName: 'reelmark' })
  running.push({ name: 'database connections', stop: () => db.end({ timeout: 5 }) })
  await waitUntilReady(db)
  const replica =
    settings.databaseReadUrl === null
      ? null
      : openReplica(db, { primaryUrl: databaseUrl, replicaUrl: settings.databaseReadUrl, log })
  if (replica !== null) running.push({ name: 'replica connections', stop: () => replica.end() })
  const mail = openMail({ ...settings, log })
  running.push({ name: 'mail', stop: async () => mail.close() })
  const visitorCache = createVisitorCache()
  await subscribeToChanges(db, visitorCache, replica)
  running.push({
    name: 'visitor cache',
    stop: async () => log.info(visitorCache.statistics(), 'visitor cache'),
  })
  const outboundOptions = {
    allow: settings.outboundAllow,
    ...(settings.outboundProxy && { proxy: settings.outboundProxy }),
  }
  const shared = {
    settings,
    log,
    db,
    replica,
    outbound: createOutbound(outboundOptions),
    ytDlp: await openYtDlp(settings.ytDlp, outboundOptions, log),
    media: openMediaStore(settings),
    mail,
    serverKeys: await loadServerKeys(db),
    visitorCache,
  }
  const jobs = await startJobs(databaseUrl, (jobs) => createJobQueues({ ...shared, jobs }), log)
  running.push({ name: 'jobs', stop: () => jobs.stop() })
  const app = await buildApp({ ...shared, jobs })
  running.push({ name: 'http server', stop: () => app.close() })
  await listen(app, settings)
}

/** Listens on the port. Waits up to three seconds for a previous process to release it. */
async function listen(app: FastifyInstance, { host, port, workers }: Settings): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      // A single worker accepts its connections itself; several workers share the socket of the supervisor.
      await app.listen({ host, port, exclusive: workers === 1 })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (attempt === 12) {
        throw new SettingsError(
          `Port ${port} is in use. Stop what listens there, or set PORT to another one.`,
        )
      }
      await sleep(250)
    }
  }
}
