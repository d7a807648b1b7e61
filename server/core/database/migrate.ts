/** Brings a database up to date. The kinds of files and the reasons: docs/decisions/0024-migration-runner.md. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { grantAppRights } from './app-role.ts'
import { connect, type TransactionSql, waitUntilReady } from './database.ts'

interface MigrateOptions {
  /** Folder of the `NNNN-name.sql` files and of `functions/`. */
  directory?: string
  /** The role of the application, if it is not the owner of the tables: it is granted its rights. */
  appRole?: string
  /** Called with each file's name after its transaction has committed. */
  onRun?: (name: string) => void
}

interface MigrationFile {
  /** The path inside the folder of migrations: `0001-accounts.sql` or `functions/tags.sql`. */
  name: string
  /** Null for a repeatable file. */
  version: number | null
  text: string
  sha256: string
}
type VersionedFile = MigrationFile & { version: number }

interface MigrationFiles {
  versioned: VersionedFile[]
  repeatable: MigrationFile[]
}

/** A row of `schema_migrations`: a file that has run. */
interface MigrationRecord {
  name: string
  version: number | null
  sha256: string
}

/** The generated description of the schema, in the same folder; it is never run. */
const schemaFile = 'schema.sql'
/** An arbitrary number, the same in every version of the program. */
const migrationLock = 5_271_983_042

/**
 * Runs what the database at `url` (the primary) lacks: the versioned files that have not run yet, each in its own
 * transaction, and then, in one transaction, the repeatable files that changed since they last ran.
 * Any number of processes may call it at the same time: an advisory lock lets one run at a time.
 * @returns the names of the files it ran, in order.
 * @throws Error when a file fails (its transaction is rolled back), when a file that ran was changed, renumbered or
 * deleted, when a file is older than the newest one that ran, and when the database is newer than the program.
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<string[]> {
  const { directory = join(import.meta.dirname, '../../migrations'), appRole, onRun } = options
  const files = await readMigrationFiles(directory)
  // No statement timeout: building an index on a large table takes minutes.
  const sql = connect(url, { max: 1, applicationName: 'reelmark migrate', statementTimeout: 0 })
  const ran: string[] = []
  try {
    await waitUntilReady(sql)
    let isComplete = false
    while (!isComplete) {
      const step = await sql.begin((tx) => runNext(tx, files, appRole))
      ran.push(...step.ran)
      for (const name of step.ran) onRun?.(name)
      isComplete = step.isComplete
    }
    return ran
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Runs the next versioned file or, when all of them have run, the repeatable files that changed, and grants rights. */
async function runNext(
  tx: TransactionSql,
  { versioned, repeatable }: MigrationFiles,
  appRole: string | undefined,
): Promise<{ ran: string[]; isComplete: boolean }> {
  await tx`select pg_advisory_xact_lock(${migrationLock})`
  const records = await readRecords(tx)
  checkHistory(versioned, records)
  const current = latestVersion(records)
  const next = versioned.find(({ version }) => version > current)
  if (next) {
    await run(tx, next)
    return { ran: [next.name], isComplete: false }
  }
  const lastRun = new Map(records.map(({ name, sha256 }) => [name, sha256]))
  const changed = repeatable.filter(({ name, sha256 }) => lastRun.get(name) !== sha256)
  for (const file of changed) await run(tx, file)
  // Without its record, a deleted file that returns later runs again.
  for (const { name, version } of records) {
    if (version === null && !repeatable.some((file) => file.name === name))
      await tx`delete from public.schema_migrations where name = ${name}`
  }
  if (appRole !== undefined) await grantAppRights(tx, appRole)
  return { ran: changed.map(({ name }) => name), isComplete: true }
}

async function run(tx: TransactionSql, file: MigrationFile): Promise<void> {
  const { name, version, text, sha256 } = file
  try {
    await tx.unsafe(text)
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
  await tx`
    insert into public.schema_migrations (name, version, sha256) values (${name}, ${version}, ${sha256})
    on conflict (name) do update set sha256 = excluded.sha256, run_at = now()`
}

async function readRecords(tx: TransactionSql): Promise<MigrationRecord[]> {
  const [table] = await tx`select to_regclass('public.schema_migrations') is not null as exists`
  if (!table?.exists) {
    await tx`
      create table public.schema_migrations (
        name    text primary key,
        -- Null for a repeatable file.
        version integer unique,
        sha256  text not null,
        run_at  timestamptz not null default now()
      )`
  }
  const records = await tx<MigrationRecord[]>`select * from public.schema_migrations`
  if (records.some(({ sha256 }) => sha256 === undefined))
    throw new Error(
      'This database was created before the first release and cannot be upgraded: use a new one.',
    )
  return records
}

/** Throws unless `files` are the ones that brought the database to its version, possibly followed by new ones. */
function checkHistory(files: VersionedFile[], records: MigrationRecord[]): void {
  const current = latestVersion(records)
  const newest = files.at(-1)?.version ?? 0
  if (current > newest) {
    throw new Error(
      `The database is at migration ${current}, this program knows only ${newest}: run a newer version.`,
    )
  }
  for (const { version, name, sha256 } of files) {
    if (version > current) continue
    const record = records.find((candidate) => candidate.version === version)
    if (!record)
      throw new Error(`Migration ${name} was added after later ones had run: give it a new number.`)
    if (record.sha256 !== sha256) {
      throw new Error(
        `Migration ${name} was changed after it had run in this database: undo that, and write a new migration.`,
      )
    }
  }
  const missing = records.find(
    ({ version }) => version !== null && !files.some((file) => file.version === version),
  )
  if (missing) throw new Error(`Migration ${missing.name} has run in this database: restore its file.`)
}

function latestVersion(records: MigrationRecord[]): number {
  return Math.max(0, ...records.map(({ version }) => version ?? 0))
}

/** Reads every file, in the order in which they run. Throws on a name that does not follow the rules. */
async function readMigrationFiles(directory: string): Promise<MigrationFiles> {
  const versioned: VersionedFile[] = []
  for (const name of await sqlFiles(directory)) {
    if (name === schemaFile) continue
    if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name))
      throw new Error(`Migration ${name}: the name is not of the form 0001-some-name.sql.`)
    const version = Number(name.slice(0, 4))
    const other = versioned.at(-1)
    if (other?.version === version)
      throw new Error(`Migrations ${other.name} and ${name} have the same number: give one a new number.`)
    versioned.push({ name, version, ...(await readSql(join(directory, name))) })
  }
  const repeatable: MigrationFile[] = []
  const functions = join(directory, 'functions')
  for (const name of existsSync(functions) ? await sqlFiles(functions) : []) {
    repeatable.push({ name: `functions/${name}`, version: null, ...(await readSql(join(functions, name))) })
  }
  return { versioned, repeatable }
}

/** Lists the names of the `.sql` files in a folder, in order. */
async function sqlFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

/** Reads a file with LF line endings: a checkout on Windows may have CRLF, and is the same migration. */
async function readSql(path: string): Promise<{ text: string; sha256: string }> {
  const text = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
  return { text, sha256: createHash('sha256').update(text).digest('hex') }
}
