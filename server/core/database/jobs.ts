/** Background jobs: pg-boss in the same database, so that a job commits with the row that requested it. */
import { PgBoss, type QueueResult } from 'pg-boss'
import type { Log } from '../log.ts'
import { type Argument, type Db, isConnectionError } from './database.ts'

export interface JobQueue<Data extends object> {
  name: string
  /** The number of retries after the first attempt, with growing delays. */
  retries: number
  /** How many seconds one attempt may take. */
  seconds: number
  /** A cron expression with five fields, for scheduled jobs. */
  cron?: string
  /** Also runs once when the site starts, in one of its processes. */
  runsAtStart?: boolean
  /** How many jobs of this queue a process runs at a time. */
  concurrency: number
  /** Whether its jobs change what responses show, so that cached ones are dropped after each job. */
  changesResponses?: true
  work: (data: Data) => Promise<void>
}

interface SendOptions {
  /** False for a job that runs only when the queue has no urgent ones. */
  isUrgent?: boolean
}

export interface Jobs {
  /** Inserts a job in the caller's transaction: it runs once that commits, and never if it is rolled back. */
  send<Data extends object>(db: Db, queue: { name: string }, data: Data, options?: SendOptions): Promise<void>
  /** Inserts a job for each element of `data` with one statement. */
  sendMany<Data extends object>(
    db: Db,
    queue: { name: string },
    data: readonly Data[],
    options?: SendOptions,
  ): Promise<void>
  stop(): Promise<void>
}

/** Lets pg-boss use the caller's transaction. */
function asPgBossExecutor(db: Db) {
  return {
    executeSql: async (text: string, values: Argument[] = []) => ({ rows: await db.unsafe(text, values) }),
  }
}

/** Returns whether a connection was lost; pg's own errors have no code. */
function isConnectionLost(error: Error): boolean {
  return isConnectionError(error) || /Connection terminated|not queryable/.test(error.message)
}

/** Processes of a site that start within this time are one start. */
const startSeconds = 60

/**
 * How many times longer queues with a schedule wait before they look for jobs again: their jobs may begin some seconds late. Most
 * queues have a schedule, so that this halves the processor time of an idle site (docs/decisions/0061-idle-and-busy-processes.md).
 */
const scheduledPollFactor = 5

/** Milliseconds between two log lines about an unreachable database. */
const logIntervalMs = 10_000

/**
 * Creates the queues and starts their workers. pg-boss stores its tables in the schema `jobs`.
 * @param createQueues returns the queues; receives the jobs, because some jobs send others
 * @param options `work: false` only sends jobs, for another process to run; `pollSeconds` is how often new jobs without a
 *   schedule are looked for, at least 0.5
 * @throws if the database is unreachable
 */
export async function startJobs(
  databaseUrl: string,
  // biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
  createQueues: (jobs: Jobs) => JobQueue<any>[],
  log: Log,
  { work = true, pollSeconds = 1 }: { work?: boolean; pollSeconds?: number } = {},
): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: 'jobs',
    // Created by a migration.
    createSchema: false,
    max: 4,
    // Includes waiting for a free connection, which can take long on a busy machine without being a failure.
    connectionTimeoutMillis: 60_000,
    application_name: 'reelmark-jobs',
  })
  let stopped = false
  let loggedAt = Number.NEGATIVE_INFINITY
  boss.on('error', (error) => {
    // Errors during shutdown are expected.
    if (stopped) return
    if (!isConnectionLost(error)) {
      log.error({ err: error }, 'a job queue failed')
      return
    }
    // Every queue reports this each second until the database is back.
    if (performance.now() - loggedAt < logIntervalMs) return
    loggedAt = performance.now()
    log.warn({ err: error }, 'the job queues wait for the database')
  })
  await boss.start()
  const jobs: Jobs = {
    async send(db, queue, data, { isUrgent = true } = {}) {
      await boss.send(queue.name, data, { db: asPgBossExecutor(db), ...(isUrgent ? {} : { priority: -1 }) })
    },
    async sendMany(db, queue, data, { isUrgent = true } = {}) {
      if (data.length === 0) return
      const list = data.map((one) => ({ data: one, ...(isUrgent ? {} : { priority: -1 }) }))
      await boss.insert(queue.name, list, { db: asPgBossExecutor(db) })
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 5000 })
      stopped = true
    },
  }
  const existing = await boss.getQueues()
  for (const queue of createQueues(jobs)) {
    await ensureQueue(boss, existing, queue)
    if (!work) continue
    if (queue.cron !== undefined) await boss.schedule(queue.name, queue.cron)
    const pollingIntervalSeconds = queue.cron === undefined ? pollSeconds : pollSeconds * scheduledPollFactor
    await boss.work<object>(
      queue.name,
      { batchSize: 1, localConcurrency: queue.concurrency, pollingIntervalSeconds },
      async ([job]) => {
        if (job !== undefined) await queue.work(job.data ?? {})
      },
    )
    if (queue.runsAtStart)
      await boss.send(queue.name, {}, { singletonKey: 'start', singletonSeconds: startSeconds })
  }
  return jobs
}

/** Creates a queue, or updates the settings with which an earlier version of the program created it. */
async function ensureQueue(boss: PgBoss, existing: QueueResult[], queue: JobQueue<object>): Promise<void> {
  const settings = {
    retryLimit: queue.retries,
    retryBackoff: true,
    expireInSeconds: queue.seconds,
    deleteAfterSeconds: 3600,
  }
  const found = existing.find(({ name }) => name === queue.name)
  if (found === undefined) {
    await boss.createQueue(queue.name, settings)
  } else if (
    found.retryLimit !== settings.retryLimit ||
    found.retryBackoff !== settings.retryBackoff ||
    found.expireInSeconds !== settings.expireInSeconds ||
    found.deleteAfterSeconds !== settings.deleteAfterSeconds
  ) {
    await boss.updateQueue(queue.name, settings)
  }
}
