/** Boots the server on a database of its own, for tests that go through HTTP as people do. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { type CallResponse, call, type Transport } from '@reelmark/contract/call.ts'
import type { Endpoint, Input, Reply } from '@reelmark/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { buildApp, queuesOf } from '../app.ts'
import { connect, type Sql } from '../core/database.ts'
import { type Jobs, startJobs } from '../core/jobs.ts'
import { openLog } from '../core/log.ts'
import { openMail } from '../core/mail.ts'
import { openMediaStore } from '../core/media-store.ts'
import { createOutbound, type Outbound } from '../core/outbound.ts'
import { loadServerKeys, type ServerKeys } from '../core/secrets.ts'
import { readSettings, type Settings } from '../core/settings.ts'
import { createVisitorCache, type VisitorCache } from '../core/visitor-cache.ts'
import { createTestDatabase, patient } from './database.ts'

export interface BootOptions {
  settings?: Partial<Settings>
  outbound?: Outbound
  /** By default nothing is kept: tests write past the server. */
  visitorCache?: VisitorCache
  /** Also do the background work, not only write it down. */
  work?: boolean
}

export interface TestApp {
  app: FastifyInstance
  db: Sql
  databaseUrl: string
  settings: Settings
  serverKeys: ServerKeys
  /** What was logged, as parsed lines. */
  log: { level: number; msg: string; [key: string]: unknown }[]
  /** Every SQL statement sent since the last `statements.length = 0`. */
  statements: string[]
  /** Calls as whoever the access token is of; throws CallError for all but success. */
  call<E extends Endpoint>(endpoint: E, input: Input<E>, as?: { access: string } | null): Promise<Reply<E>>
  /** Closes everything; fails where something was logged as an error that the test did not take out of `log`. */
  close(): Promise<void>
}

/** Rate limits are off unless a test asks for them. */
export async function bootApp(options: BootOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'reelmark-test-'))
  const settings: Settings = {
    ...readSettings({ NODE_ENV: 'test', RATE_LIMIT_SCALE: '0', SAMPLE_CONTENT: 'off', LOG_LEVEL: 'info' }),
    dataDir,
    databaseUrl: database.url,
    ...options.settings,
  }
  const lines: TestApp['log'] = []
  const log = openLog(
    settings,
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        for (const line of chunk.toString().trim().split('\n')) lines.push(JSON.parse(line))
        done()
      },
    }),
  )
  const statements: string[] = []
  const db = connect(database.url, {
    ...patient,
    max: 10,
    applicationName: 'test',
    onQuery: (text) => statements.push(text),
  })
  const outbound = options.outbound ?? createOutbound({ allow: settings.outboundAllow })
  const media = openMediaStore(settings)
  const mail = openMail({ ...settings, log })
  const serverKeys = await loadServerKeys(db)
  const shared = {
    settings,
    log,
    db,
    readDb: db,
    outbound,
    media,
    mail,
    serverKeys,
    visitorCache: options.visitorCache ?? createVisitorCache(0),
  }
  const queues = (jobs: Jobs) => queuesOf({ ...shared, jobs })
  const jobs = await startJobs(database.url, queues, log, { work: options.work ?? false, pollSeconds: 0.5 })
  const app = await buildApp({ ...shared, jobs })
  await app.ready()

  return {
    app,
    db,
    databaseUrl: database.url,
    settings,
    serverKeys,
    log: lines,
    statements,
    call: (endpoint, input, as = null) =>
      call(injected(app), endpoint, input, as === null ? {} : { authorization: `Bearer ${as.access}` }),
    async close() {
      await app.close()
      await jobs.stop()
      mail.close()
      await db.end({ timeout: 5 })
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
      const errors = lines.filter((line) => line.level >= 50)
      if (errors.length > 0) throw new Error(`logged errors: ${JSON.stringify(errors).slice(0, 4000)}`)
    },
  }
}

/** The app as a transport: requests go through all of it, without a network. */
export function injected(app: FastifyInstance): Transport {
  return async ({ method, url, headers, body }): Promise<CallResponse> => {
    const response = await app.inject({ method, url, headers, ...(body === null ? {} : { payload: body }) })
    const header = (name: string) => response.headers[name.toLowerCase()]
    return {
      status: response.statusCode,
      headers: { get: (name) => (header(name) === undefined ? null : String(header(name))) },
      body: response.body === '' ? null : JSON.parse(response.body),
    }
  }
}
