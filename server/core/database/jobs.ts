/** Background work: pg-boss in the same database, so that a job commits with the row that asked for it. */
import { PgBoss, type QueueResult } from 'pg-boss'
import type { Log } from '../log.ts'
import { type Argument, type Db, isConnectionError } from './database.ts'

export interface JobQueue<Data extends object> {
  name: string
  /** Tries after the first, with growing pauses. */
  retries: number
  /** Seconds one try may take. */
  seconds: number
  /** Five-field cron expression, for jobs that come by the clock. */
  cron?: string
  /** Jobs of this queue that one process works on at a time. */
  concurrency: number
  work: (data: Data) => Promise<void>
}

interface SendOptions {
  /** False: nobody waits for it, and it is done when nothing else of its queue is left to do. */
  isUrgent?: boolean
}

export interface Jobs {
  /** Writes a job in the caller's transaction: it runs once that commits, and not if it does not. */
  send<Data extends object>(db: Db, queue: { name: string }, data: Data, options?: SendOptions): Promise<void>
  stop(): Promise<void>
}

/** Lets pg-boss write in the caller's transaction. */
function asPgBossExecutor(db: Db) {
  return {
    executeSql: async (text: string, values: Argument[] = []) => ({ rows: await db.unsafe(text, values) }),
  }
}

/** pg's own errors have no code. */
function isConnectionLost(error: Error): boolean {
  return isConnectionError(error) || /Connection terminated|not queryable/.test(error.message)
}

/** Milliseconds between two log lines about a database that is out of reach. */
const tellPause = 10_000

/**
 * Starts the job loop and its queues; pg-boss keeps its tables in the schema `jobs`.
 * `queuesOf` is given the jobs themselves, for work that sends more of it.
 * With `work: false` jobs are only written, for another process to do; `pollSeconds` is how often new ones are looked
 * for, and 0.5 at the least.
 * @throws where the database cannot be reached.
 */
export async function startJobs(
  databaseUrl: string,
  // biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
  queuesOf: (jobs: Jobs) => JobQueue<any>[],
  log: Log,
  { work = true, pollSeconds = 1 }: { work?: boolean; pollSeconds?: number } = {},
): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: 'jobs',
    max: 4,
    // Also for one of these connections to be free: a queue that waits its turn on a busy machine has not failed.
    connectionTimeoutMillis: 60_000,
    application_name: 'reelmark-jobs',
  })
  let stopped = false
  let toldAt = Number.NEGATIVE_INFINITY
  boss.on('error', (error) => {
    // Connections that break while they are being closed are no news.
    if (stopped) return
    if (!isConnectionLost(error)) {
      log.error({ err: error }, 'a job queue failed')
      return
    }
    // Every queue tells it, each second, until the database is back.
    if (performance.now() - toldAt < tellPause) return
    toldAt = performance.now()
    log.warn({ err: error }, 'the job queues wait for the database')
  })
  await boss.start()
  const jobs: Jobs = {
    async send(db, queue, data, { isUrgent = true } = {}) {
      await boss.send(queue.name, data, { db: asPgBossExecutor(db), ...(isUrgent ? {} : { priority: -1 }) })
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: 5000 })
      stopped = true
    },
  }
  const existing = await boss.getQueues()
  for (const queue of queuesOf(jobs)) {
    await ensureQueue(boss, existing, queue)
    if (!work) continue
    if (queue.cron !== undefined) await boss.schedule(queue.name, queue.cron)
    await boss.work<object>(
      queue.name,
      { batchSize: 1, localConcurrency: queue.concurrency, pollingIntervalSeconds: pollSeconds },
      async ([job]) => {
        if (job !== undefined) await queue.work(job.data ?? {})
      },
    )
  }
  return jobs
}

/** Creates the queue, or updates its settings where an earlier version of the program created it with other ones. */
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
