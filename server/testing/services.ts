/** Opens what the server runs on (database, mail, jobs, …) for tests, without the HTTP server itself. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { createJobQueues } from '../app.ts'
import { loadServerKeys } from '../core/auth/server-keys.ts'
import { connect } from '../core/database/database.ts'
import { startJobs } from '../core/database/jobs.ts'
import type { Deps } from '../core/deps.ts'
import { subscribeToChanges } from '../core/http/cache-changes.ts'
import { createVisitorCache, type VisitorCache } from '../core/http/visitor-cache.ts'
import { openLog } from '../core/log.ts'
import { openMail } from '../core/mail/mail.ts'
import { openMediaStore } from '../core/media/store.ts'
import { createOutbound, type Outbound } from '../core/outbound/outbound.ts'
import { readSettings, type Settings } from '../core/settings.ts'
import { openYtDlp } from '../core/yt-dlp/yt-dlp.ts'
import { slowTimeouts } from './test-database.ts'

export interface ServiceOptions {
  settings?: Partial<Settings>
  /** Replaces requests with GET. */
  outbound?: Outbound
  /** By default nothing is cached, because tests write to the database directly. */
  visitorCache?: VisitorCache
  /** Runs the background jobs instead of only storing them. */
  work?: boolean
}

export interface LogLine {
  level: number
  msg: string
  [key: string]: unknown
}

export interface Services {
  deps: Deps
  /** The lines logged so far, parsed. */
  logLines: LogLine[]
  /** Every SQL statement sent since the last `statements.length = 0`. */
  statements: string[]
  close(): Promise<void>
}

/** Opens everything with rate limits off unless `options.settings` turns them on. */
export async function openServices(databaseUrl: string, options: ServiceOptions = {}): Promise<Services> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'reelmark-test-'))
  const settings: Settings = {
    ...readSettings({
      NODE_ENV: 'test',
      RATE_LIMIT_SCALE: '0',
      SAMPLE_CONTENT: 'off',
      LOG_LEVEL: 'info',
      // Turned on by the test of this setting; the others are about what moderators do.
      MODERATOR_SECOND_FACTOR: 'off',
    }),
    dataDir,
    databaseUrl,
    ...options.settings,
  }
  const logLines: LogLine[] = []
  const log = openLog(
    settings,
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        for (const line of chunk.toString().trim().split('\n')) logLines.push(JSON.parse(line))
        done()
      },
    }),
  )
  const statements: string[] = []
  const db = connect(databaseUrl, {
    ...slowTimeouts,
    max: 10,
    applicationName: 'test',
    onQuery: (text) => statements.push(text),
  })
  const mail = openMail({ ...settings, log })
  const serverKeys = await loadServerKeys(db)
  const shared = {
    settings,
    log,
    db,
    replica: null,
    outbound: { ...createOutbound({ allow: settings.outboundAllow }), ...options.outbound },
    ytDlp: await openYtDlp(settings.ytDlp, { allow: settings.outboundAllow }, log),
    media: openMediaStore(settings),
    mail,
    serverKeys,
    visitorCache: options.visitorCache ?? createVisitorCache(0),
  }
  if (options.visitorCache !== undefined) await subscribeToChanges(db, options.visitorCache)
  const jobs = await startJobs(databaseUrl, (jobs) => createJobQueues({ ...shared, jobs }), log, {
    work: options.work ?? false,
    pollSeconds: 0.5,
  })
  return {
    deps: { ...shared, jobs },
    logLines,
    statements,
    async close() {
      await jobs.stop()
      mail.close()
      await db.end({ timeout: 5 })
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Creates pg-boss's tables and the server's job queues. Run once in the template database, this saves their creation
 * in every test; a server that starts with other queues brings them up to date.
 */
export async function createJobTables(databaseUrl: string): Promise<void> {
  const services = await openServices(databaseUrl)
  await services.close()
}
