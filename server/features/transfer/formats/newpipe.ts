/** Reads the database in an export of NewPipe and the apps derived from it, and its file of subscriptions. */
import { DatabaseSync } from 'node:sqlite'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { createYield } from '../../../core/yield.ts'
import { MalformedFile } from '../json-stream.ts'
import { cleanLine, type RawItem } from './imported-item.ts'
import { asRecord, readJsonItems } from './json-items.ts'
import { maxFolders } from './read-limits.ts'
import { type SourceFile, storeUpload } from './uploaded-file.ts'

type Row = Record<string, unknown>

/** The tables and columns that are read. Only the first two tables exist in every export. */
const columns = {
  streams: ['uid', 'url', 'title'],
  playlists: ['uid', 'name'],
  playlist_stream_join: ['playlist_id', 'stream_id', 'join_index'],
  remote_playlists: ['name', 'url'],
  stream_history: ['stream_id', 'access_date'],
  stream_state: ['stream_id', 'progress_time'],
  subscriptions: ['url', 'name'],
} as const
type Table = keyof typeof columns

/** Bytes of one value of the database. */
const maxValueBytes = 1024 * 1024
/** Bytes of the database. */
const maxDatabaseBytes = 256 * 1024 * 1024

/**
 * Reads the database row by row, without joins, orders or conditions other than the primary key: a manipulated file could
 * otherwise make one statement run for hours, and statements cannot be interrupted.
 * @throws MalformedFile
 */
export async function* readNewpipeDatabase(file: SourceFile): AsyncGenerator<RawItem> {
  await using copy = await storeUpload(file.open(), maxDatabaseBytes)
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(copy.path, {
      readOnly: true,
      defensive: true,
      allowExtension: false,
      limits: { length: maxValueBytes },
    })
    db.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma mmap_size = 0')
    yield* readTables(db)
  } catch (error) {
    const { code } = error as { code?: unknown }
    // The second code stands for a number that JavaScript cannot represent.
    throw code === 'ERR_SQLITE_ERROR' || code === 'ERR_OUT_OF_RANGE' ? notNewpipe() : error
  } finally {
    db?.close()
  }
}

async function* readTables(db: DatabaseSync): AsyncGenerator<RawItem> {
  const letOthersRun = createYield()
  const tables = findTables(db)
  if (!tables.has('streams') || !tables.has('playlists')) throw notNewpipe()
  const findStream = createFinder(db, 'streams', 'uid')
  const findPosition = tables.has('stream_state')
    ? createFinder(db, 'stream_state', 'stream_id')
    : () => undefined
  const names = new Map<unknown, string>()
  for (const row of listRows(db, 'playlists')) {
    if (names.size === maxFolders) throw new MalformedFile('The file has too many collections.')
    // A file can have names of megabytes.
    names.set(row.uid, cleanLine(row.name, limits.nameMax))
    await letOthersRun()
  }
  const readStream = (id: unknown): RawItem => {
    const stream = findStream(id)
    return stream === undefined
      ? { reason: 'Its video is missing from the file.' }
      : { url: stream.url, title: stream.title }
  }
  if (tables.has('playlist_stream_join')) {
    for (const row of listRows(db, 'playlist_stream_join')) {
      const folders = [names.get(row.playlist_id)]
      yield { kind: 'saved', ...readStream(row.stream_id), folders, list_position: row.join_index }
    }
  }
  if (tables.has('stream_history')) {
    for (const row of listRows(db, 'stream_history')) {
      const position = findPosition(row.stream_id)?.progress_time
      yield {
        kind: 'watched',
        ...readStream(row.stream_id),
        saved_at: row.access_date,
        position_seconds: typeof position === 'number' ? position / 1000 : null,
      }
    }
  }
  for (const table of ['subscriptions', 'remote_playlists'] as const) {
    if (!tables.has(table)) continue
    for (const row of listRows(db, table)) {
      yield { kind: 'subscription', url: row.url, title: row.name }
    }
  }
}

/** Returns the tables of which all columns can be read without evaluating anything that the file defines. */
function findTables(db: DatabaseSync): ReadonlySet<Table> {
  const statement = db.prepare(`select name, type, sql from sqlite_schema`)
  const found = new Set<Table>()
  let count = 0
  for (const { name, type, sql } of statement.iterate() as Iterable<Row>) {
    count += 1
    if (count > 1000) throw notNewpipe()
    if (type !== 'table' || typeof name !== 'string' || !(name in columns)) continue
    // Not a virtual table, and no generated columns.
    if (typeof sql !== 'string' || !/^create table\b/i.test(sql) || /\bas\s*\(|\bgenerated\b/i.test(sql)) {
      throw notNewpipe()
    }
    found.add(name as Table)
  }
  return found
}

function listRows(db: DatabaseSync, table: Table): Iterable<Row> {
  return db
    .prepare(`select ${columns[table].join(', ')} from ${table} not indexed`)
    .iterate() as Iterable<Row>
}

/** Returns a function that finds a row by the primary key. @throws MalformedFile if the column is not the primary key. */
function createFinder(db: DatabaseSync, table: Table, key: string): (id: unknown) => Row | undefined {
  const facts = db.prepare('select type, pk from pragma_table_info(?) where name = ?').get(table, key) as
    | Row
    | undefined
  if (facts?.pk !== 1 || String(facts.type).toLowerCase() !== 'integer') throw notNewpipe()
  const statement = db.prepare(`select ${columns[table].join(', ')} from ${table} where ${key} = ?`)
  return (id) => (typeof id === 'number' ? (statement.get(id) as Row | undefined) : undefined)
}

function notNewpipe(): MalformedFile {
  return new MalformedFile("The file isn't a database of NewPipe, or it is damaged.")
}

/** The subscriptions as a file of their own, which FreeTube writes too. */
export async function* readNewpipeSubscriptions(file: SourceFile): AsyncGenerator<RawItem> {
  for await (const { value } of readJsonItems(file, ['$.subscriptions.*'])) {
    const { url, name } = asRecord(value)
    yield { kind: 'subscription', url, title: name }
  }
}
