/**
 * Backs up all tables and pictures to one file, and restores them. The backup reads one snapshot while the site runs; the
 * restore is one transaction that succeeds or fails as a whole.
 *
 * Not included are signing keys, sessions and other short-lived data: the file does not allow signing in as a user, and
 * after a restore users sign in again. Jobs are not included either, because the tables contain what is left to do. The key
 * that encrypts authenticator secrets is included; without it, users of authenticator apps would be locked out.
 */
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { EncryptionKeyName } from '../auth/server-keys.ts'
import { type MediaStore, mediaType } from '../media/store.ts'
import { openBackupWriter, readBackup, type Section } from './backup-file.ts'
import { announceBackup } from './backup-lock.ts'
import { connect, type TransactionSql } from './database.ts'

const format = 'reelmark-backup'
/** Tables that a restore empties, and whose rows are neither saved nor restored. */
const transientTables = [
  'sessions',
  'password_resets',
  'email_confirmations',
  'sent_mails',
  'one_time_tickets',
  'idempotency_keys',
  'removal_candidates',
  'rate_limits',
  'exports',
  'export_chunks',
  'export_pictures',
  'imports',
  'uploads',
  'upload_chunks',
  'import_files',
  'import_parts',
  'import_reports',
  'import_containers',
  'import_container_changes',
  'import_pictures',
  'metadata_requests',
  'metadata_hosts',
]
/** The entries of server_keys with which data in the tables is encrypted. */
const encryptionKeyNames: readonly EncryptionKeyName[] = ['authenticator', 'collection-link', 'webhook']
/** Tables that a restore does not change, except for these keys. */
const preservedTables = ['schema_migrations', 'server_keys']

export interface BackupContents {
  tables: number
  rows: number
  pictures: number
}

/** An error whose message is meant for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

interface EncryptionKey {
  name: EncryptionKeyName
  /** In base64. */
  value: string
}

interface Table {
  name: string
  columns: string[]
}

/**
 * Writes a backup. If it fails, no file remains.
 * @param mediaDir null if pictures are stored elsewhere (S3) and backed up there
 * @throws BackupError if the file exists
 */
export async function createBackup(
  databaseUrl: string,
  mediaDir: string | null,
  file: string,
): Promise<BackupContents & { bytes: number }> {
  if (await exists(file)) throw new BackupError(`${file} already exists: choose another file name.`)
  const part = `${file}.part`
  await rm(part, { force: true })
  const sql = connect(databaseUrl, { max: 1, applicationName: 'reelmark backup', statementTimeout: 0 })
  const writer = openBackupWriter(part)
  try {
    const contents = { tables: 0, rows: 0, pictures: 0 }
    await sql.begin('isolation level repeatable read read only', async (tx) => {
      // The transaction may be idle while the disk is slow.
      await tx`set local idle_in_transaction_session_timeout = 0`
      await announceBackup(tx)
      const sequences = await tx`
        select sequencename as name, last_value from pg_sequences
         where schemaname = 'public' and last_value is not null`
      const encryptionKeys = await tx<EncryptionKey[]>`
        select name, encode(value, 'base64') as value from server_keys where name = any (${[...encryptionKeyNames]}::text[])`
      await writer.section(
        {
          format,
          version: 1,
          created_at: new Date(),
          migration: await currentMigration(tx),
          sequences,
          encryption_keys: encryptionKeys,
        },
        [],
      )
      for (const table of await listTables(tx)) {
        if ([...transientTables, ...preservedTables].includes(table.name)) continue
        contents.tables += 1
        await writer.section(
          { table: table.name, columns: table.columns },
          countRows(readRows(tx, table), contents),
        )
      }
      // Read after the tables, because a picture is written before the row that refers to it, and in the transaction,
      // because pictures are not deleted until it ends.
      for (const { key, file: picture } of mediaDir === null ? [] : await listPictures(mediaDir)) {
        const bytes = await readFile(picture).catch(ignoreMissing)
        if (bytes === null) continue
        contents.pictures += 1
        await writer.section({ picture: key }, [bytes])
      }
    })
    await writer.section({ end: true }, [])
    await writer.close()
    await rename(part, file)
    return { ...contents, bytes: (await stat(file)).size }
  } catch (error) {
    writer.abort()
    await rm(part, { force: true })
    throw error
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/**
 * Restores a file written by createBackup(), replacing everything in the database, whose migrations must have run.
 * @throws BackupError if the file is incomplete, damaged or of another schema; then nothing is changed
 */
export async function restoreBackup(
  databaseUrl: string,
  media: MediaStore,
  file: string,
): Promise<BackupContents> {
  if (!(await exists(file))) throw new BackupError(`${file} does not exist.`)
  const sql = connect(databaseUrl, { max: 1, applicationName: 'reelmark restore', statementTimeout: 0 })
  const contents = { tables: 0, rows: 0, pictures: 0 }
  try {
    await sql.begin(async (tx) => {
      await tx`set local idle_in_transaction_session_timeout = 0`
      await tx`set local lock_timeout = '60s'`
      const sections = readBackup(file)
      const first = await sections.next().catch(() => null)
      const head = first === null || first.done ? {} : await readHead(tx, first.value)
      if (head.format !== format) throw new BackupError(`${file} is not a backup of Reelmark.`)
      const tables = await listTables(tx)
      const withForeignKeysRestored = await truncateTables(tx, tables)
      let isWhole = false
      for await (const section of sections) {
        isWhole ||= section.head.end === true
        await restoreSection(tx, media, tables, section, contents)
      }
      if (!isWhole) throw new BackupError(`${file} is truncated: nothing was restored.`)
      await withForeignKeysRestored()
      for (const { name, value } of head.encryption_keys as EncryptionKey[]) {
        await tx`
          insert into server_keys (name, value) values (${name}, decode(${value}, 'base64'))
          on conflict (name) do update set value = excluded.value`
      }
      for (const { name, last_value } of head.sequences as { name: string; last_value: number }[]) {
        // A sequence never goes back, because ids must not be reused, not even those that the backup does not contain.
        await tx`
          select setval(format('public.%I', ${name}::text)::regclass, greatest(${last_value}::bigint, coalesce(
            (select last_value from pg_sequences where schemaname = 'public' and sequencename = ${name}), 1)))`
      }
    })
    await sql`analyze`
    return contents
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    // Damage is detected by gzip (Z_…), by our reader, while parsing a head's JSON, or by the database (error classes 22
    // and 23: invalid data or a violated constraint).
    const isDamaged =
      /^(Z_|22|23)/.test(code ?? '') || /^the file /.test(message) || error instanceof SyntaxError
    if (isDamaged) {
      throw new BackupError(`${file} is damaged or truncated (${message}): nothing was restored.`)
    }
    throw error
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function readHead(tx: TransactionSql, { head, chunks }: Section): Promise<Record<string, unknown>> {
  for await (const _ of chunks);
  const migration = await currentMigration(tx)
  if (head.format === format && head.migration !== migration) {
    throw new BackupError(
      `This backup is of database version ${head.migration}, this program's is ${migration}: ` +
        'restore it with the version of Reelmark that made it, and start the newer one afterwards.',
    )
  }
  return head
}

async function restoreSection(
  tx: TransactionSql,
  media: MediaStore,
  tables: Table[],
  { head, chunks }: Section,
  contents: BackupContents,
): Promise<void> {
  if (typeof head.picture === 'string') {
    const parts: Buffer[] = []
    for await (const chunk of chunks) parts.push(chunk)
    await media.put(head.picture, Buffer.concat(parts))
    contents.pictures += 1
    return
  }
  const table = tables.find(({ name }) => name === head.table)
  if (table === undefined) {
    for await (const _ of chunks);
    if (head.end !== true) throw new BackupError(`The backup holds an unknown table, ${String(head.table)}.`)
    return
  }
  const columns = head.columns as string[]
  if (!columns.every((column) => table.columns.includes(column))) {
    throw new BackupError(`The backup's table ${table.name} has columns that the database does not have.`)
  }
  const load = `insert into ${insertTarget({ name: table.name, columns })} overriding system value
    select ${columns.map(quoteIdentifier).join(', ')}
      from json_populate_recordset(null::public.${quoteIdentifier(table.name)}, $1::text::json)`
  for await (const chunk of countRows(chunks, contents)) {
    const rows = chunk.toString().trimEnd().split('\n')
    await tx.unsafe(load, [`[${rows.join(',')}]`])
  }
  contents.tables += 1
}

/**
 * Empties every table, after dropping foreign keys and disabling triggers: restored rows already contain what triggers
 * compute, and two tables refer to each other.
 * @returns a function that restores them and thereby checks every reference
 */
async function truncateTables(tx: TransactionSql, tables: Table[]): Promise<() => Promise<void>> {
  const names = tables.map(({ name }) => name).filter((name) => !preservedTables.includes(name))
  const list = names.map((name) => `public.${quoteIdentifier(name)}`).join(', ')
  await tx.unsafe(`lock table ${list} in access exclusive mode`)
  const keys = await tx<{ home: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as home, conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`
  for (const { home, name } of keys)
    await tx.unsafe(`alter table ${home} drop constraint ${quoteIdentifier(name)}`)
  for (const name of names)
    await tx.unsafe(`alter table public.${quoteIdentifier(name)} disable trigger user`)
  await tx.unsafe(`truncate ${list}`)
  return async () => {
    for (const { home, name, definition } of keys) {
      await tx.unsafe(`alter table ${home} add constraint ${quoteIdentifier(name)} ${definition}`)
    }
    for (const name of names)
      await tx.unsafe(`alter table public.${quoteIdentifier(name)} enable trigger user`)
  }
}

function listTables(tx: TransactionSql) {
  return tx<Table[]>`
    select c.relname as name,
           json_agg(a.attname order by a.attnum) filter (where a.attgenerated = '') as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
     group by c.relname order by c.relname`
}

async function currentMigration(tx: TransactionSql): Promise<number> {
  const [row] = await tx<[{ version: number }]>`select max(version)::int as version from schema_migrations`
  return row.version
}

function insertTarget({ name, columns }: Table): string {
  return `public.${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(', ')})`
}

function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Yields the rows of a table as lines of JSON. */
async function* readRows(tx: TransactionSql, { name, columns }: Table): AsyncGenerator<Buffer> {
  await tx.unsafe(
    `declare backup_rows no scroll cursor for
     select row_to_json(t)::text as line from (select ${columns.map(quoteIdentifier).join(', ')} from public.${quoteIdentifier(name)}) t`,
  )
  for (;;) {
    const batch = await tx.unsafe<{ line: string }[]>('fetch 500 from backup_rows')
    if (batch.length === 0) break
    yield Buffer.from(`${batch.map(({ line }) => line).join('\n')}\n`)
  }
  await tx.unsafe('close backup_rows')
}

/** Counts the rows that pass: each ends with a line break, and JSON contains no others. */
async function* countRows(chunks: AsyncIterable<Buffer>, contents: { rows: number }): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) contents.rows += 1
    yield chunk
  }
}

/** Returns all stored pictures in a folder. Files that are still being written have no valid media key as a name. */
async function listPictures(mediaDir: string): Promise<{ key: string; file: string }[]> {
  if (!(await exists(mediaDir))) return []
  const entries = await readdir(mediaDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && mediaType(entry.name) !== null)
    .map((entry) => ({ key: entry.name, file: path.join(entry.parentPath, entry.name) }))
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(ignoreMissing)) !== null
}
