import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, migrate, type Sql } from '../core/database.ts'
import { startEmbeddedPostgres } from '../core/embedded-postgres.ts'

const migrations = join(import.meta.dirname, '../migrations')
const dataDir = join(import.meta.dirname, '../../.cache/test-database')
/** Set by `startTestCluster` for the test workers, which are its child processes. */
const urlVariable = 'REELMARK_TEST_CLUSTER'
const quiet = { info() {}, warn() {} }

/** For `connect`: a busy machine is slow, not wrong, and answers after a minute what else would be given up after 4 s. */
export const patient = { timeoutScale: 15 }

/** A database of a test's own; `drop` removes it, whoever is still connected. */
export type TestDatabase = { url: string; drop(): Promise<void> }

/**
 * Starts, or joins, this checkout's one cluster for tests (fsync off), and makes the migrated template if the
 * migrations have changed. Vitest's global setup calls it; so does whoever runs a server for the e2e journeys.
 */
export async function startTestCluster(): Promise<{ stop(): Promise<void> }> {
  const cluster = await startEmbeddedPostgres({ dataDir, log: quiet, durable: false })
  try {
    await withAdmin(cluster.url, async (admin) => {
      await dropForgotten(admin)
      await makeTemplate(admin, cluster.url)
    })
  } catch (error) {
    await cluster.stop()
    throw error
  }
  process.env[urlVariable] = cluster.url
  return { stop: cluster.stop }
}

/** A fresh database with all migrations run (20 ms or so). Names hold pid and chance: runs at once do not clash. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return create(templateName())
}

/** A fresh database with nothing in it, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return create('template1')
}

async function create(template: string): Promise<TestDatabase> {
  const cluster = process.env[urlVariable]
  if (!cluster)
    throw new Error('No test cluster: call startTestCluster() first (Vitest does so for the server).')
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await withAdmin(
    cluster,
    (admin) => admin`create database ${admin(name)} template ${admin(template)} strategy wal_log`,
  )
  return {
    url: databaseUrl(cluster, name),
    drop: () =>
      withAdmin(
        cluster,
        async (admin) => void (await admin`drop database if exists ${admin(name)} with (force)`),
      ),
  }
}

async function withAdmin<T>(url: string, work: (admin: Sql) => PromiseLike<T>): Promise<T> {
  const admin = connect(databaseUrl(url, 'postgres'), { max: 1, statementTimeout: 0, timeoutScale: 15 })
  try {
    return await work(admin)
  } finally {
    await admin.end({ timeout: 5 })
  }
}

function databaseUrl(cluster: string, name: string): string {
  const url = new URL(cluster)
  url.pathname = `/${name}`
  return url.href
}

function templateName(): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(migrations).sort()) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(migrations, name)))
      .update('\0')
  }
  return `template_${hash.digest('hex').slice(0, 16)}`
}

async function makeTemplate(admin: Sql, cluster: string): Promise<void> {
  const name = templateName()
  // For as long as this connection lives: of two runs at once one makes it, the other finds it.
  await admin`select pg_advisory_lock(5271983043)`
  const [found] = await admin`select from pg_database where datname = ${name}`
  if (found) return
  // Built under another name: a template is whole or not there.
  const building = `building_${name}`
  await admin`drop database if exists ${admin(building)} with (force)`
  await admin`create database ${admin(building)}`
  await migrate(databaseUrl(cluster, building), { directory: migrations })
  await admin`alter database ${admin(building)} rename to ${admin(name)}`
}

/** Databases of runs that were killed, and, when no other run is on, templates of older migrations. */
async function dropForgotten(admin: Sql): Promise<void> {
  const rows = await admin<{ name: string; pid: number | null }[]>`
    select datname as name, substring(datname from '^test_(\\d+)_')::int as pid
    from pg_database where datname ~ '^(test|template)_'`
  const tests = rows.filter((row) => row.pid !== null)
  for (const { name, pid } of tests)
    if (pid && !isRunning(pid)) await admin`drop database if exists ${admin(name)} with (force)`
  if (tests.some(({ pid }) => pid && isRunning(pid))) return
  for (const { name, pid } of rows) {
    if (pid === null && name !== templateName()) await admin`drop database if exists ${admin(name)}`
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
