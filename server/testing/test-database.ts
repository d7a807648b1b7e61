import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { roleOf } from '../core/database/app-role.ts'
import { connect, type Sql } from '../core/database/database.ts'
import { migrate } from '../core/database/migrate.ts'
import { startEmbeddedPostgres } from '../core/embedded-postgres/embedded-postgres.ts'
import { findMemoryFolder } from './memory-folder.ts'

const serverDir = join(import.meta.dirname, '..')
const root = join(serverDir, '..')
/** In memory if there is room: one folder for each checkout, which stays for the next run. */
const dataDir = join(findMemoryFolder() ?? join(root, '.cache'), `reelmark-test-database-${digest(root)}`)
/** URL of the template database. `startTestCluster` sets it for the test workers, which are its child processes. */
const templateVariable = 'REELMARK_TEST_TEMPLATE'
/** URL of the same database for the role of the application. */
const appVariable = 'REELMARK_TEST_TEMPLATE_APP'
const silentLog = { info() {}, warn() {} }

/** Options for `connect`. A busy machine is slow, so timeouts of 4 s become one minute. */
export const slowTimeouts = { timeoutScale: 15 }

/** The database of a single test. `drop` removes it even while clients are connected. */
export type TestDatabase = {
  /** For the owner of the tables. */
  url: string
  /** For the role of the application. */
  appUrl: string
  drop(): Promise<void>
}

/**
 * Starts, or joins, this checkout's one cluster for tests (fsync off), and creates the template database if the
 * migrations or the server's dependencies changed. Vitest's global setup calls it, and so do scripts that need a
 * test database.
 */
export async function startTestCluster(): Promise<{ stop(): Promise<void> }> {
  const cluster = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false })
  const template = templateName()
  try {
    await withAdmin(cluster.ownerUrl, async (admin) => {
      await dropAbandoned(admin, template)
      await createTemplate(admin, cluster, template)
    })
  } catch (error) {
    await cluster.stop()
    throw error
  }
  process.env[templateVariable] = databaseUrl(cluster.ownerUrl, template)
  process.env[appVariable] = databaseUrl(cluster.url, template)
  return { stop: cluster.stop }
}

/** Creates a database with all migrations run and all job queues created, as a copy of the template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return createFromTemplate(new URL(templateUrl()).pathname.slice(1))
}

/** Creates a database with nothing in it, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createFromTemplate('template1')
}

async function createFromTemplate(template: string): Promise<TestDatabase> {
  const cluster = templateUrl()
  // Concurrent test runs share the cluster; the process id shows which databases are abandoned.
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`
  await withAdmin(
    cluster,
    (admin) => admin`create database ${admin(name)} template ${admin(template)} strategy wal_log`,
  )
  return {
    url: databaseUrl(cluster, name),
    appUrl: databaseUrl(process.env[appVariable] ?? '', name),
    drop: () =>
      withAdmin(
        cluster,
        async (admin) => void (await admin`drop database if exists ${admin(name)} with (force)`),
      ),
  }
}

function templateUrl(): string {
  const url = process.env[templateVariable]
  if (!url) throw new Error('No test cluster: call startTestCluster() first (Vitest does so for the server).')
  return url
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

/** Names the template after what it is created from; the package file decides the version of pg-boss. */
function templateName(): string {
  const hash = createHash('sha256')
  const migrations = readdirSync(join(serverDir, 'migrations'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join('migrations', name))
  for (const path of [...migrations, 'package.json', 'core/database/app-role.ts']) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(serverDir, path)))
      .update('\0')
  }
  return `template_${hash.digest('hex').slice(0, 16)}`
}

async function createTemplate(
  admin: Sql,
  cluster: { url: string; ownerUrl: string },
  name: string,
): Promise<void> {
  // Held until this connection closes: of two test runs one creates the template, and the other finds it.
  await admin`select pg_advisory_lock(5271983043)`
  const [found] = await admin`select from pg_database where datname = ${name}`
  if (found) return
  // Renamed when it is complete, so that an interrupted run leaves no half-made template.
  const building = `building_${name}`
  await admin`drop database if exists ${admin(building)} with (force)`
  await admin`create database ${admin(building)}`
  await migrate(databaseUrl(cluster.ownerUrl, building), { appRole: roleOf(cluster.url) })
  // Imported only here, because it loads the whole server, which tests of single modules do not need.
  const { createJobTables } = await import('./services.ts')
  await createJobTables(databaseUrl(cluster.url, building))
  await admin`alter database ${admin(building)} rename to ${admin(name)}`
}

/** Drops the databases of killed test runs and, when no other run is active, outdated templates. */
async function dropAbandoned(admin: Sql, currentTemplate: string): Promise<void> {
  const rows = await admin<{ name: string; pid: number | null }[]>`
    select datname as name, substring(datname from '^test_(\\d+)_')::int as pid
    from pg_database where datname ~ '^(test|template)_'`
  const tests = rows.filter((row) => row.pid !== null)
  for (const { name, pid } of tests)
    if (pid && !isRunning(pid)) await admin`drop database if exists ${admin(name)} with (force)`
  if (tests.some(({ pid }) => pid && isRunning(pid))) return
  for (const { name, pid } of rows) {
    if (pid === null && name !== currentTemplate) await admin`drop database if exists ${admin(name)}`
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
