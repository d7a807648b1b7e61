/** Connections to PostgreSQL, and the migrations that make its tables. */
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import Postgrator from 'postgrator'
import postgres from 'postgres'

/** Types beyond the driver's own: ids and counts are bigint in SQL and numbers here. */
type Types = { bigint: number }

/** A pool of connections. */
export type Sql = postgres.Sql<Types>

/** What query functions take first: the pool, or the transaction they are to be part of. */
export type Db = Sql | postgres.TransactionSql<Types>

export interface ConnectOptions {
  /** Connections at most. */
  max?: number
  /** Shown in pg_stat_activity. */
  name?: string
  /** Called with each statement before it is sent: tests count them. */
  onStatement?: (text: string) => void
}

const folder = fileURLToPath(new URL('../migrations/', import.meta.url))

/** Opens a pool; connections are made as they are needed, so this never throws. */
export function connect(url: string, { max = 10, name = 'reelmark', onStatement }: ConnectOptions = {}): Sql {
  return postgres(url, {
    max,
    connect_timeout: 5,
    idle_timeout: 300,
    max_lifetime: 3600,
    // Ids fit 2^53; as strings they would compare and serialise wrongly.
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
    onnotice: () => {},
    ...(onStatement && { debug: (_connection: number, text: string) => onStatement(text) }),
    connection: {
      application_name: name,
      statement_timeout: 10_000,
      idle_in_transaction_session_timeout: 30_000,
      // Measured: a Memoize node is sized before LIMIT and makes hot lists 4 to 11 times slower.
      enable_memoize: false,
      TimeZone: 'UTC',
    } as Partial<postgres.ConnectionParameters>,
  })
}

/**
 * Runs the migrations that a database lacks, all or none; processes starting at once wait for each other.
 * @throws with a clear line where a migration that has run was altered since, or one fails.
 */
export async function migrate(url: string, from = folder): Promise<{ applied: string[] }> {
  const sql = connect(url, { max: 1, name: 'reelmark-migrate' })
  try {
    const applied = await sql.begin(async (db) => {
      await db`select pg_advisory_xact_lock(${migrationLock})`
      await db`set local statement_timeout = 0`
      const postgrator = new Postgrator({
        driver: 'pg',
        migrationPattern: `${from.replaceAll('\\', '/').replace(/\/?$/, '/')}*.sql`,
        schemaTable: 'schema_migrations',
        currentSchema: 'public',
        newline: 'LF',
        execQuery: async (text) => ({ rows: [...(await db.unsafe(text).simple())] }),
      })
      return postgrator.migrate()
    })
    return { applied: applied.map((migration) => migration.filename) }
  } catch (error) {
    const line = error instanceof Error ? error.message : String(error)
    const altered = /MD5 checksum failed for migration \[(\d+)\]/.exec(line)
    throw new Error(
      altered === null
        ? `A database migration failed: ${line}`
        : `Migration ${altered[1]} was altered after it had run here. Migrations are never edited: add a new one.`,
      { cause: error },
    )
  } finally {
    await sql.end()
  }
}

/** Any number that no other lock of ours uses. */
const migrationLock = 7_335_163

/** Names of the migration files in order; a test rig keys its template database by them. */
export async function migrationFiles(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

export const migrationsFolder = folder
