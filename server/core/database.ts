import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import Postgrator from 'postgrator'
import { openPool, type Sql, type TransactionSql } from './database/pool.ts'

export type { Sql, TransactionSql } from './database/pool.ts'
export type { Argument, Fragment } from './database/statement.ts'
/** The first parameter of every query function: the pool, or the transaction the route opened. */
export type Db = Sql | TransactionSql

type ConnectOptions = {
  /** Connections at most; they are opened when needed. */
  max?: number
  /** As pg_stat_activity shows it. */
  applicationName?: string
  /** Milliseconds after which the server cancels a statement (57014); 0 for never. */
  statementTimeout?: number
  /** Multiplies every timeout: for tests, whose machine may be busy. */
  timeoutScale?: number
  /** Is called with the text of every statement: tests count with it. */
  onQuery?: (text: string) => void
  onNotice?: (message: string) => void
}

/**
 * Returns a pool of connections to `url` (postgres://…). It connects on the first statement, and anew after a failure.
 *
 * The timeouts (2 s to connect, 4 s for a statement) are those which carried clients over the loss of a node. The
 * server applies the second before the commit only, so no acknowledged write is ever cancelled half-way.
 */
export function connect(url: string, options: ConnectOptions = {}): Sql {
  const { max = 20, applicationName = 'reelmark', statementTimeout = 4_000, onQuery, onNotice } = options
  const { timeoutScale = 1 } = options
  const client: ClientConfig = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 2_000 * timeoutScale,
    statement_timeout: statementTimeout * timeoutScale,
    idle_in_transaction_session_timeout: 10_000 * timeoutScale,
    // Measured: a Memoize node is sized before LIMIT, which makes lists 4 to 11 times slower.
    options: '-c enable_memoize=off',
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
  }
  // Connections age so that a pool spreads again over what a failover left.
  return openPool({ client, max, maxLifetime: 30 * 60, onQuery, onNotice })
}

/** What comes of a server starting, stopping or handing over: it passes, and the same call may work in a moment. */
const passing = new Set([
  ...['57P01', '57P02', '57P03', '25006', '53300', '08P01', '08000', '08001', '08003', '08004', '08006'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
  ...['CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED'],
])

/**
 * Whether `error` tells of a database out of reach for the moment and not of a wrong query. A read may be tried
 * again; a write may have been committed, so it may not unless it is idempotent.
 */
export function isOutOfReach(error: unknown): boolean {
  return passing.has((error as { code?: string } | null)?.code ?? '')
}

/** Waits until the database answers, for `patience` milliseconds at most; then throws the last error. */
export async function waitUntilReady(sql: Sql, patience = 60_000): Promise<void> {
  const deadline = Date.now() + patience
  for (;;) {
    try {
      await sql`select 1`
      return
    } catch (error) {
      if (!isOutOfReach(error) || Date.now() > deadline) throw error
      await sleep(250)
    }
  }
}

type MigrateOptions = {
  /** Folder of the `NNNN.do.<name>.sql` files. */
  directory?: string
  /** Is called with each file's name once it is committed. */
  onRun?: (file: string) => void
}

const table = 'public.schema_migrations'
/** Any number, but the same in every version of the program. */
const migrationLock = 5_271_983_042

/**
 * Brings the database at `url` (the primary) up to the newest migration, each file in a transaction of its own.
 * Any number of processes may call it at once: a lock lets one at a time look and run. Returns the files it ran.
 * Throws, with nothing half-done, when a file fails, was altered or left out after later ones ran, or when the
 * database is newer than the program.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { directory = join(import.meta.dirname, '../migrations'), onRun } = options
  const files = await migrationFiles(directory)
  // No limit on a statement: an index on a large table takes its time.
  const sql = connect(url, { max: 1, applicationName: 'reelmark migrate', statementTimeout: 0 })
  const ran: string[] = []
  try {
    await waitUntilReady(sql)
    for (;;) {
      const file = await sql.begin((tx) => runNext(tx, directory, files))
      if (!file) return ran
      ran.push(file)
      onRun?.(file)
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

type MigrationFile = { version: number; name: string }

/** In order. Throws on a name that the runner would pass over in silence. */
async function migrationFiles(directory: string): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql'))
  const files = names.map((name) => {
    const version = /^(\d{4})\.do\.[a-z0-9-]+\.sql$/.exec(name)?.[1]
    if (!version) throw new Error(`Migration ${name}: the name is not of the form 0001.do.some-name.sql.`)
    return { version: Number(version), name }
  })
  return files.sort((a, b) => a.version - b.version)
}

/** Runs the next file that has not run, and returns its name; null when all have. */
async function runNext(
  tx: TransactionSql,
  directory: string,
  files: MigrationFile[],
): Promise<string | null> {
  await tx`select pg_advisory_xact_lock(${migrationLock})`
  const current = await lastVersion(tx, files)
  const next = files.find(({ version }) => version > current)
  const runner = new Postgrator({
    driver: 'pg',
    schemaTable: table,
    // A checkout on Windows may have changed the line ends.
    newline: 'LF',
    migrationPattern: `${asPattern(directory)}/*.do.*.sql`,
    execQuery: async (query) => ({ rows: await tx.unsafe(query) }),
    execSqlScript: async (script) => {
      await tx.unsafe(script)
    },
  })
  try {
    if (files.length > 0) await runner.migrate(String(next?.version ?? current))
  } catch (error) {
    const { message } = error as Error
    const altered = /^MD5 checksum failed for migration \[(\d+)\]/.exec(message)?.[1]
    const file = files.find(({ version }) => version === Number(altered))?.name ?? next?.name
    throw new Error(
      altered
        ? `Migration ${file} was changed after it had run in this database: undo that, and write a new migration.`
        : `Migration ${file} failed: ${message}`,
      { cause: error },
    )
  }
  return next?.name ?? null
}

/** The version the database is at, 0 when new. Throws if the files cannot be what brought it there. */
async function lastVersion(tx: TransactionSql, files: MigrationFile[]): Promise<number> {
  const [exists] = await tx`select to_regclass(${table}) is not null as yes`
  if (!exists?.yes) return 0
  const rows = await tx<{ version: number }[]>`select version from ${tx(table)} where version > 0`
  const ran = new Set(rows.map(({ version }) => version))
  const current = Math.max(0, ...ran)
  const known = files.at(-1)?.version ?? 0
  if (current > known) {
    throw new Error(
      `The database is at migration ${current}, this program knows only ${known}: run a newer version.`,
    )
  }
  const skipped = files.find(({ version }) => version < current && !ran.has(version))
  if (skipped)
    throw new Error(`Migration ${skipped.name} was added after later ones had run: give it a new number.`)
  return current
}

/** The runner takes a glob: backslashes and the characters that mean something there are escaped. */
function asPattern(path: string): string {
  return path.replaceAll('\\', '/').replace(/[?*()[\]{}!]/g, '[$&]')
}
